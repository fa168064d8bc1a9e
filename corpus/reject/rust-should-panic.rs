//: error "a test that should panic is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] #[should_panic] fn a() { X.store(1, Ordering::SeqCst); panic!(); }
