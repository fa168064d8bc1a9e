//: about a ring whose producer publishes its index by a relaxed store
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso violated
// Why: under PSO the index may be in memory before the value; under TSO stores stay in order (on ARM they do not)
//! A ring for one producer and one consumer. Each side caches the index of the other one.

mod spsc {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicUsize, Ordering};

    pub struct Ring<T, const N: usize> {
        slots: [UnsafeCell<MaybeUninit<T>>; N],
        head: AtomicUsize,
        tail: AtomicUsize,
    }

    unsafe impl<T: Send, const N: usize> Sync for Ring<T, N> {}

    pub struct Producer<'a, T, const N: usize> {
        ring: &'a Ring<T, N>,
        tail: usize,
        head_seen: usize,
    }

    pub struct Consumer<'a, T, const N: usize> {
        ring: &'a Ring<T, N>,
        head: usize,
        tail_seen: usize,
    }

    impl<T, const N: usize> Ring<T, N> {
        pub const fn new() -> Self {
            Ring {
                slots: [const { UnsafeCell::new(MaybeUninit::uninit()) }; N],
                head: AtomicUsize::new(0),
                tail: AtomicUsize::new(0),
            }
        }

        /// The two ends. There is one of each, since the ring is borrowed by both.
        pub fn split(&mut self) -> (Producer<'_, T, N>, Consumer<'_, T, N>) {
            let ring = &*self;
            (
                Producer { ring, tail: 0, head_seen: 0 },
                Consumer { ring, head: 0, tail_seen: 0 },
            )
        }
    }

    impl<T, const N: usize> Producer<'_, T, N> {
        pub fn push(&mut self, value: T) -> Result<(), T> {
            if self.tail - self.head_seen == N {
                self.head_seen = self.ring.head.load(Ordering::Acquire);
                if self.tail - self.head_seen == N {
                    return Err(value);
                }
            }
            let slot = &self.ring.slots[self.tail % N];
            unsafe { (*slot.get()).write(value) };
            self.tail += 1;
            self.ring.tail.store(self.tail, Ordering::Relaxed);
            Ok(())
        }
    }

    impl<T, const N: usize> Consumer<'_, T, N> {
        pub fn pop(&mut self) -> Option<T> {
            if self.head == self.tail_seen {
                self.tail_seen = self.ring.tail.load(Ordering::Acquire);
                if self.head == self.tail_seen {
                    return None;
                }
            }
            let slot = &self.ring.slots[self.head % N];
            let value = unsafe { (*slot.get()).assume_init_read() };
            self.head += 1;
            self.ring.head.store(self.head, Ordering::Release);
            Some(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spsc::Ring;
    use std::thread;

    #[test]
    fn values_arrive_in_order() {
        let mut ring = Ring::<u32, 2>::new();
        let (mut producer, mut consumer) = ring.split();
        thread::scope(|s| {
            s.spawn(move || {
                for value in 1..4 {
                    if producer.push(value).is_err() {
                        break;
                    }
                }
            });
            let mut last = 0;
            for _ in 0..3 {
                if let Some(value) = consumer.pop() {
                    assert_eq!(value, last + 1);
                    last = value;
                }
            }
        });
    }
}

// race: `values_arrive_in_order.ring.slots[0].value` and `values_arrive_in_order.ring.slots[1].value` (lines 62 and 78)
