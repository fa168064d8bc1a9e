//: about a list of boxes, whose end is that of each of its nodes
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::*};

static ENDS: AtomicU32 = AtomicU32::new(0);

struct Node {
    value: u32,
    next: Option<Box<Node>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        ENDS.store(ENDS.load(Relaxed) * 10 + self.value, Relaxed);
    }
}

#[test]
fn from_the_first_on() {
    let last = Box::new(Node { value: 2, next: None });
    let first = Box::new(Node { value: 1, next: Some(last) });
    drop(first);
    assert_eq!(ENDS.load(Relaxed), 12);
}
