//: about the same without the fence of `pin`
//: edition 2021
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the pinned epoch may be in the reader's buffer while it loads the pointer (store buffering), so the epoch advances twice and the value is freed
//! Epochs: what was unlinked in one epoch is freed when all threads have seen the next one.

mod epoch {
    use std::sync::atomic::{AtomicU32, Ordering, fence};

    pub struct Collector {
        epoch: AtomicU32,
        /// 0 while the reader is not pinned, else twice its epoch plus 1.
        reader: AtomicU32,
    }

    pub struct Guard<'a> {
        collector: &'a Collector,
    }

    impl Collector {
        pub const fn new() -> Self {
            Collector { epoch: AtomicU32::new(0), reader: AtomicU32::new(0) }
        }

        /// Pins the reader: nothing that it can reach from now on is freed while the guard lives.
        pub fn pin(&self) -> Guard<'_> {
            let epoch = self.epoch.load(Ordering::Relaxed);
            self.reader.store(epoch * 2 + 1, Ordering::Relaxed);
            Guard { collector: self }
        }

        /// Whether the epoch has advanced. Only one thread calls this.
        pub fn try_advance(&self) -> bool {
            fence(Ordering::SeqCst);
            let epoch = self.epoch.load(Ordering::Relaxed);
            let reader = self.reader.load(Ordering::Acquire);
            if reader != 0 && reader / 2 != epoch {
                return false;
            }
            self.epoch.store(epoch + 1, Ordering::Release);
            true
        }
    }

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.collector.reader.store(0, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::epoch::Collector;
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::thread;

    static COLLECTOR: Collector = Collector::new();

    #[test]
    fn nothing_in_use_is_freed() {
        let current = AtomicPtr::new(Box::into_raw(Box::new(17)));
        thread::scope(|s| {
            s.spawn(|| {
                let guard = COLLECTOR.pin();
                let value = current.load(Ordering::Acquire);
                if !value.is_null() {
                    assert_eq!(unsafe { *value }, 17);
                }
                drop(guard);
            });
            let old = current.swap(ptr::null_mut(), Ordering::AcqRel);
            if COLLECTOR.try_advance() && COLLECTOR.try_advance() {
                drop(unsafe { Box::from_raw(old) });
            }
        });
    }
}
