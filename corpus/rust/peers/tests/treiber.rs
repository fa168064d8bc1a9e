//! A stack without locks, of numbered nodes, each pushed once: right.

use peers::sync::atomic::{AtomicUsize, Ordering::*};
use peers::sync::Arc;
use peers::{model, thread};

/// Node `n` is number `n + 1`; none is 0.
struct Stack {
    head: AtomicUsize,
    next: [AtomicUsize; 3],
}

impl Stack {
    fn push(&self, node: usize) {
        let mut head = self.head.load(Relaxed);
        loop {
            self.next[node].store(head, Relaxed);
            match self.head.compare_exchange(head, node + 1, Release, Relaxed) {
                Ok(_) => return,
                Err(found) => head = found,
            }
        }
    }

    fn pop(&self) -> Option<usize> {
        let mut head = self.head.load(Acquire);
        while head != 0 {
            let next = self.next[head - 1].load(Relaxed);
            match self.head.compare_exchange(head, next, AcqRel, Acquire) {
                Ok(_) => return Some(head - 1),
                Err(found) => head = found,
            }
        }
        None
    }
}

#[test]
fn treiber() {
    model(|| {
        let stack = Arc::new(Stack {
            head: AtomicUsize::new(0),
            next: [AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)],
        });
        let (first, second) = (stack.clone(), stack.clone());
        let first = thread::spawn(move || first.push(0));
        let second = thread::spawn(move || {
            second.push(1);
            second.pop()
        });
        stack.push(2);
        first.join().unwrap();
        let popped = second.join().unwrap();
        assert!(popped.is_some());
        let (a, b) = (stack.pop(), stack.pop());
        assert!(a.is_some() && b.is_some() && a != b && a != popped && b != popped);
        assert!(stack.pop().is_none());
    });
}
