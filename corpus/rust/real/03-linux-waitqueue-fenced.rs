//: about Linux waitqueue_active: the waker looks for sleepers before its condition is visible, the sleeper looks at the condition before it is on the queue; fenced at W and S
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static COND: AtomicI32 = AtomicI32::new(0);
static QUEUE: AtomicI32 = AtomicI32::new(0); // whether there is a sleeper

/// Whether the sleeper is woken.
fn waker() -> bool {
    COND.store(1, Relaxed);
    fence(SeqCst);
    QUEUE.load(Relaxed) != 0
}

/// Whether it sleeps.
fn sleeper() -> bool {
    QUEUE.store(1, Relaxed);
    fence(SeqCst);
    COND.load(Relaxed) == 0
}

#[test]
fn no_wake_up_is_lost() {
    let sleeper = thread::spawn(sleeper);
    let waker_result = waker();
    let sleeper_result = sleeper.join().unwrap();
    assert!(waker_result || !sleeper_result);
}
