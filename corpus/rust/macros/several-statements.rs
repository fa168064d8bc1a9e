//: about a call that stands for several statements: no fence can be inserted between them, only around
//: check sc holds
//: check tso violated
//: fence tso assertions none
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);

macro_rules! exchange_signals {
    ($mine:ident, $other:ident, $seen:ident) => {
        $mine.store(1, Release);
        let $seen = $other.load(Acquire);
    };
}

#[test]
fn one_of_them_sees_the_other() {
    let other = thread::spawn(|| {
        exchange_signals!(X, Y, seen);
        seen
    });
    exchange_signals!(Y, X, seen);
    assert!(seen == 1 || other.join().unwrap() == 1);
}
