//! `std::sync`: what is not known by itself.
//!
//! No thread panics while it holds a lock, so no lock is poisoned.

pub struct PoisonError<T> {
    guard: T,
}

impl<T> PoisonError<T> {
    pub fn into_inner(self) -> T {
        self.guard
    }

    pub fn get_ref(&self) -> &T {
        &self.guard
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

// The first variant is the one of an error that was not made from a guard: its tag is 0.
pub enum TryLockError<T> {
    WouldBlock,
    Poisoned(PoisonError<T>),
}
