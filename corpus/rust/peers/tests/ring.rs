//! A ring with two slots, one producer and one consumer, four messages: right, also if a side waits.

use peers::sync::atomic::{AtomicU32, AtomicUsize, Ordering::*};
use peers::sync::Arc;
use peers::{hint, model, thread};

struct Ring {
    slots: [AtomicU32; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
}

impl Ring {
    fn push(&self, message: u32) {
        let tail = self.tail.load(Relaxed);
        while tail - self.head.load(Acquire) == 2 {
            hint::spin_loop();
        }
        self.slots[tail % 2].store(message, Relaxed);
        self.tail.store(tail + 1, Release);
    }

    fn pop(&self) -> u32 {
        let head = self.head.load(Relaxed);
        while head == self.tail.load(Acquire) {
            hint::spin_loop();
        }
        let message = self.slots[head % 2].load(Relaxed);
        self.head.store(head + 1, Release);
        message
    }
}

#[test]
fn ring() {
    model(|| {
        let ring = Arc::new(Ring {
            slots: [AtomicU32::new(0), AtomicU32::new(0)],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        });
        let theirs = ring.clone();
        let producer = thread::spawn(move || {
            for message in 1..=4 {
                theirs.push(message);
            }
        });
        for message in 1..=4 {
            assert_eq!(ring.pop(), message);
        }
        producer.join().unwrap();
    });
}
