//: about a wait group whose members the threads do not take: `let _ = member` in a closure captures nothing
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: each member ends in the loop that creates the threads, so `wait` returns before their work is done
//! A wait group. The creator waits until all members have been dropped.

mod wait_group {
    use atomic_wait::{wait, wake_all};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Inner {
        members: AtomicU32,
    }

    pub struct WaitGroup {
        inner: Arc<Inner>,
    }

    impl Default for WaitGroup {
        fn default() -> Self {
            WaitGroup { inner: Arc::new(Inner { members: AtomicU32::new(1) }) }
        }
    }

    impl WaitGroup {
        pub fn new() -> Self {
            Self::default()
        }

        /// Ends this member, and waits for all others.
        pub fn wait(self) {
            let inner = Arc::clone(&self.inner);
            drop(self);
            loop {
                let members = inner.members.load(Ordering::Acquire);
                if members == 0 {
                    return;
                }
                wait(&inner.members, members);
            }
        }
    }

    impl Clone for WaitGroup {
        fn clone(&self) -> Self {
            self.inner.members.fetch_add(1, Ordering::Relaxed);
            WaitGroup { inner: Arc::clone(&self.inner) }
        }
    }

    impl Drop for WaitGroup {
        fn drop(&mut self) {
            if self.inner.members.fetch_sub(1, Ordering::AcqRel) == 1 {
                wake_all(&self.inner.members);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wait_group::WaitGroup;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    #[test]
    fn all_work_is_done() {
        let done = Arc::new(AtomicU32::new(0));
        let group = WaitGroup::new();
        for _ in 0..2 {
            let (done, member) = (done.clone(), group.clone());
            thread::spawn(move || {
                let _ = member;
                done.fetch_add(1, Relaxed);
            });
        }
        group.wait();
        assert_eq!(done.load(Relaxed), 2);
    }
}
