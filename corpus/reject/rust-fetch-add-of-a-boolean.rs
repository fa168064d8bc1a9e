//: error "the method `fetch_add` of"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
use std::sync::atomic::AtomicBool;
static B: AtomicBool = AtomicBool::new(false);
#[test] fn a() { B.fetch_add(true, Ordering::SeqCst); X.store(1, Ordering::SeqCst); }
