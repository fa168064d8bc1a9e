//! Fence insertion by statement pairs: first the pairs that must stay in order \[JK15\], then the
//! cheapest places that keep them in order.
//!
//! The number of pairs is minimal. The cost of the places need not be minimal among all sufficient
//! sets, because fewer fences may keep other pairs in order.

use super::pairs::{
    PairAlgorithm, PairAnswer, PairOptions, PairReport, Placing, culprit_pairs, places_of,
};
use super::place::Place;
use super::{FenceOptions, FenceReport, Obstacle, Outcome, Sets, Shortfall, validate};
use crate::program::Program;
use crate::verdict::{Budget, Defect, Reason};

/// The fences that one of the four algorithms finds.
pub(super) fn search(
    program: &Program,
    algorithm: PairAlgorithm,
    places: &[Place],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    let pair_options = PairOptions {
        k1: options.k1,
        k2: options.k2,
        unroll: options.unroll,
        solver: options.solver,
        ..PairOptions::new(algorithm, options.model)
    };
    let pairs = culprit_pairs(program, &pair_options, budget)?;
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
            let why = format!("a bound of {k2} reordered pairs may be too small: raise `--k2`");
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
            let line = program.line_words(program.instruction(first).origin);
            let why =
                format!("no fence is allowed after the store on {line}, which must stay in order");
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
    validate::apply_limits(program, found, options, budget)
}
