//: check sc violated
// A division by 0 that is known while the program is read panics as any other.
use std::sync::atomic::{AtomicU32, Ordering};

static X: AtomicU32 = AtomicU32::new(4);

#[test]
fn panics() {
    let by = 6 & 1;
    assert!(X.load(Ordering::Relaxed) / by < 5);
}
