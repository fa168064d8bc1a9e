//! `parking_lot`: locks that are never poisoned.

use super::option::Option;
use super::sync::WaitTimeoutResult;
use super::time::{Duration, Instant};
use core::intrinsics;
use core::sync;

pub use core::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

pub struct Mutex<T> {
    inner: sync::Mutex<T>,
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex {
            inner: sync::Mutex::new(value),
        }
    }

    pub fn lock(&self) -> sync::MutexGuard<T> {
        self.inner.lock().unwrap()
    }

    pub fn try_lock(&self) -> Option<sync::MutexGuard<T>> {
        self.inner.try_lock().ok()
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut().unwrap()
    }

    pub fn into_inner(self) -> T {
        self.inner.into_inner().unwrap()
    }
}

pub struct RwLock<T> {
    inner: sync::RwLock<T>,
}

impl<T> RwLock<T> {
    pub const fn new(value: T) -> RwLock<T> {
        RwLock {
            inner: sync::RwLock::new(value),
        }
    }

    pub fn read(&self) -> sync::RwLockReadGuard<T> {
        self.inner.read().unwrap()
    }

    pub fn write(&self) -> sync::RwLockWriteGuard<T> {
        self.inner.write().unwrap()
    }

    pub fn try_read(&self) -> Option<sync::RwLockReadGuard<T>> {
        self.inner.try_read().ok()
    }

    pub fn try_write(&self) -> Option<sync::RwLockWriteGuard<T>> {
        self.inner.try_write().ok()
    }
}

impl<T> Default for Mutex<T> {
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T> Default for RwLock<T> {
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

// Where no thread waits, waking one is a load.
pub struct Condvar {
    inner: sync::Condvar,
}

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar {
            inner: sync::Condvar::new(),
        }
    }

    pub fn wait<T>(&self, guard: &mut sync::MutexGuard<T>) {
        intrinsics::wait(&self.inner, guard);
    }

    pub fn wait_while<T, F: FnMut(&mut T) -> bool>(&self, guard: &mut sync::MutexGuard<T>, mut condition: F) {
        while condition(&mut **guard) {
            intrinsics::wait(&self.inner, guard);
        }
    }

    pub fn wait_for<T>(&self, guard: &mut sync::MutexGuard<T>, time: Duration) -> WaitTimeoutResult {
        WaitTimeoutResult(intrinsics::wait_timeout(&self.inner, guard))
    }

    pub fn wait_until<T>(&self, guard: &mut sync::MutexGuard<T>, time: Instant) -> WaitTimeoutResult {
        WaitTimeoutResult(intrinsics::wait_timeout(&self.inner, guard))
    }

    pub fn wait_while_for<T, F: FnMut(&mut T) -> bool>(
        &self,
        guard: &mut sync::MutexGuard<T>,
        mut condition: F,
        time: Duration,
    ) -> WaitTimeoutResult {
        let mut is_over = false;
        while condition(&mut **guard) {
            if is_over {
                return WaitTimeoutResult(true);
            }
            is_over = intrinsics::wait_timeout(&self.inner, guard);
        }
        WaitTimeoutResult(false)
    }

    // Whether there was a thread to wake.
    pub fn notify_one(&self) -> bool {
        intrinsics::notify_one(&self.inner);
        intrinsics::either()
    }

    // To how many threads that was news is not known.
    pub fn notify_all(&self) {
        intrinsics::notify_all(&self.inner);
    }
}

impl Default for Condvar {
    fn default() -> Condvar {
        Condvar::new()
    }
}
