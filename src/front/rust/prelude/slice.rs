//! Slices: where the elements are, and how many. `&[T]` and `&mut [T]` are this type.

use super::iter::{DoubleEndedIterator, ExactSizeIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};
use super::parts::{Chunks, ChunksExact, Windows};
use super::result::{Err, Ok, Result};
use super::vec::Vec;
use core::cmp::Ordering;
use core::ptr;

#[derive(Clone, Copy)]
pub struct Slice<T> {
    start: *mut T,
    length: usize,
}

// `a == b`
pub fn equals<T>(a: Slice<T>, b: Slice<T>) -> bool {
    if a.length != b.length {
        return false;
    }
    let mut at = 0;
    while at < a.length {
        if *a.start.add(at) != *b.start.add(at) {
            return false;
        }
        at += 1;
    }
    true
}

impl<T> PartialEq for Slice<T> {
    fn eq(&self, other: &Slice<T>) -> bool {
        equals(*self, *other)
    }
}

impl<T> Eq for Slice<T> {}

impl<T> Slice<T> {
    pub fn len(self) -> usize {
        self.length
    }

    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    // `slice[index]`
    fn at(self, index: usize) -> &T {
        assert!(index < self.length);
        &*self.start.add(index)
    }

    // `&slice[from..to]`
    fn between(self, from: usize, to: usize) -> Slice<T> {
        assert!(from <= to && to <= self.length);
        Slice {
            start: self.start.add(from),
            length: to - from,
        }
    }

    // `==` of slices, arrays and vectors
    fn same(self, other: Slice<T>) -> bool {
        equals(self, other)
    }

    pub fn get(self, index: usize) -> Option<&T> {
        if index < self.length {
            Some(&*self.start.add(index))
        } else {
            None
        }
    }

    pub fn get_mut(self, index: usize) -> Option<&mut T> {
        if index < self.length {
            Some(&mut *self.start.add(index))
        } else {
            None
        }
    }

    pub fn first(self) -> Option<&T> {
        self.get(0)
    }

    pub fn first_mut(self) -> Option<&mut T> {
        self.get_mut(0)
    }

    pub fn last(self) -> Option<&T> {
        if self.length == 0 {
            None
        } else {
            Some(&*self.start.add(self.length - 1))
        }
    }

    pub fn last_mut(self) -> Option<&mut T> {
        if self.length == 0 {
            None
        } else {
            Some(&mut *self.start.add(self.length - 1))
        }
    }

    pub fn iter(self) -> Iter<T> {
        Iter {
            start: self.start,
            at: 0,
            end: self.length,
        }
    }

    pub fn iter_mut(self) -> Iter<T> {
        Iter {
            start: self.start,
            at: 0,
            end: self.length,
        }
    }

    pub fn swap(self, a: usize, b: usize) {
        assert!(a < self.length && b < self.length);
        let x = self.start.add(a).read();
        let y = self.start.add(b).read();
        self.start.add(a).write(y);
        self.start.add(b).write(x);
    }

    pub fn reverse(self) {
        let mut at = 0;
        while at < self.length / 2 {
            self.swap(at, self.length - 1 - at);
            at += 1;
        }
    }

    pub fn contains(self, value: &T) -> bool {
        let mut at = 0;
        while at < self.length {
            if *self.start.add(at) == *value {
                return true;
            }
            at += 1;
        }
        false
    }

    pub fn fill(self, value: T) {
        if self.length > 0 {
            let mut at = 1;
            while at < self.length {
                *self.start.add(at - 1) = value.clone();
                at += 1;
            }
            *self.start.add(at - 1) = value;
        }
    }

    pub fn fill_with<F: FnMut() -> T>(self, mut f: F) {
        let mut at = 0;
        while at < self.length {
            *self.start.add(at) = f();
            at += 1;
        }
    }

    // An element is moved before those that are greater, which keeps equal ones in order. How often elements are compared, and
    // which, is not specified: it makes no difference to what has no effect.
    pub fn sort_by<F: FnMut(&T, &T) -> Ordering>(self, mut compare: F) {
        let mut next = 1;
        while next < self.length {
            let mut at = next;
            while at > 0 && compare(&*self.start.add(at), &*self.start.add(at - 1)) == Ordering::Less {
                self.swap(at, at - 1);
                at -= 1;
            }
            next += 1;
        }
    }

    pub fn sort_by_key<K, F: FnMut(&T) -> K>(self, mut key: F) {
        self.sort_by(|a, b| key(a).cmp(&key(b)));
    }

    pub fn sort(self) {
        self.sort_by(|a, b| a.cmp(b));
    }

    pub fn sort_by_cached_key<K, F: FnMut(&T) -> K>(self, mut key: F) {
        self.sort_by_key(|one| key(one));
    }

    pub fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(self, mut compare: F) {
        self.sort_by(|a, b| compare(a, b));
    }

    pub fn sort_unstable_by_key<K, F: FnMut(&T) -> K>(self, mut key: F) {
        self.sort_by_key(|one| key(one));
    }

    pub fn sort_unstable(self) {
        self.sort();
    }

    pub fn is_sorted(self) -> bool {
        let mut at = 1;
        while at < self.length {
            let (a, b) = (&*self.start.add(at - 1), &*self.start.add(at));
            if a.cmp(b) == Ordering::Greater {
                return false;
            }
            at += 1;
        }
        true
    }

