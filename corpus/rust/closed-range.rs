//: about a range that ends at the greatest number of its type
//: forbid stuck
//: check sc holds
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

static LAST: AtomicU8 = AtomicU8::new(0);
static FROM: AtomicU8 = AtomicU8::new(250);

#[test]
fn all_of_them() {
    let t = thread::spawn(|| FROM.store(253, Ordering::Relaxed));
    t.join().unwrap();
    let mut rounds = 0;
    for i in FROM.load(Ordering::Relaxed)..=255u8 {
        LAST.store(i, Ordering::Relaxed);
        rounds += 1;
    }
    assert_eq!((LAST.load(Ordering::Relaxed), rounds), (255, 3));
}
