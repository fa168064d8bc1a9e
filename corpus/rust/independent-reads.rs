//: about independent reads of independent writes: all threads see stores in one order
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;

static X: AtomicBool = AtomicBool::new(false);
static Y: AtomicBool = AtomicBool::new(false);

#[test]
fn independent_reads() {
    let x = thread::spawn(|| X.store(true, Release));
    let y = thread::spawn(|| Y.store(true, Release));
    let a = thread::spawn(|| (X.load(Acquire), Y.load(Acquire)));
    let b = thread::spawn(|| (Y.load(Acquire), X.load(Acquire)));
    x.join().unwrap();
    y.join().unwrap();
    let (a, b) = (a.join().unwrap(), b.join().unwrap());
    assert!(!(a == (true, false) && b == (true, false)));
}
