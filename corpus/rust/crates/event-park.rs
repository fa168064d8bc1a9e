//: about an event that is set once, for one parked thread
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A manual event: `set` wakes the thread that waits, if it has begun to wait.

pub mod event {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, Thread};

    #[derive(Default)]
    pub struct Event {
        set: AtomicBool,
        waiting: AtomicBool,
    }

    impl Event {
        pub const fn new() -> Self {
            Event { set: AtomicBool::new(false), waiting: AtomicBool::new(false) }
        }

        pub fn is_set(&self) -> bool {
            self.set.load(Ordering::Acquire)
        }

        /// Sets the event; `waiter` is the thread that may wait for it.
        pub fn set(&self, waiter: &Thread) {
            self.set.store(true, Ordering::SeqCst);
            if self.waiting.load(Ordering::SeqCst) {
                waiter.unpark();
            }
        }

        pub fn wait(&self) {
            self.waiting.store(true, Ordering::SeqCst);
            while !self.is_set() {
                thread::park();
            }
            self.waiting.store(false, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::event::Event;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn the_waiter_goes_on() {
        let event = Arc::new(Event::new());
        let waiter = {
            let event = Arc::clone(&event);
            thread::spawn(move || event.wait())
        };
        event.set(waiter.thread());
        waiter.join().unwrap();
        assert!(event.is_set());
    }
}
