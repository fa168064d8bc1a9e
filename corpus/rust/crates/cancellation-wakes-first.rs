//: about a token that unparks the thread before it says that it is cancelled
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the thread uses up its wake-up, sees that it is not cancelled, and parks again
//! A token that a thread can wait for, and a guard that cancels it.

mod token {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, Thread};

    #[derive(Clone)]
    pub struct CancellationToken {
        cancelled: Arc<AtomicBool>,
    }

    /// Cancels the token at its end.
    pub struct DropGuard<'a> {
        token: CancellationToken,
        waiter: &'a Thread,
    }

    impl CancellationToken {
        pub fn new() -> Self {
            CancellationToken { cancelled: Arc::new(AtomicBool::new(false)) }
        }

        pub fn is_cancelled(&self) -> bool {
            self.cancelled.load(Ordering::Acquire)
        }

        /// Parks until the token is cancelled.
        pub fn wait(&self) {
            while !self.is_cancelled() {
                thread::park();
            }
        }

        pub fn drop_guard(self, waiter: &Thread) -> DropGuard<'_> {
            DropGuard { token: self, waiter }
        }
    }

    impl Drop for DropGuard<'_> {
        fn drop(&mut self) {
            self.waiter.unpark();
            self.token.cancelled.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::token::CancellationToken;
    use std::thread;

    fn early(fails: bool) -> Option<()> {
        if fails { None } else { Some(()) }
    }

    #[test]
    fn the_waiter_is_cancelled() {
        let token = CancellationToken::new();
        let copy = token.clone();
        let waiter = thread::spawn(move || copy.wait());
        let run = || {
            let _guard = token.clone().drop_guard(waiter.thread());
            early(true)?;
            Some(1)
        };
        assert!(run().is_none());
        waiter.join().unwrap();
    }
}
