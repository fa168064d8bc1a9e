//: about a semaphore over a futex with permits that return themselves
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A semaphore. `acquire` yields a permit, whose end returns it.

mod semaphore {
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Semaphore {
        permits: AtomicU32,
    }

    #[must_use = "the permit is returned at its end"]
    pub struct Permit<'a> {
        of: &'a Semaphore,
    }

    impl Semaphore {
        pub const fn new(permits: u32) -> Self {
            Semaphore { permits: AtomicU32::new(permits) }
        }

        pub fn try_acquire(&self) -> Option<Permit<'_>> {
            let one_less = |n: u32| n.checked_sub(1);
            self.permits
                .fetch_update(Ordering::Acquire, Ordering::Relaxed, one_less)
                .ok()
                .map(|_| Permit { of: self })
        }

        pub fn acquire(&self) -> Permit<'_> {
            loop {
                if let Some(permit) = self.try_acquire() {
                    return permit;
                }
                atomic_wait::wait(&self.permits, 0);
            }
        }
    }

    impl Drop for Permit<'_> {
        fn drop(&mut self) {
            self.of.permits.fetch_add(1, Ordering::Release);
            atomic_wait::wake_one(&self.of.permits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::semaphore::Semaphore;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    static PLACES: Semaphore = Semaphore::new(2);
    static INSIDE: AtomicU32 = AtomicU32::new(0);

    fn visit() {
        let _permit = PLACES.acquire();
        assert!(INSIDE.fetch_add(1, Relaxed) < 2);
        INSIDE.fetch_sub(1, Relaxed);
    }

    #[test]
    fn two_at_most() {
        thread::scope(|s| {
            s.spawn(visit);
            s.spawn(visit);
            visit();
        });
        assert!(PLACES.try_acquire().is_some_and(|_first| PLACES.try_acquire().is_some()));
    }
}
