//: error "the file has 2 tests, each a program of its own"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { X.store(1, Ordering::SeqCst); }
#[test] fn b() { X.store(2, Ordering::SeqCst); }
