//: check sc holds
//: check tso holds
// Only where it is converted to 64 bits is a `u32` compared as it is: here the conversion changes it.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static X: AtomicU32 = AtomicU32::new(4294967295);

#[test]
fn the_converted_number_counts() {
    let t = thread::spawn(|| X.store(4294967043, Ordering::Relaxed));
    let x = X.load(Ordering::Relaxed);
    assert!((x as i32) < 7);
    assert!(x as u8 == 255 || x as u8 == 3);
    assert!((x as i16) < 0 && x as i64 > 7);
    t.join().unwrap();
}
