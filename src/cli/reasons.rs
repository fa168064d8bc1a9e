//! What stopped an engine, put into its answers.
//!
//! An engine sees a flag and reports that it was stopped. Whether that was for want of time or of
//! memory only the thread knows that raised the flag.

use crate::check::{CheckReport, FinalStates};
use crate::fences::pairs::PairAnswer;
use crate::fences::{FenceReport, Outcome};
use crate::lazy::End;
use crate::robustness::{Basis, RaceReport, RobustReport};
use crate::verdict::{Reason, Verdict};

/// An answer of an engine that may have been stopped.
pub(super) trait Stoppable {
    /// Where the answer is open because the engine was stopped, this was why. Returns whether it says
    /// so anywhere.
    fn stopped_by(&mut self, reason: &Reason) -> bool;
}

impl Stoppable for Reason {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let stopped = *self == Reason::Stopped;
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
        let mut said = false;
        for answer in self.answers.iter_mut().chain(&mut self.observations) {
            said |= answer.verdict.stopped_by(reason);
        }
        let attempts = self.story.iter_mut().flat_map(|story| &mut story.attempts);
        for attempt in attempts {
            if let End::Open(why) = &mut attempt.end {
                why.stopped_by(reason);
            }
        }
        said
    }
}

impl Stoppable for FinalStates {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        self.incomplete.stopped_by(reason)
    }
}

impl Stoppable for RobustReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let mut said = match &mut self.basis {
            Basis::Attacks => false,
            Basis::Definition(verdict) => verdict.stopped_by(reason),
            Basis::Nothing(why) => why.stopped_by(reason),
        };
        for answer in &mut self.answers {
            said |= answer.verdict.stopped_by(reason);
        }
        said
    }
}

impl Stoppable for RaceReport {
    fn stopped_by(&mut self, reason: &Reason) -> bool {
        let mut said = self.refused.stopped_by(reason);
        for race in &mut self.races {
            said |= race.verdict.stopped_by(reason);
        }
        said
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
