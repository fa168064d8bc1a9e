//! How the tool scales with the size of the program: families of programs, measured in several ways.
//!
//! ```text
//! cargo bench --bench scaling                                small members, by criterion
//! cargo bench --bench scaling -- --table                     all members once, as Markdown
//! cargo bench --bench scaling -- --table --timeout=5 ring    five seconds per answer; rings only
//! cargo bench --bench scaling -- --table --sizes=32 ring     these members instead
//! cargo bench --bench scaling -- --robust                    robustness of growing families
//! cargo bench --bench scaling -- --lazy                      lazy reachability of these families
//! cargo bench --bench scaling -- --fences                    the experiment of [JK15, section 7]
//! cargo bench --bench scaling -- --fences --methods=te,fi    two of its algorithms only
//! cargo bench --bench scaling -- --print --sizes=3 lamport   the programs of these families
//! cargo bench --bench scaling -- --limits                    the largest members that are answered
//! cargo bench --bench scaling -- --limits --compare=BINARY   the same, beside another build
//! cargo bench --bench scaling -- --corpus                    the files of the corpus that cost most
//! ```
//!
//! `--limits` accepts `--seconds`, `--memory` (MiB), `--command` and `--model` (lists), `--engine`,
//! `--halvings`, `--exact`, and names of families.
//!
//! By default and in `--table`, three encodings of acyclicity are compared with each solver of the build
//! (both of them with `--features cadical`). The table determines which encoding is the default;
//! criterion detects whether a change made one slower.

mod child;
mod corpus;
mod families;
mod fences;
mod jk15;
mod lazy;
mod limits;
mod measure;
mod robust;
mod search;
mod series;
mod table;

use criterion::{BenchmarkId, Criterion};
use fencepost::internals::verdict::Budget;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;
use table::Choice;

/// The default time limit per answer in the table, in seconds.
const LIMIT: u64 = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--table") {
        return or_report(print_table(&arguments));
    }
    if arguments.iter().any(|argument| argument == "--robust") {
        return or_report(print_robust(&arguments));
    }
    if arguments.iter().any(|argument| argument == "--lazy") {
        return or_report(print_lazy(&arguments));
    }
    if arguments.iter().any(|argument| argument == "--fences") {
        return or_report(print_fences(&arguments));
    }
    if arguments.iter().any(|argument| argument == "--limits") {
        let written = limits::write(&mut io::stdout().lock(), std::env::args());
        return or_report(written);
    }
    if arguments.iter().any(|argument| argument == "--corpus") {
        return or_report(print_corpus(&arguments));
    }
    if arguments.iter().any(|argument| argument == "--print") {
        return or_report(print_members(&arguments));
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

#[allow(
    clippy::print_stderr,
    reason = "a bench reports errors on standard error"
)]
fn or_report(written: Result<(), String>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn print_table(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    table::write(&mut io::stdout().lock(), &choice).map_err(|error| error.to_string())
}

fn print_robust(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    robust::write(&mut io::stdout().lock(), &choice).map_err(|error| error.to_string())
}

fn print_lazy(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    lazy::write(&mut io::stdout().lock(), &choice).map_err(|error| error.to_string())
}

fn print_fences(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    fences::write(&mut io::stdout().lock(), &choice).map_err(|error| error.to_string())
}

fn print_corpus(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    let listed = choice.sizes.first().map_or(corpus::LISTED, |&n| n as usize);
    corpus::write(&mut io::stdout().lock(), &choice.filters, listed)
        .map_err(|error| error.to_string())
}

/// Prints the chosen members of the families, each as the text of a `.fence` file.
fn print_members(arguments: &[String]) -> Result<(), String> {
    let choice = choice(arguments)?;
    let mut out = io::stdout().lock();
    for family in families::FAMILIES
        .iter()
        .filter(|family| choice.names(family.name))
    {
        for &n in choice.sizes_of(family.sizes) {
            writeln!(out, "{}", family.text(n)).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn choice(arguments: &[String]) -> Result<Choice, String> {
    let mut choice = Choice {
        limit: Duration::from_secs(LIMIT),
        filters: Vec::new(),
        sizes: Vec::new(),
        methods: Vec::new(),
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
        } else if let Some(text) = argument.strip_prefix("--methods=") {
            choice.methods = text.split(',').map(str::to_owned).collect();
        } else if matches!(
            argument.as_str(),
            "--table" | "--robust" | "--lazy" | "--fences" | "--print" | "--corpus" | "--bench"
        ) {
            // The flag that selected the mode, and those that cargo adds.
        } else if argument.starts_with('-') {
            return Err(format!("unknown option `{argument}`"));
        } else {
            choice.filters.push(argument.clone());
        }
    }
    Ok(choice)
}

fn bench_small_members(criterion: &mut Criterion) {
    for series in series::SERIES {
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
