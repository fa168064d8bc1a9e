//! `std::cmp`

use core::cmp::Ordering;

pub fn max<T>(a: T, b: T) -> T {
    if b < a { a } else { b }
}

pub fn min<T>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub struct Reverse<T>(pub T);

impl<T> PartialOrd for Reverse<T> {
    fn partial_cmp(&self, other: &Reverse<T>) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
}

impl<T> Ord for Reverse<T> {
    fn cmp(&self, other: &Reverse<T>) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl Ordering {
    pub fn reverse(self) -> Ordering {
        match self {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        }
    }

    pub fn then(self, other: Ordering) -> Ordering {
        match self {
            Ordering::Equal => other,
            _ => self,
        }
    }

    pub fn then_with(self, f: impl FnOnce() -> Ordering) -> Ordering {
        match self {
            Ordering::Equal => f(),
            _ => self,
        }
    }

    pub fn is_eq(self) -> bool {
        self == Ordering::Equal
    }

    pub fn is_ne(self) -> bool {
        self != Ordering::Equal
    }

    pub fn is_lt(self) -> bool {
        self == Ordering::Less
    }

    pub fn is_gt(self) -> bool {
        self == Ordering::Greater
    }

    pub fn is_le(self) -> bool {
        self != Ordering::Greater
    }

    pub fn is_ge(self) -> bool {
        self != Ordering::Less
    }
}
