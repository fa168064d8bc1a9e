//: about a cell that is initialised once; others spin meanwhile
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A cell that is written once, without the standard library's locks.

mod once {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicU8, Ordering};

    const INCOMPLETE: u8 = 0;
    const RUNNING: u8 = 1;
    const COMPLETE: u8 = 2;

    pub struct OnceCell<T> {
        state: AtomicU8,
        value: UnsafeCell<MaybeUninit<T>>,
    }

    unsafe impl<T: Send + Sync> Sync for OnceCell<T> {}

    impl<T> OnceCell<T> {
        pub const fn new() -> Self {
            OnceCell {
                state: AtomicU8::new(INCOMPLETE),
                value: UnsafeCell::new(MaybeUninit::uninit()),
            }
        }

        pub fn get(&self) -> Option<&T> {
            if self.state.load(Ordering::Acquire) == COMPLETE {
                Some(unsafe { (*self.value.get()).assume_init_ref() })
            } else {
                None
            }
        }

        /// The value, which `init` makes if there is none.
        pub fn get_or_init<F: FnOnce() -> T>(&self, init: F) -> &T {
            if self
                .state
                .compare_exchange(INCOMPLETE, RUNNING, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
            {
                unsafe { (*self.value.get()).write(init()) };
                self.state.store(COMPLETE, Ordering::Release);
            }
            loop {
                if let Some(value) = self.get() {
                    return value;
                }
                std::hint::spin_loop();
            }
        }
    }

    impl<T> Drop for OnceCell<T> {
        fn drop(&mut self) {
            if *self.state.get_mut() == COMPLETE {
                unsafe { self.value.get_mut().assume_init_drop() };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::once::OnceCell;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    static CONFIG: OnceCell<(u32, u32)> = OnceCell::new();
    static CALLS: AtomicU32 = AtomicU32::new(0);

    fn config() -> &'static (u32, u32) {
        CONFIG.get_or_init(|| (2, 3 + CALLS.fetch_add(1, Ordering::Relaxed)))
    }

    #[test]
    fn all_get_the_same_value() {
        let other = thread::spawn(|| config().1);
        let mine = config();
        assert_eq!(mine.0 + mine.1, 5);
        assert_eq!(other.join().unwrap(), 3);
        assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    }
}
