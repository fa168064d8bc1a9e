//: error "the type `u128` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
fn f(a: u128) -> u32 { a as u32 }
#[test] fn a() { X.store(f(1), Ordering::SeqCst); }
