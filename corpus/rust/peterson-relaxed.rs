//: about Peterson's lock with release stores
//: check sc holds
//: check tso violated
//: check pso violated
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::thread;

static FLAG: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
static TURN: AtomicUsize = AtomicUsize::new(0);
static INSIDE: AtomicU32 = AtomicU32::new(0);

fn section(me: usize) {
    FLAG[me].store(true, Release);
    TURN.store(1 - me, Release);
    while FLAG[1 - me].load(Acquire) && TURN.load(Acquire) == 1 - me {}
    INSIDE.store(INSIDE.load(Relaxed) + 1, Relaxed);
    assert!(INSIDE.load(Relaxed) == 1);
    INSIDE.store(INSIDE.load(Relaxed) - 1, Relaxed);
    FLAG[me].store(false, Release);
}

#[test]
fn peterson() {
    let t = thread::spawn(|| section(1));
    section(0);
    t.join().unwrap();
}
