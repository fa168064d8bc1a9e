//: error "a store cannot use this memory order"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() {
    let t = std::thread::spawn(|| X.store(1, Ordering::Acquire));
    t.join().unwrap();
}
