//! Does a set of fences make the program's own assertions hold?
//!
//! ```text
//! one formula, fences as switches   goal reached             ─▶ fails
//!                                   no frontier in the core  ─▶ suffices
//! the program with these fences, decided by `check`          ─▶ the verdict of `check`
//! ```

use super::cut::cuts;
use super::negated::NegatedLabels;
use super::place::Place;
use super::search::{Oracle, Probe, Set};
use super::{FenceOptions, Shortfall};
use crate::check::check_goals;
use crate::encode::{Plan, Switch};
use crate::engines::ladder::COMPLETE_EACH;
use crate::engines::{CheckOptions, SHALLOW, Stats, Until};
use crate::explicit::{Run, Step};
use crate::model::Model;
use crate::program::{Change, FencePoint, Goal, LocId, Program, ThreadId};
use crate::reach::{Method, Reach, Settled};
use crate::verdict::{Budget, Defect, Reason, Stop, Verdict, unless_cancelled};
use std::collections::BTreeSet;

/// The goals that some execution may reach under some reordering, or may reach only once fences are
/// added. Fences cannot matter for the other goals.
pub(super) fn breakable(
    program: &Program,
    goals: &[Goal],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Vec<Goal>, Stop> {
    let mut formula = FenceFormula::open(program, goals, Vec::new(), options, budget);
    let mut left = Vec::new();
    for &goal in goals {
        match formula.ask(goal, &[])? {
            GoalStatus::Reached(_) | GoalStatus::Bounded => left.push(goal),
            GoalStatus::Refuted(_) if !NegatedLabels::of(program, &[goal]).is_empty() => {
                left.push(goal);
            }
            GoalStatus::Refuted(_) => {}
        }
    }
    Ok(left)
}

/// A formula for all goals, with fences as switches and loops unrolled a few times.
struct FenceFormula<'p> {
    model: Model,
    reach: Reach<'p>,
}

enum GoalStatus {
    Reached(Box<Run>),
    /// Unreachable with these fences, for any number of iterations.
    Refuted(BTreeSet<FencePoint>),
    /// Unreachable within the unroll bound.
    Bounded,
}

impl<'p> FenceFormula<'p> {
    fn open(
        program: &'p Program,
        goals: &[Goal],
        fences: Vec<FencePoint>,
        options: &FenceOptions,
        budget: &Budget,
    ) -> Self {
        let plan = Plan {
            returns: 0,
            fences,
            ..Plan::new(goals.to_vec(), options.model)
        };
        let method = Method {
            solver: options.solver,
            ..Method::default()
        };
        Self {
            model: options.model,
            reach: Reach::open(program, plan, method, budget),
        }
    }

    fn ask(&mut self, goal: Goal, on: &[Switch]) -> Result<GoalStatus, Stop> {
        Ok(match self.reach.settle(goal, self.model, on, SHALLOW)? {
            Settled::Reached(run) => GoalStatus::Reached(run),
            Settled::Within(..) => GoalStatus::Bounded,
            Settled::Refuted(core) => {
                let fences = core.into_iter().filter_map(|switch| match switch {
                    Switch::Fence(point) => Some(point),
                    Switch::KeepStoreLoad
                    | Switch::KeepStoreStore
                    | Switch::Order(..)
                    | Switch::AtMost(_)
                    | Switch::Frontier(..) => None,
                });
                GoalStatus::Refuted(fences.collect())
            }
        })
    }
}

/// The oracle for assertions.
pub(super) struct Property<'p> {
    program: &'p Program,
    /// The program's slice for the goals.
    seen: &'p Program,
    places: &'p [Place],
    options: &'p FenceOptions,
    budget: &'p Budget,
    /// Each goal, with sets of fences that are known to exclude it for all executions.
    goals: Vec<(Goal, Vec<BTreeSet<FencePoint>>)>,
    /// The labels that the goals negate. The formula does not model the locations after fences.
    labels: NegatedLabels,
    formula: FenceFormula<'p>,
    stats: Stats,
}

