//: error "the recursion of `f` is not bounded by constants"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
fn f(n: u32) -> u32 { if X.load(Ordering::SeqCst) == n { 0 } else { f(n + 1) } }
#[test] fn a() {
    let t = std::thread::spawn(|| X.store(3, Ordering::SeqCst));
    f(0);
    t.join().unwrap();
}
