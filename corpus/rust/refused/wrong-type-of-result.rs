//: error "expected `bool`, found `u32`"
//: edition 2021
// A function whose value is of another type.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static N: AtomicU32 = AtomicU32::new(0);

fn is_zero() -> bool {
    N.load(Relaxed)
}

fn main() {
    assert!(is_zero());
}
