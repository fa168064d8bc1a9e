//: error "the type `Vec` is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() { let v: Vec<u32> = Vec::new(); assert_eq!(v.len() as u32, X.load(Ordering::SeqCst)); }
