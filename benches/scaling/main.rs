//! How the bounded engine grows with the program: three ways of excluding cyclic orders, with each
//! solver of the build, on families of any size.
//!
//! ```text
//! cargo bench --bench scaling                                small members, by criterion
//! cargo bench --bench scaling -- --table                     all members once, as Markdown
//! cargo bench --bench scaling -- --table --timeout=5 ring    five seconds an answer; rings only
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
    let mut limit = Duration::from_secs(LIMIT);
    let mut filters = Vec::new();
    for argument in arguments {
        if let Some(text) = argument.strip_prefix("--timeout=") {
            let Ok(seconds) = text.parse() else {
                eprintln!("`{argument}`: expected a number of seconds");
                return ExitCode::FAILURE;
            };
            limit = Duration::from_secs(seconds);
        } else if argument.starts_with("--") {
            // `--table` itself, and `--bench`, which cargo adds.
        } else {
            filters.push(argument.clone());
        }
    }
    match table::write(&mut io::stdout().lock(), limit, &filters) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
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
