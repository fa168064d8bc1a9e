//: error "there is neither a test nor a function `main`"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
pub fn f() { X.store(1, Ordering::SeqCst); }
