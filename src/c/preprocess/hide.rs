//! Hide sets: the macros that a token does not invoke, because it comes from their expansion
//! (C11 6.10.3.4p2, by Prosser's algorithm).

use std::rc::Rc;

/// A set of macro names, shared between tokens.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct HideSet(
    /// Ascending; `None` if empty.
    Option<Rc<[u32]>>,
);

impl HideSet {
    fn names(&self) -> &[u32] {
        self.0.as_deref().unwrap_or(&[])
    }

    pub(super) fn len(&self) -> usize {
        self.names().len()
    }

    pub(super) fn contains(&self, name: u32) -> bool {
        self.names().binary_search(&name).is_ok()
    }

    /// Whether the two are one object in memory.
    fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn of(names: Vec<u32>) -> Self {
        Self((!names.is_empty()).then(|| Rc::from(names)))
    }

    pub(super) fn with(&self, name: u32) -> Self {
        let mut names = self.names().to_vec();
        if let Err(at) = names.binary_search(&name) {
            names.insert(at, name);
        }
        Self::of(names)
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        if self.same(other) || other.0.is_none() {
            return self.clone();
        }
        if self.0.is_none() {
            return other.clone();
        }
        let mut names = [self.names(), other.names()].concat();
        names.sort_unstable();
        names.dedup();
        Self::of(names)
    }

    pub(super) fn intersection(&self, other: &Self) -> Self {
        if self.same(other) {
            return self.clone();
        }
        let names = self.names().iter().copied();
        Self::of(names.filter(|&name| other.contains(name)).collect())
    }
}
