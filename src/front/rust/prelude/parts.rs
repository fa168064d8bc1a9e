//! Iterators over parts of slices.

use super::iter::{DoubleEndedIterator, ExactSizeIterator, Iterator};
use super::option::{None, Option, Some};
use super::slice::Slice;

#[derive(Clone)]
pub struct Chunks<T> {
    left: Slice<T>,
    size: usize,
}

impl<T> Iterator for Chunks<T> {
    type Item = Slice<T>;

    fn next(&mut self) -> Option<Slice<T>> {
        let length = self.left.len();
        if length == 0 {
            return None;
        }
        let size = if length < self.size { length } else { self.size };
        let (chunk, left) = self.left.split_at(size);
        self.left = left;
        Some(chunk)
    }
}

impl<T> DoubleEndedIterator for Chunks<T> {
    fn next_back(&mut self) -> Option<Slice<T>> {
        let length = self.left.len();
        if length == 0 {
            return None;
        }
        let rest = length % self.size;
        let size = if rest == 0 { self.size } else { rest };
        let (left, chunk) = self.left.split_at(length - size);
        self.left = left;
        Some(chunk)
    }
}

impl<T> ExactSizeIterator for Chunks<T> {
    fn len(&self) -> usize {
        (self.left.len() + self.size - 1) / self.size
    }
}

#[derive(Clone)]
pub struct ChunksExact<T> {
    left: Slice<T>,
    size: usize,
}

impl<T> ChunksExact<T> {
    pub fn remainder(&self) -> Slice<T> {
        let length = self.left.len();
        let (_, rest) = self.left.split_at(length - length % self.size);
        rest
    }
}

impl<T> Iterator for ChunksExact<T> {
    type Item = Slice<T>;

    fn next(&mut self) -> Option<Slice<T>> {
        if self.left.len() < self.size {
            return None;
        }
        let (chunk, left) = self.left.split_at(self.size);
        self.left = left;
        Some(chunk)
    }
}

impl<T> ExactSizeIterator for ChunksExact<T> {
    fn len(&self) -> usize {
        self.left.len() / self.size
    }
}

#[derive(Clone)]
pub struct Windows<T> {
    left: Slice<T>,
    size: usize,
}

impl<T> Iterator for Windows<T> {
    type Item = Slice<T>;

    fn next(&mut self) -> Option<Slice<T>> {
        let length = self.left.len();
        if length < self.size {
            return None;
        }
        let (window, _) = self.left.split_at(self.size);
        let (_, left) = self.left.split_at(1);
        self.left = left;
        Some(window)
    }
}

impl<T> ExactSizeIterator for Windows<T> {
    fn len(&self) -> usize {
        let length = self.left.len();
        if length < self.size { 0 } else { length - self.size + 1 }
    }
}
