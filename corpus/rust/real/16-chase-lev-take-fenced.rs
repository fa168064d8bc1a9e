//: about Chase-Lev take: the owner lowers the bottom, a thief still sees the old one, and both take item 1; fenced at TAKE
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static BOTTOM: AtomicI32 = AtomicI32::new(2); // items 0 and 1
static TOP: AtomicI32 = AtomicI32::new(0);

/// Whether the owner takes item 1.
fn owner() -> bool {
    BOTTOM.store(1, Relaxed);
    fence(SeqCst);
    let top = TOP.load(Relaxed);
    top < 1 || top == 1 && TOP.compare_exchange(1, 2, SeqCst, Relaxed).is_ok()
}

/// The item that is stolen.
fn steal() -> Option<i32> {
    let top = TOP.load(Acquire);
    if top < BOTTOM.load(Acquire) {
        TOP.compare_exchange(top, top + 1, SeqCst, Relaxed).ok()
    } else {
        None
    }
}

/// Whether a thief takes item 1.
fn thief() -> bool {
    steal();
    steal() == Some(1)
}

#[test]
fn no_item_is_taken_twice() {
    let thief = thread::spawn(thief);
    let owner_result = owner();
    let thief_result = thief.join().unwrap();
    assert!(!(owner_result && thief_result));
}
