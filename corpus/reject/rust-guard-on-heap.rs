//: error "a value with an effect at its end is not supported on the heap"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
use std::sync::{Arc, Mutex};
static M: Mutex<u32> = Mutex::new(0);
#[test] fn a() { let g = Arc::new(M.lock().unwrap()); X.store(1, Ordering::SeqCst); drop(g); }
