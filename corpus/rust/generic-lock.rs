//: about a generic lock used with two types
//: check sc holds
//: check tso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Lock<T> {
    held: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Lock<T> {}

impl<T: Copy> Lock<T> {
    const fn new(value: T) -> Lock<T> {
        Lock { held: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    fn replace(&self, value: T) -> T {
        while self.held.swap(true, Ordering::Acquire) {}
        let old = unsafe { *self.value.get() };
        unsafe { *self.value.get() = value };
        self.held.store(false, Ordering::Release);
        old
    }
}

static NUMBER: Lock<u16> = Lock::new(1);
static TRUTH: Lock<bool> = Lock::new(false);

#[test]
fn replaced() {
    let t = thread::spawn(|| (NUMBER.replace(2), TRUTH.replace(true)));
    let number = NUMBER.replace(3);
    let (other, truth) = t.join().unwrap();
    assert!(!truth);
    assert!(matches!((number, other), (1, 3) | (2, 1)));
    assert!(TRUTH.replace(false));
}
