//: error "a thread of a scope that creates more threads is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { std::thread::scope(|s| { s.spawn(|| { s.spawn(|| X.store(1, Ordering::SeqCst)); }); }); }
