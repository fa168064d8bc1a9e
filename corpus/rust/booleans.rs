//: about operations on booleans, whose value another thread has stored
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

static B: AtomicBool = AtomicBool::new(false);
static N: AtomicU8 = AtomicU8::new(0);

#[test]
fn booleans() {
    let t = thread::spawn(|| {
        B.store(true, Ordering::Relaxed);
        N.store(0b1010, Ordering::Relaxed);
    });
    t.join().unwrap();
    assert!(B.fetch_and(true, Ordering::SeqCst));
    assert!(B.fetch_xor(true, Ordering::SeqCst));
    assert!(!B.fetch_or(true, Ordering::SeqCst));
    assert!(B.fetch_nand(true, Ordering::SeqCst));
    assert!(!B.load(Ordering::SeqCst));
    assert_eq!(B.compare_exchange(true, true, Ordering::SeqCst, Ordering::SeqCst), Err(false));
    assert_eq!(N.fetch_nand(0b0110, Ordering::SeqCst), 0b1010);
    assert_eq!(N.load(Ordering::SeqCst), 0b1111_1101);
    assert_eq!(!N.load(Ordering::SeqCst), 2);
    assert_eq!(N.fetch_sub(254, Ordering::SeqCst) as i8, -3);
    assert_eq!(N.swap(7, Ordering::SeqCst), 255);
}
