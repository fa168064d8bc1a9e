//: about a lock behind a trait whose flags are stored without a fence: both threads may be inside
//: check sc holds
//: check tso violated
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

trait TryLock {
    fn try_lock(&self, me: usize) -> bool;

    /// The value of the closure if the lock was free.
    fn try_with<R>(&self, me: usize, f: impl FnOnce() -> R) -> Option<R> {
        if self.try_lock(me) { Some(f()) } else { None }
    }
}

struct Flags([AtomicBool; 2]);

impl TryLock for Flags {
    fn try_lock(&self, me: usize) -> bool {
        self.0[me].store(true, Ordering::Release);
        !self.0[1 - me].load(Ordering::Acquire)
    }
}

static LOCK: Flags = Flags([AtomicBool::new(false), AtomicBool::new(false)]);
static INSIDE: AtomicU32 = AtomicU32::new(0);

fn enter(me: usize) -> bool {
    LOCK.try_with(me, || INSIDE.fetch_add(1, Ordering::Relaxed))
        .is_some_and(|before| before == 0)
}

#[test]
fn at_most_one_enters() {
    let other = thread::spawn(|| enter(1));
    enter(0);
    other.join().unwrap();
    assert!(INSIDE.load(Ordering::Relaxed) <= 1);
}
