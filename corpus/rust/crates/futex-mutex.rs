//: about a mutex with three states over a futex, with a guard
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A mutex over a futex. Its word says whether it is taken; sleepers are counted beside it.

mod sync {
    use atomic_wait::{wait, wake_one};
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Mutex<T: ?Sized> {
        locked: AtomicU32,
        sleepers: AtomicU32,
        value: UnsafeCell<T>,
    }

    unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
    unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

    pub struct MutexGuard<'a, T: ?Sized> {
        lock: &'a Mutex<T>,
    }

    impl<T> Mutex<T> {
        pub const fn new(value: T) -> Self {
            Self {
                locked: AtomicU32::new(0),
                sleepers: AtomicU32::new(0),
                value: UnsafeCell::new(value),
            }
        }

        pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
            if self.locked.swap(1, Ordering::Acquire) == 0 {
                Some(MutexGuard { lock: self })
            } else {
                None
            }
        }

        pub fn lock(&self) -> MutexGuard<'_, T> {
            if let Some(guard) = self.try_lock() {
                return guard;
            }
            self.lock_slowly()
        }

        #[cold]
        fn lock_slowly(&self) -> MutexGuard<'_, T> {
            self.sleepers.fetch_add(1, Ordering::Relaxed);
            let guard = loop {
                if let Some(guard) = self.try_lock() {
                    break guard;
                }
                wait(&self.locked, 1);
            };
            self.sleepers.fetch_sub(1, Ordering::Relaxed);
            guard
        }
    }

    impl<T: ?Sized> Deref for MutexGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            unsafe { &*self.lock.value.get() }
        }
    }

    impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            unsafe { &mut *self.lock.value.get() }
        }
    }

    impl<T: ?Sized> Drop for MutexGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.locked.swap(0, Ordering::AcqRel);
            if self.lock.sleepers.load(Ordering::Relaxed) > 0 {
                wake_one(&self.lock.locked);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sync::Mutex;
    use std::thread;

    static BALANCE: Mutex<u32> = Mutex::new(0);

    #[test]
    fn nothing_is_lost() {
        let other = thread::spawn(|| *BALANCE.lock() += 1);
        *BALANCE.lock() += 1;
        other.join().unwrap();
        assert_eq!(*BALANCE.lock(), 2);
    }
}
