//: error "`Y` is not known"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { Y.store(1, Ordering::SeqCst); }
