//! Peterson's lock, with `SeqCst` as the textbook needs it: right, everywhere.

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
        self.wants[me].store(true, SeqCst);
        self.last.store(me, SeqCst);
        while self.wants[1 - me].load(SeqCst) && self.last.load(SeqCst) == me {
            hint::spin_loop();
        }
        assert_eq!(self.inside.fetch_add(1, Relaxed), 0);
        self.inside.fetch_sub(1, Relaxed);
        self.wants[me].store(false, SeqCst);
    }
}

#[test]
fn peterson() {
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
