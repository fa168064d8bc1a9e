//! Changes of a program in its text: what any format's editor promises, and checks before it
//! returns a text.
//!
//! **Invariant.** A text is returned only if it was parsed again and [`is_meant`]: it is the program
//! after the changes, up to numbers and generated names (`same`).

use super::same::{Asked, form};
use super::{Expectation, ExpectationKind, Parsed};
use crate::program::{Change, Expr, Observable, Origin, Program};
use std::collections::BTreeSet;
use std::fmt;

/// A change that no edit of the text makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable {
    /// The change.
    pub change: Change,
    /// Where the text has what it changes.
    pub origin: Origin,
    /// Why not, as a sentence without a full stop.
    pub why: String,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.change {
            Change::Fence { .. } => "a fence here cannot be written",
            Change::Exchange(_) => "this cannot be made an exchange",
            Change::Remove(_) => "this fence cannot be taken away",
        };
        write!(f, "line {}: {what}: {}", self.origin.line, self.why)
    }
}

impl std::error::Error for Unwritable {}

/// The refusal of this change, at the place in the text that it is about.
pub(crate) fn unwritable(program: &Program, change: &Change, why: impl Into<String>) -> Unwritable {
    let origin = match change {
        Change::Fence { thread, loc, .. } => program.thread(*thread).location(*loc).origin,
        Change::Exchange(site) | Change::Remove(site) => program.instruction(*site).origin,
    };
    Unwritable {
        change: change.clone(),
        origin,
        why: why.into(),
    }
}

/// The names of locations that the user gave, thread by thread.
pub(crate) fn written_labels(program: &Program) -> Vec<BTreeSet<&str>> {
    let threads = program.threads().iter();
    threads
        .map(|thread| {
            let labels = thread.locations().iter().filter(|loc| loc.labelled);
            labels.map(|loc| loc.name.as_str()).collect()
        })
        .collect()
}

/// Whether what was read back is the program after these changes, and its expectations speak of the
/// same predicates as before. `labels` are the names, thread by thread, that must stay.
pub(crate) fn is_meant(
    again: Parsed,
    program: &Program,
    changes: &[Change],
    observed_before: &[Expr<Observable>],
    labels: &[BTreeSet<&str>],
) -> bool {
    let Some(found) = again.program else {
        return false;
    };
    let meant = program.changed(changes);
    let found = Asked {
        program: &found,
        observed: &observed(again.expectations),
    };
    let meant = Asked {
        program: &meant,
        observed: observed_before,
    };
    form(&found, labels) == form(&meant, labels)
}

/// The predicates that expectations speak of.
pub(crate) fn observed(expectations: Vec<Expectation>) -> Vec<Expr<Observable>> {
    let observed = expectations.into_iter().filter_map(|e| match e.kind {
        ExpectationKind::Observed(_, predicate, _) => Some(predicate),
        ExpectationKind::About(_)
        | ExpectationKind::Check(..)
        | ExpectationKind::Robust(..)
        | ExpectationKind::Attacks { .. }
        | ExpectationKind::Fence { .. }
        | ExpectationKind::Error(_) => None,
    });
    observed.collect()
}
