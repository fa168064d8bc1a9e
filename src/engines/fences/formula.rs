//! The formula for the attacks of one thread, with fences as switches: one for all sets of fences.

use crate::encode::Plan;
use crate::engines::Stats;
use crate::program::Program;
use crate::race::Slice;
use crate::robustness::{Attack, Direct};
use crate::solve::SolverKind;
use crate::verdict::Budget;

/// What the formula is about.
pub(super) struct About<'p> {
    pub(super) program: &'p Program,
    /// The attacks, all of one thread.
    pub(super) attacks: Vec<Attack>,
    pub(super) plan: Plan,
    pub(super) solver: SolverKind,
}

/// An open formula.
pub(super) struct Formula<'p> {
    pub(super) direct: Direct<'p>,
    /// The largest slice so far. What is left of it is for all sets together.
    slice: Slice,
}

impl<'p> Formula<'p> {
    /// The formula that is open, or a new one if there is none. If this slice is larger than those before, it has
    /// all of this slice. Also returns what a solver that is dropped has cost.
    pub(super) fn with_slice(
        open: Option<Self>,
        about: &About<'p>,
        slice: Slice,
        budget: &Budget,
    ) -> (Self, Stats) {
        let mut cost = Stats::default();
        let again = match open {
            Some(formula) if formula.slice.is_as_large_as(slice) => return (formula, cost),
            Some(formula) => {
                cost = formula.direct.stats();
                formula.direct.with_budget(about.solver, &slice.of(budget))
            }
            None => None,
        };
        let direct = again.unwrap_or_else(|| {
            let About {
                program,
                attacks,
                plan,
                solver,
            } = about;
            Direct::open(program, attacks, plan.clone(), *solver, &slice.of(budget))
        });
        (Self { direct, slice }, cost)
    }
}
