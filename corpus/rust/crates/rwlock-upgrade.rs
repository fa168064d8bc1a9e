//: about a reader-writer lock that spins, with readers that may become the writer
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A spinning reader-writer lock. At most one of the readers holds the right to become the writer.

mod rwlock {
    use std::cell::UnsafeCell;
    use std::hint::spin_loop;
    use std::mem;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const WRITER: usize = 1;
    const UPGRADABLE: usize = 2;
    const READER: usize = 4;

    pub struct RwLock<T> {
        state: AtomicUsize,
        data: UnsafeCell<T>,
    }

    unsafe impl<T: Send + Sync> Sync for RwLock<T> {}

    pub struct ReadGuard<'a, T> {
        lock: &'a RwLock<T>,
    }

    pub struct UpgradableGuard<'a, T> {
        lock: &'a RwLock<T>,
    }

    pub struct WriteGuard<'a, T> {
        lock: &'a RwLock<T>,
    }

    impl<T> RwLock<T> {
        pub const fn new(data: T) -> Self {
            RwLock { state: AtomicUsize::new(0), data: UnsafeCell::new(data) }
        }

        pub fn read(&self) -> ReadGuard<'_, T> {
            loop {
                let before = self.state.fetch_add(READER, Ordering::Acquire);
                if before & WRITER == 0 {
                    return ReadGuard { lock: self };
                }
                self.state.fetch_sub(READER, Ordering::Release);
                while self.state.load(Ordering::Relaxed) & WRITER != 0 {
                    spin_loop();
                }
            }
        }

        pub fn upgradable_read(&self) -> UpgradableGuard<'_, T> {
            loop {
                let before = self.state.fetch_or(UPGRADABLE, Ordering::Acquire);
                if before & (WRITER | UPGRADABLE) == 0 {
                    return UpgradableGuard { lock: self };
                }
                if before & UPGRADABLE == 0 {
                    self.state.fetch_and(!UPGRADABLE, Ordering::Release);
                }
                spin_loop();
            }
        }
    }

    impl<'a, T> UpgradableGuard<'a, T> {
        /// Waits for the other readers to leave.
        pub fn upgrade(self) -> WriteGuard<'a, T> {
            let lock = self.lock;
            mem::forget(self);
            while lock
                .state
                .compare_exchange_weak(UPGRADABLE, WRITER, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
            {
                spin_loop();
            }
            WriteGuard { lock }
        }
    }

    impl<T> Deref for ReadGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            unsafe { &*self.lock.data.get() }
        }
    }

    impl<T> Deref for UpgradableGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            unsafe { &*self.lock.data.get() }
        }
    }

    impl<T> Deref for WriteGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            unsafe { &*self.lock.data.get() }
        }
    }

    impl<T> DerefMut for WriteGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            unsafe { &mut *self.lock.data.get() }
        }
    }

    impl<T> Drop for ReadGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.state.fetch_sub(READER, Ordering::Release);
        }
    }

    impl<T> Drop for UpgradableGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.state.fetch_and(!UPGRADABLE, Ordering::Release);
        }
    }

    impl<T> Drop for WriteGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.state.fetch_and(!WRITER, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rwlock::RwLock;
    use std::thread;

    static PAIR: RwLock<[u32; 2]> = RwLock::new([0, 0]);

    #[test]
    fn readers_see_whole_updates() {
        let updater = thread::spawn(|| {
            let guard = PAIR.upgradable_read();
            if guard[0] == 0 {
                let mut guard = guard.upgrade();
                guard[0] = 1;
                guard[1] = 1;
            }
        });
        let pair = PAIR.read();
        assert_eq!(pair[0], pair[1]);
        drop(pair);
        updater.join().unwrap();
    }
}
