//: about a reference count: the last owner, and only that one, destroys the data
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

struct Counted {
    owners: AtomicUsize,
    uses: AtomicUsize,
    destroyed: AtomicBool,
}

impl Counted {
    fn use_it(&self) {
        assert!(!self.destroyed.load(Ordering::Relaxed));
        self.uses.fetch_add(1, Ordering::Relaxed);
    }

    fn release(&self) {
        if self.owners.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            assert_eq!(self.uses.load(Ordering::Relaxed), 2);
            let before = self.destroyed.swap(true, Ordering::Relaxed);
            assert!(!before);
        }
    }
}

#[test]
fn destroyed_once() {
    let counted = Arc::new(Counted {
        owners: AtomicUsize::new(2),
        uses: AtomicUsize::new(0),
        destroyed: AtomicBool::new(false),
    });
    let other = Arc::clone(&counted);
    let t = thread::spawn(move || {
        other.use_it();
        other.release();
    });
    counted.use_it();
    counted.release();
    t.join().unwrap();
    assert!(counted.destroyed.load(Ordering::Relaxed));
}
