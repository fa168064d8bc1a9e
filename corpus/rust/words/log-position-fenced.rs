//: about Log positions of 64 bits: each of two writers publishes its own, and reads that of the other after a fence
//: check sc holds
//: check tso holds
//: robust tso yes
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::thread;

const SEGMENT: u64 = 1 << 40;

static FIRST: AtomicU64 = AtomicU64::new(SEGMENT);
static SECOND: AtomicU64 = AtomicU64::new(SEGMENT);

fn publish(own: &AtomicU64, other: &AtomicU64) -> bool {
    own.store(2 * SEGMENT, Ordering::Relaxed);
    fence(Ordering::SeqCst);
    other.load(Ordering::Relaxed) > SEGMENT
}

fn main() {
    let first = thread::spawn(|| publish(&FIRST, &SECOND));
    let second = thread::spawn(|| publish(&SECOND, &FIRST));
    let saw = first.join().unwrap();
    assert!(saw | second.join().unwrap());
}
