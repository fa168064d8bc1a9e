//! The model checker of \[JK15\]: is some goal reachable with these pairs kept in order, and at
//! most `k` others reordered?
//!
//! ```text
//!   M(pairs, k) ──▶ counterexample | safe, and whether k or loop bounds were needed for that
//! ```
//!
//! Loops are unrolled as far as the answers need it, and at most as far as the options allow. The
//! core of an answer for a goal is stored; while all its switches are on, the goal is not queried
//! again. A stored core does not apply under another `k`, because ROBMC-ET needs to know whether
//! the new bound mattered.

use super::{Pair, PairOptions};
use crate::encode::{Plan, Switch};
use crate::engines::DEEPEST;
use crate::facts::LoopId;
use crate::model::Model;
use crate::program::{Goal, Program, ThreadId};
use crate::reach::{Effort, Method, Reach, Settled};
use crate::reference::Run;
use crate::verdict::{Bounds, Budget, Stop};
use std::collections::BTreeSet;

/// An incremental query about all goals.
pub(super) struct Checker<'p> {
    reach: Reach<'p>,
    model: Model,
    deepest: u32,
    goals: Vec<GoalCores>,
}

struct GoalCores {
    goal: Goal,
    /// The cores of its refutations.
    refuted: Vec<Core>,
}

/// The switches that a refutation needed.
#[derive(Clone, Debug, Default)]
struct Core {
    kept: BTreeSet<Pair>,
    /// The bound on reordered pairs in the query.
    most: Option<usize>,
    /// Whether the refutation needed that bound.
    by_most: bool,
    /// The loops whose greatest bounds the refutation needed.
    loops: BTreeSet<(ThreadId, LoopId)>,
}

/// The result of a query.
pub(super) enum Checked {
    /// This goal is reachable.
    Counterexample(Goal, Box<Run>),
    /// No goal is reachable.
    Safe(Safe),
}

/// The executions for which no goal is reachable.
#[derive(Clone, Debug, Default)]
pub(super) struct Safe {
    /// Whether a bound on reordered pairs was needed.
    pub(super) by_most: bool,
    /// The loops whose bounds were needed.
    loops: BTreeSet<(ThreadId, LoopId)>,
}

impl<'p> Checker<'p> {
    /// Encodes the program with switches for these pairs.
    pub(super) fn open(
        program: &'p Program,
        goals: Vec<Goal>,
        pairs: Vec<Pair>,
        options: &PairOptions,
        budget: &Budget,
    ) -> Self {
        let method = Method {
            solver: options.solver,
            ..Method::default()
        };
        let deepest = options.unroll.unwrap_or(DEEPEST);
        let plan = Plan {
            pairs,
            returns: deepest.min(1),
            ..Plan::new(goals.clone(), options.model)
        };
        let cores = goals.into_iter().map(|goal| GoalCores {
            goal,
            refuted: Vec::new(),
        });
        Self {
            reach: Reach::open(program, plan, method, budget),
            model: options.model,
            deepest,
            goals: cores.collect(),
        }
    }

    /// The goals that are reachable if no pair is kept in order. Also the executions for which the
    /// other goals are unreachable, whatever is kept in order.
    pub(super) fn reachable(&mut self) -> Result<(Vec<Goal>, Safe), Stop> {
        let mut goals = Vec::new();
        let mut safe = Safe::default();
        for index in 0..self.goals.len() {
            let goal = self.goals[index].goal;
            match self.settle(goal, &[])? {
                Settled::Reached(_) => goals.push(goal),
                Settled::Refuted(core) | Settled::Within(core, _) => {
                    safe.add(&Core::of(&core, None));
                }
            }
        }
        Ok((goals, safe))
    }

    /// Whether a goal is reachable with these pairs kept in order and, if `most` is given, at most
    /// that many others reordered.
    pub(super) fn ask(&mut self, kept: &[Pair], most: Option<usize>) -> Result<Checked, Stop> {
        let mut on: Vec<Switch> = kept.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
        on.extend(most.map(Switch::AtMost));
        let mut safe = Safe::default();
        for index in 0..self.goals.len() {
            let known = self.goals[index].refuted.iter();
            let mut known = known.filter(|core| core.is_inside(kept, most));
            if let Some(core) = known.next() {
                safe.add(core);
                continue;
            }
            let goal = self.goals[index].goal;
            let core = match self.settle(goal, &on)? {
                Settled::Reached(run) => return Ok(Checked::Counterexample(goal, run)),
                Settled::Refuted(core) | Settled::Within(core, _) => Core::of(&core, most),
            };
            safe.add(&core);
            self.goals[index].refuted.push(core);
        }
        Ok(Checked::Safe(safe))
    }

    fn settle(&mut self, goal: Goal, on: &[Switch]) -> Result<Settled, Stop> {
        let settled = self.reach.settle(goal, self.model, on, self.deepest);
        settled.map_err(Stop::general)
    }

    /// From now on, requires that one of these pairs, chosen by the solver, is kept in order.
    pub(super) fn keep_one(&mut self, of: &[Pair]) {
        let switches: Vec<Switch> = of.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
        self.reach.require_one(&switches);
    }

    /// The loop bounds within which the result holds, if there are any.
    pub(super) fn bounds(&self, safe: &Safe) -> Option<Bounds> {
        let loops: Vec<_> = safe.loops.iter().copied().collect();
        (!loops.is_empty()).then(|| self.reach.bounds(&loops))
    }

    /// The maximum unroll bound.
    pub(super) fn deepest(&self) -> u32 {
        self.deepest
    }

    pub(super) fn effort(&self) -> Effort {
        self.reach.effort()
    }
}

impl Core {
    fn of(switches: &[Switch], most: Option<usize>) -> Self {
        let mut core = Core {
            most,
            ..Core::default()
        };
        for switch in switches {
            match switch {
                Switch::Order(a, b) => {
                    core.kept.insert((*a, *b));
                }
                Switch::AtMost(_) => core.by_most = true,
                Switch::Frontier(thread, id) => {
                    core.loops.insert((*thread, *id));
                }
                // The plan has one model and no fences.
                Switch::KeepStoreLoad | Switch::KeepStoreStore | Switch::Fence(_) => {}
            }
        }
        core
    }

    /// Whether the core answers the query with these pairs and this bound.
    fn is_inside(&self, kept: &[Pair], most: Option<usize>) -> bool {
        self.most == most && self.kept.iter().all(|pair| kept.contains(pair))
    }
}

impl Safe {
    fn add(&mut self, core: &Core) {
        self.by_most |= core.by_most;
        self.loops.extend(&core.loops);
    }
}
