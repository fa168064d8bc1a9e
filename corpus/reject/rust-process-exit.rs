//: error "the end of the process is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { X.store(1, Ordering::SeqCst); std::process::exit(0); }
