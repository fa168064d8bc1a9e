//: about a bounded queue whose consumers compare the two positions instead of looking at the slot
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the producer has taken its position and not written the slot yet, whose value is read all the same
//! A bounded queue of slots with turns: a slot is written in even turns and read in odd ones.

mod mpmc {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Slot<T> {
        turn: AtomicU32,
        value: UnsafeCell<MaybeUninit<T>>,
    }

    pub struct Queue<T, const N: usize> {
        slots: [Slot<T>; N],
        tail: AtomicU32,
        head: AtomicU32,
    }

    unsafe impl<T: Send, const N: usize> Sync for Queue<T, N> {}

    impl<T> Slot<T> {
        const fn new() -> Self {
            Slot { turn: AtomicU32::new(0), value: UnsafeCell::new(MaybeUninit::uninit()) }
        }
    }

    impl<T, const N: usize> Queue<T, N> {
        pub const fn new() -> Self {
            Queue {
                slots: [const { Slot::new() }; N],
                tail: AtomicU32::new(0),
                head: AtomicU32::new(0),
            }
        }

        fn slot(&self, position: u32) -> (&Slot<T>, u32) {
            let slot = &self.slots[position as usize % N];
            (slot, position / N as u32 * 2)
        }

        pub fn push(&self, value: T) -> Result<(), T> {
            let mut tail = self.tail.load(Ordering::Relaxed);
            loop {
                let (slot, turn) = self.slot(tail);
                if slot.turn.load(Ordering::Acquire) == turn {
                    match self.tail.compare_exchange_weak(
                        tail,
                        tail + 1,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    ) {
                        Ok(_) => {
                            unsafe { (*slot.value.get()).write(value) };
                            slot.turn.store(turn + 1, Ordering::Release);
                            return Ok(());
                        }
                        Err(now) => tail = now,
                    }
                } else {
                    let now = self.tail.load(Ordering::Relaxed);
                    if now == tail {
                        return Err(value);
                    }
                    tail = now;
                }
            }
        }

        pub fn pop(&self) -> Option<T> {
            let mut head = self.head.load(Ordering::Relaxed);
            loop {
                let (slot, turn) = self.slot(head);
                if head == self.tail.load(Ordering::Acquire) {
                    return None;
                }
                match self.head.compare_exchange_weak(
                    head,
                    head + 1,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => {
                        let value = unsafe { (*slot.value.get()).assume_init_read() };
                        slot.turn.store(turn + 2, Ordering::Release);
                        return Some(value);
                    }
                    Err(now) => head = now,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mpmc::Queue;
    use std::thread;

    static QUEUE: Queue<u32, 2> = Queue::new();

    #[test]
    fn what_is_popped_was_pushed() {
        let producer = thread::spawn(|| QUEUE.push(1).is_ok());
        let pushed = QUEUE.push(2).is_ok();
        let first = QUEUE.pop();
        assert!(first == Some(1) || first == Some(2) || first.is_none());
        assert!(producer.join().unwrap() && pushed);
        let rest = QUEUE.pop().unwrap_or(0) + QUEUE.pop().unwrap_or(0);
        assert_eq!(first.unwrap_or(0) + rest, 3);
    }
}

// race: `QUEUE.slots[0].value.value` (lines 59 and 89)
