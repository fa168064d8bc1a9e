//: about statics of functions: each test has its own, and all calls and threads share one
//: check sc holds
//: check tso violated  both loads may come before the stores are in memory
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

fn next() -> usize {
    static CALLS: AtomicUsize = AtomicUsize::new(7);
    CALLS.fetch_add(1, Ordering::Relaxed)
}

#[test]
fn at_most_one_misses() {
    assert_eq!((next(), next()), (7, 8));
    SEEN.store(2, Ordering::Relaxed);
    static A: AtomicBool = AtomicBool::new(false);
    static B: AtomicBool = AtomicBool::new(false);
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    let other = thread::spawn(|| {
        A.store(true, Ordering::Release);
        if !B.load(Ordering::Acquire) {
            SEEN.fetch_add(1, Ordering::Relaxed);
        }
    });
    B.store(true, Ordering::Release);
    if !A.load(Ordering::Acquire) {
        SEEN.fetch_add(1, Ordering::Relaxed);
    }
    other.join().unwrap();
    assert!(SEEN.load(Ordering::Relaxed) < 4);
}
