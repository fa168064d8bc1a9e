//! Where in a text a fence can be written, and at which locations it would stand there.
//!
//! The lowering leaves a mark wherever it is between two things: this place of the text, this
//! location of this thread. A procedure that is called twice, or a thread with copies, leaves
//! several marks at one spot: whoever writes there writes for all of them.
//!
//! **Not exact.** A mark says where control is, not what a fence would do to the ways that lead
//! there or away: a fence in front of a loop is not one at its head, though it is marked so.

use super::thread::Mark;
use crate::program::{LocId, ThreadId};
use crate::text::Span;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A place in the text where a fence can be written; in the order in which to try them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum Spot {
    /// In front of the statement that starts here with its annotations.
    Statement(usize),
    /// In front of the expression that starts here, inside the parentheses that it fills.
    Within(usize),
    /// In front of the end of the block that ends here.
    BlockEnd(usize),
    /// In an unwritten `else` branch, after the block that ends here.
    Else(usize),
    /// Around the expression that starts and ends here; a larger one first.
    Around(usize, Reverse<usize>),
    /// In front of all instructions of the automaton form that have the label of this one.
    Label(usize),
    /// At the end of the edge of the automaton form that has the name of its target here.
    Edge(usize),
}

impl Spot {
    /// Around the expression at this place.
    pub(super) fn around(span: &Span) -> Self {
        Self::Around(span.start, Reverse(span.end))
    }
}

/// What was marked at one spot.
#[derive(Clone, Default, Debug)]
struct Marked {
    locations: BTreeSet<(ThreadId, LocId)>,
    /// Whether it lies in the midst of a location, between ways that lead away from it.
    inside: bool,
    /// How many calls deep it was read.
    calls: usize,
}

/// All spots of a text.
#[derive(Default, Debug)]
pub(in super::super) struct Spots(BTreeMap<Spot, Marked>);

impl Spots {
    /// Marks a spot in a thread of the automaton form.
    pub(super) fn label(&mut self, start: usize, thread: ThreadId, loc: LocId) {
        let marked = self.0.entry(Spot::Label(start)).or_default();
        marked.locations.insert((thread, loc));
    }

    /// Marks the end of an edge in a thread of the automaton form.
    pub(super) fn edge(&mut self, target: usize, thread: ThreadId, loc: LocId) {
        let marked = self.0.entry(Spot::Edge(target)).or_default();
        marked.locations.insert((thread, loc));
    }

    /// Marks a spot in a thread of the structured form; no location if the spot has none of its
    /// own.
    pub(super) fn mark(&mut self, mark: &Mark, thread: ThreadId, loc: Option<LocId>) {
        let marked = self.0.entry(mark.spot).or_default();
        marked.calls = marked.calls.max(mark.calls);
        match loc {
            Some(loc) => {
                marked.locations.insert((thread, loc));
            }
            None => marked.inside = true,
        }
    }

    /// The spots at which a fence may stand at a location, those to be tried first in front, each
    /// with all the locations at which it would stand.
    pub(in super::super) fn at(
        &self,
        thread: ThreadId,
        loc: LocId,
    ) -> Vec<(Spot, &BTreeSet<(ThreadId, LocId)>)> {
        let mut found: Vec<(&Spot, &Marked)> = self
            .0
            .iter()
            .filter(|(_, marked)| !marked.inside && marked.locations.contains(&(thread, loc)))
            .collect();
        // Who can write for one caller does not write for all.
        found.sort_by_key(|(spot, marked)| (marked.locations.len(), marked.calls, **spot));
        found
            .into_iter()
            .map(|(spot, marked)| (*spot, &marked.locations))
            .collect()
    }
}
