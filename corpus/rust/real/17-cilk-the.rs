//: about Cilk-5 THE: owner and thief announce that they take the last item, miss each other, and both get it
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 2  POP, STEAL
//: fence tso robustness 2
use std::sync::atomic::{AtomicI32, Ordering::*};
use std::thread;

static HEAD: AtomicI32 = AtomicI32::new(0);
static TAIL: AtomicI32 = AtomicI32::new(1); // one item
static LOCK: AtomicI32 = AtomicI32::new(0);

/// Whether the owner gets the item.
fn pop() -> bool {
    TAIL.store(0, Relaxed);
    HEAD.load(Relaxed) <= 0
}

/// Whether the thief does.
fn steal() -> bool {
    LOCK.swap(1, SeqCst);
    HEAD.store(1, Relaxed);
    let got = 1 <= TAIL.load(Relaxed);
    if !got {
        HEAD.store(0, Relaxed);
    }
    LOCK.store(0, Relaxed);
    got
}

#[test]
fn one_of_them_gets_it() {
    let steal = thread::spawn(steal);
    let pop_result = pop();
    let steal_result = steal.join().unwrap();
    assert!(!(pop_result && steal_result));
}
