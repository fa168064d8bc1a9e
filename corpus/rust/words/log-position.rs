//: about Log positions of 64 bits beyond 2^32: each of two writers publishes its own and reads that of the other
//: check sc holds
//: check tso violated
//: robust tso no
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const SEGMENT: u64 = 1 << 40;

static FIRST: AtomicU64 = AtomicU64::new(SEGMENT);
static SECOND: AtomicU64 = AtomicU64::new(SEGMENT);

fn publish(own: &AtomicU64, other: &AtomicU64) -> bool {
    own.store(2 * SEGMENT, Ordering::Relaxed);
    other.load(Ordering::Relaxed) > SEGMENT
}

fn main() {
    let first = thread::spawn(|| publish(&FIRST, &SECOND));
    let second = thread::spawn(|| publish(&SECOND, &FIRST));
    let saw = first.join().unwrap();
    assert!(saw | second.join().unwrap());
}
