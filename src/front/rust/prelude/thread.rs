//! `std::thread`: what has to do with time, and what each thread has of its own.

use super::cell::{Ref, RefCell, RefMut};
use super::result::{Err, Ok, Result};
use super::time::Duration;
use core::cell::Cell;
use core::intrinsics;
use core::mem::MaybeUninit;

pub fn sleep(time: Duration) {}

pub fn park_timeout(time: Duration) {
    intrinsics::park_timeout();
}

#[derive(Clone, Copy, Debug)]
pub struct AccessError;

// Each thread has one, which has a value where it is mentioned.
pub struct LocalKey<T> {
    is_made: bool,
    value: MaybeUninit<T>,
}

impl<T> LocalKey<T> {
    pub fn with<R, F: FnOnce(&T) -> R>(&self, f: F) -> R {
        f(&*self.value.as_ptr())
    }

    pub fn try_with<R, F: FnOnce(&T) -> R>(&self, f: F) -> Result<R, AccessError> {
        Ok(f(&*self.value.as_ptr()))
    }
}

impl<T> LocalKey<Cell<T>> {
    pub fn get(&self) -> T {
        let cell = &*self.value.as_ptr();
        cell.get()
    }

    pub fn set(&self, value: T) {
        let cell = &*self.value.as_ptr();
        cell.set(value);
    }

    pub fn take(&self) -> T {
        let cell = &*self.value.as_ptr();
        cell.take()
    }

    pub fn replace(&self, value: T) -> T {
        let cell = &*self.value.as_ptr();
        cell.replace(value)
    }
}

impl<T> LocalKey<RefCell<T>> {
    pub fn with_borrow<R, F: FnOnce(&T) -> R>(&self, f: F) -> R {
        let cell = &*self.value.as_ptr();
        let value = cell.borrow();
        f(&*value)
    }

    pub fn with_borrow_mut<R, F: FnOnce(&mut T) -> R>(&self, f: F) -> R {
        let cell = &*self.value.as_ptr();
        let mut value = cell.borrow_mut();
        f(&mut *value)
    }

    pub fn set(&self, value: T) {
        let cell = &*self.value.as_ptr();
        cell.replace(value);
    }

    pub fn take(&self) -> T {
        let cell = &*self.value.as_ptr();
        cell.take()
    }

    pub fn replace(&self, value: T) -> T {
        let cell = &*self.value.as_ptr();
        cell.replace(value)
    }
}
