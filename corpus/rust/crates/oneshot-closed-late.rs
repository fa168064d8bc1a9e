//: about a channel for one value whose dropped sender looks whether someone sleeps before it closes the channel
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the receiver announces that it sleeps after the sender has looked, and is never woken
//! A oneshot channel with the states of a byte, and a futex for the receiver.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const EMPTY: u32 = 0;
const SLEEPING: u32 = 1;
const SENT: u32 = 2;
const CLOSED: u32 = 3;

struct Shared<T> {
    state: AtomicU32,
    slot: UnsafeCell<MaybeUninit<T>>,
}

unsafe impl<T: Send> Send for Shared<T> {}
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Replaces the state by a final one, and wakes the receiver if it sleeps.
    fn finish(&self, state: u32) {
        let sleeps = self.state.load(Ordering::Relaxed) == SLEEPING;
        self.state.store(state, Ordering::Release);
        if sleeps {
            atomic_wait::wake_one(&self.state);
        }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if *self.state.get_mut() == SENT {
            unsafe { self.slot.get_mut().assume_init_drop() };
        }
    }
}

struct Sender<T>(Option<Arc<Shared<T>>>);
struct Receiver<T>(Arc<Shared<T>>);

/// The sender is gone.
#[derive(Debug, PartialEq, Eq)]
struct Closed;

fn oneshot<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared {
        state: AtomicU32::new(EMPTY),
        slot: UnsafeCell::new(MaybeUninit::uninit()),
    });
    (Sender(Some(Arc::clone(&shared))), Receiver(shared))
}

impl<T> Sender<T> {
    fn send(mut self, value: T) {
        if let Some(shared) = self.0.take() {
            unsafe { (*shared.slot.get()).write(value) };
            shared.finish(SENT);
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            shared.finish(CLOSED);
        }
    }
}

impl<T> Receiver<T> {
    fn recv(self) -> Result<T, Closed> {
        let shared = &*self.0;
        loop {
            match shared.state.compare_exchange(
                EMPTY,
                SLEEPING,
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) | Err(SLEEPING) => atomic_wait::wait(&shared.state, SLEEPING),
                Err(SENT) => {
                    shared.state.store(CLOSED, Ordering::Relaxed);
                    return Ok(unsafe { (*shared.slot.get()).assume_init_read() });
                }
                Err(_) => return Err(Closed),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_sender_is_noticed() {
        let (sender, receiver) = oneshot::<u32>();
        let other = thread::spawn(move || drop(sender));
        assert_eq!(receiver.recv(), Err(Closed));
        other.join().unwrap();
    }
}
