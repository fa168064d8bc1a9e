//: about a cell that is replaced as a whole; the old value is freed when no reader is inside
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A cell for values that are read often and replaced seldom.

mod rcu {
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

    pub struct RcuCell<T> {
        current: AtomicPtr<T>,
        readers: AtomicUsize,
    }

    struct Inside<'a>(&'a AtomicUsize);

    impl<'a> Inside<'a> {
        fn enter(readers: &'a AtomicUsize) -> Self {
            readers.fetch_add(1, Ordering::SeqCst);
            Inside(readers)
        }
    }

    impl Drop for Inside<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Release);
        }
    }

    impl<T> RcuCell<T> {
        pub fn new(value: T) -> Self {
            RcuCell {
                current: AtomicPtr::new(Box::into_raw(Box::new(value))),
                readers: AtomicUsize::new(0),
            }
        }

        pub fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
            let _inside = Inside::enter(&self.readers);
            let current = NonNull::new(self.current.load(Ordering::SeqCst)).unwrap();
            look(unsafe { current.as_ref() })
        }

        fn wait_for_readers(&self) {
            while self.readers.load(Ordering::SeqCst) != 0 {
                std::hint::spin_loop();
            }
        }

        /// Replaces the value, and frees the old one.
        pub fn replace(&self, value: T) {
            let new = Box::into_raw(Box::new(value));
            let old = self.current.swap(new, Ordering::SeqCst);
            self.wait_for_readers();
            drop(unsafe { Box::from_raw(old) });
        }
    }

    impl<T> Drop for RcuCell<T> {
        fn drop(&mut self) {
            drop(unsafe { Box::from_raw(*self.current.get_mut()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rcu::RcuCell;
    use std::thread;

    struct Route {
        hops: u32,
        cost: u32,
    }

    #[test]
    fn readers_see_whole_values() {
        let route = RcuCell::new(Route { hops: 1, cost: 10 });
        thread::scope(|s| {
            s.spawn(|| route.replace(Route { hops: 2, cost: 20 }));
            route.read(|route| assert_eq!(route.cost, route.hops * 10));
        });
    }
}
