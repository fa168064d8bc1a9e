//: about a queue of linked nodes whose new nodes are linked by a store
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: two threads see that the last node has no successor and both link theirs, so one is lost
//! A queue of two pointers into a list. The first node is a dummy; nodes live as long as the program.

mod queue {
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, Ordering::*};

    struct Node<T> {
        value: Option<T>,
        next: AtomicPtr<Node<T>>,
    }

    pub struct Queue<T> {
        head: AtomicPtr<Node<T>>,
        tail: AtomicPtr<Node<T>>,
    }

    impl<T: Copy> Queue<T> {
        fn node(value: Option<T>) -> *mut Node<T> {
            Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(ptr::null_mut()) }))
        }

        pub fn new() -> Self {
            let dummy = Self::node(None);
            Queue { head: AtomicPtr::new(dummy), tail: AtomicPtr::new(dummy) }
        }

        pub fn push(&self, value: T) {
            let node = Self::node(Some(value));
            loop {
                let tail = self.tail.load(Acquire);
                let next = unsafe { &(*tail).next };
                let after = next.load(Acquire);
                if !after.is_null() {
                    // The tail lags: help.
                    let _ = self.tail.compare_exchange(tail, after, Release, Relaxed);
                    continue;
                }
                next.store(node, Release);
                let _ = self.tail.compare_exchange(tail, node, Release, Relaxed);
                return;
            }
        }

        pub fn pop(&self) -> Option<T> {
            loop {
                let head = self.head.load(Acquire);
                let after = unsafe { (*head).next.load(Acquire) };
                if after.is_null() {
                    return None;
                }
                if self.head.compare_exchange(head, after, AcqRel, Relaxed).is_ok() {
                    return unsafe { (*after).value };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::queue::Queue;
    use std::thread;

    #[test]
    fn both_values_are_there() {
        let queue = Queue::new();
        thread::scope(|s| {
            s.spawn(|| queue.push(1));
            queue.push(2);
        });
        let (first, second) = (queue.pop(), queue.pop());
        assert_eq!(first.unwrap() + second.unwrap(), 3);
        assert_eq!(queue.pop(), None);
    }
}
