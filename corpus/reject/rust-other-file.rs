//: error "`queue::push` is not known"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
mod queue;
#[test] fn a() { X.store(1, Ordering::SeqCst); queue::push(1); }
