//: check sc holds
// The type of a number, and of `None`, may be said by what comes later, or by what is written in `<>`.
use std::sync::atomic::{AtomicU64, Ordering};

static X: AtomicU64 = AtomicU64::new(u64::MAX);

#[test]
fn they_are_unsigned() {
    for i in 18446744073709551615..=X.load(Ordering::Relaxed) {
        assert_eq!(i, u64::MAX);
    }
    assert!(None::<u32>.unwrap_or(4294967295) > 4294967294);
}
