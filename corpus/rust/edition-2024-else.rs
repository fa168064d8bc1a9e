//: about since edition 2024 the guard in the condition of an `if let` is dropped before the `else`
//: edition 2024
//: check sc violated
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;
static M: Mutex<Option<u32>> = Mutex::new(None);
static N: AtomicU32 = AtomicU32::new(0);
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
    assert_eq!(N.load(Relaxed), 2);
}
