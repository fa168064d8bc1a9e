//: about illumos adaptive mutex: a contender blocks because the owner seems to be off its processor, and the owner sees no waiter
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 1  RES
//: fence tso robustness 1
//: fence pso assertions 1
//: fence pso robustness 1
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static CPU: AtomicI32 = AtomicI32::new(0); // 1: the owner runs
static LOCK: AtomicI32 = AtomicI32::new(2); // 2: owned, 1: some thread waits

/// Whether a waiter is woken.
fn owner() -> bool {
    CPU.store(1, Relaxed);
    let woken = LOCK.load(Relaxed) & 1 != 0;
    LOCK.store(0, Relaxed);
    woken
}

/// Whether it blocks.
fn contender() -> bool {
    LOCK.fetch_or(1, Relaxed);
    CPU.load(Relaxed) == 0 && LOCK.load(Relaxed) == 3
}

#[test]
fn the_contender_is_woken() {
    let contender = thread::spawn(contender);
    let owner_result = owner();
    let contender_result = contender.join().unwrap();
    assert!(owner_result || !contender_result);
}
