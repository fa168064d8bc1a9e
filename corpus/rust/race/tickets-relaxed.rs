//: about the same as tickets.rs, but a lock is released by a relaxed store
//: check sc holds
//: check tso holds
//: check pso violated
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

struct Ticketed {
    next: AtomicUsize,
    serving: AtomicUsize,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Ticketed {}

static SHARED: Ticketed = Ticketed {
    next: AtomicUsize::new(0),
    serving: AtomicUsize::new(0),
    value: UnsafeCell::new(0),
};

fn add() {
    let ticket = SHARED.next.fetch_add(1, Relaxed);
    while SHARED.serving.load(Acquire) != ticket {}
    unsafe { *SHARED.value.get() += 1 };
    SHARED.serving.store(ticket + 1, Relaxed);
}

#[test]
fn tickets() {
    let one = thread::spawn(|| add());
    let other = thread::spawn(|| add());
    add();
    one.join().unwrap();
    other.join().unwrap();
    assert_eq!(unsafe { *SHARED.value.get() }, 3);
}

// race: `SHARED.value` (line 26 in two threads)
