//: check sc violated
// The quotient of the least number and -1 is no value of its type, so neither `/` nor `%` has a result.
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

static X: AtomicI32 = AtomicI32::new(0);

#[test]
fn least_number_by_minus_one() {
    let t = thread::spawn(|| X.store(i32::MIN, Ordering::Relaxed));
    let x = X.load(Ordering::Relaxed) / -1;
    assert!(x == x);
    t.join().unwrap();
}
