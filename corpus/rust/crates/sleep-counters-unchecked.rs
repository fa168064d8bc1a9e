//: about the same, but going to sleep does not look whether a job was announced since
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the job is announced between the search and the sleep, when there is no sleeper yet that could be woken
//! Sleeping workers: the upper half of the word counts announced jobs, the lower one sleeping threads.

mod sleep {
    use std::sync::atomic::{AtomicU64, Ordering};

    const JOB: u64 = 1 << 32;

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Jobs(u32);

    #[derive(Default)]
    pub struct Sleep {
        counters: AtomicU64,
    }

    impl Sleep {
        pub const fn new() -> Self {
            Sleep { counters: AtomicU64::new(0) }
        }

        fn jobs(counters: u64) -> Jobs {
            Jobs((counters >> 32) as u32)
        }

        /// What a worker has to know before it searches for the last time.
        pub fn get_sleepy(&self) -> Jobs {
            Self::jobs(self.counters.load(Ordering::SeqCst))
        }

        /// Counts the thread as a sleeper, unless a job was announced since it got sleepy.
        pub fn fall_asleep(&self, seen: Jobs) -> bool {
            let mut counters = self.counters.load(Ordering::SeqCst);
            loop {
                let _ = seen;
                match self.counters.compare_exchange(
                    counters,
                    counters + 1,
                    Ordering::SeqCst,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return true,
                    Err(now) => counters = now,
                }
            }
        }

        /// Announces a job: the number of threads that sleep.
        pub fn announce(&self) -> u32 {
            self.counters.fetch_add(JOB, Ordering::SeqCst) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sleep::Sleep;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    static SLEEP: Sleep = Sleep::new();
    static JOB: AtomicBool = AtomicBool::new(false);

    #[test]
    fn no_worker_sleeps_through_a_job() {
        let worker = thread::spawn(|| {
            let seen = SLEEP.get_sleepy();
            let found = JOB.load(Ordering::Relaxed);
            !found && SLEEP.fall_asleep(seen)
        });
        JOB.store(true, Ordering::Relaxed);
        let sleepers = SLEEP.announce();
        let sleeps = worker.join().unwrap();
        assert!(!sleeps || sleepers == 1);
    }
}
