//: about a word of sleeping workers whose bit is read and cleared in two steps, and woken whatever the second one finds
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: both callers see the same bit, and the other worker sleeps on
//! Sleeping workers, one bit each.

mod sleepers {
    use atomic_wait::{wait, wake_one};
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Sleepers<const N: usize> {
        bits: AtomicU32,
        tickets: [AtomicU32; N],
    }

    impl<const N: usize> Sleepers<N> {
        /// All workers sleep.
        pub const fn all_asleep() -> Self {
            Sleepers {
                bits: AtomicU32::new((1 << N) - 1),
                tickets: [const { AtomicU32::new(0) }; N],
            }
        }

        /// Sleeps until a caller of `wake_any` has chosen this worker.
        pub fn sleep(&self, worker: usize) {
            while self.tickets[worker].swap(0, Ordering::Acquire) == 0 {
                wait(&self.tickets[worker], 0);
            }
        }

        /// Wakes a worker that sleeps: which one.
        pub fn wake_any(&self) -> Option<usize> {
            let bits = self.bits.load(Ordering::Relaxed);
            if bits == 0 {
                return None;
            }
            let worker = bits.trailing_zeros() as usize;
            self.bits.fetch_and(!(1 << worker), Ordering::AcqRel);
            self.tickets[worker].store(1, Ordering::Release);
            wake_one(&self.tickets[worker]);
            Some(worker)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sleepers::Sleepers;
    use std::thread;

    static SLEEPERS: Sleepers<2> = Sleepers::all_asleep();

    #[test]
    fn two_calls_wake_two_workers() {
        thread::scope(|s| {
            s.spawn(|| SLEEPERS.sleep(0));
            s.spawn(|| SLEEPERS.sleep(1));
            s.spawn(|| SLEEPERS.wake_any());
            SLEEPERS.wake_any();
        });
    }
}