impl<'p> Property<'p> {
    pub(super) fn new(
        program: &'p Program,
        seen: &'p Program,
        goals: Vec<Goal>,
        places: &'p [Place],
        options: &'p FenceOptions,
        budget: &'p Budget,
    ) -> Self {
        let fences = places.iter().flat_map(Place::switches).collect();
        let formula = FenceFormula::open(program, &goals, fences, options, budget);
        let labels = NegatedLabels::of(program, &goals);
        Self {
            program,
            seen,
            places,
            options,
            budget,
            goals: goals.into_iter().map(|goal| (goal, Vec::new())).collect(),
            labels,
            formula,
            stats: Stats::default(),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        self.stats.plus(self.formula.reach.effort().into())
    }

    /// Checks the program with the fences inserted.
    fn check_changed(&mut self, set: &Set, goals: &[Goal]) -> Result<Probe, Defect> {
        let changes: Vec<Change> = set
            .iter()
            .flat_map(|&n| self.places[n].changes(self.program))
            .collect();
        let changed = self.program.changed(&changes);
        let options = CheckOptions {
            solver: self.options.solver,
            unroll: self.options.unroll,
            until: Until::Violated,
            ..CheckOptions::new(self.options.model)
        };
        let budget = self
            .budget
            .with_states(COMPLETE_EACH.min(self.budget.states));
        let report = check_goals(&changed, goals, &options, &budget)?;
        self.stats = self.stats.plus(report.stats);
        Ok(match report.verdict() {
            Verdict::Violated((goal, run)) => Probe::Fails {
                cut: cuts(self.program, self.seen, run, self.places),
                caused_by: self.caused_by(set, &changed, run),
                shortfall: Shortfall::Goal {
                    goal,
                    run: run.clone(),
                },
            },
            Verdict::Holds => Probe::Suffices(None),
            Verdict::HoldsWithin(bounds) => Probe::Suffices(Some(bounds)),
            Verdict::Unknown(reason) => Probe::Open(reason),
        })
    }
}

impl Property<'_> {
    /// The places of a set at negated labels that some thread has just passed when a computation of
    /// the changed program ends.
    fn caused_by(&self, set: &Set, changed: &Program, run: &Run) -> Vec<usize> {
        let mut passed: BTreeSet<(ThreadId, LocId)> = BTreeSet::new();
        for id in changed.thread_ids() {
            let thread = changed.thread(id);
            let steps = run.moments.iter().rev();
            let last = steps
                .filter(|moment| moment.site.thread == id)
                .find_map(|moment| match moment.step {
                    Step::Execute { instr, .. } => Some(thread.instruction(instr)),
                    Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
                });
            // The locations after new fences have higher numbers than all others, and only fences
            // lead there.
            let known = self.program.thread(id).locations().len();
            let mut at = last.map(|instruction| instruction.to);
            while let Some(loc) = at.filter(|loc| loc.index() >= known) {
                let mut instructions = thread.instructions().iter();
                at = instructions.find(|i| i.to == loc).map(|i| i.from);
                passed.extend(at.map(|loc| (id, loc)));
            }
        }
        let displaces = |n: &usize| {
            let place = &self.places[*n];
            let mut points = place.points.iter();
            self.labels.displaced_by(place)
                && points
                    .any(|point| passed.contains(point) && self.labels.contains(point.0, point.1))
        };
        set.iter().copied().filter(displaces).collect()
    }
}

impl Oracle for Property<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let points = set.iter().flat_map(|&n| self.places[n].switches());
        let points: BTreeSet<FencePoint> = points.collect();
        let on: Vec<Switch> = points.iter().cloned().map(Switch::Fence).collect();
        let mut bounded: Vec<Goal> = Vec::new();
        for (goal, refuted) in &mut self.goals {
            if refuted.iter().any(|core| core.is_subset(&points)) {
                continue;
            }
            match unless_cancelled(self.formula.ask(*goal, &on))? {
                None => return Ok(Probe::Open(Reason::Stopped)),
                Some(GoalStatus::Reached(run)) => {
                    let shortfall = Shortfall::Goal {
                        goal: *goal,
                        run: *run,
                    };
                    return Ok(Probe::Fails {
                        cut: cuts(self.program, self.seen, shortfall.run(), self.places),
                        caused_by: Vec::new(),
                        shortfall,
                    });
                }
                Some(GoalStatus::Refuted(core)) => refuted.push(core),
                Some(GoalStatus::Bounded) => bounded.push(*goal),
            }
        }
        if set
            .iter()
            .any(|&n| self.labels.displaced_by(&self.places[n]))
        {
            let goals: Vec<Goal> = self.goals.iter().map(|(goal, _)| *goal).collect();
            return self.check_changed(set, &goals);
        }
        if bounded.is_empty() {
            return Ok(Probe::Suffices(None));
        }
        self.check_changed(set, &bounded)
    }
}
