//! Fences for robustness of a program with threads in any number of copies (`[*]`).
//!
//! Copies run the same code, so a place is one for all of them, and costs what it costs in one
//! [BDM13, Theorem 6]. The search is the usual one: each probe decides the program with the fences
//! inserted, for any number of copies, and an execution of an instance that is still possible gives the
//! places that would exclude it, those of any of its copies.
//!
//! **Absent.** Fences for assertions, fences that can be removed, and the algorithms other than hitting
//! sets: callers refuse them.

use super::choices::Choices;
use super::cut::cuts;
use super::place::{Place, places};
use super::project::project;
use super::search::{Failures, Oracle, Probe, Progress, SearchEnd, Set, search};
use super::validate;
use super::{FenceOptions, FenceReport, Outcome, Sets, Shortfall};
use crate::engines::{Stats, Until};
use crate::explicit::{Run, Step, replay};
use crate::program::{Aim, Change, Program, ThreadId};
use crate::robustness::{RobustOptions, has_attacks, robust};
use crate::verdict::{Budget, Defect, Reason, Verdict};

/// The cheapest fences that make every instance robust.
///
/// # Errors
///
/// If the reference rejects a computation.
pub(super) fn cheapest(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    if let Some(why) = unsupported(program, options) {
        return Ok(FenceReport::undecided(
            options,
            Reason::Unsupported(why.to_owned()),
        ));
    }
    let all = places(
        program,
        program,
        options.model,
        &options.kinds,
        &options.costs,
    );
    let places: Vec<Place> = all
        .into_iter()
        .map(|place| once_per_class(program, place))
        .collect();
    let choices = Choices::all(places.clone());
    let mut oracle = Copies {
        program,
        places: &places,
        options,
        budget,
        failures: Failures::default(),
        most: 1,
        stats: Stats::default(),
    };
    let ended = search(&mut oracle, &choices, options.all, options.solver, budget)?;
    let (outcome, progress) = match ended {
        SearchEnd::Impossible(obstacle, shortfall, progress) => {
            let outcome = Outcome::Impossible {
                shortfall,
                obstacle,
            };
            (outcome, progress)
        }
        SearchEnd::Searched(progress) => (oracle.found(&progress)?, progress),
    };
    // Reports name places and computations by one program.
    let instance = program.instance(oracle.most).with_names_of(program);
    Ok(FenceReport {
        lower_bound: progress.lower_bound,
        places: places.len(),
        probes: progress.probes,
        cuts: progress.cuts,
        stats: oracle.stats,
        instance: Some(instance.clone()),
        ..FenceReport::new(options, in_instance(&instance, outcome)?)
    })
}

/// Why the options or the program are not supported.
fn unsupported(program: &Program, options: &FenceOptions) -> Option<&'static str> {
    if options.aim == Aim::Assertions {
        return Some(
            "fences for assertions of threads in any number of copies (`[*]`) are not searched for: \
             use `--for robustness`, after which they hold under the model if they hold under SC, or \
             declare a number of copies, as in `[3]`",
        );
    }
    if options.minimise {
        return Some(
            "which fences of threads in any number of copies (`[*]`) can be removed is not decided: \
             declare a number of copies, as in `[3]`",
        );
    }
    if !program.has_barrier() && !has_attacks(program, options.model) {
        return Some(
            "robustness of threads in any number of copies (`[*]`) is not decided with an atomic block \
             that may wait after two reads, for which attacks by one thread are not enough: declare a \
             number of copies, as in `[3]`",
        );
    }
    if program.has_barrier() {
        return Some(
            "robustness of threads in any number of copies (`[*]`) is not decided with `barrier all`: \
             declare a number of copies, as in `[3]`",
        );
    }
    None
}

/// The place, with the cost of one copy for each class. A copy that a property names has its fences
/// with the others.
fn once_per_class(program: &Program, mut place: Place) -> Place {
    let named = |thread: ThreadId| {
        let class = program.class_of(thread);
        class.is_some_and(|class| class != thread)
    };
    for (&(thread, _), each) in place.points.iter().zip(&mut place.each) {
        if named(thread) {
            *each = 0;
        }
    }
    place.cost = place.each.iter().sum();
    place
}

/// The oracle for robustness of every instance.
struct Copies<'p> {
    program: &'p Program,
    places: &'p [Place],
    options: &'p FenceOptions,
    budget: &'p Budget,
    failures: Failures,
    /// The largest number of copies of a computation found.
    most: usize,
    stats: Stats,
}

