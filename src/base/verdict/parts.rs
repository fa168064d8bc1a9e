//! What a verdict comes with: evidence, which may be exchanged for other evidence, bounds, or a reason.

use super::{Bounds, Reason, Verdict};

impl<W> Verdict<W> {
    /// The evidence of a violation.
    pub fn violation(&self) -> Option<&W> {
        match self {
            Verdict::Violated(evidence) => Some(evidence),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The bounds, if it holds within bounds only.
    pub fn bounds(&self) -> Option<&Bounds> {
        match self {
            Verdict::HoldsWithin(bounds) => Some(bounds),
            Verdict::Holds | Verdict::Violated(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The reason why it is unknown.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => None,
        }
    }

    /// The same verdict with its evidence borrowed.
    pub fn as_ref(&self) -> Verdict<&W> {
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithin(bounds) => Verdict::HoldsWithin(bounds.clone()),
            Verdict::Violated(evidence) => Verdict::Violated(evidence),
            Verdict::Unknown(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// The same verdict with other evidence.
    pub fn map<V>(self, evidence: impl FnOnce(W) -> V) -> Verdict<V> {
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithin(bounds) => Verdict::HoldsWithin(bounds),
            Verdict::Violated(old) => Verdict::Violated(evidence(old)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        }
    }

    /// The same verdict with other evidence, if that can be made.
    ///
    /// # Errors
    ///
    /// The error that `evidence` returns.
    pub fn try_map<V, E>(self, evidence: impl FnOnce(W) -> Result<V, E>) -> Result<Verdict<V>, E> {
        Ok(match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithin(bounds) => Verdict::HoldsWithin(bounds),
            Verdict::Violated(old) => Verdict::Violated(evidence(old)?),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        })
    }
}
