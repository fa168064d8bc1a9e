//: about a lock that is used as an object of a trait, and whose exchange is a load and a store
//: check sc violated
//: check tso violated
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::thread;

trait Lock: Send + Sync {
    fn lock(&self);
    fn unlock(&self);
}

struct Spin(AtomicBool);

impl Lock for Spin {
    fn lock(&self) {
        while self.0.load(Acquire) {}
        self.0.store(true, Relaxed);
    }
    fn unlock(&self) {
        self.0.store(false, Release);
    }
}

struct Ticket {
    next: AtomicU32,
    served: AtomicU32,
}

impl Lock for Ticket {
    fn lock(&self) {
        let own = self.next.fetch_add(1, Relaxed);
        while self.served.load(Acquire) != own {}
    }
    fn unlock(&self) {
        self.served.store(self.served.load(Relaxed) + 1, Release);
    }
}

static COUNTS: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];

fn increment(lock: &dyn Lock, count: &AtomicU32) {
    lock.lock();
    count.store(count.load(Relaxed) + 1, Relaxed);
    lock.unlock();
}

fn main() {
    let spin: Arc<dyn Lock> = Arc::new(Spin(AtomicBool::new(false)));
    let ticket: Arc<dyn Lock> = Arc::new(Ticket {
        next: AtomicU32::new(0),
        served: AtomicU32::new(0),
    });
    let (a, b) = (Arc::clone(&spin), ticket.clone());
    let other = thread::spawn(move || {
        increment(&*a, &COUNTS[0]);
        increment(&*b, &COUNTS[1]);
    });
    increment(spin.as_ref(), &COUNTS[0]);
    increment(&*ticket, &COUNTS[1]);
    other.join().unwrap();
    assert_eq!(COUNTS[0].load(Relaxed), 2);
    assert_eq!(COUNTS[1].load(Relaxed), 2);
}
