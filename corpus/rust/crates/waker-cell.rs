//: about a cell for the waker of a task: registering and waking may happen at once, and no wake-up is lost
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A cell for one waker, with three states.

mod waker {
    use std::cell::UnsafeCell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const WAITING: usize = 0;
    const REGISTERING: usize = 0b01;
    const WAKING: usize = 0b10;

    /// Whatever can be woken.
    pub trait Wake {
        fn wake(self);
    }

    pub struct WakerCell<W> {
        state: AtomicUsize,
        waker: UnsafeCell<Option<W>>,
    }

    unsafe impl<W: Send> Sync for WakerCell<W> {}

    impl<W: Wake> WakerCell<W> {
        pub const fn new() -> Self {
            WakerCell { state: AtomicUsize::new(WAITING), waker: UnsafeCell::new(None) }
        }

        /// Makes the waker that of the next `wake`. One task at a time calls this.
        pub fn register(&self, waker: W) {
            match self.state.compare_exchange(
                WAITING,
                REGISTERING,
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) => {
                    unsafe { *self.waker.get() = Some(waker) };
                    let registered = self.state.compare_exchange(
                        REGISTERING,
                        WAITING,
                        Ordering::AcqRel,
                        Ordering::Acquire,
                    );
                    if registered.is_err() {
                        // It was woken since: the waker is ours again.
                        let waker = unsafe { (*self.waker.get()).take() };
                        self.state.swap(WAITING, Ordering::AcqRel);
                        if let Some(waker) = waker {
                            waker.wake();
                        }
                    }
                }
                Err(_) => waker.wake(),
            }
        }

        pub fn wake(&self) {
            if self.state.fetch_or(WAKING, Ordering::AcqRel) == WAITING {
                let waker = unsafe { (*self.waker.get()).take() };
                self.state.fetch_and(!WAKING, Ordering::Release);
                if let Some(waker) = waker {
                    waker.wake();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::waker::{Wake, WakerCell};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread;

    struct Task(&'static AtomicBool);

    impl Wake for Task {
        fn wake(self) {
            self.0.store(true, Relaxed);
        }
    }

    static WOKEN: AtomicBool = AtomicBool::new(false);
    static READY: AtomicBool = AtomicBool::new(false);
    static CELL: WakerCell<Task> = WakerCell::new();

    /// One step of the task: whether it is done.
    fn poll() -> bool {
        CELL.register(Task(&WOKEN));
        READY.load(Relaxed)
    }

    #[test]
    fn a_pending_task_is_woken() {
        let producer = thread::spawn(|| {
            READY.store(true, Relaxed);
            CELL.wake();
        });
        let done = poll();
        producer.join().unwrap();
        assert!(done || WOKEN.load(Relaxed));
    }
}
