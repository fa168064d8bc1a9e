//: about a work-stealing deque: the owner takes at one end, thieves steal at the other
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A work-stealing deque of a fixed size, in the version for weak memory.

mod deque {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicIsize, AtomicU32, Ordering, fence};

    const SIZE: usize = 4;

    struct Inner {
        top: AtomicIsize,
        bottom: AtomicIsize,
        tasks: [AtomicU32; SIZE],
    }

    /// The owner's end.
    pub struct Worker {
        inner: Arc<Inner>,
    }

    /// The other end.
    #[derive(Clone)]
    pub struct Stealer {
        inner: Arc<Inner>,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum Steal {
        Empty,
        Retry,
        Task(u32),
    }

    impl Worker {
        pub fn new() -> Self {
            Worker {
                inner: Arc::new(Inner {
                    top: AtomicIsize::new(0),
                    bottom: AtomicIsize::new(0),
                    tasks: [const { AtomicU32::new(0) }; SIZE],
                }),
            }
        }

        pub fn stealer(&self) -> Stealer {
            Stealer { inner: Arc::clone(&self.inner) }
        }

        pub fn push(&self, task: u32) {
            let bottom = self.inner.bottom.load(Ordering::Relaxed);
            let top = self.inner.top.load(Ordering::Acquire);
            assert!(bottom - top < SIZE as isize, "the deque is full");
            self.inner.tasks[bottom as usize % SIZE].store(task, Ordering::Relaxed);
            fence(Ordering::Release);
            self.inner.bottom.store(bottom + 1, Ordering::Relaxed);
        }

        pub fn take(&self) -> Option<u32> {
            let bottom = self.inner.bottom.load(Ordering::Relaxed) - 1;
            self.inner.bottom.store(bottom, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            let top = self.inner.top.load(Ordering::Relaxed);
            if top > bottom {
                self.inner.bottom.store(bottom + 1, Ordering::Relaxed);
                return None;
            }
            let task = self.inner.tasks[bottom as usize % SIZE].load(Ordering::Relaxed);
            if top < bottom {
                return Some(task);
            }
            // The last task: a thief may be after it, too.
            let won = self
                .inner
                .top
                .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok();
            self.inner.bottom.store(bottom + 1, Ordering::Relaxed);
            won.then_some(task)
        }
    }

    impl Stealer {
        pub fn steal(&self) -> Steal {
            let top = self.inner.top.load(Ordering::Acquire);
            fence(Ordering::SeqCst);
            let bottom = self.inner.bottom.load(Ordering::Acquire);
            if top >= bottom {
                return Steal::Empty;
            }
            let task = self.inner.tasks[top as usize % SIZE].load(Ordering::Relaxed);
            match self.inner.top.compare_exchange(
                top,
                top + 1,
                Ordering::SeqCst,
                Ordering::Relaxed,
            ) {
                Ok(_) => Steal::Task(task),
                Err(_) => Steal::Retry,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::deque::{Steal, Worker};
    use std::thread;

    #[test]
    fn each_task_is_taken_once() {
        let worker = Worker::new();
        worker.push(1);
        worker.push(2);
        let stealer = worker.stealer();
        let thief = thread::spawn(move || {
            let mut sum = 0;
            for _ in 0..2 {
                if let Steal::Task(task) = stealer.steal() {
                    sum += task;
                }
            }
            sum
        });
        let mine = worker.take().unwrap_or(0) + worker.take().unwrap_or(0);
        let stolen = thief.join().unwrap();
        assert!(mine + stolen <= 3);
    }
}
