//: error "there is no field `b` here"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
struct S { a: u32 }
fn f(s: &S) -> u32 { s.b }
#[test] fn a() { X.store(f(&S { a: 1 }), Ordering::SeqCst); }
