//: error "the type `f64` is not supported"
//: edition 2021
// A share that is computed with floating point, and decides.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static HITS: AtomicU32 = AtomicU32::new(0);
static CALLS: AtomicU32 = AtomicU32::new(0);

fn share() -> f64 {
    f64::from(HITS.load(Relaxed)) / f64::from(CALLS.load(Relaxed))
}

fn main() {
    let other = thread::spawn(|| {
        CALLS.fetch_add(1, Relaxed);
        HITS.fetch_add(1, Relaxed);
    });
    CALLS.fetch_add(1, Relaxed);
    other.join().unwrap();
    assert!(share() < 0.6);
}
