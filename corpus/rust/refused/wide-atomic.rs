//: error "the type `AtomicU128` is not supported"
//: edition 2021
// An atomic of 128 bits.
use portable_atomic::{AtomicU128, Ordering::SeqCst};
use std::thread;

static PAIR: AtomicU128 = AtomicU128::new(0);

fn main() {
    let other = thread::spawn(|| PAIR.fetch_add(1 << 64, SeqCst));
    PAIR.fetch_add(1, SeqCst);
    other.join().unwrap();
    assert_eq!(PAIR.load(SeqCst), 1 | 1 << 64);
}
