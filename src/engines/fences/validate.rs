//! Verification of a set: another engine confirms that it suffices, and the oracle shows what is
//! possible without each of its fences.
//!
//! The search queries formulas in which fences are switches. Here the fences are instructions of
//! the program. Robustness is decided on the derived programs, and assertions by the explicit
//! engine. If the program is too large for the explicit engine, the formula of the changed program
//! decides, without switches.

use super::place::Place;
use super::search::{Oracle, Probe, Set};
use super::{FenceOptions, Outcome, Sets, Shortfall, goals};
use crate::check::{check_goals, decide_goals_apart};
use crate::engines::{CheckOptions, Engine, Until};
use crate::model::Model;
use crate::program::{Aim, Change, Program};
use crate::robustness::{Method, RobustOptions, robust};
use crate::verdict::{Bounds, Budget, Defect, Reason, Verdict};
use crate::work::BRIEF;

/// How a set was confirmed independently of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every attack is ruled out statically.
    Text,
    /// By this engine; for robustness, on the derived programs.
    Engine(Engine),
}

/// Why one place of a set is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The position in the set.
    pub place: usize,
    /// What is possible without it.
    pub without: Shortfall,
}

/// Confirms by another engine that the set suffices, as was found within the bounds if there are any. `None`
/// if no engine decides; a reason if the set does not suffice beyond the bounds.
///
/// # Errors
///
/// If the other engine finds that the set does not suffice, and it was found to do so without bounds.
pub(super) fn validate(
    program: &Program,
    set: &[Place],
    bounds: Option<&Bounds>,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Result<Option<Proof>, Reason>, Defect> {
    if set.is_empty() && !options.minimise {
        // Nothing was changed, so `robust` or `check` has decided this already.
        return Ok(Ok(None));
    }
    let changed = with(program, set.iter());
    match options.aim {
        Aim::Robustness => {
            for engine in [Engine::Explicit, Engine::Auto] {
                let engine_options = RobustOptions {
                    method: Method::Locality,
                    until: Until::Violated,
                    engine,
                    ..robust_options(options)
                };
                let states = BRIEF.of_searches(budget);
                let report = robust(&changed, &engine_options, &states)?;
                let proof = report.engine.map_or(Proof::Text, Proof::Engine);
                match report.verdict() {
                    Verdict::Violated(_) => return refuted(bounds).map(Err),
                    Verdict::Holds => return Ok(Ok(Some(proof))),
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
                }
            }
            Ok(Ok(None))
        }
        Aim::Assertions => {
            for engine in [Engine::Explicit, Engine::Bmc] {
                let engine_options = CheckOptions {
                    engine,
                    ..check_options(options)
                };
                let states = BRIEF.of_searches(budget);
                let decided =
                    decide_goals_apart(&changed, &goals(&changed), &engine_options, &states)?;
                match decided.verdict() {
                    Verdict::Violated(_) => return refuted(bounds).map(Err),
                    Verdict::Holds => return Ok(Ok(Some(Proof::Engine(engine)))),
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
                }
            }
            Ok(Ok(None))
        }
    }
}

/// Whether the explicit engine confirms the set.
///
/// # Errors
///
/// If evidence does not replay.
pub(super) fn holds_by_definition(
    program: &Program,
    set: &[Place],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<bool, Defect> {
    let changed = with(program, set.iter());
    let engine_options = CheckOptions {
        engine: Engine::Explicit,
        ..check_options(options)
    };
    let states = BRIEF.of_searches(budget);
    let report = check_goals(&changed, &goals(&changed), &engine_options, &states)?;
    Ok(matches!(report.verdict(), Verdict::Holds))
}

/// A second engine refutes a set that was found sufficient. That is no contradiction if it was found so within
/// bounds only.
fn refuted(bounds: Option<&Bounds>) -> Result<Reason, Defect> {
    let Some(bounds) = bounds else {
        return Err(Defect::new(
            "a second engine refutes a set of fences that was found sufficient",
        ));
    };
    let iterations = bounds.loops.iter().map(|cut| cut.iterations).max();
    Ok(Reason::Unsupported(format!(
        "the fences that were found suffice only for executions of up to {} iterations of each loop, and no \
         fences against longer ones were searched for",
        iterations.unwrap_or_default()
    )))
}

/// The result for a program that ends where a value leaves 32 bits. Whether the first set suffices
/// for the original may depend on what happens after that.
pub(super) fn apply_limits(
    program: &Program,
    mut found: Sets,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Outcome, Defect> {
    if program.limits().is_empty() {
        return Ok(Outcome::Found(found));
    }
    let changed = with(program, found.sets.iter().take(1).flatten());
    let states = BRIEF.of_searches(budget);
    let verdict = match options.aim {
        Aim::Robustness => {
            let report = robust(&changed, &robust_options(options), &states)?;
            report.verdict().map(|_| ())
        }
        Aim::Assertions => {
            let engine_options = check_options(options);
            let report = check_goals(&changed, &goals(&changed), &engine_options, &states)?;
            report.verdict().map(|_| ())
        }
    };
    match verdict {
        Verdict::Holds => {}
        Verdict::HoldsWithin(cut) => found.bounds = Some(cut),
        Verdict::Unknown(reason) => return Ok(Outcome::Undecided(reason)),
        Verdict::Violated(()) => {
            return refuted(found.bounds.as_ref()).map(Outcome::Undecided);
        }
    }
    Ok(Outcome::Found(found))
}

/// What is possible without each place of a set. A place of cost 0 may be unnecessary, and so may any
/// place of a set that is not known to be a cheapest one.
///
/// If a probe is stopped by a limit, a computation that the search has found is the reason: each place
/// of a cheapest set is the only one in the set that excludes some of them.
pub(super) fn needed(oracle: &mut dyn Oracle, set: &Set) -> Result<Vec<Needed>, Defect> {
    let mut needed = Vec::new();
    for (place, without) in set.iter().enumerate() {
        let rest = set.iter().copied().filter(|n| n != without).collect();
        // A computation caused by the rest of the set is no evidence that the place is needed.
        let without = match oracle.probe(&rest)? {
            Probe::Fails {
                shortfall,
                caused_by,
                ..
            } if caused_by.is_empty() => Some(shortfall),
            Probe::Fails { .. } | Probe::Open(_) => oracle.left_possible(&rest).cloned(),
            Probe::Suffices(_) => None,
        };
        needed.extend(without.map(|without| Needed { place, without }));
    }
    Ok(needed)
}

/// A computation under SC that reaches a goal. No fences exclude it.
pub(super) fn wrong_under_sc(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Option<Shortfall>, Defect> {
    if options.aim == Aim::Robustness {
        return Ok(None);
    }
    let engine_options = CheckOptions {
        model: Model::Sc,
        ..check_options(options)
    };
    let report = check_goals(program, &goals(program), &engine_options, budget)?;
    Ok(match report.verdict() {
        Verdict::Violated((goal, run)) => Some(Shortfall::Goal {
            goal,
            run: run.clone(),
        }),
        Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

fn with<'s>(program: &Program, places: impl Iterator<Item = &'s Place>) -> Program {
    let changes: Vec<Change> = places.flat_map(|place| place.changes(program)).collect();
    program.changed(&changes)
}

fn robust_options(options: &FenceOptions) -> RobustOptions {
    RobustOptions {
        solver: options.solver,
        unroll: options.unroll,
        techniques: options.techniques,
        ..RobustOptions::new(options.model)
    }
}

fn check_options(options: &FenceOptions) -> CheckOptions {
    CheckOptions {
        solver: options.solver,
        unroll: options.unroll,
        until: Until::Violated,
        techniques: options.techniques,
        ..CheckOptions::new(options.model)
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Failures;
    use super::*;
    use crate::formats::parse;
    use crate::reference::{Step, replay};

    /// An oracle that was stopped: it only has what it found before.
    struct Stopped(Failures);

    impl Oracle for Stopped {
        fn probe(&mut self, _: &Set) -> Result<Probe, Defect> {
            Ok(Probe::Open(Reason::Stopped))
        }

        fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
            self.0.left_possible(set)
        }
    }

    #[test]
    fn computations_found_before_a_limit_are_reasons_for_the_places_that_exclude_them() {
        let program = parse("shared x; thread t { x = 1; }");
        let program = program.program.expect("it parses");
        let none: [Step; 0] = [];
        let run = replay(&program, Model::Tso, &none).expect("nothing happens");
        let fails = |cut: &[usize], caused_by: &[usize]| Probe::Fails {
            cut: cut.to_vec(),
            caused_by: caused_by.to_vec(),
            shortfall: Shortfall::Cycle(run.clone()),
        };
        let mut failures = Failures::default();
        failures.record(&Set::new(), &fails(&[0, 1], &[]));
        // Place 0 of the set that was probed does not exclude the computation.
        failures.record(&Set::from([0]), &fails(&[0, 2, 3], &[]));
        // A place of the set causes this one.
        failures.record(&Set::from([0]), &fails(&[4], &[0]));
        let set = Set::from([0, 3, 4]);
        let needed = needed(&mut Stopped(failures), &set).expect("no defect");
        let places: Vec<usize> = needed.iter().map(|needed| needed.place).collect();
        assert_eq!(places, [0, 1]);
    }

    #[test]
    fn only_a_set_that_suffices_without_bounds_must_not_be_refuted() {
        assert!(refuted(None).is_err());
        let reason = refuted(Some(&Bounds { loops: Vec::new() }));
        assert!(reason.is_ok_and(|reason| reason.to_string().contains("up to 0 iterations")));
    }
}
