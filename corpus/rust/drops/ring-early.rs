//: about a ring that counts a message before it is written
//: check sc violated
//: check tso violated
//: check pso violated
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static ENDS: AtomicU32 = AtomicU32::new(0);

struct Message(u32);

impl Drop for Message {
    fn drop(&mut self) {
        ENDS.fetch_add(self.0, Relaxed);
    }
}

struct Ring {
    slots: UnsafeCell<[MaybeUninit<Message>; 2]>,
    head: AtomicU32,
    tail: AtomicU32,
}

unsafe impl Sync for Ring {}

impl Ring {
    fn slot(&self, number: u32) -> *mut Message {
        let first = self.slots.get() as *mut Message;
        unsafe { first.add((number % 2) as usize) }
    }

    fn push(&self, message: Message) {
        let tail = self.tail.load(Relaxed);
        if tail - self.head.load(Acquire) < 2 {
            self.tail.store(tail + 1, Release);
            unsafe { self.slot(tail).write(message) };
        }
    }

    fn pop(&self) -> Option<Message> {
        let head = self.head.load(Relaxed);
        if head == self.tail.load(Acquire) {
            return None;
        }
        let message = unsafe { self.slot(head).read() };
        self.head.store(head + 1, Release);
        Some(message)
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        while let Some(message) = self.pop() {
            drop(message);
        }
    }
}

#[test]
fn each_message_ends_once() {
    let ring = Ring {
        slots: UnsafeCell::new([MaybeUninit::uninit(), MaybeUninit::uninit()]),
        head: AtomicU32::new(0),
        tail: AtomicU32::new(0),
    };
    thread::scope(|s| {
        s.spawn(|| {
            ring.push(Message(1));
            ring.push(Message(10));
        });
        if let Some(message) = ring.pop() {
            assert_eq!(message.0, 1);
        }
    });
    drop(ring);
    assert_eq!(ENDS.load(Relaxed), 11);
}

// race: `each_message_ends_once.ring.slots[0].value.0` (lines 38 and 47)
