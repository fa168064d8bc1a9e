//! `std::vec`
//!
//! The elements are in one block of the heap, which has room for `CAPACITY` of them: a program that needs more is not
//! covered from there on, and the verdict says so. A real `Vec` moves its elements when it grows; no pointer to one outlives
//! that here either, since there is no `as_ptr`.

use super::capacity::CAPACITY;
use super::iter::{DoubleEndedIterator, ExactSizeIterator, FromIterator, IntoIterator, Iterator};
use super::ops::RangeBounds;
use super::option::{None, Option, Some};
use super::slice::{Slice, equals};
use core::intrinsics::within_capacity;
use core::mem::{self, MaybeUninit};
use core::ptr;
use core::rc::Rc;
use core::sync::Arc;

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

    pub fn reserve(&mut self, more: usize) {}

    pub fn shrink_to_fit(&mut self) {}

    pub fn append(&mut self, other: &mut Vec<T>) {
        let mut at = 0;
        while at < other.length {
            self.push(other.data().add(at).read());
            at += 1;
        }
        other.length = 0;
    }

    pub fn split_off(&mut self, from: usize) -> Vec<T> {
        assert!(from <= self.length);
        let mut made = Vec::new();
        let mut at = from;
        while at < self.length {
            made.push(self.data().add(at).read());
            at += 1;
        }
        self.length = from;
        made
    }

    pub fn resize(&mut self, length: usize, value: T) {
        if length <= self.length {
            self.truncate(length);
        } else {
            while self.length + 1 < length {
                self.push(value.clone());
            }
            self.push(value);
        }
    }

    pub fn resize_with<F: FnMut() -> T>(&mut self, length: usize, mut f: F) {
        self.truncate(length);
        while self.length < length {
            self.push(f());
        }
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut f: F) {
        let data = self.data();
        let mut kept = 0;
        let mut at = 0;
        while at < self.length {
            let one = data.add(at);
            if !f(&*one) {
                one.drop_in_place();
            } else {
                if at != kept {
                    data.add(kept).write(one.read());
                }
                kept += 1;
            }
            at += 1;
        }
        self.length = kept;
    }

    pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, mut f: F) {
        self.retain(|one| f(one));
    }

    pub fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, mut same: F) {
        if self.length < 2 {
            return;
        }
        let data = self.data();
        let mut kept = 1;
        let mut at = 1;
        while at < self.length {
            let one = data.add(at);
            if same(&mut *one, &mut *data.add(kept - 1)) {
                one.drop_in_place();
            } else {
                if at != kept {
                    data.add(kept).write(one.read());
                }
                kept += 1;
            }
            at += 1;
        }
        self.length = kept;
    }

    pub fn dedup_by_key<K, F: FnMut(&mut T) -> K>(&mut self, mut key: F) {
        self.dedup_by(|a, b| key(a) == key(b));
    }

    pub fn dedup(&mut self) {
        self.dedup_by(|a, b| *a == *b);
    }

    pub fn drain<R: RangeBounds>(&mut self, range: R) -> Drain<T> {
        let (from, to) = range.within(self.length);
        let length = self.length;
        self.length = from;
        Drain {
            of: self,
            at: from,
            end: to,
            tail: to,
            length,
        }
    }

    pub fn into_boxed_slice(self) -> Vec<T> {
        self
    }

    pub fn into_vec(self) -> Vec<T> {
        self
    }

    // What `partition` and `unzip` do.
    pub fn extend_one(&mut self, value: T) {
        self.push(value);
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

impl<T> FromIterator<T> for Arc<Vec<T>> {
    fn from_iter<I: IntoIterator>(from: I) -> Arc<Vec<T>> {
        Arc::new(Vec::from_iter(from))
    }
}

impl<T> FromIterator<T> for Rc<Vec<T>> {
    fn from_iter<I: IntoIterator>(from: I) -> Rc<Vec<T>> {
        Rc::new(Vec::from_iter(from))
    }
}

// Elements on their way out. Those after them come back when it ends.
pub struct Drain<T> {
    of: &mut Vec<T>,
    at: usize,
    end: usize,
    tail: usize,
    length: usize,
}

impl<T> Iterator for Drain<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.at < self.end {
            let value = self.of.data().add(self.at).read();
            self.at += 1;
            Some(value)
        } else {
            None
        }
    }
}

impl<T> DoubleEndedIterator for Drain<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.at < self.end {
            self.end -= 1;
            Some(self.of.data().add(self.end).read())
        } else {
            None
        }
    }
}

impl<T> ExactSizeIterator for Drain<T> {
    fn len(&self) -> usize {
        self.end - self.at
    }
}

impl<T> Drop for Drain<T> {
    fn drop(&mut self) {
        let data = self.of.data();
        while self.at < self.end {
            data.add(self.at).drop_in_place();
            self.at += 1;
        }
        while self.tail < self.length {
            data.add(self.of.length).write(data.add(self.tail).read());
            self.of.length += 1;
            self.tail += 1;
        }
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

impl<T> ExactSizeIterator for IntoIter<T> {
    fn len(&self) -> usize {
        self.end - self.at
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
