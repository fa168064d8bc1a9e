//! Cheapest fences against brute force over the text: `fence;` is inserted at each set of positions
//! between statements, including `else` branches that do not exist yet, and the text is parsed and
//! checked again.
//!
//! The tool works on locations, the brute force only on the text. It derives the cost of a position from
//! the text as well: the annotation of the statement after it, or the loops around it.

use crate::support::{config, drafts};
use config::config;
use drafts::{Draft, annotated, draft, lines, plain};
use fencepost::internals::check::Engine;
use fencepost::internals::fences::{Costs, FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::rewrite;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Method, RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::parse;
use fencepost::program::{Aim, Program};
use proptest::prelude::*;

fn read(text: &str) -> Result<Program, TestCaseError> {
    let parsed = parse(text);
    let program = parsed.program;
    program.ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", parsed.diagnostics)))
}

/// Whether the text is robust, according to the explicit engine on the instrumented programs.
fn is_robust(text: &str, model: Model) -> Result<Option<bool>, TestCaseError> {
    let options = RobustOptions::new(model)
        .method(Method::Locality)
        .engine(Engine::Explicit);
    let budget = Budget::default().with_states(20_000);
    let report = robust(&read(text)?, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    Ok(match report.verdict() {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

/// The sets of at most three positions that cost less than this, cheapest first.
fn cheaper(positions: &[(usize, u64)], than: u64) -> Vec<Vec<usize>> {
    let mut sets: Vec<(u64, Vec<usize>)> = vec![(0, Vec::new())];
    let mut grown = sets.clone();
    for _ in 0..3 {
        let mut next = Vec::new();
        for (cost, set) in &grown {
            for &(at, price) in positions
                .iter()
                .filter(|(at, _)| set.last().is_none_or(|l| at > l))
            {
                next.push((cost + price, [set.as_slice(), &[at]].concat()));
            }
        }
        sets.extend(next.iter().cloned());
        grown = next;
    }
    sets.retain(|(cost, _)| *cost < than);
    sets.sort();
    sets.into_iter().map(|(_, set)| set).collect()
}

fn nothing_cheaper_can_be_written(draft: &Draft, model: Model) -> Result<(), TestCaseError> {
    let text = draft.with(&[]);
    let parsed = parse(&text);
    let Some(program) = parsed.positions() else {
        return Err(TestCaseError::fail(format!(
            "{:?}\n{text}",
            parsed.diagnostics
        )));
    };
    let costs = if draft.by_loops {
        Costs::Loops
    } else {
        Costs::Unit
    };
    let options = FenceOptions::new(model, Aim::Robustness).costs(costs);
    let report = cheapest_fences(program, &options, &Budget::default());
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    let cost = match report.outcome() {
        Outcome::Found(found) => {
            prop_assert!(found.optimal, "{}", text);
            let changes: Vec<_> = found.sets[0]
                .iter()
                .flat_map(|place| place.changes(program))
                .collect();
            // A place that cannot be written is inside an expression.
            if let Ok(repaired) = rewrite(&text, program, &changes) {
                prop_assert_ne!(
                    is_robust(&repaired, model)?,
                    Some(false),
                    "{}\n{}",
                    model,
                    repaired
                );
            }
            found.cost
        }
        Outcome::Impossible { .. } => u64::MAX,
        Outcome::Undecided(reason) => return Err(TestCaseError::fail(format!("{reason}\n{text}"))),
    };
    for set in cheaper(&draft.positions(), cost) {
        let fenced = draft.with(&set);
        prop_assert_ne!(
            is_robust(&fenced, model)?,
            Some(true),
            "{}: cost {} found for\n{}\nbut less suffices:\n{}",
            model,
            cost,
            text,
            fenced
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn nothing_cheaper_can_be_written_between_statements(
        first in lines(),
        second in prop::collection::vec(annotated(plain()), 1..4),
        by_loops in any::<bool>(),
        model in prop_oneof![Just(Model::Tso), Just(Model::Pso)],
    ) {
        nothing_cheaper_can_be_written(&draft(&first, &second, by_loops), model)?;
    }
}
