//: error "values of type `&str` cannot be compared"
//: edition 2021
// A text that is made of numbers, and decides.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static N: AtomicU32 = AtomicU32::new(0);

fn main() {
    let other = thread::spawn(|| N.store(1, Relaxed));
    let text = format!("{}", N.load(Relaxed));
    assert!(text == "0" || text == "1");
    other.join().unwrap();
}
