//: about a ticket lock with a guard, generic in what it protects
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A fair lock: threads draw tickets and are served in their order.

mod ticket {
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// How a thread waits.
    pub trait Relax {
        fn relax();
    }

    pub struct Spin;

    impl Relax for Spin {
        fn relax() {
            std::hint::spin_loop();
        }
    }

    pub struct TicketMutex<T, R = Spin> {
        next: AtomicU32,
        serving: AtomicU32,
        value: UnsafeCell<T>,
        relax: std::marker::PhantomData<R>,
    }

    unsafe impl<T: Send, R> Sync for TicketMutex<T, R> {}

    pub struct Guard<'a, T> {
        serving: &'a AtomicU32,
        ticket: u32,
        value: &'a mut T,
    }

    impl<T, R: Relax> TicketMutex<T, R> {
        pub const fn new(value: T) -> Self {
            TicketMutex {
                next: AtomicU32::new(0),
                serving: AtomicU32::new(0),
                value: UnsafeCell::new(value),
                relax: std::marker::PhantomData,
            }
        }

        pub fn lock(&self) -> Guard<'_, T> {
            let ticket = self.next.fetch_add(1, Ordering::Relaxed);
            while self.serving.load(Ordering::Acquire) != ticket {
                R::relax();
            }
            Guard { serving: &self.serving, ticket, value: unsafe { &mut *self.value.get() } }
        }
    }

    impl<T> Deref for Guard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.value
        }
    }

    impl<T> DerefMut for Guard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.value
        }
    }

    impl<T> Drop for Guard<'_, T> {
        fn drop(&mut self) {
            self.serving.store(self.ticket.wrapping_add(1), Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ticket::TicketMutex;
    use std::thread;

    static TOTAL: TicketMutex<u32> = TicketMutex::new(0);

    #[test]
    fn sums_are_exact() {
        let other = thread::spawn(|| *TOTAL.lock() += 1);
        *TOTAL.lock() += 2;
        other.join().unwrap();
        assert_eq!(*TOTAL.lock(), 3);
    }
}
