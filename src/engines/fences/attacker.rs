//! Does a set of fences exclude the attacks of one thread?
//!
//! The derived program of the program with these fences and the formula take turns, each with a higher
//! limit than before. The formula is the same for all sets of fences, the derived program is not; its
//! explicit search goes on where it has stopped in an earlier turn. The search begins, because it decides small
//! programs sooner, until the searches for many sets have cost more than a formula does.

use super::Shortfall;
use super::formula::{About, Formula};
use super::robust::Robust;
use super::search::Probe;
use crate::encode::Switch;
use crate::engines::ladder::{AttackSearch, FENCED_ATTACKS, FIRST_LOOPS, PREPARED};
use crate::engines::{Climb, DEEPEST, Rung};
use crate::facts::LoopId;
use crate::program::{Program, ThreadId};
use crate::robustness::{Attack, Feasibility, witnessed};
use crate::search::Paused;
use crate::verdict::{Defect, Reason, unless_cancelled};
use std::cell::RefCell;

/// A formula no longer goes first after so many sets that it did not decide.
const MOST_MISSES: u32 = 3;

/// Whether the search or the formula goes first for the next set of fences in a thread.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    /// The formula goes first after searches of this cost.
    after: usize,
    /// What searches have cost: the configurations that they visited, and what it took to prepare them.
    cost: usize,
    /// For how many sets the formula went first and did not decide.
    misses: u32,
}

impl Turns {
    /// The formula goes first after searches of this cost.
    pub(super) fn after_cost(after: usize) -> Self {
        Self {
            after,
            cost: 0,
            misses: 0,
        }
    }

    pub(super) fn ladder(self) -> [Rung<AttackSearch>; FENCED_ATTACKS.len()] {
        let mut ladder = FENCED_ATTACKS;
        if self.is_formula_first() {
            ladder.swap(0, 1);
        }
        ladder
    }

    fn is_formula_first(self) -> bool {
        self.cost >= self.after && self.misses < MOST_MISSES
    }

    /// After a set for which this many searches visited so many configurations of a program.
    #[must_use]
    pub(super) fn next(self, searches: usize, states: usize, program: &Program) -> Self {
        let prepared = searches * PREPARED * program.sites().count();
        Self {
            cost: self.cost + states + prepared,
            misses: self.misses + u32::from(self.is_formula_first() && searches > 0),
            ..self
        }
    }
}

/// The attacks of one thread with a set of fences.
pub(super) struct ThreadQuery<'o, 'p> {
    pub(super) among: Vec<Attack>,
    pub(super) on: Vec<Switch>,
    pub(super) changed: Program,
    /// The formula, once it is needed.
    pub(super) formula: Option<Formula<'p>>,
    /// Where the explicit engine has stopped.
    pub(super) paused: RefCell<Option<Paused>>,
    /// How many explicit searches were made.
    pub(super) searches: usize,
    pub(super) about: About<'p>,
    pub(super) oracle: &'o mut Robust<'p>,
}

impl Climb for ThreadQuery<'_, '_> {
    type Procedure = AttackSearch;
    /// The result and, while it is open, the loops that the formula must unroll further.
    type Results = (Probe, Vec<(ThreadId, LoopId)>);

    fn is_enough(&self, (probe, _): &Self::Results) -> bool {
        !matches!(probe, Probe::Open(_))
    }

    fn attempt(
        &mut self,
        (_, loops): &Self::Results,
        (search, effort): Rung<AttackSearch>,
    ) -> Result<Option<Self::Results>, Defect> {
        if let AttackSearch::Instrumented(engine) = search {
            self.searches += 1;
            let probe =
                self.oracle
                    .search(&self.paused, &self.changed, &self.among, engine, effort)?;
            return Ok(Some((probe, loops.clone())));
        }
        let deepest = self.oracle.options.unroll.unwrap_or(DEEPEST);
        let deepest = effort.loops.map_or(deepest, |most| most.min(deepest));
        let is_first = loops.is_empty();
        if !is_first && deepest <= FIRST_LOOPS {
            // These loops were unrolled as far before.
            return Ok(None);
        }
        let (open, budget) = (self.formula.take(), self.oracle.budget);
        let (formula, dropped) = Formula::with_effort(open, &self.about, effort, budget);
        self.oracle.stats = self.oracle.stats.plus(dropped);
        let direct = &mut self.formula.insert(formula).direct;
        let found = if is_first || direct.follow(loops, deepest) {
            let settled = direct.settle(&self.among, &self.on, deepest);
            unless_cancelled(settled)?
        } else {
            Some(Feasibility::Infeasible(loops.clone()))
        };
        Ok(Some(match found {
            Some(Feasibility::Feasible(attack, steps)) => {
                let model = self.oracle.options.model;
                let run = witnessed(self.about.program, model, attack, &steps)?;
                let shortfall = Shortfall::Attack { attack, run };
                (self.oracle.fails(shortfall), Vec::new())
            }
            Some(Feasibility::Infeasible(loops)) if loops.is_empty() => {
                (Probe::Suffices(None), loops)
            }
            Some(Feasibility::Infeasible(loops)) if is_first => {
                (Probe::Open(Reason::Stopped), loops)
            }
            Some(Feasibility::Infeasible(loops)) => {
                let bounds = direct.bounds(&loops);
                (Probe::Suffices(Some(bounds)), loops)
            }
            None => (Probe::Open(Reason::Stopped), Vec::new()),
        }))
    }

    fn merge(&self, _: Self::Results, more: Self::Results) -> Self::Results {
        more
    }
}
