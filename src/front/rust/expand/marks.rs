//! Marks: the macros that wrote a name, one inside the other.
//!
//! A local variable or a label with a mark is another one than those of the same name with other marks
//! (`hygiene`).

use std::collections::BTreeMap;

/// What wrote a name; the first mark is that of the user's own text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Mark(usize);

/// An expansion, by its number, of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Expansion {
    pub(super) number: usize,
    pub(super) definition: usize,
}

/// All marks.
#[derive(Default)]
pub(super) struct Marks {
    /// The mark without its last expansion, and that expansion, by the number of the mark minus one.
    all: Vec<(Mark, Expansion)>,
    known: BTreeMap<(Mark, Expansion), Mark>,
    expansions: usize,
}

impl Marks {
    /// An expansion of a definition.
    pub(super) fn expansion(&mut self, definition: usize) -> Expansion {
        self.expansions += 1;
        Expansion {
            number: self.expansions,
            definition,
        }
    }

    /// The mark of what an expansion writes with this mark.
    pub(super) fn add(&mut self, mark: Mark, expansion: Expansion) -> Mark {
        if let Some(known) = self.known.get(&(mark, expansion)) {
            return *known;
        }
        self.all.push((mark, expansion));
        let made = Mark(self.all.len());
        self.known.insert((mark, expansion), made);
        made
    }

    /// The mark without its last expansion, and the definition of that.
    pub(super) fn last(&self, mark: Mark) -> Option<(Mark, usize)> {
        let (before, last) = self.all.get(mark.0.checked_sub(1)?)?;
        Some((*before, last.definition))
    }
}
