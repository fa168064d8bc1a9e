//: about a sequence lock whose readers compare the two numbers and do not look whether they are odd
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: a reader that comes and goes while a writer is at work sees the same odd number twice
//! A sequence lock that is a lock for its writers.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use std::thread;

pub struct Stamped<const N: usize> {
    stamp: AtomicUsize,
    data: [AtomicU64; N],
}

/// The writer's right to change the data.
pub struct Writing<'a, const N: usize> {
    of: &'a Stamped<N>,
    stamp: usize,
}

impl<const N: usize> Stamped<N> {
    pub const fn new() -> Self {
        Self { stamp: AtomicUsize::new(0), data: [const { AtomicU64::new(0) }; N] }
    }

    pub fn write(&self) -> Writing<'_, N> {
        loop {
            let stamp = self.stamp.load(Ordering::Relaxed);
            if stamp & 1 == 0
                && self
                    .stamp
                    .compare_exchange(stamp, stamp + 1, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            {
                fence(Ordering::Release);
                return Writing { of: self, stamp };
            }
            std::hint::spin_loop();
        }
    }

    pub fn try_read<R>(&self, look: impl Fn(&[AtomicU64; N]) -> R) -> Option<R> {
        let stamp = self.stamp.load(Ordering::Acquire);
        let result = look(&self.data);
        fence(Ordering::Acquire);
        (self.stamp.load(Ordering::Relaxed) == stamp).then_some(result)
    }
}

impl<const N: usize> Writing<'_, N> {
    pub fn set(&mut self, index: usize, value: u64) {
        self.of.data[index].store(value, Ordering::Relaxed);
    }
}

impl<const N: usize> Drop for Writing<'_, N> {
    fn drop(&mut self) {
        self.of.stamp.store(self.stamp + 2, Ordering::Release);
    }
}

static POINT: Stamped<2> = Stamped::new();

fn main() {
    let write = |value: u64| {
        let mut point = POINT.write();
        point.set(0, value);
        point.set(1, value);
    };
    let writers = [thread::spawn(move || write(1)), thread::spawn(move || write(1 << 40))];
    let seen = POINT.try_read(|data| {
        data[0].load(Ordering::Relaxed) == data[1].load(Ordering::Relaxed)
    });
    assert!(seen != Some(false));
    for writer in writers {
        writer.join().unwrap();
    }
}
