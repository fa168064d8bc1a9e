//: about a lock in a module, with a test that imports it
//: check sc holds
//: check tso violated
//: robust tso no
pub mod flags {
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Flags {
        mine: AtomicU32,
        other: AtomicU32,
    }

    impl Flags {
        pub const fn new() -> Self {
            Self { mine: AtomicU32::new(0), other: AtomicU32::new(0) }
        }

        pub fn first(&self) -> u32 {
            self.mine.store(1, Ordering::Release);
            self.other.load(Ordering::Acquire)
        }

        pub fn second(&self) -> u32 {
            self.other.store(1, Ordering::Release);
            self.mine.load(Ordering::Acquire)
        }
    }

    impl Default for Flags {
        fn default() -> Self {
            Self::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::flags::Flags;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn one_sees_the_other() {
        let flags = Arc::new(Flags::new());
        let other = Arc::clone(&flags);
        let t = thread::spawn(move || other.first());
        let seen = flags.second();
        assert!(seen + t.join().unwrap() >= 1);
    }
}
