//: check sc holds
//: check tso holds
// In 32 bits, 4294967295 is a number like the others: what is subtracted from it may be above 2147483647.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

#[test]
fn the_rest_is_small() {
    let t = thread::spawn(|| X.store(4294967238, Ordering::Relaxed));
    let x = X.load(Ordering::Relaxed);
    let rest = u32::MAX - x;
    assert!(rest == 57 || rest == u32::MAX);
    assert!(rest - 57 < 4294967239);
    t.join().unwrap();
}
