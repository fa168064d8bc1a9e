//! What the methods of iterators make of them.

use super::iter::{DoubleEndedIterator, ExactSizeIterator, Iterator};
use super::option::{None, Option, Some};

#[derive(Clone)]
pub struct Map<I, F> {
    iter: I,
    f: F,
}

impl<B, I: Iterator, F: FnMut(I::Item) -> B> Iterator for Map<I, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => Some((self.f)(item)),
            None => None,
        }
    }
}

impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> B> DoubleEndedIterator for Map<I, F> {
    fn next_back(&mut self) -> Option<B> {
        match self.iter.next_back() {
            Some(item) => Some((self.f)(item)),
            None => None,
        }
    }
}

#[derive(Clone)]
pub struct Filter<I, F> {
    iter: I,
    f: F,
}

impl<I: Iterator, F: FnMut(&I::Item) -> bool> Iterator for Filter<I, F> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next() {
            if (self.f)(&item) {
                return Some(item);
            }
        }
        None
    }
}

impl<I: DoubleEndedIterator, F: FnMut(&I::Item) -> bool> DoubleEndedIterator for Filter<I, F> {
    fn next_back(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next_back() {
            if (self.f)(&item) {
                return Some(item);
            }
        }
        None
    }
}

#[derive(Clone)]
pub struct FilterMap<I, F> {
    iter: I,
    f: F,
}

impl<B, I: Iterator, F: FnMut(I::Item) -> Option<B>> Iterator for FilterMap<I, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        while let Some(item) = self.iter.next() {
            let found = (self.f)(item);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

#[derive(Clone)]
pub struct Inspect<I, F> {
    iter: I,
    f: F,
}

impl<I: Iterator, F: FnMut(&I::Item)> Iterator for Inspect<I, F> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let next = self.iter.next();
        if let Some(item) = &next {
            (self.f)(item);
        }
        next
    }
}

#[derive(Clone)]
pub struct TakeWhile<I, F> {
    iter: I,
    f: F,
    over: bool,
}

impl<I: Iterator, F: FnMut(&I::Item) -> bool> Iterator for TakeWhile<I, F> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.over {
            return None;
        }
        if let Some(item) = self.iter.next() {
            if (self.f)(&item) {
                return Some(item);
            }
            self.over = true;
        }
        None
    }
}

#[derive(Clone)]
pub struct SkipWhile<I, F> {
    iter: I,
    f: F,
    begun: bool,
}

impl<I: Iterator, F: FnMut(&I::Item) -> bool> Iterator for SkipWhile<I, F> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next() {
            if self.begun || !(self.f)(&item) {
                self.begun = true;
                return Some(item);
            }
        }
        None
    }
}

#[derive(Clone)]
pub struct Enumerate<I> {
    iter: I,
    count: usize,
}

impl<I: Iterator> Iterator for Enumerate<I> {
    type Item = (usize, I::Item);

