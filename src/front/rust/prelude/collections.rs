//! `std::collections`
//!
//! The elements of a `VecDeque` are a ring in one block of the heap, with room for as many as a `Vec` has.

use super::capacity::CAPACITY;
use super::iter::{DoubleEndedIterator, FromIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};
use core::intrinsics::within_capacity;
use core::mem::MaybeUninit;

pub struct VecDeque<T> {
    block: Box<MaybeUninit<[T; CAPACITY]>>,
    head: usize,
    length: usize,
}

impl<T> VecDeque<T> {
    pub fn new() -> VecDeque<T> {
        VecDeque {
            block: Box::new(MaybeUninit::uninit()),
            head: 0,
            length: 0,
        }
    }

    pub fn with_capacity(capacity: usize) -> VecDeque<T> {
        VecDeque {
            block: Box::new(MaybeUninit::uninit()),
            head: 0,
            length: 0,
        }
    }

    // Where the element of this number is.
    fn place(&self, index: usize) -> *mut T {
        let start = self.block.as_ptr() as *mut T;
        start.add((self.head + index) % CAPACITY)
    }

    // `deque[index]`
    fn at(&self, index: usize) -> &T {
        assert!(index < self.length);
        &*self.place(index)
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn push_back(&mut self, value: T) {
        within_capacity(self.length < CAPACITY);
        self.place(self.length).write(value);
        self.length += 1;
    }

    pub fn push_front(&mut self, value: T) {
        within_capacity(self.length < CAPACITY);
        self.head = (self.head + CAPACITY - 1) % CAPACITY;
        self.length += 1;
        self.place(0).write(value);
    }

    pub fn pop_front(&mut self) -> Option<T> {
        if self.length == 0 {
            None
        } else {
            let value = self.place(0).read();
            self.head = (self.head + 1) % CAPACITY;
            self.length -= 1;
            Some(value)
        }
    }

    pub fn pop_back(&mut self) -> Option<T> {
        if self.length == 0 {
            None
        } else {
            self.length -= 1;
            Some(self.place(self.length).read())
        }
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.length {
            Some(&*self.place(index))
        } else {
            None
        }
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.length {
            Some(&mut *self.place(index))
        } else {
            None
        }
    }

    pub fn front(&self) -> Option<&T> {
        self.get(0)
    }

    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    pub fn back(&self) -> Option<&T> {
        if self.length == 0 {
            None
        } else {
            Some(&*self.place(self.length - 1))
        }
    }

    pub fn back_mut(&mut self) -> Option<&mut T> {
        if self.length == 0 {
            None
        } else {
            Some(&mut *self.place(self.length - 1))
        }
    }

    pub fn contains(&self, value: &T) -> bool {
        let mut at = 0;
        while at < self.length {
            if *self.place(at) == *value {
                return true;
            }
            at += 1;
        }
        false
    }

    pub fn truncate(&mut self, length: usize) {
        if length < self.length {
            let end = self.length;
            self.length = length;
            let mut at = length;
            while at < end {
                self.place(at).drop_in_place();
                at += 1;
            }
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
        self.head = 0;
    }

    pub fn iter(&self) -> Iter<T> {
        Iter {
            of: self,
            at: 0,
            end: self.length,
        }
    }

    pub fn iter_mut(&mut self) -> Iter<T> {
        Iter {
            of: self,
            at: 0,
            end: self.length,
        }
    }

    pub fn swap(&mut self, a: usize, b: usize) {
        assert!(a < self.length && b < self.length);
        let x = self.place(a).read();
        let y = self.place(b).read();
        self.place(a).write(y);
        self.place(b).write(x);
    }

    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index >= self.length {
            return None;
        }
        let value = self.place(index).read();
        let mut at = index + 1;
        while at < self.length {
            self.place(at - 1).write(self.place(at).read());
            at += 1;
        }
        self.length -= 1;
        Some(value)
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut f: F) {
        let mut kept = 0;
        let mut at = 0;
        while at < self.length {
            if f(&*self.place(at)) {
                if at != kept {
                    self.swap(at, kept);
                }
                kept += 1;
            }
            at += 1;
        }
        self.truncate(kept);
    }

    // What `partition` and `unzip` do.
    pub fn extend_one(&mut self, value: T) {
        self.push_back(value);
    }

    pub fn extend<I: IntoIterator>(&mut self, from: I) {
        let mut iterator = from.into_iter();
        while let Some(value) = iterator.next() {
            self.push_back(value);
        }
    }
}

impl<T> Drop for VecDeque<T> {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

impl<T> Default for VecDeque<T> {
    fn default() -> VecDeque<T> {
        VecDeque::new()
    }
}

impl<T> PartialEq for VecDeque<T> {
    fn eq(&self, other: &VecDeque<T>) -> bool {
        if self.length != other.length {
            return false;
        }
        let mut at = 0;
        while at < self.length {
            if *self.place(at) != *other.place(at) {
                return false;
            }
            at += 1;
        }
        true
    }
}

impl<T> Clone for VecDeque<T> {
    fn clone(&self) -> VecDeque<T> {
        let mut made = VecDeque::new();
        let mut at = 0;
        while at < self.length {
            let one = &*self.place(at);
            made.push_back(one.clone());
            at += 1;
        }
        made
    }
}

impl<T> FromIterator<T> for VecDeque<T> {
    fn from_iter<I: IntoIterator>(from: I) -> VecDeque<T> {
        let mut made = VecDeque::new();
        let mut iterator = from.into_iter();
        while let Some(value) = iterator.next() {
            made.push_back(value);
        }
        made
    }
}

pub struct Iter<T> {
    of: &VecDeque<T>,
    at: usize,
    end: usize,
}

impl<T> Iterator for Iter<T> {
    type Item = &T;

    fn next(&mut self) -> Option<&T> {
        if self.at < self.end {
            let one = &*self.of.place(self.at);
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
            Some(&*self.of.place(self.end))
        } else {
            None
        }
    }
}

impl<T> IntoIterator for &VecDeque<T> {
    type IntoIter = Iter<T>;

    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}

pub struct IntoIter<T> {
    left: VecDeque<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left.pop_front()
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        self.left.pop_back()
    }
}

impl<T> IntoIterator for VecDeque<T> {
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { left: self }
    }
}
