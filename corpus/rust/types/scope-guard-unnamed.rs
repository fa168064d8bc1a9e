//: about a guard that ends at once, since nothing has its name: the lock is released too early
//: check sc violated
//: check tso violated
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::thread;

struct Defer<F: FnOnce()> {
    f: Option<F>,
}

fn defer<F: FnOnce()>(f: F) -> Defer<F> {
    Defer { f: Some(f) }
}

impl<F: FnOnce()> Drop for Defer<F> {
    fn drop(&mut self) {
        if let Some(f) = self.f.take() {
            f();
        }
    }
}

static LOCKED: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

fn increment() -> u32 {
    while LOCKED.swap(true, Acquire) {}
    let _ = defer(|| LOCKED.store(false, Release));
    let count = COUNT.load(Relaxed) + 1;
    COUNT.store(count, Relaxed);
    count
}

fn main() {
    let other = thread::spawn(increment);
    let own = increment();
    let other = other.join().unwrap();
    assert_eq!(own + other, 3);
    assert_eq!(COUNT.load(Relaxed), 2);
}