    pub fn binary_search_by<F: FnMut(&T) -> Ordering>(self, mut f: F) -> Result<usize, usize> {
        let mut size = self.length;
        if size == 0 {
            return Err(0);
        }
        let mut base = 0;
        while size > 1 {
            let half = size / 2;
            if f(&*self.start.add(base + half)) != Ordering::Greater {
                base += half;
            }
            size -= half;
        }
        match f(&*self.start.add(base)) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base + 1),
            Ordering::Greater => Err(base),
        }
    }

    pub fn binary_search_by_key<K, F: FnMut(&T) -> K>(self, key: &K, mut f: F) -> Result<usize, usize> {
        self.binary_search_by(|one| f(one).cmp(key))
    }

    pub fn binary_search(self, value: &T) -> Result<usize, usize> {
        self.binary_search_by(|one| one.cmp(value))
    }

    pub fn partition_point<F: FnMut(&T) -> bool>(self, mut f: F) -> usize {
        let search = self.binary_search_by(|one| {
            if f(one) {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        });
        match search {
            Ok(at) => at,
            Err(at) => at,
        }
    }

    pub fn split_at(self, middle: usize) -> (Slice<T>, Slice<T>) {
        (self.between(0, middle), self.between(middle, self.length))
    }

    pub fn split_at_mut(self, middle: usize) -> (Slice<T>, Slice<T>) {
        self.split_at(middle)
    }

    pub fn split_first(self) -> Option<(&T, Slice<T>)> {
        if self.length == 0 {
            None
        } else {
            Some((&*self.start, self.between(1, self.length)))
        }
    }

    pub fn split_last(self) -> Option<(&T, Slice<T>)> {
        if self.length == 0 {
            None
        } else {
            let last = self.length - 1;
            Some((&*self.start.add(last), self.between(0, last)))
        }
    }

    pub fn starts_with(self, other: Slice<T>) -> bool {
        if other.length > self.length {
            return false;
        }
        let mut at = 0;
        while at < other.length {
            if *self.start.add(at) != *other.start.add(at) {
                return false;
            }
            at += 1;
        }
        true
    }

    pub fn ends_with(self, other: Slice<T>) -> bool {
        if other.length > self.length {
            return false;
        }
        let end = self.between(self.length - other.length, self.length);
        end.starts_with(other)
    }

    pub fn rotate_left(self, by: usize) {
        assert!(by <= self.length);
        self.between(0, by).reverse();
        self.between(by, self.length).reverse();
        self.reverse();
    }

    pub fn rotate_right(self, by: usize) {
        assert!(by <= self.length);
        self.rotate_left(self.length - by);
    }

    pub fn copy_from_slice(self, from: Slice<T>) {
        assert!(self.length == from.length);
        let mut at = 0;
        while at < self.length {
            self.start.add(at).write(from.start.add(at).read());
            at += 1;
        }
    }

    pub fn clone_from_slice(self, from: Slice<T>) {
        assert!(self.length == from.length);
        let mut at = 0;
        while at < self.length {
            let one = &*from.start.add(at);
            *self.start.add(at) = one.clone();
            at += 1;
        }
    }

    pub fn chunks(self, size: usize) -> Chunks<T> {
        assert!(size != 0);
        Chunks { left: self, size }
    }

    pub fn chunks_mut(self, size: usize) -> Chunks<T> {
        self.chunks(size)
    }

    pub fn chunks_exact(self, size: usize) -> ChunksExact<T> {
        assert!(size != 0);
        ChunksExact { left: self, size }
    }

    pub fn chunks_exact_mut(self, size: usize) -> ChunksExact<T> {
        self.chunks_exact(size)
    }

    pub fn windows(self, size: usize) -> Windows<T> {
        assert!(size != 0);
        Windows { left: self, size }
    }

    pub fn to_vec(self) -> Vec<T> {
        let mut made = Vec::new();
        let mut at = 0;
        while at < self.length {
            let one = &*self.start.add(at);
            made.push(one.clone());
            at += 1;
        }
        made
    }

    // Moves the elements of a `vec![…]`.
    fn moved(self) -> Vec<T> {
        let mut made = Vec::new();
        let mut at = 0;
        while at < self.length {
            made.push(self.start.add(at).read());
            at += 1;
        }
        made
    }
}

impl<T> IntoIterator for Slice<T> {
    type IntoIter = Iter<T>;

    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}

#[derive(Clone)]
pub struct Iter<T> {
    start: *mut T,
    at: usize,
    end: usize,
}

impl<T> Iterator for Iter<T> {
    type Item = &T;

    fn next(&mut self) -> Option<&T> {
        if self.at < self.end {
            let one = &*self.start.add(self.at);
            self.at += 1;
            Some(one)
        } else {
            None
        }
    }
}

impl<T> DoubleEndedIterator for Iter<T> {
    fn next_back(&mut self) -> Option<&T> {
        if self.at < self.end {
            self.end -= 1;
            Some(&*self.start.add(self.end))
        } else {
            None
        }
    }
}

impl<T> ExactSizeIterator for Iter<T> {
    fn len(&self) -> usize {
        self.end - self.at
    }
}
