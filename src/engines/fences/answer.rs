//! Conclusions from a fence report.

use super::{Algorithm, FenceOptions, FenceReport, Outcome, Sets, Shortfall, cheapest_fences};
use crate::program::{Aim, Goal, Program};
use crate::verdict::{Budget, Defect, Verdict};
use crate::work::BRIEF;

impl FenceOptions {
    /// The options for the other aim, asking for one cheapest set.
    fn for_other_aim(&self) -> Self {
        Self {
            aim: match self.aim {
                Aim::Robustness => Aim::Assertions,
                Aim::Assertions => Aim::Robustness,
            },
            all: false,
            algorithm: Algorithm::Auto,
            ..self.clone()
        }
    }
}

/// The cheapest fences for the other aim, looked for only briefly: it is a by-product.
///
/// # Errors
///
/// As for [`cheapest_fences`].
pub fn for_other_aim(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    cheapest_fences(program, &options.for_other_aim(), &BRIEF.of_all(budget))
}

impl FenceReport {
    /// Holds if the fences found suffice for all executions. The evidence of a violation is what no
    /// fences exclude.
    pub fn verdict(&self) -> Verdict<&Shortfall> {
        match &self.outcome {
            Outcome::Found(found) => match &found.bounds {
                Some(bounds) => Verdict::HoldsWithin(bounds.clone()),
                None => Verdict::Holds,
            },
            Outcome::Impossible { shortfall, .. } => Verdict::Violated(shortfall),
            Outcome::Undecided(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// The sets that suffice, if there are any.
    pub fn found(&self) -> Option<&Sets> {
        match &self.outcome {
            Outcome::Found(found) => Some(found),
            Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
        }
    }

    /// Whether fences were found that may not be the cheapest. The algorithms over statement pairs
    /// do not aim for the cheapest, so this is false for them.
    pub fn may_be_cheaper(&self) -> bool {
        let found = self.found();
        found.is_some_and(|found| !found.optimal && self.pairs.is_none())
    }

    /// Whether this report, for the other aim, adds information to the first: no set of the same cost
    /// serves both aims. If a limit left it open, the user should know.
    pub fn adds_to(&self, first: &FenceReport) -> bool {
        match (&first.outcome, &self.outcome) {
            (Outcome::Found(a), Outcome::Found(b)) => {
                a.cost != b.cost || (a.cost > 0 && !a.sets.contains(&b.sets[0]))
            }
            (Outcome::Undecided(_), Outcome::Undecided(_)) => false,
            (_, Outcome::Undecided(reason)) => reason.is_limit(),
            (Outcome::Found(_) | Outcome::Impossible { .. } | Outcome::Undecided(_), _) => true,
        }
    }
}

impl Shortfall {
    /// The goal that is still reached, if the shortfall is one.
    pub fn goal(&self) -> Option<Goal> {
        match self {
            Shortfall::Goal { goal, .. } => Some(*goal),
            Shortfall::Attack { .. } | Shortfall::Cycle(_) => None,
        }
    }
}
