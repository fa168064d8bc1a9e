//: error "`async` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
async fn f() { X.store(1, Ordering::SeqCst); }
#[test] fn a() { let _ = f(); }
