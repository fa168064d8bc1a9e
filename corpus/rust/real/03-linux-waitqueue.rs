//: about Linux waitqueue_active: the waker looks for sleepers before its condition is visible, the sleeper looks at the condition before it is on the queue
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 2  W, S
//: fence tso robustness 2
//: fence pso assertions 2
//: fence pso robustness 2
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static COND: AtomicI32 = AtomicI32::new(0);
static QUEUE: AtomicI32 = AtomicI32::new(0); // whether there is a sleeper

/// Whether the sleeper is woken.
fn waker() -> bool {
    COND.store(1, Relaxed);
    QUEUE.load(Relaxed) != 0
}

/// Whether it sleeps.
fn sleeper() -> bool {
    QUEUE.store(1, Relaxed);
    COND.load(Relaxed) == 0
}

#[test]
fn no_wake_up_is_lost() {
    let sleeper = thread::spawn(sleeper);
    let waker_result = waker();
    let sleeper_result = sleeper.join().unwrap();
    assert!(waker_result || !sleeper_result);
}
