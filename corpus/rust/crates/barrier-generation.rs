//: about a barrier that is used twice; each round has a generation that the last thread to arrive raises
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A barrier for a fixed number of threads, which can be used over and over.

mod barrier {
    use atomic_wait::{wait, wake_all};
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Barrier {
        threads: u32,
        arrived: AtomicU32,
        generation: AtomicU32,
    }

    /// What `wait` yields; one thread of each round is the leader.
    pub struct BarrierWaitResult(bool);

    impl BarrierWaitResult {
        pub fn is_leader(&self) -> bool {
            self.0
        }
    }

    impl Barrier {
        pub const fn new(threads: u32) -> Self {
            Barrier { threads, arrived: AtomicU32::new(0), generation: AtomicU32::new(0) }
        }

        pub fn wait(&self) -> BarrierWaitResult {
            let generation = self.generation.load(Ordering::Acquire);
            let arrived = self.arrived.fetch_add(1, Ordering::AcqRel) + 1;
            if arrived == self.threads {
                self.arrived.store(0, Ordering::Relaxed);
                self.generation.store(generation.wrapping_add(1), Ordering::Release);
                wake_all(&self.generation);
                return BarrierWaitResult(true);
            }
            while self.generation.load(Ordering::Acquire) == generation {
                wait(&self.generation, generation);
            }
            BarrierWaitResult(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::barrier::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    static BARRIER: Barrier = Barrier::new(2);
    static LEADERS: AtomicU32 = AtomicU32::new(0);
    static PHASE: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

    fn work(me: usize) {
        for round in 1..3 {
            PHASE[me].store(round, Relaxed);
            if BARRIER.wait().is_leader() {
                LEADERS.fetch_add(1, Relaxed);
            }
            assert!(PHASE[1 - me].load(Relaxed) >= round);
        }
    }

    #[test]
    fn rounds_do_not_overlap() {
        let other = thread::spawn(|| work(1));
        work(0);
        other.join().unwrap();
        assert_eq!(LEADERS.load(Relaxed), 2);
    }
}
