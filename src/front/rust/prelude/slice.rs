//! Slices: where the elements are, and how many. `&[T]` and `&mut [T]` are this type.

use super::iter::{DoubleEndedIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};
use super::vec::Vec;
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

impl<T> Iter<T> {
    pub fn len(&self) -> usize {
        self.end - self.at
    }
}
