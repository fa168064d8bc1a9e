//: about Dekker's entry with release stores, which later loads overtake
//: check sc holds
//: check tso violated
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

fn try_enter(me: usize) -> bool {
    WANTS[me].store(true, Ordering::Release);
    !WANTS[1 - me].load(Ordering::Acquire)
}

#[test]
fn at_most_one_enters() {
    let first = thread::spawn(|| try_enter(0));
    let second = thread::spawn(|| try_enter(1));
    let first = first.join().unwrap();
    let second = second.join().unwrap();
    assert!(!(first && second), "both are inside");
}