impl Copies<'_> {
    /// The set in this instance: the same fences in every copy.
    fn places_of(&self, instance: &Program) -> Vec<Place> {
        let everywhere = |place: &Place| {
            let mut points = place.points.clone();
            for &(thread, loc) in &place.points {
                if self.program.class_of(thread) == Some(thread) {
                    let members = instance.class_members(thread).into_iter();
                    points.extend(members.map(|member| (member, loc)));
                }
            }
            points.sort_unstable();
            points.dedup();
            Place {
                points,
                ..place.clone()
            }
        };
        self.places.iter().map(everywhere).collect()
    }

    fn decide(&mut self, set: &Set) -> Result<Probe, Defect> {
        self.budget.progress().probed();
        let changes: Vec<Change> = set
            .iter()
            .flat_map(|&n| self.places[n].changes(self.program))
            .collect();
        let changed = self.program.changed(&changes);
        let options = RobustOptions {
            solver: self.options.solver,
            until: Until::Violated,
            ..RobustOptions::new(self.options.model)
        };
        let report = robust(&changed, &options, self.budget)?;
        self.stats = self.stats.plus(report.stats);
        let attack = report.feasible().next().map(|(attack, _)| attack);
        let any = report.any_number();
        let copies = any.and_then(|any| any.copies.iter().map(|&(_, copies)| copies).max());
        Ok(match (report.verdict(), attack, copies) {
            (Verdict::Violated(run), Some(attack), Some(copies)) => {
                self.most = self.most.max(copies);
                let instance = self.program.instance(copies);
                let everywhere = self.places_of(&instance);
                Probe::Fails {
                    cut: cuts(&instance, &instance, run, &everywhere),
                    caused_by: Vec::new(),
                    shortfall: project(
                        &instance,
                        Shortfall::Attack {
                            attack,
                            run: run.clone(),
                        },
                    )?,
                }
            }
            (Verdict::Holds, _, _) => Probe::Suffices(None),
            (Verdict::HoldsWithin(bounds), _, _) => Probe::Suffices(Some(bounds)),
            (Verdict::Unknown(reason), _, _) => Probe::Open(reason),
            (Verdict::Violated(_), _, _) => Probe::Open(Reason::Stopped),
        })
    }

    /// The cheapest sets, with the reasons for the first.
    fn found(&mut self, progress: &Progress) -> Result<Outcome, Defect> {
        let Some(best) = &progress.best else {
            let reason = progress.stopped.clone().unwrap_or(Reason::Stopped);
            return Ok(Outcome::Undecided(reason));
        };
        let mut sets: Vec<&Set> = best.sets.iter().collect();
        sets.sort();
        let needed = validate::needed(self, sets[0])?;
        let listed = |set: &&Set| set.iter().map(|&n| self.places[n].clone()).collect();
        Ok(Outcome::Found(Sets {
            cost: best.cost,
            optimal: progress.optimal,
            all: progress.all,
            bounds: best.bounds.clone(),
            // The same procedure has decided the set, and there is no other.
            proof: None,
            needed,
            sets: sets.iter().map(listed).collect(),
        }))
    }
}

impl Oracle for Copies<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let probe = self.decide(set)?;
        self.failures.record(set, &probe);
        Ok(probe)
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        self.failures.left_possible(set)
    }
}

/// The outcome, with computations of this instance.
fn in_instance(instance: &Program, outcome: Outcome) -> Result<Outcome, Defect> {
    Ok(match outcome {
        Outcome::Found(mut found) => {
            for needed in &mut found.needed {
                needed.without = embedded(instance, needed.without.clone())?;
            }
            Outcome::Found(found)
        }
        Outcome::Impossible {
            shortfall,
            obstacle,
        } => Outcome::Impossible {
            shortfall: embedded(instance, shortfall)?,
            obstacle,
        },
        Outcome::Undecided(reason) => Outcome::Undecided(reason),
    })
}

/// A computation of an instance with at most as many copies, in this one.
fn embedded(instance: &Program, shortfall: Shortfall) -> Result<Shortfall, Defect> {
    let again = |run: Run| {
        let steps: Vec<Step> = run.moments.iter().map(|moment| moment.step).collect();
        replay(instance, run.model, &steps).map_err(|error| {
            Defect::new(format_args!(
                "a computation does not replay with more copies: {}",
                error.message
            ))
        })
    };
    Ok(match shortfall {
        Shortfall::Attack { attack, run } => Shortfall::Attack {
            attack,
            run: again(run)?,
        },
        Shortfall::Cycle(run) => Shortfall::Cycle(again(run)?),
        Shortfall::Goal { goal, run } => Shortfall::Goal {
            goal,
            run: again(run)?,
        },
    })
}
