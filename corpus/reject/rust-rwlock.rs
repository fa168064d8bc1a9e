//: error "the type `RwLock` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
use std::sync::RwLock;
struct S { lock: RwLock<u32> }
fn f(s: &S) -> u32 { *s.lock.read().unwrap() }
#[test] fn a() { X.store(f(&S { lock: RwLock::new(1) }), Ordering::SeqCst); }
