//: error "the type `Barrier` is not supported"
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
struct S { barrier: Barrier }
fn f(s: &S) { s.barrier.wait(); }
#[test] fn a() { f(&S { barrier: Barrier::new(1) }); X.store(1, Ordering::SeqCst); }
