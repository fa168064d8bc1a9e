//! Adds the reason why an engine was stopped to its results.
//!
//! An engine sees only the stop flag, and reports that it was stopped. The thread that set the flag has
//! the actual reason: time, an interrupt, or memory.

use crate::check::CheckReport;
use crate::fences::pairs::PairAnswer;
use crate::fences::{FenceReport, Outcome};
use crate::lazy::End;
use crate::litmus::FinalStates;
use crate::robustness::{Basis, RaceReport, RobustReport};
use crate::verdict::{Budget, Reason, Verdict};

/// A result of an engine that may have been stopped.
pub(super) trait Stoppable {
    /// Inserts the reason wherever the result is open because the engine was stopped. Returns whether
    /// there was such a place.
    fn stopped_by(&mut self, reason: &Reason) -> bool;
}

impl Stoppable for Reason {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let stopped = match self {
            Reason::Stopped => true,
            // A limit of one attempt: there would have been others.
            Reason::StateBudget(states) => *states < Budget::default().states,
            Reason::Time(_)
            | Reason::Interrupted
            | Reason::Memory(_)
            | Reason::Overflow(_)
            | Reason::Decided(_)
            | Reason::Copies(_)
            | Reason::Unsupported(_) => false,
        };
        if stopped {
            *self = reason.clone();
        }
        stopped
    }
}

impl<W> Stoppable for Verdict<W> {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        match self {
            Verdict::Unknown(why) => why.stopped_by(reason),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => false,
        }
    }
}

impl<T: Stoppable> Stoppable for Option<T> {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        self.as_mut()
            .is_some_and(|answer| answer.stopped_by(reason))
    }
}

impl Stoppable for CheckReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let mut inserted = false;
        for answer in self.answers.iter_mut().chain(&mut self.observations) {
            inserted |= answer.verdict.stopped_by(reason);
        }
        let attempts = self
            .history
            .iter_mut()
            .flat_map(|history| &mut history.attempts);
        for attempt in attempts {
            if let End::Open(why) = &mut attempt.end {
                why.stopped_by(reason);
            }
        }
        if matches!(self.verdict(), Verdict::HoldsWithin(_)) {
            self.stopped = Some(reason.clone());
        }
        inserted
    }
}

impl Stoppable for FinalStates {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        self.incomplete.stopped_by(reason)
    }
}

impl Stoppable for RobustReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let mut inserted = match &mut self.basis {
            Basis::Attacks => false,
            Basis::Definition(verdict) => verdict.stopped_by(reason),
            Basis::Nothing(why) => why.stopped_by(reason),
        };
        for answer in &mut self.answers {
            inserted |= answer.verdict.stopped_by(reason);
        }
        inserted
    }
}

impl Stoppable for RaceReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let mut inserted = self.refused.stopped_by(reason);
        for race in &mut self.races {
            inserted |= race.verdict.stopped_by(reason);
        }
        inserted
    }
}

impl Stoppable for FenceReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        if let Some(pairs) = &mut self.pairs
            && let PairAnswer::Undecided(why) = &mut pairs.answer
        {
            why.stopped_by(reason);
        }
        match &mut self.outcome {
            Outcome::Undecided(why) => why.stopped_by(reason),
            Outcome::Found(_) | Outcome::Impossible { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_limit_of_one_attempt_is_not_why_a_search_that_was_stopped_has_no_answer() {
        let time = Reason::Time(Duration::from_secs(2));
        let whole = Budget::default().states;
        for (engine, expected) in [
            (Reason::Stopped, time.clone()),
            (Reason::StateBudget(100), time.clone()),
            (Reason::StateBudget(whole), Reason::StateBudget(whole)),
            (Reason::Memory(5), Reason::Memory(5)),
        ] {
            let mut verdict: Verdict<()> = Verdict::Unknown(engine);
            verdict.stopped_by(&time);
            assert_eq!(verdict, Verdict::Unknown(expected));
        }
    }
}
