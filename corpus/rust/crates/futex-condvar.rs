//: about a condition variable whose counter is read before the lock is released
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A condition variable over a futex, and the mutex that belongs to it.

mod condvar {
    use atomic_wait::{wait, wake_all, wake_one};
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicU32, Ordering::*};

    pub struct Mutex<T> {
        state: AtomicU32,
        value: UnsafeCell<T>,
    }

    unsafe impl<T: Send> Sync for Mutex<T> {}

    pub struct Guard<'a, T> {
        mutex: &'a Mutex<T>,
    }

    impl<T> Mutex<T> {
        pub const fn new(value: T) -> Self {
            Mutex { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
        }

        pub fn lock(&self) -> Guard<'_, T> {
            if self.state.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
                while self.state.swap(2, Acquire) != 0 {
                    wait(&self.state, 2);
                }
            }
            Guard { mutex: self }
        }
    }

    impl<T> Deref for Guard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            unsafe { &*self.mutex.value.get() }
        }
    }

    impl<T> DerefMut for Guard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            unsafe { &mut *self.mutex.value.get() }
        }
    }

    impl<T> Drop for Guard<'_, T> {
        fn drop(&mut self) {
            if self.mutex.state.swap(0, Release) == 2 {
                wake_one(&self.mutex.state);
            }
        }
    }

    pub struct Condvar {
        notified: AtomicU32,
    }

    impl Condvar {
        pub const fn new() -> Self {
            Condvar { notified: AtomicU32::new(0) }
        }

        pub fn notify_all(&self) {
            self.notified.fetch_add(1, Relaxed);
            wake_all(&self.notified);
        }

        /// Releases the lock, waits for a notification, and takes the lock again.
        pub fn wait<'a, T>(&self, guard: Guard<'a, T>) -> Guard<'a, T> {
            let mutex = guard.mutex;
            let seen = self.notified.load(Relaxed);
            drop(guard);
            wait(&self.notified, seen);
            mutex.lock()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::condvar::{Condvar, Mutex};
    use std::thread;

    static READY: Mutex<bool> = Mutex::new(false);
    static CHANGED: Condvar = Condvar::new();

    #[test]
    fn the_change_is_noticed() {
        let waiter = thread::spawn(|| {
            let mut ready = READY.lock();
            while !*ready {
                ready = CHANGED.wait(ready);
            }
        });
        *READY.lock() = true;
        CHANGED.notify_all();
        waiter.join().unwrap();
    }
}
