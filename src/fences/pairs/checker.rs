//! The model checker of \[JK15\]: is some goal reached with these pairs kept in order, and with so
//! few others reordered?
//!
//! ```text
//!   M(pairs, k) ──▶ counterexample | safe, and whether k or loops' bounds were needed for that
//! ```
//!
//! Loops are followed as far as answers need it, at most as far as the options allow. An answer
//! for a goal is remembered by its core: where all that it needed is on again, nobody asks. Not so
//! under another `k`: what an answer says about those is for ROBMC-ET to know.

use super::{Pair, PairOptions};
use crate::analysis::LoopId;
use crate::encode::{Plan, Switch};
use crate::engines::DEEPEST;
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, Program, ThreadId};
use crate::reach::{Effort, Method, Reach, Settled};
use crate::verdict::{Bounds, Budget, Stop};
use std::collections::BTreeSet;

/// An open question about all goals.
pub(super) struct Checker<'p> {
    reach: Reach<'p>,
    model: Model,
    deepest: u32,
    goals: Vec<Question>,
}

struct Question {
    goal: Goal,
    /// What its refutations needed.
    refuted: Vec<Core>,
}

/// The switches that a refutation needed.
#[derive(Clone, Debug, Default)]
struct Core {
    kept: BTreeSet<Pair>,
    /// The bound on reordered pairs that it was asked for under.
    most: Option<usize>,
    /// Whether that bound was needed.
    by_most: bool,
    /// Holds within the greatest bounds of these loops.
    loops: BTreeSet<(ThreadId, LoopId)>,
}

/// What the model checker says.
pub(super) enum Found {
    /// This goal is reached.
    Counterexample(Goal, Box<Run>),
    /// None is.
    Safe(Safe),
}

/// For which executions no goal is reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Safe {
    /// Whether a bound on reordered pairs was needed.
    pub(super) by_most: bool,
    /// The loops whose bounds were.
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
        let questions = goals.into_iter().map(|goal| Question {
            goal,
            refuted: Vec::new(),
        });
        Self {
            reach: Reach::open(program, plan, method, budget),
            model: options.model,
            deepest,
            goals: questions.collect(),
        }
    }

    /// The goals that some computation reaches when no pair is kept in order, and for which
    /// executions the others are not, whatever is kept.
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

    /// Whether a goal is reached with these pairs kept in order and, if that is bounded, at most so
    /// many others reordered.
    pub(super) fn ask(&mut self, kept: &[Pair], most: Option<usize>) -> Result<Found, Stop> {
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
                Settled::Reached(run) => return Ok(Found::Counterexample(goal, run)),
                Settled::Refuted(core) | Settled::Within(core, _) => Core::of(&core, most),
            };
            safe.add(&core);
            self.goals[index].refuted.push(core);
        }
        Ok(Found::Safe(safe))
    }

    fn settle(&mut self, goal: Goal, on: &[Switch]) -> Result<Settled, Stop> {
        Ok(self.reach.settle(goal, self.model, on, self.deepest)?)
    }

    /// Demands from now on that one of these pairs is kept in order, whichever the solver likes.
    pub(super) fn keep_one(&mut self, of: &[Pair]) {
        let switches: Vec<Switch> = of.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
        self.reach.require_one(&switches);
    }

    /// The loops' bounds within which that holds, if there are any.
    pub(super) fn bounds(&self, safe: &Safe) -> Option<Bounds> {
        let loops: Vec<_> = safe.loops.iter().copied().collect();
        (!loops.is_empty()).then(|| self.reach.bounds(&loops))
    }

    /// How often a loop is followed at most.
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

    /// Whether it answers the question with these pairs kept and this bound.
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
