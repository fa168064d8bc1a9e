//: about `pair.0` is the field of the pair: that of the guard is private, so the language passes over it
//: edition 2021
//: check sc violated  the writer may have come before
//: check tso violated
mod lock {
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicBool, Ordering::*};

    pub struct Lock {
        taken: AtomicBool,
        pair: UnsafeCell<(u32, u32)>,
    }

    unsafe impl Sync for Lock {}

    pub struct Guard(u32, &'static Lock);

    impl Lock {
        pub const fn new() -> Self {
            Lock { taken: AtomicBool::new(false), pair: UnsafeCell::new((0, 0)) }
        }

        pub fn lock(&'static self) -> Guard {
            while self.taken.swap(true, Acquire) {}
            Guard(0, self)
        }
    }

    impl Deref for Guard {
        type Target = (u32, u32);

        fn deref(&self) -> &(u32, u32) {
            unsafe { &*self.1.pair.get() }
        }
    }

    impl DerefMut for Guard {
        fn deref_mut(&mut self) -> &mut (u32, u32) {
            self.0 += 1;
            unsafe { &mut *self.1.pair.get() }
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            assert!(self.0 <= 1);
            self.1.taken.store(false, Release);
        }
    }
}

static PAIR: lock::Lock = lock::Lock::new();

#[test]
fn a_writer_may_come_first() {
    let writer = std::thread::spawn(|| PAIR.lock().0 = 1);
    let seen = PAIR.lock().0;
    assert_eq!(seen, 0);
    writer.join().unwrap();
}
