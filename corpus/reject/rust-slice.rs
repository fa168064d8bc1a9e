//: error "a type of this kind is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
fn f(a: &[u32]) -> u32 { a[0] }
#[test] fn a() { X.store(f(&[1, 2]), Ordering::SeqCst); }
