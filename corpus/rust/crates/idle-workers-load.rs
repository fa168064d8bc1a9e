//: about a scheduler whose submitting thread reads the state of the workers by a load, if a sequentially consistent one
//: edition 2021
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the task may be in the submitter's buffer while it reads that a worker searches (store buffering); the worker then parks
//! Which workers of a scheduler search for tasks, and which run at all.

mod idle {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

    const SEARCHING: u32 = 1;
    const RUNNING: u32 = 1 << 16;

    /// What the word says at some moment.
    #[derive(Clone, Copy)]
    struct State(u32);

    impl State {
        fn searching(self) -> u32 {
            self.0 & (RUNNING - 1)
        }

        fn running(self) -> u32 {
            self.0 >> 16
        }
    }

    pub struct Idle {
        state: AtomicU32,
        workers: u32,
    }

    impl Idle {
        /// All workers run, and search.
        pub const fn new(workers: u32) -> Self {
            Idle { state: AtomicU32::new(workers * (RUNNING + SEARCHING)), workers }
        }

        /// Whether a worker has to be woken for the task that was just queued.
        pub fn should_wake(&self) -> bool {
            let state = State(self.state.load(SeqCst));
            state.searching() == 0 && state.running() < self.workers
        }

        /// A worker that searched parks. The last one that searched has to look at the queues once more.
        pub fn park(&self) -> bool {
            State(self.state.fetch_sub(RUNNING + SEARCHING, SeqCst)).searching() == 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::idle::Idle;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    static IDLE: Idle = Idle::new(1);
    static QUEUED: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn a_task_is_not_forgotten() {
        let worker = thread::spawn(|| IDLE.park() && QUEUED.load(Ordering::SeqCst) > 0);
        QUEUED.store(1, Ordering::Release);
        let wakes = IDLE.should_wake();
        assert!(worker.join().unwrap() || wakes);
    }
}
