//: about a CLH lock, released by a relaxed store; the twin of c/mutex/clh-relaxed.c
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

static LOCKED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];
static TAIL: AtomicUsize = AtomicUsize::new(2);

struct Counter(UnsafeCell<i32>);

unsafe impl Sync for Counter {}

static COUNTER: Counter = Counter(UnsafeCell::new(0));

fn section(me: usize) {
    LOCKED[me].store(true, Ordering::Relaxed);
    let before = TAIL.swap(me, Ordering::AcqRel);
    while LOCKED[before].load(Ordering::Acquire) {}
    unsafe { *COUNTER.0.get() += 1 };
    LOCKED[me].store(false, Ordering::Relaxed);
}

#[test]
fn clh() {
    let a = thread::spawn(|| section(0));
    let b = thread::spawn(|| section(1));
    a.join().unwrap();
    b.join().unwrap();
    assert_eq!(unsafe { *COUNTER.0.get() }, 2);
}

// race: `COUNTER.0` (line 24 in two threads)
