//: error "a load cannot use this memory order"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() {
    let t = std::thread::spawn(|| X.store(1, Ordering::SeqCst));
    assert!(X.load(Ordering::Release) < 2);
    t.join().unwrap();
}
