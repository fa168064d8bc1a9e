//: about a channel for one value, whose receiver parks once and does not look again
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: `park` may return for no reason, so the receiver may read a slot that nothing was written to
//! A channel for a single value. The receiver parks until it has been sent.

mod oneshot {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, Thread};

    struct Packet<T> {
        slot: UnsafeCell<MaybeUninit<T>>,
        ready: AtomicBool,
    }

    // The slot is written before `ready` is set, and read once after that.
    unsafe impl<T: Send> Sync for Packet<T> {}

    impl<T> Drop for Packet<T> {
        fn drop(&mut self) {
            if *self.ready.get_mut() {
                unsafe { self.slot.get_mut().assume_init_drop() }
            }
        }
    }

    pub struct Sender<T> {
        packet: Arc<Packet<T>>,
        receiver: Thread,
    }

    pub struct Receiver<T> {
        packet: Arc<Packet<T>>,
    }

    /// Both ends of a channel, whose receiver is the current thread.
    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let packet = Arc::new(Packet {
            slot: UnsafeCell::new(MaybeUninit::uninit()),
            ready: AtomicBool::new(false),
        });
        let receiver = Receiver { packet: packet.clone() };
        (Sender { packet, receiver: thread::current() }, receiver)
    }

    impl<T> Sender<T> {
        /// Hands the value over, and wakes the receiver.
        pub fn send(self, value: T) {
            unsafe { (*self.packet.slot.get()).write(value) };
            self.packet.ready.store(true, Ordering::Release);
            self.receiver.unpark();
        }
    }

    impl<T> Receiver<T> {
        /// Whether `recv` returns at once.
        pub fn is_ready(&self) -> bool {
            self.packet.ready.load(Ordering::Relaxed)
        }

        /// Waits for the value.
        pub fn recv(self) -> T {
            if !self.packet.ready.swap(false, Ordering::Acquire) {
                thread::park();
            }
            unsafe { (*self.packet.slot.get()).assume_init_read() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::oneshot;
    use std::thread;

    struct Job {
        id: u32,
        weight: u32,
    }

    #[test]
    fn a_value_arrives() {
        let (sender, receiver) = oneshot::channel();
        let worker = thread::spawn(move || sender.send(Job { id: 7, weight: 2 }));
        let job = receiver.recv();
        assert_eq!(job.id + job.weight, 9);
        worker.join().unwrap();
    }
}

// race: `packet.1.slot.value.id` and `packet.1.slot.value.weight` (lines 54 and 71)
