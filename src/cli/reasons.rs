//! What stopped an engine, put into its answers.
//!
//! An engine sees a flag and reports that it was stopped. Whether that was for want of time or of
//! memory only the thread knows that raised the flag.

use crate::check::CheckReport;
use crate::fences::pairs::PairAnswer;
use crate::fences::{FenceReport, Outcome};
use crate::lazy::End;
use crate::robustness::{RaceReport, RobustReport};
use crate::verdict::{Reason, Verdict};

/// An answer of an engine that may have been stopped.
pub(super) trait Stoppable {
    /// Where the answer is open because the engine was stopped, this was why.
    fn stopped_by(&mut self, reason: &Reason);
}

impl Stoppable for Reason {
    fn stopped_by(&mut self, reason: &Reason) {
        if *self == Reason::Stopped {
            *self = reason.clone();
        }
    }
}

impl<W> Stoppable for Verdict<W> {
    fn stopped_by(&mut self, reason: &Reason) {
        if let Verdict::Unknown(why) = self {
            why.stopped_by(reason);
        }
    }
}

impl<T: Stoppable> Stoppable for Option<T> {
    fn stopped_by(&mut self, reason: &Reason) {
        if let Some(answer) = self {
            answer.stopped_by(reason);
        }
    }
}

impl Stoppable for CheckReport {
    fn stopped_by(&mut self, reason: &Reason) {
        for answer in self.answers.iter_mut().chain(&mut self.observations) {
            answer.verdict.stopped_by(reason);
        }
        let attempts = self.story.iter_mut().flat_map(|story| &mut story.attempts);
        for attempt in attempts {
            if let End::Open(why) = &mut attempt.end {
                why.stopped_by(reason);
            }
        }
    }
}

impl Stoppable for RobustReport {
    fn stopped_by(&mut self, reason: &Reason) {
        for answer in &mut self.answers {
            answer.verdict.stopped_by(reason);
        }
        self.by_definition.stopped_by(reason);
        self.refused.stopped_by(reason);
    }
}

impl Stoppable for RaceReport {
    fn stopped_by(&mut self, reason: &Reason) {
        for race in &mut self.races {
            race.verdict.stopped_by(reason);
        }
        self.refused.stopped_by(reason);
    }
}

impl Stoppable for FenceReport {
    fn stopped_by(&mut self, reason: &Reason) {
        if let Outcome::Undecided(why) = &mut self.outcome {
            why.stopped_by(reason);
        }
        if let Some(pairs) = &mut self.pairs
            && let PairAnswer::Undecided(why) = &mut pairs.answer
        {
            why.stopped_by(reason);
        }
    }
}
