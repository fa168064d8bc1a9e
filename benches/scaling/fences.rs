//! The experiment of [JK15, section 7]: Te, Fi, ROBMC and ROBMC-ET on the programs of
//! [`jk15`](super::jk15), compared with cheapest places.
//!
//! If a method times out on a member, it skips the larger members of the family, which count as
//! unsolved. All methods must find sets of the same size. Loops are unrolled a few times, as in the
//! paper; the answers for cheapest places hold without bounds if a complete engine finished in time.

use crate::jk15::{ALGORITHMS, Algorithm, Innocent, SIZES};
use crate::measure::within;
use crate::table::Choice;
use fencepost::internals::fences::pairs::{PairAlgorithm, PairAnswer, PairOptions, culprit_pairs};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Aim, Program};
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The unroll bound of waiting loops. A loop that is left after its first iteration has been unrolled
/// once, and further iterations add no reordering.
const UNROLL: u32 = 2;

/// The methods that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    Pairs(PairAlgorithm),
    /// Cheapest places by hitting sets, the default of `fencepost fence`.
    Places,
}

const METHODS: [Method; 5] = [
    Method::Pairs(PairAlgorithm::Te),
    Method::Pairs(PairAlgorithm::Fi),
    Method::Pairs(PairAlgorithm::Robmc),
    Method::Pairs(PairAlgorithm::RobmcEt),
    Method::Places,
];

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Pairs(algorithm) => write!(f, "{algorithm}"),
            Method::Places => write!(f, "places"),
        }
    }
}

/// The answer of one method for one program.
struct Answer {
    /// The size of the set; `None` on timeout.
    size: Option<usize>,
    /// The number of pairs that may be reordered, or of places considered.
    among: usize,
    queries: u64,
    counterexamples: u64,
    took: Duration,
}

/// The number of members of one family that one method solved under one model.
struct Total {
    innocent: Innocent,
    model: Model,
    method: Method,
    attempted: u32,
    solved: u32,
    took: Duration,
}

/// Measures the chosen members and writes one table per program, and a summary.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    let mut totals: Vec<Total> = Vec::new();
    for innocent in [Innocent::Beside, Innocent::Fed] {
        for model in [Model::Tso, Model::Pso] {
            let named = |algorithm: &&Algorithm| {
                choice.names(&format!("{} {innocent} {model}", algorithm.name))
            };
            let chosen: Vec<&Algorithm> = ALGORITHMS.iter().filter(named).collect();
            if chosen.is_empty() {
                continue;
            }
            let wanted = |method: &Method| {
                choice.methods.is_empty() || choice.methods.contains(&method.to_string())
            };
            let mut all: Vec<Total> = METHODS
                .into_iter()
                .filter(wanted)
                .map(|method| Total {
                    innocent,
                    model,
                    method,
                    attempted: 0,
                    solved: 0,
                    took: Duration::ZERO,
                })
                .collect();
            for algorithm in chosen {
                write_program(out, algorithm, choice, &mut all)?;
            }
            totals.extend(all);
        }
    }
    writeln!(out, "### Solved\n")?;
    writeln!(out, "| innocent pairs | model | method | solved | of | s |")?;
    writeln!(out, "|---|---|---|--:|--:|--:|")?;
    for total in &totals {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:.1} |",
            total.innocent,
            total.model,
            total.method,
            total.solved,
            total.attempted,
            total.took.as_secs_f64()
        )?;
    }
    Ok(())
}

fn write_program(
    out: &mut impl Write,
    algorithm: &Algorithm,
    choice: &Choice,
    totals: &mut [Total],
) -> io::Result<()> {
    let Some(&Total {
        innocent, model, ..
    }) = totals.first()
    else {
        return Ok(());
    };
    writeln!(out, "### {} {innocent} {model}\n", algorithm.name)?;
    writeln!(
        out,
        "| n | method | in the answer | among | queries | counterexamples | s |"
    )?;
    writeln!(out, "|--:|---|--:|--:|--:|--:|--:|")?;
    let mut spent = [false; METHODS.len()];
    for &n in choice.sizes_of(&SIZES) {
        let text = algorithm.text(n, innocent);
        let parsed = parse(&text);
        let name = format!("{} {innocent} {model}, n = {n}", algorithm.name);
        let program = parsed
            .program
            .unwrap_or_else(|| panic!("{name}: {:?}\n{text}", parsed.diagnostics));
        let mut sizes = Vec::new();
        for (total, spent) in totals.iter_mut().zip(&mut spent) {
            total.attempted += 1;
            if *spent {
                continue;
            }
            let answer = ask(&program, model, total.method, choice.limit, &name);
            total.took += answer.took;
            *spent = answer.size.is_none();
            total.solved += u32::from(!*spent);
            if total.method != Method::Places {
                sizes.extend(answer.size);
            }
            let size = answer.size.map_or("–".to_owned(), |size| size.to_string());
            writeln!(
                out,
                "| {n} | {} | {size} | {} | {} | {} | {:.3} |",
                total.method,
                answer.among,
                answer.queries,
                answer.counterexamples,
                answer.took.as_secs_f64()
            )?;
            out.flush()?;
        }
        sizes.dedup();
        assert!(sizes.len() <= 1, "{name}: {sizes:?}");
    }
    writeln!(out)
}

fn ask(program: &Program, model: Model, method: Method, limit: Duration, name: &str) -> Answer {
    let start = Instant::now();
    let mut answer = within(limit, |budget| match method {
        Method::Pairs(algorithm) => pairs(program, model, algorithm, budget, name),
        Method::Places => places(program, model, budget, name),
    });
    answer.took = start.elapsed();
    answer
}

fn pairs(
    program: &Program,
    model: Model,
    algorithm: PairAlgorithm,
    budget: &Budget,
    name: &str,
) -> Answer {
    let options = PairOptions {
        unroll: Some(UNROLL),
        ..PairOptions::new(algorithm, model)
    };
    let report = culprit_pairs(program, &options, budget)
        .unwrap_or_else(|defect| panic!("{name}, {algorithm}: {defect}"));
    Answer {
        size: match report.answer {
            PairAnswer::Found { pairs, .. } => Some(pairs.len()),
            PairAnswer::Undecided(_) => None,
            PairAnswer::Unrepairable(..) => panic!("{name}: wrong under SC"),
        },
        among: report.candidates,
        queries: report.queries,
        counterexamples: report.counterexamples,
        took: Duration::ZERO,
    }
}

fn places(program: &Program, model: Model, budget: &Budget, name: &str) -> Answer {
    let options = FenceOptions::new(model, Aim::Assertions).unroll(UNROLL);
    let report = cheapest_fences(program, &options, budget)
        .unwrap_or_else(|defect| panic!("{name}, places: {defect}"));
    Answer {
        size: match report.outcome() {
            Outcome::Found(sets) if sets.optimal => Some(sets.sets[0].len()),
            Outcome::Found(_) | Outcome::Undecided(_) => None,
            Outcome::Impossible { .. } => panic!("{name}: wrong under SC"),
        },
        among: report.places(),
        queries: report.probes(),
        counterexamples: report.cuts(),
        took: Duration::ZERO,
    }
}
