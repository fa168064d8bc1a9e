//: error "a literal of this kind is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let x = 1.5; X.store(x as u32, Ordering::SeqCst); }
