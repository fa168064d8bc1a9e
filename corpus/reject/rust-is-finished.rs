//: error "`is_finished` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let t = std::thread::spawn(|| X.store(1, Ordering::SeqCst)); assert!(t.is_finished()); }
