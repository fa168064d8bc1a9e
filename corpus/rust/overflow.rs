//: about a counter of 8 bits that overflows, which panics in debug builds
//: check sc violated
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

static COUNT: AtomicU8 = AtomicU8::new(254);

fn add() {
    let old = COUNT.load(Ordering::Relaxed);
    COUNT.store(old + 1, Ordering::Relaxed);
}

#[test]
fn overflow() {
    let t = thread::spawn(add);
    add();
    t.join().unwrap();
}
