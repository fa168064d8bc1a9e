//: about a sequence lock over an array of atomic words
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A sequence lock: readers try again if the writer was there.

mod seqlock {
    use std::sync::atomic::{AtomicU32, Ordering, fence};

    pub struct SeqLock<const N: usize> {
        sequence: AtomicU32,
        words: [AtomicU32; N],
    }

    impl<const N: usize> SeqLock<N> {
        pub const fn new() -> Self {
            SeqLock { sequence: AtomicU32::new(0), words: [const { AtomicU32::new(0) }; N] }
        }

        /// What is there, unless the writer is at work.
        pub fn try_read(&self) -> Option<[u32; N]> {
            let before = self.sequence.load(Ordering::Acquire);
            if before % 2 == 1 {
                return None;
            }
            let mut seen = [0; N];
            for i in 0..N {
                seen[i] = self.words[i].load(Ordering::Relaxed);
            }
            fence(Ordering::Acquire);
            if self.sequence.load(Ordering::Relaxed) == before {
                Some(seen)
            } else {
                None
            }
        }

        /// Writes all words. Only the writer calls this.
        pub fn write(&self, values: [u32; N]) {
            let before = self.sequence.load(Ordering::Relaxed);
            self.sequence.store(before + 1, Ordering::Relaxed);
            fence(Ordering::Release);
            for i in 0..N {
                self.words[i].store(values[i], Ordering::Relaxed);
            }
            self.sequence.store(before + 2, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::seqlock::SeqLock;
    use std::thread;

    static LOCK: SeqLock<2> = SeqLock::new();

    #[test]
    fn words_belong_together() {
        let writer = thread::spawn(|| LOCK.write([3, 4]));
        if let Some(seen) = LOCK.try_read() {
            assert!(seen[0] == 0 && seen[1] == 0 || seen[0] == 3 && seen[1] == 4);
        }
        writer.join().unwrap();
    }
}
