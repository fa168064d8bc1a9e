//: about a thread that copies a field of a value with `Drop`, which stays where it is and ends there
//: edition 2021
//: check sc holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static ORDER: AtomicU32 = AtomicU32::new(0);

struct Part(u32);

impl Drop for Part {
    fn drop(&mut self) {
        ORDER.store(ORDER.load(Relaxed) * 10 + self.0, Relaxed);
    }
}

#[test]
fn only_the_number_is_captured() {
    {
        let part = Part(1);
        let thread = thread::spawn(move || {
            assert_eq!(part.0, 1);
            drop(Part(2));
        });
        thread.join().unwrap();
        drop(Part(3));
    }
    assert_eq!(ORDER.load(Relaxed), 231);
}
