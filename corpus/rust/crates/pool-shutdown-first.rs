//: about a pool whose worker looks whether it is shut down before it looks for a job
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the job is submitted and the pool shut down before the worker looks, which then leaves without having executed it
//! A pool with one worker and one place for a job. Its end waits for the worker.

mod pool {
    use atomic_wait::{wait, wake_one};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread::{self, JoinHandle};

    struct Shared {
        job: AtomicU32,
        shut_down: AtomicBool,
        /// Raised after each change of the above.
        changes: AtomicU32,
        done: AtomicU32,
    }

    impl Shared {
        fn changed(&self) {
            self.changes.fetch_add(1, Ordering::Release);
            wake_one(&self.changes);
        }

        fn work(&self) {
            loop {
                let changes = self.changes.load(Ordering::Acquire);
                if self.shut_down.load(Ordering::Acquire) {
                    return;
                }
                let job = self.job.swap(0, Ordering::AcqRel);
                if job != 0 {
                    self.done.fetch_add(job, Ordering::Relaxed);
                } else {
                    wait(&self.changes, changes);
                }
            }
        }
    }

    pub struct Pool {
        shared: Arc<Shared>,
        worker: Option<JoinHandle<()>>,
    }

    impl Pool {
        pub fn new() -> Self {
            let shared = Arc::new(Shared {
                job: AtomicU32::new(0),
                shut_down: AtomicBool::new(false),
                changes: AtomicU32::new(0),
                done: AtomicU32::new(0),
            });
            let of_worker = Arc::clone(&shared);
            let worker = thread::spawn(move || of_worker.work());
            Pool { shared, worker: Some(worker) }
        }

        pub fn submit(&self, job: u32) {
            self.shared.job.store(job, Ordering::Release);
            self.shared.changed();
        }

        /// Shuts the pool down: what its jobs have done.
        pub fn finish(mut self) -> u32 {
            self.shared.shut_down.store(true, Ordering::Release);
            self.shared.changed();
            if let Some(worker) = self.worker.take() {
                worker.join().unwrap();
            }
            self.shared.done.load(Ordering::Relaxed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pool::Pool;

    #[test]
    fn submitted_jobs_are_executed() {
        let pool = Pool::new();
        pool.submit(8);
        assert_eq!(pool.finish(), 8);
    }
}
