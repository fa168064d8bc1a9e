//! Does a set of fences make the program's own assertions hold?
//!
//! Goals that hold without further fences are found first ([`breakable`]). About the others, for each set of
//! fences:
//!
//! ```text
//! one formula, fences as switches   goal reached             ─▶ fails
//!                                   no frontier in the core  ─▶ suffices
//! the program with these fences, if it has few configurations ─▶ the explicit engine's verdict
//! the formula, with loops unrolled a few times               ─▶ fails or suffices, as above
//! the program with these fences, decided by `check`          ─▶ the verdict of `check`
//! ```
//!
//! Without loops the formula is small, and often enough. A formula with loops is the most expensive
//! of these steps.
//!
//! All of that is about predicates. Where a property is none (a wait that counts, a thread that waits whatever the
//! others do), the predicates are only necessary: a set that suffices for them is decided by `check`, on the program
//! as given with these fences, and what `check` finds is one more computation to exclude. That the thread waits at
//! its end is about steps with empty buffers, which fences neither allow nor forbid; so the cut of a computation is
//! as good as for predicates. Only what *others* may still do, for a thread that starves, may depend on
//! fences. So if the computation is no violation without the set, the set is among its causes.

use super::cut::cuts;
use super::negated::NegatedLabels;
use super::place::Place;
use super::project::project;
use super::search::{Failures, Oracle, Probe, Set};
use super::{FenceOptions, Shortfall, goals};
use crate::check::decide_goals_apart;
use crate::encode::{Plan, Switch};
use crate::engines::{CheckOptions, Engine, GoalAnswer, SHALLOW, Stats, Until};
use crate::model::Model;
use crate::problem::reaches;
use crate::program::{Change, FencePoint, Goal, LocId, Program, ThreadId};
use crate::reach::{Method, Reach, Settled};
use crate::reference::{Run, Step};
use crate::verdict::{Budget, Defect, Reason, Stop, Verdict, unless_cancelled};
use crate::work::{BRIEF, MOMENT, Work};
use std::collections::BTreeSet;

