//: about the same, but a user looks whether the resource is closed without a fence after it has counted itself
//: edition 2021
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the user's number is in its buffer while it reads that the resource is open (store buffering), and the closer finds no user
//! A resource with users, and a count of users that is cheap for each of them.

mod gate {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};

    /// A count on a line of the cache of its own.
    #[repr(align(64))]
    struct Shard(AtomicU32);

    pub struct Gate<const N: usize> {
        closed: AtomicBool,
        users: [Shard; N],
    }

    pub struct User<'a> {
        shard: &'a Shard,
    }

    impl<const N: usize> Gate<N> {
        pub const fn new() -> Self {
            Gate {
                closed: AtomicBool::new(false),
                users: [const { Shard(AtomicU32::new(0)) }; N],
            }
        }

        /// Begins to use the resource, unless it is closed. Each shard belongs to one thread.
        pub fn enter(&self, shard: usize) -> Option<User<'_>> {
            let shard = &self.users[shard];
            let users = shard.0.load(Ordering::Relaxed);
            shard.0.store(users + 1, Ordering::Relaxed);
            let user = User { shard };
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            Some(user)
        }

        /// Closes the resource, and waits for its users.
        pub fn close(&self) {
            self.closed.store(true, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            for Shard(users) in &self.users {
                while users.load(Ordering::Acquire) > 0 {
                    std::hint::spin_loop();
                }
            }
        }
    }

    impl Drop for User<'_> {
        fn drop(&mut self) {
            let users = self.shard.0.load(Ordering::Relaxed);
            self.shard.0.store(users - 1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::gate::Gate;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread;

    static GATE: Gate<2> = Gate::new();
    static OPEN: AtomicBool = AtomicBool::new(true);

    fn visit(shard: usize) {
        if let Some(_user) = GATE.enter(shard) {
            assert!(OPEN.load(Relaxed));
        }
    }

    #[test]
    fn closed_means_unused() {
        let other = thread::spawn(|| visit(1));
        GATE.close();
        OPEN.store(false, Relaxed);
        visit(0);
        other.join().unwrap();
    }
}
