//: error "`panic::catch_unwind` is not supported"
//: edition 2021
// A panic that is caught.
use std::panic;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static N: AtomicU32 = AtomicU32::new(0);

fn main() {
    let result = panic::catch_unwind(|| assert_eq!(N.load(Relaxed), 1));
    assert!(result.is_err());
}
