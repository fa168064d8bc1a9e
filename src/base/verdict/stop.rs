//! Why a computation ended without a result: the caller's stop flag, or a defect of Fencepost.

use std::fmt;

/// A defect of Fencepost itself, found during a run. The result is withheld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// What contradicts the result.
    pub message: String,
}

impl Defect {
    /// The defect with this message.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
        }
    }

    /// A witness that the reference rejects, or that fails a condition.
    pub fn witness(why: impl fmt::Display) -> Self {
        Self::new(format_args!("a witness is refused: {why}"))
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Defect {}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop<D = Defect> {
    /// The caller's stop flag was raised first.
    Cancelled,
    /// The result is withheld because of this defect.
    Defect(D),
}

impl<D: Into<Defect>> Stop<D> {
    /// The same with a defect of any kind.
    pub fn general(self) -> Stop {
        match self {
            Stop::Cancelled => Stop::Cancelled,
            Stop::Defect(defect) => Stop::Defect(defect.into()),
        }
    }
}

impl<D: fmt::Display> fmt::Display for Stop<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Cancelled => f.write_str("stopped before an answer was found"),
            Stop::Defect(defect) => defect.fmt(f),
        }
    }
}

impl<D> From<D> for Stop<D> {
    fn from(defect: D) -> Self {
        Stop::Defect(defect)
    }
}

/// `None` if the stop flag was raised first.
///
/// # Errors
///
/// The defect, if there is one.
pub fn unless_cancelled<T, D>(answer: Result<T, Stop<D>>) -> Result<Option<T>, D> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Stop::Cancelled) => Ok(None),
        Err(Stop::Defect(defect)) => Err(defect),
    }
}
