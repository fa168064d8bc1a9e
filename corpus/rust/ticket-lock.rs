//: about a ticket lock with a const generic number of uses
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

struct TicketLock {
    next: AtomicUsize,
    serving: AtomicUsize,
}

impl TicketLock {
    const fn new() -> Self {
        TicketLock { next: AtomicUsize::new(0), serving: AtomicUsize::new(0) }
    }

    fn lock(&self) -> usize {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        while self.serving.load(Ordering::Acquire) != ticket {
            std::hint::spin_loop();
        }
        ticket
    }

    fn unlock(&self, ticket: usize) {
        self.serving.store(ticket.wrapping_add(1), Ordering::Release);
    }
}

struct Shared {
    lock: TicketLock,
    value: UnsafeCell<u64>,
}

unsafe impl Sync for Shared {}

fn add<const TIMES: usize>(shared: &Shared) {
    for _ in 0..TIMES {
        let ticket = shared.lock.lock();
        unsafe { *shared.value.get() += 1 };
        shared.lock.unlock(ticket);
    }
}

#[test]
fn tickets() {
    let shared = Arc::new(Shared { lock: TicketLock::new(), value: UnsafeCell::new(0) });
    let other = shared.clone();
    let t = thread::spawn(move || add::<1>(&other));
    add::<1>(&shared);
    t.join().unwrap();
    assert_eq!(unsafe { *shared.value.get() }, 2);
}
