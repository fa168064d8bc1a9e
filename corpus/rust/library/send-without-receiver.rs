//: about store buffering, with a `send` between store and load that only notices that the receiver has ended
//: check sc holds
//: check tso violated
//: check pso violated
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::sync::mpsc::channel;
use std::thread;

static HERE: AtomicU32 = AtomicU32::new(0);
static THERE: AtomicU32 = AtomicU32::new(0);

#[test]
fn one_sees_the_other() {
    let (mine, receiver) = channel();
    drop(receiver);
    let (theirs, receiver) = channel();
    drop(receiver);
    let other = thread::spawn(move || {
        THERE.store(1, Relaxed);
        assert!(theirs.send(1u32).is_err());
        HERE.load(Relaxed)
    });
    HERE.store(1, Relaxed);
    assert!(mine.send(1u32).is_err());
    let seen = THERE.load(Relaxed);
    assert!(other.join().unwrap() == 1 || seen == 1);
}
