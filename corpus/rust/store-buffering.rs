//: about store buffering with relaxed accesses
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: fence tso robustness 2
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);

#[test]
fn store_buffering() {
    let a = thread::spawn(|| {
        X.store(1, Ordering::Relaxed);
        Y.load(Ordering::Relaxed)
    });
    let b = thread::spawn(|| {
        Y.store(1, Ordering::Relaxed);
        X.load(Ordering::Relaxed)
    });
    let (a, b) = (a.join().unwrap(), b.join().unwrap());
    assert!(a == 1 || b == 1);
}
