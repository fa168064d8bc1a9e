//: error "`f` takes a value of any type with a trait"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
fn f(g: impl Fn() -> u32) -> u32 { g() }
#[test] fn a() { X.store(f(|| 1), Ordering::SeqCst); }
