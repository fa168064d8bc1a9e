//! Iterators that are made of values, of functions, and of iterators themselves.

use super::iter::{DoubleEndedIterator, FromIterator, IntoIterator, Iterator};
use super::option::{None, Option, Some};

pub struct Once<T> {
    value: Option<T>,
}

pub fn once<T>(value: T) -> Once<T> {
    Once { value: Some(value) }
}

impl<T> Iterator for Once<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.value.take()
    }
}

impl<T> DoubleEndedIterator for Once<T> {
    fn next_back(&mut self) -> Option<T> {
        self.value.take()
    }
}

pub struct Empty<T> {
    value: Option<T>,
}

pub fn empty<T>() -> Empty<T> {
    Empty { value: None }
}

impl<T> Iterator for Empty<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.value.take()
    }
}

#[derive(Clone)]
pub struct Repeat<T> {
    value: T,
}

pub fn repeat<T>(value: T) -> Repeat<T> {
    Repeat { value }
}

impl<T> Iterator for Repeat<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        Some(self.value.clone())
    }
}

pub struct RepeatWith<F> {
    f: F,
}

pub fn repeat_with<T, F: FnMut() -> T>(f: F) -> RepeatWith<F> {
    RepeatWith { f }
}

impl<T, F: FnMut() -> T> Iterator for RepeatWith<F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        Some((self.f)())
    }
}

pub struct FromFn<F> {
    f: F,
}

pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> FromFn<F> {
    FromFn { f }
}

impl<T, F: FnMut() -> Option<T>> Iterator for FromFn<F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        (self.f)()
    }
}

pub struct Successors<T, F> {
    following: Option<T>,
    f: F,
}

pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, f: F) -> Successors<T, F> {
    Successors {
        following: first,
        f,
    }
}

impl<T, F: FnMut(&T) -> Option<T>> Iterator for Successors<T, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.following.take() {
            Some(item) => {
                self.following = (self.f)(&item);
                Some(item)
            }
            None => None,
        }
    }
}

impl<I: Iterator> IntoIterator for I {
    type IntoIter = I;

    fn into_iter(self) -> I {
        self
    }
}

impl<I: Iterator> Iterator for &mut I {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let inner = &mut **self;
        inner.next()
    }
}

// Items up to the first one that is none, or an error, which is kept.
struct Whole<I, E> {
    iter: I,
    left: &mut Option<E>,
}

impl<T, I: Iterator<Item = Option<T>>> Iterator for Whole<I, ()> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.iter.next() {
            Some(Some(item)) => Some(item),
            Some(None) => {
                *self.left = Some(());
                None
            }
            None => None,
        }
    }
}

impl<T, V> FromIterator<Option<T>> for Option<V> {
    fn from_iter<I: IntoIterator>(from: I) -> Option<V> {
        let mut left = None;
        let made = V::from_iter(Whole {
            iter: from.into_iter(),
            left: &mut left,
        });
        match left {
            Some(()) => None,
            None => Some(made),
        }
    }
}
