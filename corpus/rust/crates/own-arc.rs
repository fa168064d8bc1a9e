//: about an `Arc` without weak pointers; `get_mut` and `drop` order what the others did before
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A pointer with a count, and nothing else.

mod rc {
    use std::ops::Deref;
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicUsize, Ordering, fence};

    struct Inner<T> {
        count: AtomicUsize,
        value: T,
    }

    /// A shared pointer to a `T`.
    pub struct Arc<T> {
        inner: NonNull<Inner<T>>,
    }

    unsafe impl<T: Send + Sync> Send for Arc<T> {}
    unsafe impl<T: Send + Sync> Sync for Arc<T> {}

    impl<T> Arc<T> {
        pub fn new(value: T) -> Self {
            let inner = Box::new(Inner { count: AtomicUsize::new(1), value });
            Arc { inner: unsafe { NonNull::new_unchecked(Box::into_raw(inner)) } }
        }

        fn inner(&self) -> &Inner<T> {
            unsafe { self.inner.as_ref() }
        }

        /// The value, if no other pointer leads to it.
        pub fn get_mut(this: &mut Self) -> Option<&mut T> {
            if this.inner().count.load(Ordering::Acquire) == 1 {
                Some(unsafe { &mut this.inner.as_mut().value })
            } else {
                None
            }
        }
    }

    impl<T> Clone for Arc<T> {
        fn clone(&self) -> Self {
            self.inner().count.fetch_add(1, Ordering::Relaxed);
            Arc { inner: self.inner }
        }
    }

    impl<T> Deref for Arc<T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.inner().value
        }
    }

    impl<T> Drop for Arc<T> {
        fn drop(&mut self) {
            if self.inner().count.fetch_sub(1, Ordering::Release) == 1 {
                fence(Ordering::Acquire);
                drop(unsafe { Box::from_raw(self.inner.as_ptr()) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rc::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    #[test]
    fn the_only_pointer_may_write() {
        let mut mine = Arc::new(AtomicU32::new(0));
        let other = mine.clone();
        let thread = thread::spawn(move || {
            other.store(2, Relaxed);
        });
        if let Some(value) = Arc::get_mut(&mut mine) {
            *value.get_mut() += 1;
            assert_eq!(mine.load(Relaxed), 3);
        }
        drop(mine);
        thread.join().unwrap();
    }
}
