//! The formula for the attacks of one thread, with fences as switches: one for all sets of fences.

use crate::encode::Plan;
use crate::engines::Stats;
use crate::engines::ladder::Effort;
use crate::program::Program;
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
    /// The limit on its work, for all sets together.
    work: Option<u64>,
}

impl<'p> Formula<'p> {
    /// The formula that is open, or a new one if there is none, or if its limit is lower than that of
    /// this effort. Also returns what the one that is dropped has cost.
    pub(super) fn with_effort(
        open: Option<Self>,
        about: &About<'p>,
        effort: Effort,
        budget: &Budget,
    ) -> (Self, Stats) {
        let limit = |work: Option<u64>| work.unwrap_or(u64::MAX);
        match open {
            Some(formula) if limit(formula.work) >= limit(effort.work) => {
                (formula, Stats::default())
            }
            dropped => {
                let About {
                    program,
                    attacks,
                    plan,
                    solver,
                } = about;
                let budget = effort.of(budget);
                let direct = Direct::open(program, attacks, plan.clone(), *solver, &budget);
                let cost = dropped.map_or_else(Stats::default, |old| old.direct.stats());
                let work = effort.work;
                (Self { direct, work }, cost)
            }
        }
    }
}
