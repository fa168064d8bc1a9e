//: about a ring of two slots with one producer and one consumer
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

const SLOTS: usize = 2;

struct Ring {
    slots: [UnsafeCell<u32>; SLOTS],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl Sync for Ring {}

impl Ring {
    fn new() -> Self {
        Ring {
            slots: [UnsafeCell::new(0), UnsafeCell::new(0)],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    fn push(&self, value: u32) -> bool {
        let tail = self.tail.load(Ordering::Relaxed);
        if tail - self.head.load(Ordering::Acquire) == SLOTS {
            return false;
        }
        unsafe { *self.slots[tail % SLOTS].get() = value };
        self.tail.store(tail + 1, Ordering::Release);
        true
    }

    fn pop(&self) -> Option<u32> {
        let head = self.head.load(Ordering::Relaxed);
        if head == self.tail.load(Ordering::Acquire) {
            return None;
        }
        let value = unsafe { *self.slots[head % SLOTS].get() };
        self.head.store(head + 1, Ordering::Release);
        Some(value)
    }
}

#[test]
fn values_come_in_order() {
    let ring = Arc::new(Ring::new());
    let consumer = {
        let ring = ring.clone();
        thread::spawn(move || {
            let mut next = 1;
            for _ in 0..2 {
                if let Some(value) = ring.pop() {
                    assert_eq!(value, next);
                    next += 1;
                }
            }
        })
    };
    for value in 1..=2 {
        assert!(ring.push(value));
    }
    consumer.join().unwrap();
}
