//: about `value()` is the method of the counter: that of the handle is private, so the language passes over it
//: edition 2021
//: check sc violated  the other thread may have come before
//: check tso violated
mod counter {
    use std::ops::Deref;
    use std::sync::atomic::{AtomicU32, Ordering::*};

    pub struct Counter(AtomicU32);

    impl Counter {
        pub const fn new() -> Self {
            Counter(AtomicU32::new(0))
        }

        pub fn add(&self) {
            self.0.fetch_add(1, Relaxed);
        }

        pub fn value(&self) -> u32 {
            self.0.load(Relaxed)
        }
    }

    pub struct Handle {
        value: u32,
        counter: &'static Counter,
    }

    impl Handle {
        pub const fn new(counter: &'static Counter) -> Self {
            Handle { value: 0, counter }
        }

        /// What is cached.
        fn value(&self) -> u32 {
            self.value
        }

        pub fn is_cached(&self) -> bool {
            self.value() > 0
        }
    }

    impl Deref for Handle {
        type Target = Counter;

        fn deref(&self) -> &Counter {
            self.counter
        }
    }
}

use counter::{Counter, Handle};

static COUNTER: Counter = Counter::new();

#[test]
fn the_other_thread_may_come_first() {
    let handle = Handle::new(&COUNTER);
    let other = std::thread::spawn(|| COUNTER.add());
    assert!(!handle.is_cached());
    assert_eq!(handle.value(), 0);
    other.join().unwrap();
}
