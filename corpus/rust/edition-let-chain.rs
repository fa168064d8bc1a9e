//: about a let chain needs edition 2024, so the guard before the `else` is not held in it
//: check sc violated
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;
static M: Mutex<Option<u32>> = Mutex::new(None);
static N: AtomicU32 = AtomicU32::new(0);
fn one() -> Option<u32> {
    Some(1)
}
fn count() {
    if let Some(_x) = *M.lock().unwrap() {
    } else {
        N.store(N.load(Relaxed) + 1, Relaxed);
    }
}
#[test]
fn both_count() {
    let other = thread::spawn(count);
    count();
    other.join().unwrap();
    if let Some(x) = one()
        && x == 1
    {
        assert_eq!(N.load(Relaxed), 2);
    }
}
