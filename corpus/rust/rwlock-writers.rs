//: about the end of a write lock, which is a store and drains no buffer
//: check sc holds
//: check tso violated  both loads may come before the stores are in memory
//: check pso violated
//: fence tso assertions 2
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static LOCKS: [RwLock<bool>; 2] = [const { RwLock::new(false) }; 2];
static BUSY: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

fn enter(me: usize) -> bool {
    {
        let _guard = LOCKS[me].write().unwrap();
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
