//: about parts of a value that end at different places: in a thread, by hand, and with what is left
//: edition 2021
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static ORDER: AtomicU32 = AtomicU32::new(0);

struct Part(u32);

impl Drop for Part {
    fn drop(&mut self) {
        ORDER.store(ORDER.load(Relaxed) * 10 + self.0, Relaxed);
    }
}

struct Whole {
    a: Part,
    b: (Part, Part),
    c: Option<Part>,
}

#[test]
fn each_part_ends_once() {
    let whole = Whole { a: Part(1), b: (Part(2), Part(3)), c: Some(Part(4)) };
    let thread = thread::spawn(move || {
        let _last = whole.b.1;
        drop(Part(5));
    });
    thread.join().unwrap();
    if let Some(part) = whole.c {
        drop(part);
    }
    drop(whole.a);
    drop(whole.b.0);
    assert_eq!(ORDER.load(Relaxed), 53412);
}
