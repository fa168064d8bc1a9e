//! Where in a text a fence can be inserted, and at which locations it would be.
//!
//! The lowering records a mark wherever it is between two parts of the text: the position in the
//! text, and the location of the thread. A procedure that is called twice, or a thread with copies,
//! leaves several marks at one point: a fence inserted there is at all of them.
//!
//! **Not exact.** A mark says where control is, not how a fence would affect the paths through that
//! location: a fence before a loop is not at its head, though it is marked as if it were.

use super::thread::Mark;
use crate::program::{LocId, ThreadId};
use crate::text::Span;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A position in the text where a fence can be inserted; ordered by preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum InsertionPoint {
    /// Before the statement that starts here with its annotations.
    Statement(usize),
    /// Before the expression that starts here, inside the parentheses that it fills.
    Within(usize),
    /// Before the end of the block that ends here and started there.
    BlockEnd(usize, usize),
    /// In an unwritten `else` branch, after the block that ends here and started there.
    Else(usize, usize),
    /// Around the expression that starts and ends here; a larger one first.
    Around(usize, Reverse<usize>),
    /// Before all instructions of the automaton form that have the label of this one.
    Label(usize),
    /// At the end of the edge of the automaton form whose target is written here.
    Edge(usize),
}

impl InsertionPoint {
    /// Around the expression at this span.
    pub(super) fn around(span: &Span) -> Self {
        Self::Around(span.start, Reverse(span.end))
    }
}

/// The marks at one insertion point.
#[derive(Clone, Default, Debug)]
struct Marked {
    locations: BTreeSet<(ThreadId, LocId)>,
    /// Whether it is inside a location, between edges that leave it.
    inside: bool,
    /// The call depth at which it was lowered.
    calls: usize,
}

/// All insertion points of a text.
#[derive(Default, Debug)]
pub(in super::super) struct InsertionPoints(BTreeMap<InsertionPoint, Marked>);

impl InsertionPoints {
    /// Marks a label in a thread of the automaton form.
    pub(super) fn label(&mut self, start: usize, thread: ThreadId, loc: LocId) {
        let marked = self.0.entry(InsertionPoint::Label(start)).or_default();
        marked.locations.insert((thread, loc));
    }

    /// Marks the end of an edge in a thread of the automaton form.
    pub(super) fn edge(&mut self, target: usize, thread: ThreadId, loc: LocId) {
        let marked = self.0.entry(InsertionPoint::Edge(target)).or_default();
        marked.locations.insert((thread, loc));
    }

    /// Marks an insertion point in a thread of the structured form; `loc` is `None` if the point
    /// has no location of its own.
    pub(super) fn mark(&mut self, mark: &Mark, thread: ThreadId, loc: Option<LocId>) {
        let marked = self.0.entry(mark.point).or_default();
        marked.calls = marked.calls.max(mark.calls);
        match loc {
            Some(loc) => {
                marked.locations.insert((thread, loc));
            }
            None => marked.inside = true,
        }
    }

    /// The points at which a fence for this location may be inserted, preferred ones first, each
    /// with all the locations at which the fence would be.
    pub(in super::super) fn at(
        &self,
        thread: ThreadId,
        loc: LocId,
    ) -> Vec<(InsertionPoint, &BTreeSet<(ThreadId, LocId)>)> {
        let mut found: Vec<(&InsertionPoint, &Marked)> = self
            .0
            .iter()
            .filter(|(_, marked)| !marked.inside && marked.locations.contains(&(thread, loc)))
            .collect();
        // A point that affects a single caller does not affect all of them.
        found.sort_by_key(|(point, marked)| (marked.locations.len(), marked.calls, **point));
        found
            .into_iter()
            .map(|(point, marked)| (*point, &marked.locations))
            .collect()
    }
}
