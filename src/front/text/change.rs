//! Changes of a program, made in its text: what every rewriter guarantees, and checks before it
//! returns a text.
//!
//! **Invariant.** A text is returned only if it has been parsed again and [`implements_changes`]:
//! the result is the program after the changes, up to numbering and generated names (`canonical`).

use super::canonical::{ObservedProgram, canonical_form};
use super::{Expectation, ExpectationKind, Parsed};
use crate::program::{Change, Expr, Observable, Origin, Program};
use crate::visible::visible_line;
use std::collections::BTreeSet;
use std::fmt;

/// A change that no edit of the text can make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable {
    /// The change.
    pub change: Change,
    /// Where the text contains what the change affects.
    pub origin: Origin,
    /// The file of that place, if it is not the one that was given.
    pub file: Option<String>,
    /// Why not, as a sentence without a full stop.
    pub why: String,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.change {
            Change::Fence { .. } => "a fence cannot be inserted here",
            Change::Exchange(_) => "this cannot be turned into an exchange",
            Change::Remove(_) => "this fence cannot be removed",
        };
        write!(f, "line {}", self.origin.line)?;
        if let Some(file) = &self.file {
            write!(f, " of {}", visible_line(file))?;
        }
        write!(f, ": {what}: {}", self.why)
    }
}

impl std::error::Error for Unwritable {}

/// An [`Unwritable`] for this change, with the place in the text that it affects.
pub(crate) fn unwritable(program: &Program, change: &Change, why: impl Into<String>) -> Unwritable {
    let origin = match change {
        Change::Fence { thread, loc, .. } => program.thread(*thread).location(*loc).origin,
        Change::Exchange(site) | Change::Remove(site) => program.instruction(*site).origin,
    };
    Unwritable {
        change: change.clone(),
        origin,
        file: program.short_file(origin).map(str::to_owned),
        why: why.into(),
    }
}

/// The location names that the user wrote, by thread.
pub(crate) fn written_labels(program: &Program) -> Vec<BTreeSet<&str>> {
    let threads = program.threads().iter();
    threads
        .map(|thread| {
            let labels = thread.locations().iter().filter(|loc| loc.labelled);
            labels.map(|loc| loc.name.as_str()).collect()
        })
        .collect()
}

/// Whether the parsed result is the program after these changes, with expectations about the same
/// predicates as before. `labels` are the names, by thread, that must be kept.
pub(crate) fn implements_changes(
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
    let found = ObservedProgram {
        program: &found,
        observed: &observed(again.expectations),
    };
    let meant = ObservedProgram {
        program: &meant,
        observed: observed_before,
    };
    canonical_form(&found, labels) == canonical_form(&meant, labels)
}

/// The predicates that the expectations observe.
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
