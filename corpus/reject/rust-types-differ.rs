//: error "expected `u32`, found `bool`"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { X.store(true, Ordering::SeqCst); }
