//: error "`twice!` is not expanded: no rule matches what it is given"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
macro_rules! twice { ($e:expr) => { $e + $e } }
#[test] fn a() { X.store(twice!(1, 2), Ordering::SeqCst); }
