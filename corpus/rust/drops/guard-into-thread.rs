//: about a guard that moves into a thread, which unlocks at its end what another thread waits for
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;

struct Lock {
    locked: AtomicBool,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Lock {}

static LOCK: Lock = Lock { locked: AtomicBool::new(false), value: UnsafeCell::new(0) };

struct Guard {
    lock: &'static Lock,
}

impl Lock {
    fn lock(&'static self) -> Guard {
        while self.locked.swap(true, Acquire) {}
        Guard { lock: self }
    }
}

impl Guard {
    fn add(&self) {
        unsafe { *self.lock.value.get() += 1 }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.lock.locked.store(false, Release);
    }
}

#[test]
fn both_add() {
    let guard = LOCK.lock();
    guard.add();
    let thread = thread::spawn(move || guard.add());
    let again = LOCK.lock();
    again.add();
    assert_eq!(unsafe { *again.lock.value.get() }, 3);
    drop(again);
    thread.join().unwrap();
}
