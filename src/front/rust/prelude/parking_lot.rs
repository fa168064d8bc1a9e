//! `parking_lot`: locks that are never poisoned.

use super::option::Option;
use core::sync;

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
