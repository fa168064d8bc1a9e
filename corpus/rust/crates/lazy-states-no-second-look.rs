//: about a lazy value whose waiting threads sleep once and do not look again
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: a futex may return without a change (its word is another one already, or for no reason), so the value is read before it is there
//! A value that is made when it is first needed.

mod lazy {
    use atomic_wait::{wait, wake_all};
    use std::cell::UnsafeCell;
    use std::ops::Deref;
    use std::sync::atomic::{AtomicU32, Ordering};

    const NEW: u32 = 0;
    const RUNNING: u32 = 1;
    const QUEUED: u32 = 2;
    const DONE: u32 = 3;

    /// How a value is made.
    pub trait Make {
        fn make() -> Self;
    }

    pub struct Lazy<T> {
        state: AtomicU32,
        value: UnsafeCell<Option<T>>,
    }

    unsafe impl<T: Send + Sync> Sync for Lazy<T> {}

    impl<T: Make> Lazy<T> {
        pub const fn new() -> Self {
            Lazy { state: AtomicU32::new(NEW), value: UnsafeCell::new(None) }
        }

        pub fn force(this: &Self) -> &T {
            let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
            let mut state = this.state.load(acquire);
            while state != DONE {
                if state == NEW {
                    match this.state.compare_exchange(NEW, RUNNING, acquire, acquire) {
                        Ok(_) => {
                            let value = T::make();
                            unsafe { *this.value.get() = Some(value) };
                            if this.state.swap(DONE, Ordering::AcqRel) == QUEUED {
                                wake_all(&this.state);
                            }
                            break;
                        }
                        Err(now) => state = now,
                    }
                } else {
                    let _ = this.state.compare_exchange(RUNNING, QUEUED, relaxed, relaxed);
                    wait(&this.state, QUEUED);
                    break;
                }
            }
            unsafe { (*this.value.get()).as_ref().unwrap() }
        }
    }

    impl<T: Make> Deref for Lazy<T> {
        type Target = T;

        fn deref(&self) -> &T {
            Lazy::force(self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lazy::{Lazy, Make};
    use std::thread;

    struct Table {
        size: u32,
    }

    impl Make for Table {
        fn make() -> Self {
            Table { size: 64 }
        }
    }

    static TABLE: Lazy<Table> = Lazy::new();

    #[test]
    fn the_table_is_complete() {
        let other = thread::spawn(|| TABLE.size);
        assert_eq!(TABLE.size, 64);
        assert_eq!(other.join().unwrap(), 64);
    }
}

// race: `TABLE.value.tag` (lines 45 and 59)
// race: `TABLE.value.Some.0.size` (lines 45 and 92)
