//! Work: the one currency in which engines, passes and by-products are limited.
//!
//! A unit is a byte of proof, as varisat writes it: some 10 MB a second, for easy formulas and for hard ones. What
//! else takes time counts for as many units as a solver would use in that time. So a limit on work is the same on
//! every machine, and an answer never depends on a clock.
//!
//! **Differs from** time: a large program costs more per configuration than a small one, and the first
//! queries to a formula cost less per unit than later ones. Both are within a factor of five.

use crate::program::Program;
use crate::verdict::Budget;

/// What visiting a configuration counts for: measured, the explicit engine visits from 75,000 (Lamport's bakery with four
/// threads) to 470,000 (a counter of 20,000 values) in the time in which varisat writes 10 MB.
pub(crate) const CONFIGURATION: u64 = 50;

/// Making a program to search, slicing it and preparing the search take as long as visiting this many
/// configurations per instruction.
const PREPARED: u64 = 4;

/// A number of units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Work(pub(crate) u64);

/// What costs less than it takes to find out what would make a problem easier.
pub(crate) const GLANCE: Work = Work::visiting(2_500);

/// A tenth of a second. What is repeated for each of many programs, or is only a by-product, may take so long.
pub(crate) const MOMENT: Work = Work::visiting(20_000);

/// About a second: what takes longer is left undecided if it was not asked for.
pub(crate) const BRIEF: Work = Work(12 << 20);

impl Work {
    /// What visiting so many configurations costs.
    pub(crate) const fn visiting(configurations: u64) -> Self {
        Self(configurations * CONFIGURATION)
    }

    /// What it costs to prepare an engine for a program.
    pub(crate) fn preparing(program: &Program) -> Self {
        Self::visiting(PREPARED * program.sites().count() as u64)
    }

    /// This multiple of it.
    pub(crate) const fn times(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// How many configurations may be visited for it.
    pub(crate) const fn states(self) -> usize {
        (self.0 / CONFIGURATION) as usize
    }

    /// The part of a budget in which each explicit search may cost this much, and everything else is as it was.
    pub(crate) fn of_searches(self, budget: &Budget) -> Budget {
        budget.with_states(self.states().min(budget.states))
    }

    /// The part of a budget in which everything together may cost this much.
    pub(crate) fn of_all(self, budget: &Budget) -> Budget {
        self.of_searches(budget).with_work(self.0)
    }
}
