//! Three threads take a ticket lock, one of them twice: right.

use peers::sync::atomic::{AtomicU32, Ordering::*};
use peers::sync::Arc;
use peers::{hint, model, thread};

struct Ticket {
    next: AtomicU32,
    serving: AtomicU32,
    count: AtomicU32,
}

impl Ticket {
    fn add(&self) {
        let mine = self.next.fetch_add(1, Relaxed);
        while self.serving.load(Acquire) != mine {
            hint::spin_loop();
        }
        let count = self.count.load(Relaxed);
        self.count.store(count + 1, Relaxed);
        self.serving.store(mine + 1, Release);
    }
}

#[test]
fn ticket_lock() {
    model(|| {
        let lock = Arc::new(Ticket {
            next: AtomicU32::new(0),
            serving: AtomicU32::new(0),
            count: AtomicU32::new(0),
        });
        let (first, second) = (lock.clone(), lock.clone());
        let first = thread::spawn(move || first.add());
        let second = thread::spawn(move || second.add());
        lock.add();
        lock.add();
        first.join().unwrap();
        second.join().unwrap();
        assert_eq!(lock.count.load(Relaxed), 4);
    });
}
