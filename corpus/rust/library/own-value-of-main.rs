//: about a value that each thread has of its own, taken for one that all share
//: check sc violated
//: check tso violated
use std::cell::Cell;
use std::thread;

thread_local!(static DONE: Cell<bool> = Cell::new(false));

fn main() {
    thread::spawn(|| DONE.set(true)).join().unwrap();
    assert!(DONE.get());
}
