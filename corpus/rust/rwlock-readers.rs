//: about the end of a read lock, a locked instruction, since others may be reading
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static LOCKS: [RwLock<bool>; 2] = [const { RwLock::new(false) }; 2];
static BUSY: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

fn enter(me: usize) -> bool {
    {
        let _guard = LOCKS[me].read().unwrap();
        BUSY[me].store(true, Ordering::Relaxed);
    }
    !BUSY[1 - me].load(Ordering::Relaxed)
}

#[test]
fn at_most_one_enters() {
    let other = thread::spawn(|| enter(1));
    let first = enter(0);
    let second = other.join().unwrap();
    assert!(!(first && second));
}
