//: error "the number of iterations of this loop is not known"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test]
fn a() {
    let t = std::thread::spawn(|| X.store(3, Ordering::SeqCst));
    while X.load(Ordering::SeqCst) != 3 {
        std::thread::spawn(|| X.store(1, Ordering::SeqCst));
    }
    t.join().unwrap();
}
