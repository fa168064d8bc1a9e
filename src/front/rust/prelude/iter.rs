//! `std::iter`

use super::option::{None, Option, Some};

pub trait Iterator {
    type Item;

    fn next(&mut self) -> Option<Self::Item>;

    fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Map<Self, F> {
        Map { iter: self, f }
    }

    fn filter<F: FnMut(&Self::Item) -> bool>(self, f: F) -> Filter<Self, F> {
        Filter { iter: self, f }
    }

    fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> FilterMap<Self, F> {
        FilterMap { iter: self, f }
    }

    fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Inspect<Self, F> {
        Inspect { iter: self, f }
    }

    fn take_while<F: FnMut(&Self::Item) -> bool>(self, f: F) -> TakeWhile<Self, F> {
        TakeWhile {
            iter: self,
            f,
            over: false,
        }
    }

    fn skip_while<F: FnMut(&Self::Item) -> bool>(self, f: F) -> SkipWhile<Self, F> {
        SkipWhile {
            iter: self,
            f,
            begun: false,
        }
    }

    fn enumerate(self) -> Enumerate<Self> {
        Enumerate {
            iter: self,
            count: 0,
        }
    }

    fn zip<J: IntoIterator>(self, other: J) -> Zip<Self, J::IntoIter> {
        Zip {
            a: self,
            b: other.into_iter(),
        }
    }

    fn chain<J: IntoIterator>(self, other: J) -> Chain<Self, J::IntoIter> {
        Chain {
            a: self,
            b: other.into_iter(),
            first: true,
        }
    }

    fn rev(self) -> Rev<Self> {
        Rev { iter: self }
    }

    fn take(self, count: usize) -> Take<Self> {
        Take { iter: self, count }
    }

    fn skip(self, count: usize) -> Skip<Self> {
        Skip { iter: self, count }
    }

    fn step_by(self, step: usize) -> StepBy<Self> {
        assert!(step != 0);
        StepBy {
            iter: self,
            step: step - 1,
            begun: false,
        }
    }

    fn copied(self) -> Copied<Self> {
        Copied { iter: self }
    }

    fn cloned(self) -> Cloned<Self> {
        Cloned { iter: self }
    }

    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, first: B, mut f: F) -> B {
        let mut value = first;
        while let Some(item) = self.next() {
            value = f(value, item);
        }
        value
    }

    fn for_each<F: FnMut(Self::Item)>(mut self, mut f: F) {
        while let Some(item) = self.next() {
            f(item);
        }
    }

    fn count(mut self) -> usize {
        let mut count = 0;
        while let Some(_) = self.next() {
            count += 1;
        }
        count
    }

    fn last(mut self) -> Option<Self::Item> {
        let mut last = None;
        while let Some(item) = self.next() {
            last = Some(item);
        }
        last
    }

    fn nth(&mut self, count: usize) -> Option<Self::Item> {
        let mut left = count;
        while left > 0 {
            if self.next().is_none() {
                return None;
            }
            left -= 1;
        }
        self.next()
    }

    fn all<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> bool {
        while let Some(item) = self.next() {
            if !f(item) {
                return false;
            }
        }
        true
    }

    fn any<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> bool {
        while let Some(item) = self.next() {
            if f(item) {
                return true;
            }
        }
        false
    }

    fn find<F: FnMut(&Self::Item) -> bool>(&mut self, mut f: F) -> Option<Self::Item> {
        while let Some(item) = self.next() {
            if f(&item) {
                return Some(item);
            }
        }
        None
    }

    fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, mut f: F) -> Option<B> {
        while let Some(item) = self.next() {
            let found = f(item);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn position<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> Option<usize> {
        let mut at = 0;
        while let Some(item) = self.next() {
            if f(item) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    fn max(mut self) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut best = first;
                while let Some(item) = self.next() {
                    if item >= best {
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn min(mut self) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut best = first;
                while let Some(item) = self.next() {
                    if item < best {
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn sum<S>(mut self) -> S {
        let mut total: S = 0;
        while let Some(item) = self.next() {
            total += item;
        }
        total
    }

    fn product<S>(mut self) -> S {
        let mut total: S = 1;
        while let Some(item) = self.next() {
            total *= item;
        }
        total
    }

    fn collect<C: FromIterator>(self) -> C {
        C::from_iter(self)
    }
}

pub trait DoubleEndedIterator {
    fn next_back(&mut self) -> Option<Self::Item>;
}

pub trait ExactSizeIterator {}

pub trait FromIterator<T> {
    fn from_iter<I: IntoIterator>(from: I) -> Self;
}

// What an iterator that is made has as items is said by its own type alone: so types are found at once.
pub trait IntoIterator {
    type IntoIter;

    fn into_iter(self) -> Self::IntoIter;
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

pub struct Zip<A, B> {
    a: A,
    b: B,
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

pub struct Chain<A, B> {
    a: A,
    b: B,
    first: bool,
}

impl<A: Iterator, B: Iterator> Iterator for Chain<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        if self.first {
            let next = self.a.next();
            if next.is_some() {
                return next;
            }
            self.first = false;
        }
        self.b.next()
    }
}

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

pub struct Skip<I> {
    iter: I,
    count: usize,
}

impl<I: Iterator> Iterator for Skip<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while self.count > 0 {
            self.count -= 1;
            if self.iter.next().is_none() {
                self.count = 0;
                return None;
            }
        }
        self.iter.next()
    }
}

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
