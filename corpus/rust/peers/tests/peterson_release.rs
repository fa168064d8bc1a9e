//! Peterson's lock with `Release` stores and `Acquire` loads: both threads enter, on x86, too.

use peers::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::*};
use peers::sync::Arc;
use peers::{hint, model, thread};

struct Peterson {
    wants: [AtomicBool; 2],
    last: AtomicUsize,
    inside: AtomicU32,
}

impl Peterson {
    fn visit(&self, me: usize) {
        self.wants[me].store(true, Release);
        self.last.store(me, Release);
        while self.wants[1 - me].load(Acquire) && self.last.load(Acquire) == me {
            hint::spin_loop();
        }
        assert_eq!(self.inside.fetch_add(1, Relaxed), 0);
        self.inside.fetch_sub(1, Relaxed);
        self.wants[me].store(false, Release);
    }
}

#[test]
fn peterson_release() {
    model(|| {
        let lock = Arc::new(Peterson {
            wants: [AtomicBool::new(false), AtomicBool::new(false)],
            last: AtomicUsize::new(0),
            inside: AtomicU32::new(0),
        });
        let other = {
            let lock = lock.clone();
            thread::spawn(move || lock.visit(1))
        };
        lock.visit(0);
        other.join().unwrap();
    });
}
