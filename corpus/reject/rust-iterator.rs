//: error "a range is not supported here"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let n: u32 = (0..4).sum(); X.store(n, Ordering::SeqCst); }
