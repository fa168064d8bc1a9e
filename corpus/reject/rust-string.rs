//: error "`String` is not known"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
struct S { name: String }
fn f(_: &S) {}
#[test] fn a() { f(&S { name: String::new() }); X.store(1, Ordering::SeqCst); }