    fn next(&mut self) -> Option<(usize, I::Item)> {
        match self.iter.next() {
            Some(item) => {
                let at = self.count;
                self.count += 1;
                Some((at, item))
            }
            None => None,
        }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Enumerate<I> {
    fn next_back(&mut self) -> Option<(usize, I::Item)> {
        let left = self.iter.len();
        match self.iter.next_back() {
            Some(item) => Some((self.count + left - 1, item)),
            None => None,
        }
    }
}

#[derive(Clone)]
pub struct Zip<A, B> {
    a: A,
    b: B,
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator> DoubleEndedIterator for Zip<A, B> {
    fn next_back(&mut self) -> Option<(A::Item, B::Item)> {
        let (m, n) = (self.a.len(), self.b.len());
        let mut left = m;
        while left > n {
            self.a.next_back();
            left -= 1;
        }
        left = n;
        while left > m {
            self.b.next_back();
            left -= 1;
        }
        match self.a.next_back() {
            Some(x) => match self.b.next_back() {
                Some(y) => Some((x, y)),
                None => None,
            },
            None => None,
        }
    }
}

impl<A: Iterator, B: Iterator> Iterator for Zip<A, B> {
    type Item = (A::Item, B::Item);

    fn next(&mut self) -> Option<(A::Item, B::Item)> {
        match self.a.next() {
            Some(x) => match self.b.next() {
                Some(y) => Some((x, y)),
                None => None,
            },
            None => None,
        }
    }
}

#[derive(Clone)]
pub struct Chain<A, B> {
    // None once it has yielded nothing.
    a: Option<A>,
    b: B,
}

impl<A: Iterator, B: Iterator> Iterator for Chain<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        if let Some(a) = &mut self.a {
            let next = a.next();
            if next.is_some() {
                return next;
            }
            self.a = None;
        }
        self.b.next()
    }

    fn last(self) -> Option<A::Item> {
        let first = match self.a {
            Some(a) => a.last(),
            None => None,
        };
        let second = self.b.last();
        second.or(first)
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator> DoubleEndedIterator for Chain<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        let last = self.b.next_back();
        if last.is_some() || !self.first {
            return last;
        }
        self.a.next_back()
    }
}

#[derive(Clone)]
pub struct Rev<I> {
    iter: I,
}

impl<I: DoubleEndedIterator> Iterator for Rev<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.iter.next_back()
    }
}

impl<I: Iterator> DoubleEndedIterator for Rev<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.iter.next()
    }
}

#[derive(Clone)]
pub struct Take<I> {
    iter: I,
    count: usize,
}

impl<I: Iterator> Iterator for Take<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        self.iter.next()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Take<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.count == 0 {
            return None;
        }
        let length = self.iter.len();
        let mut left = length;
        while left > self.count {
            self.iter.next_back();
            left -= 1;
        }
        self.count -= 1;
        self.iter.next_back()
    }
}

#[derive(Clone)]
pub struct Skip<I> {
    iter: I,
    count: usize,
}

impl<I: Iterator> Iterator for Skip<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.count > 0 {
            let count = self.count;
            self.count = 0;
            self.iter.nth(count)
        } else {
            self.iter.next()
        }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Skip<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.iter.len() > self.count {
            self.iter.next_back()
        } else {
            None
        }
    }
}

#[derive(Clone)]
pub struct StepBy<I> {
    iter: I,
    step: usize,
    begun: bool,
}

impl<I: Iterator> Iterator for StepBy<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.begun {
            self.iter.nth(self.step)
        } else {
            self.begun = true;
            self.iter.next()
        }
    }
}

#[derive(Clone)]
pub struct Copied<I> {
    iter: I,
}

impl<T, I: Iterator<Item = &T>> Iterator for Copied<I> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.iter.next() {
            Some(item) => Some(*item),
            None => None,
        }
    }
}

impl<T, I: DoubleEndedIterator<Item = &T>> DoubleEndedIterator for Copied<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.iter.next_back() {
            Some(item) => Some(*item),
            None => None,
        }
    }
}

#[derive(Clone)]
pub struct Cloned<I> {
    iter: I,
}

impl<T, I: Iterator<Item = &T>> Iterator for Cloned<I> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.iter.next() {
            Some(item) => Some(item.clone()),
            None => None,
        }
    }
}

impl<T, I: DoubleEndedIterator<Item = &T>> DoubleEndedIterator for Cloned<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.iter.next_back() {
            Some(item) => Some(item.clone()),
            None => None,
        }
    }
}

// How many items are left, where that is known.

impl<I: ExactSizeIterator, F> ExactSizeIterator for Map<I, F> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Enumerate<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Rev<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Copied<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Cloned<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator> ExactSizeIterator for Zip<A, B> {
    fn len(&self) -> usize {
        let (m, n) = (self.a.len(), self.b.len());
        if m < n { m } else { n }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Take<I> {
    fn len(&self) -> usize {
        let length = self.iter.len();
        if length < self.count { length } else { self.count }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Skip<I> {
    fn len(&self) -> usize {
        let length = self.iter.len();
        if length > self.count { length - self.count } else { 0 }
    }
}
