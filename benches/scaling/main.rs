//! How the bounded engine grows with the program: three ways of excluding cyclic orders, with each
//! solver of the build, on families of any size.
//!
//! ```text
//! cargo bench --bench scaling                                small members, by criterion
//! cargo bench --bench scaling -- --table                     all members once, as Markdown
//! cargo bench --bench scaling -- --table --timeout=5 ring    five seconds an answer; rings only
//! cargo bench --bench scaling -- --table --sizes=32 ring     these members instead
//! ```
//!
//! With `--features cadical` both solvers stand side by side. The table decides which way is the
//! default; criterion tells whether a change made one slower.

mod families;
mod measure;
mod table;

use criterion::{BenchmarkId, Criterion};
use fencepost::verdict::Budget;
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use table::Choice;

/// What one answer may take in the table if nobody says, in seconds.
const LIMIT: u64 = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--table") {
        return print_table(&arguments);
    }
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    bench_small_members(&mut criterion);
    criterion.final_summary();
    ExitCode::SUCCESS
}

#[allow(clippy::print_stderr, reason = "a bench has no other way to complain")]
fn print_table(arguments: &[String]) -> ExitCode {
    let written = choice(arguments).and_then(|choice| {
        table::write(&mut io::stdout().lock(), &choice).map_err(|error| error.to_string())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn choice(arguments: &[String]) -> Result<Choice, String> {
    let mut choice = Choice {
        limit: Duration::from_secs(LIMIT),
        filters: Vec::new(),
        sizes: Vec::new(),
    };
    let number = |text: &str| {
        text.parse::<u32>()
            .map_err(|error| format!("`{text}`: expected a number: {error}"))
    };
    for argument in arguments {
        if let Some(text) = argument.strip_prefix("--timeout=") {
            choice.limit = Duration::from_secs(number(text)?.into());
        } else if let Some(text) = argument.strip_prefix("--sizes=") {
            choice.sizes = text.split(',').map(number).collect::<Result<_, _>>()?;
        } else if argument == "--table" || argument == "--bench" {
            // What brought us here, and what cargo adds.
        } else if argument.starts_with('-') {
            return Err(format!("unknown option `{argument}`"));
        } else {
            choice.filters.push(argument.clone());
        }
    }
    Ok(choice)
}

fn bench_small_members(criterion: &mut Criterion) {
    for series in families::SERIES {
        let member = series.member(series.small);
        let mut group = criterion.benchmark_group(series.to_string());
        for method in measure::methods() {
            let (acyclicity, solver) = method;
            let id = BenchmarkId::new(
                format!("{} {solver}", measure::name(acyclicity)),
                series.small,
            );
            group.bench_function(id, |bencher| {
                let budget = Budget::default();
                bencher.iter(|| measure::measure(&member, method, &budget));
            });
        }
        group.finish();
    }
}
