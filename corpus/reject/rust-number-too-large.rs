//: error "the number 256 does not fit into `u8`"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let x: u8 = 256; X.store(x as u32, Ordering::SeqCst); }
