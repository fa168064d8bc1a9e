//! Does a set of fences exclude the attacks of one thread?
//!
//! The derived program of the program with these fences and the formula are searched in turn, as a
//! [race](crate::race). The formula is the same for all sets of fences, the derived program is not; its
//! explicit search goes on where it has stopped in an earlier turn. The search begins, because it decides small
//! programs sooner, until the searches for many sets have cost more than a formula does.

use super::Shortfall;
use super::formula::{About, Formula};
use super::robust::Robust;
use super::search::Probe;
use crate::encode::Switch;
use crate::engines::{DEEPEST, Engine};
use crate::facts::LoopId;
use crate::problem::Memory;
use crate::program::{Program, ThreadId};
use crate::race::{ENTRANTS, Entrant, Race, Slice, Turn};
use crate::robustness::{Attack, Feasibility, witnessed};
use crate::verdict::{Defect, Reason, unless_cancelled};
use crate::work::{BRIEF, Work};

/// The unroll bound of the formula while the search may decide: most attacks need no loop, and a formula without
/// loops is small.
const FIRST_LOOPS: u32 = 1;

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

    /// The engines, in the order of their turns.
    pub(super) fn entrants(self) -> [Entrant; ENTRANTS.len()] {
        let mut entrants = ENTRANTS;
        if self.is_formula_first() {
            entrants.sort_by_key(|entrant| entrant.engine != Engine::Bmc);
        }
        entrants
    }

    fn is_formula_first(self) -> bool {
        self.cost >= self.after && self.misses < MOST_MISSES
    }

    /// After a set for which this many searches visited so many configurations of a program.
    #[must_use]
    pub(super) fn next(self, searches: usize, states: usize, program: &Program) -> Self {
        let prepared = searches * Work::preparing(program).states();
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
    /// Where engines have stopped.
    pub(super) memory: Memory,
    /// How many explicit searches were made.
    pub(super) searches: usize,
    pub(super) about: About<'p>,
    pub(super) oracle: &'o mut Robust<'p>,
}

/// The result and, while it is open, the loops that the formula must unroll further.
type Known = (Probe, Vec<(ThreadId, LoopId)>);

impl Race for ThreadQuery<'_, '_> {
    type Results = Known;

    fn is_enough(&self, (probe, _): &Self::Results) -> bool {
        !matches!(probe, Probe::Open(_))
    }

    fn turn(
        &mut self,
        (_, loops): &Self::Results,
        engine: Engine,
        slice: Slice,
    ) -> Result<Turn<Self::Results>, Defect> {
        Ok(match engine {
            Engine::Bmc => self.by_formula(loops, slice)?,
            Engine::Explicit | Engine::Ic3 => {
                self.searches += 1;
                let budget = slice.of(self.oracle.budget);
                let (probe, is_final) = self.oracle.search(
                    &self.memory,
                    &self.changed,
                    &self.among,
                    engine,
                    &budget,
                )?;
                let found = (probe, loops.clone());
                if is_final {
                    Turn::Over(found)
                } else {
                    Turn::GoesOn(found)
                }
            }
            Engine::Auto | Engine::Lazy => Turn::Absent,
        })
    }

    fn merge(&self, _: Self::Results, more: Self::Results) -> Self::Results {
        more
    }
}

impl ThreadQuery<'_, '_> {
    /// What the formula decides. Loops are unrolled further once the search has taken long.
    fn by_formula(
        &mut self,
        loops: &[(ThreadId, LoopId)],
        slice: Slice,
    ) -> Result<Turn<Known>, Defect> {
        // Formulas of attacks do not keep the stores of one access together.
        if self.about.program.has_words() {
            return Ok(Turn::Absent);
        }
        let most = self.oracle.options.unroll.unwrap_or(DEEPEST);
        let is_first = loops.is_empty();
        let deepest = if is_first {
            most.min(FIRST_LOOPS)
        } else if slice.is_at_least(BRIEF) {
            most
        } else {
            return Ok(Turn::Waits);
        };
        let (open, budget) = (self.formula.take(), self.oracle.budget);
        let (formula, dropped) = Formula::with_slice(open, &self.about, slice, budget);
        self.oracle.stats = self.oracle.stats.plus(dropped);
        let direct = &mut self.formula.insert(formula).direct;
        let found = if is_first || direct.follow(loops, deepest) {
            let settled = direct.settle(&self.among, &self.on, deepest);
            unless_cancelled(settled)?
        } else {
            Some(Feasibility::Infeasible(loops.to_vec()))
        };
        Ok(match found {
            Some(Feasibility::Feasible(attack, steps)) => {
                let model = self.oracle.options.model;
                let run = witnessed(self.about.program, model, attack, &steps)?;
                let shortfall = Shortfall::Attack { attack, run };
                Turn::Over((self.oracle.fails(shortfall), Vec::new()))
            }
            Some(Feasibility::Infeasible(loops)) if loops.is_empty() => {
                Turn::Over((Probe::Suffices(None), loops))
            }
            Some(Feasibility::Infeasible(loops)) if is_first => {
                Turn::GoesOn((Probe::Open(Reason::Stopped), loops))
            }
            Some(Feasibility::Infeasible(loops)) => {
                let bounds = direct.bounds(&loops);
                Turn::Over((Probe::Suffices(Some(bounds)), loops))
            }
            None => Turn::GoesOn((Probe::Open(Reason::Stopped), loops.to_vec())),
        })
    }
}
