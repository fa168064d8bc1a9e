//: about Treiber's stack of indices: two threads pop different nodes
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

const NONE: usize = 9;

struct Stack {
    top: AtomicUsize,
    next: [AtomicUsize; 2],
}

impl Stack {
    fn pop(&self) -> Option<usize> {
        let mut top = self.top.load(Ordering::Acquire);
        loop {
            if top == NONE {
                return None;
            }
            let next = self.next[top].load(Ordering::Relaxed);
            match self.top.compare_exchange_weak(top, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(top),
                Err(seen) => top = seen,
            }
        }
    }
}

#[test]
fn different_nodes() {
    let stack = Arc::new(Stack {
        top: AtomicUsize::new(0),
        next: [AtomicUsize::new(1), AtomicUsize::new(NONE)],
    });
    let other = stack.clone();
    let t = thread::spawn(move || other.pop());
    let mine = stack.pop();
    let theirs = t.join().unwrap();
    assert!(mine.is_some());
    assert_ne!(mine, theirs);
}
