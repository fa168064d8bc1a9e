//! `std::ops`: ranges.

use super::iter::{DoubleEndedIterator, Iterator};
use super::option::{None, Option, Some};

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
