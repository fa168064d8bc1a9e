//: about a rendezvous: the sender goes on when the receiver has taken the value out of the sender's own stack
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A channel without capacity: `send` lends a place on the sender's stack, and returns when the receiver has read it.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

pub struct Rendezvous<T> {
    offer: AtomicPtr<T>,
}

impl<T: Copy> Rendezvous<T> {
    pub const fn new() -> Self {
        Rendezvous { offer: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Offers the value until a receiver has taken it.
    pub fn send(&self, value: &mut T) {
        let here: *mut T = value;
        while self
            .offer
            .compare_exchange(ptr::null_mut(), here, Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            std::hint::spin_loop();
        }
        while self.offer.load(Ordering::Acquire) == here {
            std::hint::spin_loop();
        }
    }

    /// Waits for an offer, and takes it.
    pub fn recv(&self) -> T {
        loop {
            let there = self.offer.load(Ordering::Acquire);
            if !there.is_null() {
                // The sender keeps the value in its place until the offer is withdrawn.
                let value = unsafe { *there };
                self.offer.store(ptr::null_mut(), Ordering::Release);
                return value;
            }
            std::hint::spin_loop();
        }
    }
}

static MEETING: Rendezvous<u32> = Rendezvous::new();

#[test]
fn the_value_stays_until_it_is_taken() {
    let sender = thread::spawn(|| {
        let mut value = 4;
        MEETING.send(&mut value);
        value = 0;
        value
    });
    assert_eq!(MEETING.recv(), 4);
    assert_eq!(sender.join().unwrap(), 0);
}
