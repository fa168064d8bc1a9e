//: about a difference below 0 that only a store in time avoids
//: check sc violated
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

static X: AtomicU64 = AtomicU64::new(0);

#[test]
fn below_zero() {
    let t = thread::spawn(|| X.store(1, Ordering::SeqCst));
    let less = X.load(Ordering::SeqCst) - 1;
    assert!(less < u64::MAX);
    t.join().unwrap();
}
