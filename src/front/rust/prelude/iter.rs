//! `std::iter`

use super::adaptors::{
    Chain, Cloned, Copied, Enumerate, Filter, FilterMap, Inspect, Map, Rev, Skip, SkipWhile, StepBy, Take, TakeWhile, Zip,
};
use super::repeated::{Cycle, FlatMap, Flatten, Fuse, MapWhile, Peekable, Scan};
use super::option::{None, Option, Some};
use core::cmp::Ordering;

pub use super::sources::{Empty, FromFn, Once, Repeat, RepeatWith, Successors, empty, from_fn, once, repeat, repeat_with, successors};

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
            a: Some(self),
            b: other.into_iter(),
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
                    if best.cmp(&item) != Ordering::Greater {
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
                    if best.cmp(&item) == Ordering::Greater {
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn max_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(mut self, mut f: F) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut best = first;
                while let Some(item) = self.next() {
                    if f(&best, &item) != Ordering::Greater {
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn min_by<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(mut self, mut f: F) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut best = first;
                while let Some(item) = self.next() {
                    if f(&best, &item) == Ordering::Greater {
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn max_by_key<K, F: FnMut(&Self::Item) -> K>(mut self, mut f: F) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut key = f(&first);
                let mut best = first;
                while let Some(item) = self.next() {
                    let other = f(&item);
                    if key.cmp(&other) != Ordering::Greater {
                        key = other;
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn min_by_key<K, F: FnMut(&Self::Item) -> K>(mut self, mut f: F) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut key = f(&first);
                let mut best = first;
                while let Some(item) = self.next() {
                    let other = f(&item);
                    if key.cmp(&other) == Ordering::Greater {
                        key = other;
                        best = item;
                    }
                }
                Some(best)
            }
            None => None,
        }
    }

    fn reduce<F: FnMut(Self::Item, Self::Item) -> Self::Item>(mut self, mut f: F) -> Option<Self::Item> {
        match self.next() {
            Some(first) => {
                let mut value = first;
                while let Some(item) = self.next() {
                    value = f(value, item);
                }
                Some(value)
            }
            None => None,
        }
    }

    fn try_fold<B, R, F: FnMut(B, Self::Item) -> R>(&mut self, first: B, mut f: F) -> R {
        let mut value = first;
        while let Some(item) = self.next() {
            let step = f(value, item);
            if !step.goes_on() {
                return step;
            }
            value = step.output();
        }
        R::from_output(value)
    }

    fn try_for_each<R, F: FnMut(Self::Item) -> R>(&mut self, mut f: F) -> R {
        while let Some(item) = self.next() {
            let step = f(item);
            if !step.goes_on() {
                return step;
            }
        }
        R::from_output(())
    }

    fn by_ref(&mut self) -> &mut Self {
        self
    }

    fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> FlatMap<Self, F, U::IntoIter> {
        FlatMap {
            iter: self,
            f,
            front: None,
            back: None,
        }
    }

    fn flatten(self) -> Flatten<Self, <Self::Item as IntoIterator>::IntoIter> {
        Flatten {
            iter: self,
            front: None,
            back: None,
        }
    }

    fn peekable(self) -> Peekable<Self, Self::Item> {
        Peekable {
            iter: self,
            peeked: None,
        }
    }

    fn fuse(self) -> Fuse<Self> {
        Fuse {
            iter: self,
            over: false,
        }
    }

    fn scan<S, B, F: FnMut(&mut S, Self::Item) -> Option<B>>(self, state: S, f: F) -> Scan<Self, S, F> {
        Scan {
            iter: self,
            state,
            f,
        }
    }

    fn map_while<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> MapWhile<Self, F> {
        MapWhile { iter: self, f }
    }

    fn cycle(self) -> Cycle<Self> {
        Cycle {
            first: self.clone(),
            iter: self,
        }
    }

    fn rposition<F: FnMut(Self::Item) -> bool>(&mut self, mut f: F) -> Option<usize> {
        let mut at = self.len();
        while let Some(item) = self.next_back() {
            at -= 1;
            if f(item) {
                return Some(at);
            }
        }
        None
    }

    fn rfind<F: FnMut(&Self::Item) -> bool>(&mut self, mut f: F) -> Option<Self::Item> {
        while let Some(item) = self.next_back() {
            if f(&item) {
                return Some(item);
            }
        }
        None
    }

    fn rfold<B, F: FnMut(B, Self::Item) -> B>(mut self, first: B, mut f: F) -> B {
        let mut value = first;
        while let Some(item) = self.next_back() {
            value = f(value, item);
        }
        value
    }

    fn nth_back(&mut self, count: usize) -> Option<Self::Item> {
        let mut left = count;
        while left > 0 {
            if self.next_back().is_none() {
                return None;
            }
            left -= 1;
        }
        self.next_back()
    }

    fn partition<C: Default, F: FnMut(&Self::Item) -> bool>(mut self, mut f: F) -> (C, C) {
        let mut yes = C::default();
        let mut no = C::default();
        while let Some(item) = self.next() {
            if f(&item) {
                yes.extend_one(item);
            } else {
                no.extend_one(item);
            }
        }
        (yes, no)
    }

    fn unzip<A: Default, B: Default>(mut self) -> (A, B) {
        let mut first = A::default();
        let mut second = B::default();
        while let Some((a, b)) = self.next() {
            first.extend_one(a);
            second.extend_one(b);
        }
        (first, second)
    }

    fn eq<J: IntoIterator>(mut self, other: J) -> bool {
        let mut others = other.into_iter();
        loop {
            match self.next() {
                Some(a) => match others.next() {
                    Some(b) => {
                        if a != b {
                            return false;
                        }
                    }
                    None => return false,
                },
                None => return others.next().is_none(),
            }
        }
    }

    fn ne<J: IntoIterator>(self, other: J) -> bool {
        !self.eq(other)
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

pub trait ExactSizeIterator {
    fn len(&self) -> usize;
}

pub trait FromIterator<T> {
    fn from_iter<I: IntoIterator>(from: I) -> Self;
}

// What an iterator that is made has as items is said by its own type alone: so types are found at once.
pub trait IntoIterator {
    type IntoIter;

    fn into_iter(self) -> Self::IntoIter;
}
