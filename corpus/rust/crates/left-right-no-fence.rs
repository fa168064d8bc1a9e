//: about the same, but the reader looks which copy is shown without a fence after its announcement
//: edition 2021
//: check sc holds
//: check tso violated
//: check pso violated
// Why: the writer does not see the announcement, which is in the reader's buffer (store buffering), and changes the copy that is being read
//! A value in two copies, for one reader and one writer.

mod left_right {
    use std::cell::UnsafeCell;
    use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};

    pub struct LeftRight<T> {
        copies: [UnsafeCell<T>; 2],
        shown: AtomicUsize,
        /// Odd while the reader reads.
        epoch: AtomicU32,
    }

    unsafe impl<T: Send + Sync> Sync for LeftRight<T> {}

    impl<T: Copy> LeftRight<T> {
        pub const fn new(value: T) -> Self {
            LeftRight {
                copies: [UnsafeCell::new(value), UnsafeCell::new(value)],
                shown: AtomicUsize::new(0),
                epoch: AtomicU32::new(0),
            }
        }

        /// Calls a function with the copy that is shown. Only the reader calls this.
        pub fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
            let epoch = self.epoch.load(Ordering::Relaxed);
            self.epoch.store(epoch + 1, Ordering::Release);
            let shown = self.shown.load(Ordering::Acquire);
            let result = look(unsafe { &*self.copies[shown].get() });
            self.epoch.store(epoch + 2, Ordering::Release);
            result
        }

        /// Changes both copies, one after the other. Only the writer calls this.
        pub fn write(&self, change: impl Fn(&mut T)) {
            let shown = self.shown.load(Ordering::Relaxed);
            change(unsafe { &mut *self.copies[1 - shown].get() });
            self.shown.store(1 - shown, Ordering::Release);
            fence(Ordering::SeqCst);
            let epoch = self.epoch.load(Ordering::Acquire);
            if epoch % 2 == 1 {
                while self.epoch.load(Ordering::Acquire) == epoch {
                    std::hint::spin_loop();
                }
            }
            change(unsafe { &mut *self.copies[shown].get() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::left_right::LeftRight;
    use std::thread;

    #[derive(Clone, Copy)]
    struct Range {
        from: u32,
        to: u32,
    }

    static RANGE: LeftRight<Range> = LeftRight::new(Range { from: 0, to: 1 });

    #[test]
    fn no_copy_is_read_half_written() {
        let writer = thread::spawn(|| {
            RANGE.write(|range| {
                range.from = 5;
                range.to = 6;
            });
        });
        let length = RANGE.read(|range| range.to - range.from);
        assert_eq!(length, 1);
        writer.join().unwrap();
    }
}
