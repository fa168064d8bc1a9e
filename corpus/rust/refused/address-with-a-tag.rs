//: error "a conversion from `*mut Node` to `usize` is not supported"
//: error "a conversion from `usize` to `*mut Node` is not supported"
//: edition 2021
// A pointer whose lowest bit is a mark, kept as a number.
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

struct Node {
    value: u32,
}

static HEAD: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let node = Box::into_raw(Box::new(Node { value: 5 })) as usize;
    HEAD.store(node | 1, Release);
    let reader = thread::spawn(|| {
        let head = HEAD.load(Acquire);
        let node = (head & !1) as *const Node;
        assert_eq!(unsafe { (*node).value }, 5);
    });
    reader.join().unwrap();
}
