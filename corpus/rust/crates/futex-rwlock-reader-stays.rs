//: about a reader-writer lock whose last reader wakes no writer
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: a writer sleeps on the word with one reader, which leaves without waking it
//! A reader-writer lock: the word is the number of readers, or `WRITER`. All sleep on the same word.

pub mod rwlock {
    use atomic_wait::{wait, wake_all};
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{
        AtomicU32,
        Ordering::{Acquire, Relaxed, Release},
    };

    const WRITER: u32 = u32::MAX;

    pub struct RwLock<T> {
        state: AtomicU32,
        value: UnsafeCell<T>,
    }

    unsafe impl<T: Send + Sync> Sync for RwLock<T> {}

    pub struct ReadGuard<'a, T>(&'a RwLock<T>);
    pub struct WriteGuard<'a, T>(&'a RwLock<T>);

    impl<T> RwLock<T> {
        pub const fn new(value: T) -> Self {
            RwLock { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
        }

        pub fn read(&self) -> ReadGuard<'_, T> {
            let mut state = self.state.load(Relaxed);
            loop {
                if state < WRITER {
                    assert!(state < WRITER - 1, "too many readers");
                    match self.state.compare_exchange_weak(state, state + 1, Acquire, Relaxed) {
                        Ok(_) => return ReadGuard(self),
                        Err(now) => state = now,
                    }
                } else {
                    wait(&self.state, WRITER);
                    state = self.state.load(Relaxed);
                }
            }
        }

        pub fn write(&self) -> WriteGuard<'_, T> {
            while let Err(state) = self.state.compare_exchange(0, WRITER, Acquire, Relaxed) {
                wait(&self.state, state);
            }
            WriteGuard(self)
        }
    }

    impl<T> Deref for ReadGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            unsafe { &*self.0.value.get() }
        }
    }

    impl<T> Deref for WriteGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            unsafe { &*self.0.value.get() }
        }
    }

    impl<T> DerefMut for WriteGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            unsafe { &mut *self.0.value.get() }
        }
    }

    impl<T> Drop for ReadGuard<'_, T> {
        fn drop(&mut self) {
            self.0.state.fetch_sub(1, Release);
        }
    }

    impl<T> Drop for WriteGuard<'_, T> {
        fn drop(&mut self) {
            self.0.state.store(0, Release);
            wake_all(&self.0.state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rwlock::RwLock;
    use std::thread;

    static PAIR: RwLock<(u32, u32)> = RwLock::new((0, 0));

    #[test]
    fn readers_see_both_or_none() {
        let writer = thread::spawn(|| {
            let mut pair = PAIR.write();
            pair.0 = 1;
            pair.1 = 1;
        });
        let pair = PAIR.read();
        assert_eq!(pair.0, pair.1);
        drop(pair);
        writer.join().unwrap();
    }
}
