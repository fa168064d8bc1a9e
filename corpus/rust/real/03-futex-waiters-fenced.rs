//: about Linux futex: the sleeper counts itself by a locked instruction, so only the waker needs a fence; fenced at W
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
static WAITERS: AtomicI32 = AtomicI32::new(0);

/// Whether the sleeper is woken.
fn waker() -> bool {
    COND.store(1, Relaxed);
    fence(SeqCst);
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
