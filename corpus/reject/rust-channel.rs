//: error "`sync::mpsc::channel` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
use std::sync::mpsc;
#[test] fn a() { let (s, r) = mpsc::channel(); s.send(1).unwrap(); X.store(r.recv().unwrap(), Ordering::SeqCst); }
