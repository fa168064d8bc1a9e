//! Programs in C against the same programs in Fencepost's own language: the same verdicts, and fence
//! sets of the same cost, as far as both languages have the same places.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::{config, twins};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, Parsed, parse_as, render};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::program::Aim;
use proptest::prelude::*;
use twins::{Stmt, program, stmt, unlocked};

const STATES: usize = 100_000;
/// The statements of a thread. The own language's lock does not check its owner.
fn stmts() -> impl Strategy<Value = Vec<Stmt>> {
    prop::collection::vec(stmt(), 1..5).prop_map(unlocked)
}

fn read(format: Format, text: &str) -> Parsed {
    let parsed = parse_as(format, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    assert!(parsed.program.is_some(), "{text}\n{shown}");
    parsed
}

/// What is found out about a program under a model: whether its assertions hold, whether it is robust;
/// and the least cost of fences that make it so.
fn answers(parsed: &Parsed, model: Model) -> ([Option<String>; 2], Option<u64>) {
    let budget = Budget::default().with_states(STATES);
    let program = parsed.program.as_ref().expect("it was read");
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let checked = check(program, &options, &budget).expect("no defect");
    let decided = |word: &str| (word != "unknown" && word != "within").then(|| word.to_owned());
    let checked = decided(checked.verdict().word());
    if model == Model::Sc {
        return ([checked, None], None);
    }
    let report = robust(program, &RobustOptions::new(model), &budget).expect("no defect");
    let robust = decided(report.verdict().word());
    let options = FenceOptions::new(model, Aim::Robustness);
    let positions = parsed.positions().expect("it was read");
    let report = cheapest_fences(positions, &options, &budget).expect("no defect");
    let cost = match report.outcome() {
        Outcome::Found(found) if found.optimal => Some(found.cost),
        Outcome::Found(_) | Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
    };
    ([checked, robust], cost)
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn twins_in_c_have_the_same_verdicts_and_costs(
        threads in prop::collection::vec(stmts(), 2..4),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let (own, c) = (program(&threads, Format::Fence), program(&threads, Format::C));
        let (mine, my_cost) = answers(&read(Format::Fence, &own), model);
        let (other, cost) = answers(&read(Format::C, &c), model);
        for (mine, other) in mine.into_iter().zip(other) {
            // One of them may have more states.
            if mine.is_some() && other.is_some() {
                prop_assert_eq!(mine, other, "{}\n{}\n{}", model, own, c);
            }
        }
        // The own language has places in the conditions of loops, which C has not.
        if let (Some(mine), Some(other)) = (my_cost, cost) {
            let fits = if own.contains("while") { mine <= other } else { mine == other };
            prop_assert!(fits, "{} {} {}\n{}\n{}", mine, other, model, own, c);
        }
    }
}
