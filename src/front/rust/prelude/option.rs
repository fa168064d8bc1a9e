//! `std::option`

use core::mem;
use super::iter::{IntoIterator, Once};
use super::result::{Err, Ok, Result};

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Option<T> {
    None,
    Some(T),
}

pub use Option::{None, Some};

impl<T> Option<T> {
    pub fn is_some(&self) -> bool {
        match self {
            Some(_) => true,
            None => false,
        }
    }

    pub fn is_none(&self) -> bool {
        match self {
            Some(_) => false,
            None => true,
        }
    }

    pub fn is_some_and(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Some(value) => f(value),
            None => false,
        }
    }

    pub fn is_none_or(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Some(value) => f(value),
            None => true,
        }
    }

    pub fn as_ref(&self) -> Option<&T> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }

    pub fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }

    pub fn unwrap(self) -> T {
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn expect(self, message: &str) -> T {
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub unsafe fn unwrap_unchecked(self) -> T {
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn unwrap_or(self, default: T) -> T {
        match self {
            Some(value) => value,
            None => default,
        }
    }

    pub fn unwrap_or_else(self, f: impl FnOnce() -> T) -> T {
        match self {
            Some(value) => value,
            None => f(),
        }
    }

    pub fn unwrap_or_default(self) -> T {
        match self {
            Some(value) => value,
            None => T::default(),
        }
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Option<U> {
        match self {
            Some(value) => Some(f(value)),
            None => None,
        }
    }

    pub fn inspect(self, f: impl FnOnce(&T)) -> Option<T> {
        match &self {
            Some(value) => f(value),
            None => {}
        }
        self
    }

    pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Some(value) => f(value),
            None => default,
        }
    }

    pub fn map_or_else<U>(self, default: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Some(value) => f(value),
            None => default(),
        }
    }

    pub fn ok_or<E>(self, error: E) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error),
        }
    }

    pub fn ok_or_else<E>(self, error: impl FnOnce() -> E) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error()),
        }
    }

    pub fn and<U>(self, other: Option<U>) -> Option<U> {
        match self {
            Some(_) => other,
            None => None,
        }
    }

    pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Option<U> {
        match self {
            Some(value) => f(value),
            None => None,
        }
    }

    pub fn filter(self, f: impl FnOnce(&T) -> bool) -> Option<T> {
        if let Some(value) = self {
            if f(&value) {
                return Some(value);
            }
        }
        None
    }

    pub fn or(self, other: Option<T>) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => other,
        }
    }

    pub fn or_else(self, f: impl FnOnce() -> Option<T>) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => f(),
        }
    }

    pub fn xor(self, other: Option<T>) -> Option<T> {
        match (self, other) {
            (Some(value), None) => Some(value),
            (None, Some(value)) => Some(value),
            _ => None,
        }
    }

    pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }

    pub fn insert(&mut self, value: T) -> &mut T {
        *self = Some(value);
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn get_or_insert(&mut self, value: T) -> &mut T {
        if self.is_none() {
            *self = Some(value);
        }
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn get_or_insert_with(&mut self, f: impl FnOnce() -> T) -> &mut T {
        if self.is_none() {
            *self = Some(f());
        }
        match self {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn take(&mut self) -> Option<T> {
        mem::replace(self, None)
    }

    pub fn replace(&mut self, value: T) -> Option<T> {
        mem::replace(self, Some(value))
    }
}

impl<T> Option<&T> {
    pub fn copied(self) -> Option<T> {
        match self {
            Some(value) => Some(*value),
            None => None,
        }
    }

    pub fn cloned(self) -> Option<T> {
        match self {
            Some(value) => Some(value.clone()),
            None => None,
        }
    }
}

impl<T> IntoIterator for Option<T> {
    type IntoIter = Once<T>;

    fn into_iter(self) -> Once<T> {
        Once { value: self }
    }
}

impl<T> Default for Option<T> {
    fn default() -> Option<T> {
        None
    }
}

impl bool {
    pub fn then<T>(self, f: impl FnOnce() -> T) -> Option<T> {
        if self { Some(f()) } else { None }
    }

    pub fn then_some<T>(self, value: T) -> Option<T> {
        if self { Some(value) } else { None }
    }
}
