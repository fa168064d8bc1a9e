//! `std::array`, and what arrays have that slices do not.

use super::iter::{DoubleEndedIterator, ExactSizeIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};
use super::slice::Iter;
use core::mem::MaybeUninit;

pub fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(mut f: F) -> [T; N] {
    let mut made: MaybeUninit<[T; N]> = MaybeUninit::uninit();
    let start = made.as_mut_ptr() as *mut T;
    let mut at = 0;
    while at < N {
        start.add(at).write(f(at));
        at += 1;
    }
    made.assume_init()
}

impl<T, const N: usize> [T; N] {
    pub fn map<U, F: FnMut(T) -> U>(self, mut f: F) -> [U; N] {
        let from = MaybeUninit::new(self);
        let start = from.as_ptr() as *mut T;
        let mut made: MaybeUninit<[U; N]> = MaybeUninit::uninit();
        let into = made.as_mut_ptr() as *mut U;
        let mut at = 0;
        while at < N {
            into.add(at).write(f(start.add(at).read()));
            at += 1;
        }
        made.assume_init()
    }
}

// What is left of an array that is moved into an iterator.
pub struct IntoIter<T, const N: usize> {
    elements: MaybeUninit<[T; N]>,
    at: usize,
    end: usize,
}

impl<T, const N: usize> IntoIter<T, N> {
    fn data(&self) -> *mut T {
        self.elements.as_ptr() as *mut T
    }
}

impl<T, const N: usize> Iterator for IntoIter<T, N> {
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

impl<T, const N: usize> DoubleEndedIterator for IntoIter<T, N> {
    fn next_back(&mut self) -> Option<T> {
        if self.at < self.end {
            self.end -= 1;
            Some(self.data().add(self.end).read())
        } else {
            None
        }
    }
}

impl<T, const N: usize> ExactSizeIterator for IntoIter<T, N> {
    fn len(&self) -> usize {
        self.end - self.at
    }
}

impl<T, const N: usize> Drop for IntoIter<T, N> {
    fn drop(&mut self) {
        while self.at < self.end {
            self.data().add(self.at).drop_in_place();
            self.at += 1;
        }
    }
}

impl<T, const N: usize> IntoIterator for [T; N] {
    type IntoIter = IntoIter<T, N>;

    fn into_iter(self) -> IntoIter<T, N> {
        IntoIter {
            elements: MaybeUninit::new(self),
            at: 0,
            end: N,
        }
    }
}

impl<T, const N: usize> IntoIterator for &[T; N] {
    type IntoIter = Iter<T>;

    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}
