//: error "a closure is not supported as a value"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let f = || 1; let g = f; X.store(g(), Ordering::SeqCst); }
