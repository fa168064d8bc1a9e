//! Iterators over items of several iterators, or that remember some.

use super::iter::{DoubleEndedIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};

pub struct FlatMap<I, F, U> {
    iter: I,
    f: F,
    front: Option<U>,
    back: Option<U>,
}

impl<U: Iterator, V: IntoIterator, I: Iterator, F: FnMut(I::Item) -> V> Iterator for FlatMap<I, F, U> {
    type Item = U::Item;

    fn next(&mut self) -> Option<U::Item> {
        loop {
            if let Some(inner) = &mut self.front {
                let next = inner.next();
                if next.is_some() {
                    return next;
                }
                self.front = None;
            }
            match self.iter.next() {
                Some(item) => self.front = Some((self.f)(item).into_iter()),
                None => break,
            }
        }
        if let Some(inner) = &mut self.back {
            let next = inner.next();
            if next.is_some() {
                return next;
            }
            self.back = None;
        }
        None
    }
}

pub struct Flatten<I, U> {
    iter: I,
    front: Option<U>,
    back: Option<U>,
}

impl<U: Iterator, I: Iterator> Iterator for Flatten<I, U> {
    type Item = U::Item;

    fn next(&mut self) -> Option<U::Item> {
        loop {
            if let Some(inner) = &mut self.front {
                let next = inner.next();
                if next.is_some() {
                    return next;
                }
                self.front = None;
            }
            match self.iter.next() {
                Some(item) => self.front = Some(item.into_iter()),
                None => break,
            }
        }
        None
    }
}

// What was looked at: an item, or that there is none.
pub struct Peekable<I, T> {
    iter: I,
    peeked: Option<Option<T>>,
}

impl<T, I: Iterator> Peekable<I, T> {
    pub fn peek(&mut self) -> Option<&T> {
        if self.peeked.is_none() {
            self.peeked = Some(self.iter.next());
        }
        match &self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    pub fn peek_mut(&mut self) -> Option<&mut T> {
        if self.peeked.is_none() {
            self.peeked = Some(self.iter.next());
        }
        match &mut self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    pub fn next_if(&mut self, f: impl FnOnce(&T) -> bool) -> Option<T> {
        match self.next() {
            Some(item) => {
                if f(&item) {
                    return Some(item);
                }
                self.peeked = Some(Some(item));
                None
            }
            None => {
                self.peeked = Some(None);
                None
            }
        }
    }

    pub fn next_if_eq(&mut self, expected: &T) -> Option<T> {
        self.next_if(|item| *item == *expected)
    }
}

impl<T, I: Iterator> Iterator for Peekable<I, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.peeked.take() {
            Some(item) => item,
            None => self.iter.next(),
        }
    }
}

pub struct Fuse<I> {
    iter: I,
    over: bool,
}

impl<I: Iterator> Iterator for Fuse<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.over {
            return None;
        }
        let next = self.iter.next();
        self.over = next.is_none();
        next
    }
}

pub struct Scan<I, S, F> {
    iter: I,
    state: S,
    f: F,
}

impl<B, S, I: Iterator, F: FnMut(&mut S, I::Item) -> Option<B>> Iterator for Scan<I, S, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => (self.f)(&mut self.state, item),
            None => None,
        }
    }
}

pub struct MapWhile<I, F> {
    iter: I,
    f: F,
}

impl<B, I: Iterator, F: FnMut(I::Item) -> Option<B>> Iterator for MapWhile<I, F> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => (self.f)(item),
            None => None,
        }
    }
}

pub struct Cycle<I> {
    first: I,
    iter: I,
}

impl<I: Iterator> Iterator for Cycle<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let next = self.iter.next();
        if next.is_some() {
            return next;
        }
        self.iter = self.first.clone();
        self.iter.next()
    }
}
