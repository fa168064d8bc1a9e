//: about store buffering whose cells and steps are made by macros
//: check sc holds
//: check tso violated
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

macro_rules! cells {
    ($($name:ident),* $(,)?) => { $(static $name: AtomicU32 = AtomicU32::new(0);)* };
}

macro_rules! put {
    ($cell:ident, $value:expr) => { $cell.store($value, Relaxed) };
}

cells!(X, Y,);

#[test]
fn one_of_them_sees_the_other() {
    let other = thread::spawn(|| {
        put!(X, 1);
        Y.load(Relaxed)
    });
    put!(Y, 1);
    let mine = X.load(Relaxed);
    assert!(mine == 1 || other.join().unwrap() == 1);
}
