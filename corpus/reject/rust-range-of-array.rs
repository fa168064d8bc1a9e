//: error "index 2 is outside an array of 2 elements"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
static A: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
#[test] fn a() { A[2].store(1, Ordering::SeqCst); X.store(1, Ordering::SeqCst); }