/// The goals that some execution may reach under some reordering, or may reach only once fences are
/// added. Fences cannot matter for the other goals.
///
/// Those that hold as it is are found as `check` finds them, for some time, and then by the formula.
pub(super) fn breakable(
    program: &Program,
    goals: &[Goal],
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Vec<Goal>, Stop> {
    let is_negated = |goal: &Goal| !NegatedLabels::of(program, &[*goal]).is_empty();
    let (mut left, asked): (Vec<Goal>, Vec<Goal>) = goals.iter().partition(|goal| is_negated(goal));
    let checked = CheckOptions {
        solver: options.solver,
        unroll: options.unroll,
        until: Until::AllAnswered,
        techniques: options.techniques,
        ..CheckOptions::new(options.model)
    };
    let mut open = Vec::new();
    let decided = decide_goals_apart(program, &asked, &checked, &BRIEF.of_all(budget))?;
    for GoalAnswer { goal, verdict } in decided.answers {
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated(_) => left.push(goal),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => open.push(goal),
        }
    }
    let mut formula = FenceFormula::open(program, &open, Vec::new(), options, budget);
    for goal in open {
        let mut status = formula.ask(goal, &[], 0)?;
        if matches!(status, GoalStatus::Bounded) {
            status = formula.ask(goal, &[], SHALLOW)?;
        }
        match status {
            GoalStatus::Reached(_) | GoalStatus::Bounded => left.push(goal),
            GoalStatus::Refuted(_) => {}
        }
    }
    let in_order = goals.iter().copied().filter(|goal| left.contains(goal));
    Ok(in_order.collect())
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

    /// The status of a goal with loops unrolled at most `deepest` times.
    fn ask(&mut self, goal: Goal, on: &[Switch], deepest: u32) -> Result<GoalStatus, Stop> {
        let settled = self.reach.settle(goal, self.model, on, deepest);
        Ok(match settled.map_err(Stop::general)? {
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
    /// The program as given, if some of its properties are no predicates, and those of `program` only necessary.
    given: Option<&'p Program>,
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
    /// Whether the explicit engine has decided every set that it was given.
    is_small: bool,
    failures: Failures,
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
            given: None,
            seen,
            places,
            options,
            budget,
            goals: goals.into_iter().map(|goal| (goal, Vec::new())).collect(),
            labels,
            formula,
            is_small: true,
            failures: Failures::default(),
            stats: Stats::default(),
        }
    }

    /// Asks for more than the predicates, which are only necessary: for the properties of the program as given.
    pub(super) fn defined_by(self, given: &'p Program) -> Self {
        let given = Some(given);
        Self { given, ..self }
    }

    pub(super) fn stats(&self) -> Stats {
        self.stats.plus(self.formula.reach.effort().into())
    }

    fn with(&self, program: &Program, set: &Set) -> Program {
        let changes = set.iter().flat_map(|&n| self.places[n].changes(program));
        let changes: Vec<Change> = changes.collect();
        program.changed(&changes)
    }

    fn check_options(&self) -> CheckOptions {
        CheckOptions {
            solver: self.options.solver,
            unroll: self.options.unroll,
            until: Until::Violated,
            techniques: self.options.techniques,
            ..CheckOptions::new(self.options.model)
        }
    }

    /// Whether the properties of the program as given hold with these fences, by `check`.
    fn by_definition(&mut self, set: &Set, given: &Program) -> Result<Probe, Defect> {
        let changed = self.with(given, set);
        let options = self.check_options();
        let decided = decide_goals_apart(&changed, &goals(&changed), &options, self.budget)?;
        self.stats = self.stats.plus(decided.stats);
        let (goal, run) = match decided.verdict() {
            Verdict::Violated((goal, run)) => (goal, run.clone()),
            Verdict::Holds => return Ok(Probe::Suffices(None)),
            Verdict::HoldsWithin(bounds) => return Ok(Probe::Suffices(Some(bounds))),
            Verdict::Unknown(reason) => return Ok(Probe::Open(reason)),
        };
        let cut = cuts(given, given, &run, self.places);
        let shortfall = project(given, Shortfall::Goal { goal, run })?;
        let is_without = reaches(given, self.options.model, goal, shortfall.run());
        let caused_by = if is_without {
            Vec::new()
        } else {
            set.iter().copied().collect()
        };
        Ok(Probe::Fails {
            cut,
            caused_by,
            shortfall,
        })
    }

    /// Checks the program with the fences inserted, visiting at most `states` configurations.
    fn check_changed(
        &mut self,
        set: &Set,
        goals: &[Goal],
        engine: Engine,
        each: Work,
    ) -> Result<Probe, Defect> {
        let changed = self.with(self.program, set);
        let options = CheckOptions {
            engine,
            ..self.check_options()
        };
        let budget = each.of_searches(self.budget);
        let decided = decide_goals_apart(&changed, goals, &options, &budget)?;
        self.stats = self.stats.plus(decided.stats);
        Ok(match decided.verdict() {
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
        let probe = match (self.decide(set)?, self.given) {
            (Probe::Suffices(_), Some(given)) => self.by_definition(set, given)?,
            (probe, _) => probe,
        };
        self.failures.record(set, &probe);
        Ok(probe)
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        self.failures.left_possible(set)
    }
}

impl Property<'_> {
    /// Whether fences at these places suffice.
    fn decide(&mut self, set: &Set) -> Result<Probe, Defect> {
        self.budget.progress().probed();
        let points = set.iter().flat_map(|&n| self.places[n].switches());
        let points: BTreeSet<FencePoint> = points.collect();
        let on: Vec<Switch> = points.iter().cloned().map(Switch::Fence).collect();
        let goals: Vec<Goal> = self.goals.iter().map(|(goal, _)| *goal).collect();
        let open = match self.ask(&goals, &points, &on, 0)? {
            Asked::Ended(probe) => return Ok(*probe),
            Asked::Bounded(open) => open,
        };
        if set
            .iter()
            .any(|&n| self.labels.displaced_by(&self.places[n]))
        {
            return self.check_changed(set, &goals, Engine::Auto, BRIEF);
        }
        if open.is_empty() {
            return Ok(Probe::Suffices(None));
        }
        if self.is_small {
            let explicit = self.check_changed(set, &open, Engine::Explicit, MOMENT.times(5))?;
            if !matches!(explicit, Probe::Open(_)) {
                return Ok(explicit);
            }
            // Other fences rarely make a difference.
            self.is_small = false;
        }
        match self.ask(&open, &points, &on, SHALLOW)? {
            Asked::Ended(probe) => Ok(*probe),
            Asked::Bounded(open) if open.is_empty() => Ok(Probe::Suffices(None)),
            Asked::Bounded(open) => self.check_changed(set, &open, Engine::Auto, BRIEF),
        }
    }
}

/// What the formula decides about some goals.
enum Asked {
    /// One of them is reached, or the search was cancelled.
    Ended(Box<Probe>),
    /// The unroll bound leaves these open, and none of the others is reached.
    Bounded(Vec<Goal>),
}

impl Property<'_> {
    /// Queries the formula about some goals, with these fences on.
    fn ask(
        &mut self,
        among: &[Goal],
        points: &BTreeSet<FencePoint>,
        on: &[Switch],
        deepest: u32,
    ) -> Result<Asked, Defect> {
        let mut bounded = Vec::new();
        for (goal, refuted) in self.goals.iter_mut().filter(|(g, _)| among.contains(g)) {
            if refuted.iter().any(|core| core.is_subset(points)) {
                continue;
            }
            match unless_cancelled(self.formula.ask(*goal, on, deepest))? {
                None => return Ok(Asked::Ended(Box::new(Probe::Open(Reason::Stopped)))),
                Some(GoalStatus::Reached(run)) => {
                    let shortfall = Shortfall::Goal {
                        goal: *goal,
                        run: *run,
                    };
                    return Ok(Asked::Ended(Box::new(Probe::Fails {
                        cut: cuts(self.program, self.seen, shortfall.run(), self.places),
                        caused_by: Vec::new(),
                        shortfall,
                    })));
                }
                Some(GoalStatus::Refuted(core)) => refuted.push(core),
                Some(GoalStatus::Bounded) => bounded.push(*goal),
            }
        }
        Ok(Asked::Bounded(bounded))
    }
}
