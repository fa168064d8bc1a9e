//: error "this is not a token of Rust"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { X.store(1, Ordering::SeqCst; }
