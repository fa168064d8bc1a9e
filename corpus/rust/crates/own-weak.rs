//: about an `Arc` with weak pointers of its own: `upgrade` succeeds while a strong pointer is there
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! `Arc` and `Weak`: the value ends with the last strong pointer, its memory with the last pointer of either kind.

mod arc {
    use std::cell::UnsafeCell;
    use std::mem::ManuallyDrop;
    use std::ops::Deref;
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicUsize, Ordering, fence};

    struct Inner<T> {
        strong: AtomicUsize,
        /// The weak pointers, and one for all strong ones.
        weak: AtomicUsize,
        value: UnsafeCell<ManuallyDrop<T>>,
    }

    pub struct Arc<T> {
        inner: NonNull<Inner<T>>,
    }

    pub struct Weak<T> {
        inner: NonNull<Inner<T>>,
    }

    unsafe impl<T: Send + Sync> Send for Arc<T> {}
    unsafe impl<T: Send + Sync> Send for Weak<T> {}

    impl<T> Arc<T> {
        pub fn new(value: T) -> Self {
            let inner = Box::new(Inner {
                strong: AtomicUsize::new(1),
                weak: AtomicUsize::new(1),
                value: UnsafeCell::new(ManuallyDrop::new(value)),
            });
            Arc { inner: NonNull::from(Box::leak(inner)) }
        }

        pub fn downgrade(this: &Self) -> Weak<T> {
            unsafe { this.inner.as_ref() }.weak.fetch_add(1, Ordering::Relaxed);
            Weak { inner: this.inner }
        }
    }

    impl<T> Deref for Arc<T> {
        type Target = T;

        fn deref(&self) -> &T {
            unsafe { &*self.inner.as_ref().value.get() }
        }
    }

    impl<T> Drop for Arc<T> {
        fn drop(&mut self) {
            let inner = unsafe { self.inner.as_ref() };
            if inner.strong.fetch_sub(1, Ordering::Release) == 1 {
                fence(Ordering::Acquire);
                unsafe { ManuallyDrop::drop(&mut *inner.value.get()) };
                drop(Weak { inner: self.inner });
            }
        }
    }

    impl<T> Weak<T> {
        /// A strong pointer, unless the value has ended.
        pub fn upgrade(&self) -> Option<Arc<T>> {
            let strong = unsafe { &self.inner.as_ref().strong };
            let mut seen = strong.load(Ordering::Relaxed);
            loop {
                if seen == 0 {
                    return None;
                }
                match strong.compare_exchange_weak(
                    seen,
                    seen + 1,
                    Ordering::Acquire,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return Some(Arc { inner: self.inner }),
                    Err(now) => seen = now,
                }
            }
        }
    }

    impl<T> Drop for Weak<T> {
        fn drop(&mut self) {
            let weak = unsafe { &self.inner.as_ref().weak };
            if weak.fetch_sub(1, Ordering::Release) == 1 {
                fence(Ordering::Acquire);
                unsafe { drop(Box::from_raw(self.inner.as_ptr())) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::arc::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::thread;

    static ALIVE: AtomicBool = AtomicBool::new(true);

    struct Connection;

    impl Connection {
        fn is_alive(&self) -> bool {
            ALIVE.load(SeqCst)
        }
    }

    impl Drop for Connection {
        fn drop(&mut self) {
            ALIVE.store(false, SeqCst);
        }
    }

    #[test]
    fn an_upgraded_pointer_keeps_the_value() {
        let strong = Arc::new(Connection);
        let weak = Arc::downgrade(&strong);
        let user = thread::spawn(move || {
            if let Some(connection) = weak.upgrade() {
                assert!(connection.is_alive());
            }
        });
        drop(strong);
        user.join().unwrap();
        assert!(!ALIVE.load(SeqCst));
    }
}
