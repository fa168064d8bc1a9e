//: about a guard that is forgotten in a thread: nothing unlocks
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
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
    let thread = thread::spawn(move || {
        guard.add();
        std::mem::forget(guard);
    });
    let again = LOCK.lock();
    again.add();
    assert_eq!(unsafe { *again.lock.value.get() }, 3);
    drop(again);
    thread.join().unwrap();
}
