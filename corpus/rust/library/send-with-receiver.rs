//: about store buffering, with a `send` between store and load that is received: it executes a locked instruction
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::mpsc::channel;
use std::thread;

static HERE: AtomicU32 = AtomicU32::new(0);
static THERE: AtomicU32 = AtomicU32::new(0);

#[test]
fn one_sees_the_other() {
    let (mine, from_mine) = channel();
    let (theirs, from_theirs) = channel();
    let other = thread::spawn(move || {
        THERE.store(1, Relaxed);
        theirs.send(1u32).unwrap();
        HERE.load(Relaxed)
    });
    HERE.store(1, Relaxed);
    mine.send(2u32).unwrap();
    let seen = THERE.load(Relaxed);
    assert!(other.join().unwrap() == 1 || seen == 1);
    assert_eq!(from_mine.recv().unwrap() + from_theirs.recv().unwrap(), 3);
}
