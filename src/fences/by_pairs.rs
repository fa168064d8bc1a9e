//! Fences by way of statement pairs: first the pairs that have to stay in order \[JK15\], then the
//! cheapest places that keep them so.
//!
//! The pairs are as few as can be; that the places are as cheap as can be among all that suffice
//! does not follow, since other pairs may be kept in order by fewer fences.

use super::pairs::{
    PairAlgorithm, PairAnswer, PairOptions, PairReport, Placing, culprit_pairs, places_of,
};
use super::place::Place;
use super::{FenceOptions, FenceReport, Obstacle, Outcome, Sets, Shortfall, validate};
use crate::program::Program;
use crate::verdict::{Budget, Defect, Reason};

/// The fences that one of the four algorithms leads to.
pub(super) fn search(
    program: &Program,
    algorithm: PairAlgorithm,
    places: &[Place],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    let asked = PairOptions {
        k1: options.k1,
        k2: options.k2,
        unroll: options.unroll,
        solver: options.solver,
        ..PairOptions::new(algorithm, options.model)
    };
    let pairs = culprit_pairs(program, &asked, budget)?;
    let outcome = outcome(program, &pairs, places, options, budget)?;
    Ok(FenceReport {
        places: places.len(),
        probes: pairs.queries,
        cuts: pairs.counterexamples,
        stats: pairs.stats,
        pairs: Some(pairs),
        ..FenceReport::new(options, outcome)
    })
}

fn outcome(
    program: &Program,
    report: &PairReport,
    places: &[Place],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Outcome, Defect> {
    let (pairs, bounds) = match &report.answer {
        PairAnswer::Found { most: Some(k2), .. } => {
            let why = format!("that {k2} reordered pairs are enough is not known: raise `--k2`");
            return Ok(Outcome::Undecided(Reason::Unsupported(why)));
        }
        PairAnswer::Found { pairs, bounds, .. } => (pairs, bounds.clone()),
        PairAnswer::Unrepairable(goal, run) => {
            return Ok(Outcome::Impossible {
                shortfall: Shortfall::Goal {
                    goal: *goal,
                    run: (**run).clone(),
                },
                obstacle: Obstacle::Sequential,
            });
        }
        PairAnswer::Undecided(reason) => return Ok(Outcome::Undecided(reason.clone())),
    };
    let (set, cost) = match places_of(program, pairs, places, budget) {
        Placing::Found { places, cost } => (places, cost),
        Placing::Impossible((first, _)) => {
            let line = program.instruction(first).origin.line;
            let why = format!(
                "no fence is allowed behind the store in line {line}, which has to stay in order"
            );
            return Ok(Outcome::Undecided(Reason::Unsupported(why)));
        }
        Placing::Stopped => return Ok(Outcome::Undecided(Reason::Stopped)),
    };
    let proof = validate::validate(program, &set, options, budget)?;
    let found = Sets {
        cost,
        optimal: set.is_empty(),
        all: false,
        bounds,
        proof,
        needed: Vec::new(),
        sets: vec![set],
    };
    validate::beyond(program, found, options, budget)
}
