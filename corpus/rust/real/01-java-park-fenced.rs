//: about Java LockSupport.park (JDK-6822370): the reset of the permit, still buffered, overwrites the permit of a waker; the owner sleeps, nobody signals; fenced at P1
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static COND: AtomicI32 = AtomicI32::new(0); // what the owner waits for
static PERMIT: AtomicI32 = AtomicI32::new(1);
static LOCK: AtomicI32 = AtomicI32::new(0); // the mutex of the slow path

fn acquire() {
    while LOCK.swap(1, Acquire) == 1 {}
}

/// Whether the owner sleeps.
fn owner() -> bool {
    if PERMIT.load(Relaxed) != 0 {
        PERMIT.store(0, Relaxed);
        fence(SeqCst);
        if COND.load(Relaxed) != 0 {
            return false;
        }
    }
    acquire();
    let asleep = PERMIT.load(Relaxed) == 0;
    LOCK.store(0, Release);
    asleep
}

/// Whether the owner is signalled.
fn waker() -> bool {
    COND.store(1, Relaxed);
    acquire();
    let before = PERMIT.load(Relaxed);
    PERMIT.store(1, Relaxed);
    LOCK.store(0, Release);
    before < 1
}

#[test]
fn the_owner_is_woken() {
    let waker = thread::spawn(waker);
    let owner_result = owner();
    let waker_result = waker.join().unwrap();
    assert!(!owner_result || waker_result);
}
