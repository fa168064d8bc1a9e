//! Two sides that announce themselves: at least one has to notice the other.

use std::sync::atomic::{AtomicBool, Ordering};

pub struct Signals {
    here: [AtomicBool; 2],
}

impl Signals {
    pub const fn new() -> Self {
        Signals {
            here: [AtomicBool::new(false), AtomicBool::new(false)],
        }
    }

    /// Announces a side; whether it notices the other one.
    pub fn announce(&self, side: usize) -> bool {
        if cfg!(feature = "mended") {
            self.here[side].swap(true, Ordering::SeqCst);
        } else {
            self.here[side].store(true, Ordering::Release);
        }
        self.here[1 - side].load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    static SIGNALS: Signals = Signals::new();

    #[test]
    fn one_notices_the_other() {
        let other = thread::spawn(|| SIGNALS.announce(1));
        let mine = SIGNALS.announce(0);
        assert!(other.join().unwrap() || mine);
    }
}
