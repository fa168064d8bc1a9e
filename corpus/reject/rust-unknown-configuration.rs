//: error "whether this configuration is that of the program is not known"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[cfg(version("1.80"))] fn f() {}
#[test] fn a() { X.store(1, Ordering::SeqCst); }
