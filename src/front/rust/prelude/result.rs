//! `std::result`

use super::option::{None, Option, Some};

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Result<T, E> {
    Ok(T),
    Err(E),
}

pub use Result::{Err, Ok};

impl<T, E> Result<T, E> {
    pub fn is_ok(&self) -> bool {
        match self {
            Ok(_) => true,
            Err(_) => false,
        }
    }

    pub fn is_err(&self) -> bool {
        match self {
            Ok(_) => false,
            Err(_) => true,
        }
    }

    pub fn is_ok_and(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Ok(value) => f(value),
            Err(_) => false,
        }
    }

    pub fn is_err_and(self, f: impl FnOnce(E) -> bool) -> bool {
        match self {
            Ok(_) => false,
            Err(error) => f(error),
        }
    }

    pub fn ok(self) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(_) => None,
        }
    }

    pub fn err(self) -> Option<E> {
        match self {
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    pub fn as_ref(&self) -> Result<&T, &E> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error),
        }
    }

    pub fn as_mut(&mut self) -> Result<&mut T, &mut E> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error),
        }
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Result<U, E> {
        match self {
            Ok(value) => Ok(f(value)),
            Err(error) => Err(error),
        }
    }

    pub fn map_err<F>(self, f: impl FnOnce(E) -> F) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(f(error)),
        }
    }

    pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Ok(value) => f(value),
            Err(_) => default,
        }
    }

    pub fn map_or_else<U>(self, default: impl FnOnce(E) -> U, f: impl FnOnce(T) -> U) -> U {
        match self {
            Ok(value) => f(value),
            Err(error) => default(error),
        }
    }

    pub fn and<U>(self, other: Result<U, E>) -> Result<U, E> {
        match self {
            Ok(_) => other,
            Err(error) => Err(error),
        }
    }

    pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E> {
        match self {
            Ok(value) => f(value),
            Err(error) => Err(error),
        }
    }

    pub fn or<F>(self, other: Result<T, F>) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(_) => other,
        }
    }

    pub fn or_else<F>(self, f: impl FnOnce(E) -> Result<T, F>) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => f(error),
        }
    }

    pub fn unwrap(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!(),
        }
    }

    pub fn expect(self, message: &str) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!(),
        }
    }

    pub unsafe fn unwrap_unchecked(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!(),
        }
    }

    pub fn unwrap_err(self) -> E {
        match self {
            Ok(_) => panic!(),
            Err(error) => error,
        }
    }

    pub fn expect_err(self, message: &str) -> E {
        match self {
            Ok(_) => panic!(),
            Err(error) => error,
        }
    }

    pub fn unwrap_or(self, default: T) -> T {
        match self {
            Ok(value) => value,
            Err(_) => default,
        }
    }

    pub fn unwrap_or_else(self, f: impl FnOnce(E) -> T) -> T {
        match self {
            Ok(value) => value,
            Err(error) => f(error),
        }
    }

    pub fn unwrap_or_default(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => T::default(),
        }
    }
}

impl<T, E> Result<&T, E> {
    pub fn copied(self) -> Result<T, E> {
        match self {
            Ok(value) => Ok(*value),
            Err(error) => Err(error),
        }
    }
}
