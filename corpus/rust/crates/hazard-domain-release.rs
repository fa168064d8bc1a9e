//: about a hazard pointer that is published by a release store
//: edition 2021
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the hazard is in the reader's buffer while it looks at the pointer again (store buffering), so the owner does not see it
//! Hazard pointers for one reader.

mod hazard {
    use std::ops::Deref;
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, Ordering};

    pub struct Hazard<T> {
        protected: AtomicPtr<T>,
    }

    /// A value that is not freed while this lives.
    pub struct Protected<'a, T> {
        hazard: &'a Hazard<T>,
        value: *mut T,
    }

    impl<T> Hazard<T> {
        pub const fn new() -> Self {
            Hazard { protected: AtomicPtr::new(ptr::null_mut()) }
        }

        /// Protects what a pointer leads to.
        pub fn protect(&self, from: &AtomicPtr<T>) -> Protected<'_, T> {
            let mut value = from.load(Ordering::Relaxed);
            loop {
                self.protected.store(value, Ordering::Release);
                let now = from.load(Ordering::SeqCst);
                if now == value {
                    return Protected { hazard: self, value };
                }
                value = now;
            }
        }

        /// Frees a value that was unlinked, unless the reader has it.
        ///
        /// # Safety
        /// The value was made by `Box::into_raw`, and no new reader can reach it.
        pub unsafe fn retire(&self, value: *mut T) -> Result<(), *mut T> {
            if self.protected.load(Ordering::SeqCst) == value {
                return Err(value);
            }
            drop(unsafe { Box::from_raw(value) });
            Ok(())
        }
    }

    impl<T> Deref for Protected<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            unsafe { &*self.value }
        }
    }

    impl<T> Drop for Protected<'_, T> {
        fn drop(&mut self) {
            self.hazard.protected.store(ptr::null_mut(), Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hazard::Hazard;
    use std::sync::atomic::{AtomicPtr, Ordering::*};
    use std::thread;

    struct Config {
        version: u32,
        limit: u32,
    }

    static HAZARD: Hazard<Config> = Hazard::new();

    #[test]
    fn a_protected_value_is_not_freed() {
        let current = AtomicPtr::new(Box::into_raw(Box::new(Config { version: 1, limit: 10 })));
        thread::scope(|s| {
            s.spawn(|| {
                let config = HAZARD.protect(&current);
                assert_eq!(config.limit, config.version * 10);
            });
            let new = Box::into_raw(Box::new(Config { version: 2, limit: 20 }));
            let old = current.swap(new, SeqCst);
            let _ = unsafe { HAZARD.retire(old) };
        });
    }
}
