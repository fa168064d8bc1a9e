//: about a macro with a fence between the store and the load, in its own path
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);

macro_rules! enter {
    ($mine:expr, $other:expr) => {{
        $mine.store(1, Ordering::Relaxed);
        std::sync::atomic::fence(Ordering::SeqCst);
        $other.load(Ordering::Relaxed)
    }};
}

#[test]
fn one_of_them_sees_the_other() {
    let other = thread::spawn(|| enter!(X, Y));
    let mine = enter!(Y, X);
    assert!(mine == 1 || other.join().unwrap() == 1);
}
