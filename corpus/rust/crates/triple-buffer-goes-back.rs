//: about a triple buffer whose reader exchanges buffers whether or not there is something new
//: edition 2021
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the second exchange gives the reader its old buffer back, so it sees an older value
//! A triple buffer: writer and reader have a buffer each, and exchange it for the one between them.

mod triple {
    use std::cell::UnsafeCell;
    use std::sync::atomic::{AtomicU8, Ordering};

    const NEW: u8 = 0b100;
    const INDEX: u8 = 0b011;

    pub struct TripleBuffer<T> {
        buffers: [UnsafeCell<T>; 3],
        /// The buffer between the two, and whether it is newer than the reader's.
        between: AtomicU8,
    }

    unsafe impl<T: Send> Sync for TripleBuffer<T> {}

    pub struct Input<'a, T> {
        shared: &'a TripleBuffer<T>,
        mine: u8,
    }

    pub struct Output<'a, T> {
        shared: &'a TripleBuffer<T>,
        mine: u8,
    }

    impl<T: Copy> TripleBuffer<T> {
        pub const fn new(value: T) -> Self {
            TripleBuffer {
                buffers: [UnsafeCell::new(value), UnsafeCell::new(value), UnsafeCell::new(value)],
                between: AtomicU8::new(1),
            }
        }

        pub fn split(&mut self) -> (Input<'_, T>, Output<'_, T>) {
            (Input { shared: self, mine: 0 }, Output { shared: self, mine: 2 })
        }
    }

    impl<T> Input<'_, T> {
        pub fn write(&mut self, value: T) {
            unsafe { *self.shared.buffers[self.mine as usize].get() = value };
            let before = self.shared.between.swap(self.mine | NEW, Ordering::AcqRel);
            self.mine = before & INDEX;
        }
    }

    impl<T: Copy> Output<'_, T> {
        fn update(&mut self) {
            let before = self.shared.between.swap(self.mine, Ordering::AcqRel);
            self.mine = before & INDEX;
        }

        pub fn read(&mut self) -> T {
            self.update();
            unsafe { *self.shared.buffers[self.mine as usize].get() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::triple::TripleBuffer;
    use std::thread;

    #[test]
    fn time_does_not_go_back() {
        let mut buffer = TripleBuffer::new(0u32);
        let (mut input, mut output) = buffer.split();
        thread::scope(|s| {
            s.spawn(move || {
                input.write(1);
                input.write(2);
            });
            let first = output.read();
            let second = output.read();
            assert!(first <= second);
        });
    }
}
