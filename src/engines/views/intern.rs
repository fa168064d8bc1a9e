//! Sequences as numbers: equal sequences have the same number.

use ahash::AHashMap;
use std::hash::Hash;

/// The sequences seen so far, numbered in the order in which they were added.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    numbers: AHashMap<Box<[T]>, u32>,
    list: Vec<Box<[T]>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            numbers: AHashMap::new(),
            list: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// The number of a sequence, and whether it is new.
    pub(super) fn add(&mut self, items: &[T]) -> (u32, bool) {
        if let Some(&number) = self.numbers.get(items) {
            return (number, false);
        }
        let number = self.list.len() as u32;
        self.numbers.insert(items.into(), number);
        self.list.push(items.into());
        (number, true)
    }

    /// The sequence with this number.
    pub(super) fn get(&self, number: u32) -> &[T] {
        &self.list[number as usize]
    }

    /// All sequences, by number.
    pub(super) fn all(&self) -> &[Box<[T]>] {
        &self.list
    }
}
