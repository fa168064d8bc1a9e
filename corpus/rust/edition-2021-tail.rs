//: about until edition 2021 a temporary value of the last expression is dropped after the guard
//: edition 2021
//: check sc violated
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;
static M: Mutex<u32> = Mutex::new(0);
static N: AtomicU32 = AtomicU32::new(0);
struct Counted;
impl Drop for Counted {
    fn drop(&mut self) {
        N.store(N.load(Relaxed) + 1, Relaxed);
    }
}
impl Counted {
    fn value(&self) -> u32 {
        7
    }
}
fn count() -> u32 {
    let _guard = M.lock().unwrap();
    Counted.value()
}
#[test]
fn both_count() {
    let other = thread::spawn(|| count());
    count();
    other.join().unwrap();
    assert_eq!(N.load(Relaxed), 2);
}
