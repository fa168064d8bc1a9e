//! `std::ops`: ranges, and what `?` is about.

use super::iter::{DoubleEndedIterator, Iterator};
use super::option::{None, Option, Some};
use super::result::{Err, Ok, Result};

#[derive(Clone, PartialEq, Eq)]
pub struct Range<T> {
    pub start: T,
    pub end: T,
}

impl<T> Range<T> {
    pub fn contains(&self, value: &T) -> bool {
        self.start <= *value && *value < self.end
    }

    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    pub fn len(&self) -> usize {
        if self.start < self.end {
            (self.end - self.start) as usize
        } else {
            0
        }
    }
}

impl<T> Iterator for Range<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.start < self.end {
            let value = self.start;
            self.start = value + 1;
            Some(value)
        } else {
            None
        }
    }
}

impl<T> DoubleEndedIterator for Range<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.start < self.end {
            self.end -= 1;
            Some(self.end)
        } else {
            None
        }
    }
}

// `over` is set when the last number was yielded, after which there may be none.
#[derive(Clone, PartialEq, Eq)]
pub struct RangeInclusive<T> {
    start: T,
    end: T,
    over: bool,
}

impl<T> RangeInclusive<T> {
    pub fn contains(&self, value: &T) -> bool {
        self.start <= *value && *value <= self.end
    }
}

impl<T> Iterator for RangeInclusive<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.over || self.start > self.end {
            return None;
        }
        let value = self.start;
        if value < self.end {
            self.start = value + 1;
        } else {
            self.over = true;
        }
        Some(value)
    }
}

impl<T> DoubleEndedIterator for RangeInclusive<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.over || self.start > self.end {
            return None;
        }
        let value = self.end;
        if self.start < value {
            self.end = value - 1;
        } else {
            self.over = true;
        }
        Some(value)
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct RangeFrom<T> {
    pub start: T,
}

impl<T> Iterator for RangeFrom<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let value = self.start;
        self.start = value + 1;
        Some(value)
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct RangeTo<T> {
    pub end: T,
}

impl<T> RangeTo<T> {
    pub fn contains(&self, value: &T) -> bool {
        *value < self.end
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct RangeToInclusive<T> {
    pub end: T,
}

impl<T> RangeToInclusive<T> {
    pub fn contains(&self, value: &T) -> bool {
        *value <= self.end
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct RangeFull;

// Where a part of so many elements begins and ends.
pub trait RangeBounds {
    fn within(&self, length: usize) -> (usize, usize);
}

impl RangeBounds for Range<usize> {
    fn within(&self, length: usize) -> (usize, usize) {
        assert!(self.start <= self.end && self.end <= length);
        (self.start, self.end)
    }
}

impl RangeBounds for RangeInclusive<usize> {
    fn within(&self, length: usize) -> (usize, usize) {
        assert!(self.start <= self.end + 1 && self.end < length);
        (self.start, self.end + 1)
    }
}

impl RangeBounds for RangeFrom<usize> {
    fn within(&self, length: usize) -> (usize, usize) {
        assert!(self.start <= length);
        (self.start, length)
    }
}

impl RangeBounds for RangeTo<usize> {
    fn within(&self, length: usize) -> (usize, usize) {
        assert!(self.end <= length);
        (0, self.end)
    }
}

impl RangeBounds for RangeToInclusive<usize> {
    fn within(&self, length: usize) -> (usize, usize) {
        assert!(self.end < length);
        (0, self.end + 1)
    }
}

impl RangeBounds for RangeFull {
    fn within(&self, length: usize) -> (usize, usize) {
        (0, length)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow<B, C = ()> {
    Continue(C),
    Break(B),
}

impl<B, C> ControlFlow<B, C> {
    pub fn is_break(&self) -> bool {
        match self {
            ControlFlow::Continue(_) => false,
            ControlFlow::Break(_) => true,
        }
    }

    pub fn is_continue(&self) -> bool {
        match self {
            ControlFlow::Continue(_) => true,
            ControlFlow::Break(_) => false,
        }
    }

    pub fn break_value(self) -> Option<B> {
        match self {
            ControlFlow::Continue(_) => None,
            ControlFlow::Break(value) => Some(value),
        }
    }
}

// What a closure returns that may end the calls of it.
pub trait Try {
    type Output;

    fn goes_on(&self) -> bool;
    fn output(self) -> Self::Output;
    fn from_output(value: Self::Output) -> Self;
}

impl<T> Try for Option<T> {
    type Output = T;

    fn goes_on(&self) -> bool {
        self.is_some()
    }

    fn output(self) -> T {
        self.unwrap()
    }

    fn from_output(value: T) -> Option<T> {
        Some(value)
    }
}

impl<T, E> Try for Result<T, E> {
    type Output = T;

    fn goes_on(&self) -> bool {
        self.is_ok()
    }

    fn output(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!(),
        }
    }

    fn from_output(value: T) -> Result<T, E> {
        Ok(value)
    }
}

impl<B, C> Try for ControlFlow<B, C> {
    type Output = C;

    fn goes_on(&self) -> bool {
        self.is_continue()
    }

    fn output(self) -> C {
        match self {
            ControlFlow::Continue(value) => value,
            ControlFlow::Break(_) => panic!(),
        }
    }

    fn from_output(value: C) -> ControlFlow<B, C> {
        ControlFlow::Continue(value)
    }
}
