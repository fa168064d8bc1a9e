//: error "a condition on a field is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
struct S {
    a: AtomicU32,
    #[cfg(test)]
    b: AtomicU32,
}
static X: S = S { a: AtomicU32::new(0), b: AtomicU32::new(0) };
#[test]
fn a() {
    X.a.store(1, Ordering::SeqCst);
    X.b.store(1, Ordering::SeqCst);
}
