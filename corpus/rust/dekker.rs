//: about Dekker's entry: each side raises its flag by a sequentially consistent store
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::Arc;
use std::thread;

struct Gate {
    wants: [AtomicBool; 2],
    inside: AtomicUsize,
}

impl Gate {
    fn new() -> Gate {
        Gate {
            wants: [AtomicBool::new(false), AtomicBool::new(false)],
            inside: AtomicUsize::new(0),
        }
    }

    fn try_enter(&self, me: usize) -> bool {
        self.wants[me].store(true, SeqCst);
        if self.wants[1 - me].load(SeqCst) {
            return false;
        }
        assert_eq!(self.inside.fetch_add(1, SeqCst), 0);
        true
    }
}

#[test]
fn at_most_one_enters() {
    let gate = Arc::new(Gate::new());
    let other = Arc::clone(&gate);
    let t = thread::spawn(move || other.try_enter(1));
    let mine = gate.try_enter(0);
    let other = t.join().unwrap();
    assert!(!(mine && other));
}
