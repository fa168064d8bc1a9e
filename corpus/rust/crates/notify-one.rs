//: about a notification for one task, which is kept if no task waits yet
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! Notifies one waiter, now or when it comes.

mod notify {
    use atomic_wait::{wait, wake_one};
    use std::sync::atomic::{AtomicU32, Ordering};

    const EMPTY: u32 = 0;
    const WAITING: u32 = 1;
    const NOTIFIED: u32 = 2;

    pub struct Notify {
        state: AtomicU32,
    }

    impl Notify {
        pub const fn const_new() -> Self {
            Notify { state: AtomicU32::new(EMPTY) }
        }

        pub fn notify_one(&self) {
            if self.state.swap(NOTIFIED, Ordering::AcqRel) == WAITING {
                wake_one(&self.state);
            }
        }

        /// Whether a notification was there, which is used up.
        fn try_notified(&self) -> bool {
            self.state
                .compare_exchange(NOTIFIED, EMPTY, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        }

        pub fn notified(&self) {
            while !self.try_notified() {
                match self.state.compare_exchange(
                    EMPTY,
                    WAITING,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) | Err(WAITING) => wait(&self.state, WAITING),
                    Err(_) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::notify::Notify;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    #[test]
    fn the_task_goes_on() {
        let shared = Arc::new((Notify::const_new(), AtomicU32::new(0)));
        let task = {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.0.notified();
                shared.1.load(Relaxed)
            })
        };
        shared.1.store(9, Relaxed);
        shared.0.notify_one();
        assert_eq!(task.join().unwrap(), 9);
    }
}
