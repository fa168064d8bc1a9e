//! `std::vec`
//!
//! The elements are in one block of the heap, which has room for `CAPACITY` of them: a program that needs more is not
//! covered from there on, and the verdict says so. A real `Vec` moves its elements when it grows; no pointer to one outlives
//! that here either, since there is no `as_ptr`.

use super::iter::{DoubleEndedIterator, FromIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};
use super::slice::{Slice, equals};
use core::intrinsics::within_capacity;
use core::mem::{self, MaybeUninit};
use core::ptr;

pub const CAPACITY: usize = 16;

pub struct Vec<T> {
    block: Box<MaybeUninit<[T; CAPACITY]>>,
    length: usize,
}

impl<T> Vec<T> {
    pub fn new() -> Vec<T> {
        Vec {
            block: Box::new(MaybeUninit::uninit()),
            length: 0,
        }
    }

    pub fn with_capacity(capacity: usize) -> Vec<T> {
        Vec {
            block: Box::new(MaybeUninit::uninit()),
            length: 0,
        }
    }

    fn data(&self) -> *mut T {
        self.block.as_ptr() as *mut T
    }

    // `vec![value; length]`
    fn filled(value: T, length: usize) -> Vec<T> {
        let mut made = Vec::new();
        if length > 0 {
            let mut at = 1;
            while at < length {
                made.push(value.clone());
                at += 1;
            }
            made.push(value);
        }
        made
    }

    pub fn as_slice(&self) -> Slice<T> {
        Slice {
            start: self.data(),
            length: self.length,
        }
    }

    pub fn as_mut_slice(&mut self) -> Slice<T> {
        Slice {
            start: self.data(),
            length: self.length,
        }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn push(&mut self, value: T) {
        within_capacity(self.length < CAPACITY);
        self.data().add(self.length).write(value);
        self.length += 1;
    }

    pub fn pop(&mut self) -> Option<T> {
        if self.length == 0 {
            None
        } else {
            self.length -= 1;
            Some(self.data().add(self.length).read())
        }
    }

    pub fn insert(&mut self, index: usize, value: T) {
        assert!(index <= self.length);
        within_capacity(self.length < CAPACITY);
        let data = self.data();
        let mut at = self.length;
        while at > index {
            data.add(at).write(data.add(at - 1).read());
            at -= 1;
        }
        data.add(index).write(value);
        self.length += 1;
    }

    pub fn remove(&mut self, index: usize) -> T {
        assert!(index < self.length);
        let data = self.data();
        let value = data.add(index).read();
        let mut at = index + 1;
        while at < self.length {
            data.add(at - 1).write(data.add(at).read());
            at += 1;
        }
        self.length -= 1;
        value
    }

    pub fn swap_remove(&mut self, index: usize) -> T {
        assert!(index < self.length);
        let data = self.data();
        let value = data.add(index).read();
        self.length -= 1;
        if index < self.length {
            data.add(index).write(data.add(self.length).read());
        }
        value
    }

    pub fn truncate(&mut self, length: usize) {
        if length < self.length {
            let end = self.length;
            self.length = length;
            let mut at = length;
            while at < end {
                self.data().add(at).drop_in_place();
                at += 1;
            }
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }

    pub fn extend<I: IntoIterator>(&mut self, from: I) {
        let mut iterator = from.into_iter();
        while let Some(value) = iterator.next() {
            self.push(value);
        }
    }

    pub fn extend_from_slice(&mut self, from: Slice<T>) {
        let mut iterator = from.iter();
        while let Some(value) = iterator.next() {
            self.push(value.clone());
        }
    }
}

impl<T> Drop for Vec<T> {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

impl<T> Default for Vec<T> {
    fn default() -> Vec<T> {
        Vec::new()
    }
}

impl<T> Clone for Vec<T> {
    fn clone(&self) -> Vec<T> {
        self.as_slice().to_vec()
    }
}

impl<T> PartialEq for Vec<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        equals(self.as_slice(), other.as_slice())
    }
}

impl<T> Eq for Vec<T> {}

impl<T> PartialEq<Slice<T>> for Vec<T> {
    fn eq(&self, other: &Slice<T>) -> bool {
        equals(self.as_slice(), *other)
    }
}

impl<T> FromIterator<T> for Vec<T> {
    fn from_iter<I: IntoIterator>(from: I) -> Vec<T> {
        let mut made = Vec::new();
        let mut iterator = from.into_iter();
        while let Some(value) = iterator.next() {
            made.push(value);
        }
        made
    }
}

// What is left of a `Vec` that is moved into an iterator.
pub struct IntoIter<T> {
    block: Box<MaybeUninit<[T; CAPACITY]>>,
    at: usize,
    end: usize,
}

impl<T> IntoIter<T> {
    fn data(&self) -> *mut T {
        self.block.as_ptr() as *mut T
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.at < self.end {
            let value = self.data().add(self.at).read();
            self.at += 1;
            Some(value)
        } else {
            None
        }
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.at < self.end {
            self.end -= 1;
            Some(self.data().add(self.end).read())
        } else {
            None
        }
    }
}

impl<T> Drop for IntoIter<T> {
    fn drop(&mut self) {
        while self.at < self.end {
            self.data().add(self.at).drop_in_place();
            self.at += 1;
        }
    }
}

impl<T> IntoIterator for Vec<T> {
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        let made = IntoIter {
            block: ptr::read(&self.block),
            at: 0,
            end: self.length,
        };
        mem::forget(self);
        made
    }
}
