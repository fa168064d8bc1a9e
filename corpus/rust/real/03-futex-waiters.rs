//: about Linux futex: the sleeper counts itself by a locked instruction, so only the waker needs a fence
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 1  W
//: fence tso robustness 1
//: fence pso assertions 1
//: fence pso robustness 1
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static COND: AtomicI32 = AtomicI32::new(0);
static WAITERS: AtomicI32 = AtomicI32::new(0);

/// Whether the sleeper is woken.
fn waker() -> bool {
    COND.store(1, Relaxed);
    WAITERS.load(Relaxed) != 0
}

/// Whether it sleeps.
fn sleeper() -> bool {
    WAITERS.fetch_add(1, Relaxed);
    COND.load(Relaxed) == 0
}

#[test]
fn no_wake_up_is_lost() {
    let sleeper = thread::spawn(sleeper);
    let waker_result = waker();
    let sleeper_result = sleeper.join().unwrap();
    assert!(waker_result || !sleeper_result);
}
