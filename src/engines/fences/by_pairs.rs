//! Fence insertion by statement pairs: first the pairs that must stay in order \[JK15\], then the
//! cheapest places that keep them in order.
//!
//! The number of pairs is minimal. The cost of the places need not be minimal among all sufficient
//! sets, because fewer fences may keep other pairs in order. So a fence of the set may even be
//! unnecessary; each of the others has a reason, found as for the other algorithms.

use super::conclude::SearchContext;
use super::pairs::{
    PairAlgorithm, PairAnswer, PairOptions, PairReport, Placing, culprit_pairs, places_of,
};
use super::place::Place;
use super::project::project;
use super::property::Property;
use super::{FenceReport, Needed, Obstacle, Outcome, Sets, Shortfall, validate};
use crate::program::{Goal, Program};
use crate::verdict::{Defect, Reason};

/// What is searched, for goals that are predicates.
pub(super) struct Searched<'a> {
    /// The program with these goals.
    pub(super) program: &'a Program,
    /// The part of it that matters to the goals.
    pub(super) seen: &'a Program,
    /// The goals that are reachable under SC or by reordering.
    pub(super) goals: Vec<Goal>,
    /// The places where a fence is allowed.
    pub(super) places: &'a [Place],
}

/// The fences that one of the four algorithms finds.
pub(super) fn search(
    searched: Searched<'_>,
    algorithm: PairAlgorithm,
    context: &SearchContext<'_>,
) -> Result<FenceReport, Defect> {
    let (options, places) = (context.options, searched.places.len());
    let pair_options = PairOptions {
        k1: options.k1,
        k2: options.k2,
        unroll: options.unroll,
        solver: options.solver,
        ..PairOptions::new(algorithm, options.model)
    };
    let pairs = culprit_pairs(searched.program, &pair_options, context.budget)?;
    let outcome = outcome(searched, &pairs, context)?;
    Ok(FenceReport {
        places,
        probes: pairs.queries,
        cuts: pairs.counterexamples,
        stats: pairs.stats,
        pairs: Some(pairs),
        ..FenceReport::new(options, outcome)
    })
}

fn outcome(
    searched: Searched<'_>,
    report: &PairReport,
    context: &SearchContext<'_>,
) -> Result<Outcome, Defect> {
    let &SearchContext {
        program: given,
        is_exact: _,
        options,
        budget,
    } = context;
    let program = searched.program;
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
    let (set, cost) = match places_of(program, pairs, searched.places, budget) {
        Placing::Found { places, cost } => (places, cost),
        Placing::Impossible((first, _)) => {
            let line = program.line_words(program.instruction(first).origin);
            let why =
                format!("no fence is allowed after the store on {line}, which must stay in order");
            return Ok(Outcome::Undecided(Reason::Unsupported(why)));
        }
        Placing::Stopped => return Ok(Outcome::Undecided(Reason::Stopped)),
    };
    if let Some(reason) = context.open(&set)? {
        return Ok(Outcome::Undecided(reason));
    }
    let needed = needed(searched, &set, context)?;
    let proof = match validate::validate(given, &set, bounds.as_ref(), options, budget)? {
        Ok(proof) => proof,
        Err(reason) => return Ok(Outcome::Undecided(reason)),
    };
    let found = Sets {
        cost,
        optimal: set.is_empty(),
        all: false,
        bounds,
        proof,
        needed,
        sets: vec![set],
    };
    validate::apply_limits(given, found, options, budget)
}

/// What is possible without each place of the set.
fn needed(
    searched: Searched<'_>,
    set: &[Place],
    context: &SearchContext<'_>,
) -> Result<Vec<Needed>, Defect> {
    let Searched {
        program,
        seen,
        goals,
        places: _,
    } = searched;
    let mut oracle = Property::new(program, seen, goals, set, context.options, context.budget);
    let mut needed = validate::needed(&mut oracle, &(0..set.len()).collect())?;
    for needed in &mut needed {
        needed.without = project(context.program, needed.without.clone())?;
    }
    Ok(needed)
}
