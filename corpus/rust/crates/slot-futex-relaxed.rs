//: about a channel of one slot whose sender looks for a sleeping receiver without a fence after its store
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the sender's store of `full` may be in its buffer while it reads that the receiver is awake (store buffering); the kernel reads the old value
//! A slot that one thread fills and another one empties, over and over.
//! The receiver announces that it sleeps, so that a sender need not enter the kernel for nothing.

pub mod slot {
    use atomic_wait::{wait, wake_one};
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    pub struct Slot<T> {
        value: UnsafeCell<MaybeUninit<T>>,
        full: AtomicU32,
        asleep: AtomicBool,
    }

    unsafe impl<T: Send> Sync for Slot<T> {}

    impl<T> Slot<T> {
        pub const fn new() -> Self {
            Self {
                value: UnsafeCell::new(MaybeUninit::uninit()),
                full: AtomicU32::new(0),
                asleep: AtomicBool::new(false),
            }
        }

        /// Fills the slot unless it is full. One thread only may call this.
        pub fn try_put(&self, value: T) -> Result<(), T> {
            if self.full.load(Ordering::Acquire) != 0 {
                return Err(value);
            }
            unsafe { (*self.value.get()).write(value) };
            self.full.store(1, Ordering::Release);
            if self.asleep.load(Ordering::Relaxed) {
                wake_one(&self.full);
            }
            Ok(())
        }

        /// Waits until the slot is full, and empties it. One thread only may call this.
        pub fn take(&self) -> T {
            while self.full.load(Ordering::Acquire) == 0 {
                self.asleep.store(true, Ordering::SeqCst);
                wait(&self.full, 0);
                self.asleep.store(false, Ordering::Relaxed);
            }
            let value = unsafe { (*self.value.get()).assume_init_read() };
            self.full.store(0, Ordering::Release);
            value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::slot::Slot;
    use std::thread;

    static SLOT: Slot<u32> = Slot::new();

    #[test]
    fn what_is_put_is_taken() {
        let taker = thread::spawn(|| SLOT.take());
        assert!(SLOT.try_put(5).is_ok());
        assert_eq!(taker.join().unwrap(), 5);
    }
}
