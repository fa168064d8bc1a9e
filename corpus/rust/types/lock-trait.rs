//: about a trait of locks with functions of its own, and two locks that implement it
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

trait RawLock: Default {
    /// How many steps a lock takes at least.
    const STEPS: u32;

    fn lock(&self);
    fn unlock(&self);

    fn with<R>(&self, f: impl FnOnce() -> R) -> R {
        self.lock();
        let result = f();
        self.unlock();
        result
    }
}

#[derive(Default)]
struct Spin(AtomicBool);

impl RawLock for Spin {
    const STEPS: u32 = 1;

    fn lock(&self) {
        while self.0.swap(true, Ordering::Acquire) {}
    }

    fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}

#[derive(Default)]
struct Ticket {
    next: AtomicU32,
    served: AtomicU32,
}

impl RawLock for Ticket {
    const STEPS: u32 = 2;

    fn lock(&self) {
        let own = self.next.fetch_add(1, Ordering::Relaxed);
        while self.served.load(Ordering::Acquire) != own {}
    }

    fn unlock(&self) {
        let served = self.served.load(Ordering::Relaxed);
        self.served.store(served + 1, Ordering::Release);
    }
}

#[derive(Default)]
struct Protected<L, T> {
    lock: L,
    value: UnsafeCell<T>,
}

unsafe impl<L: RawLock, T: Send> Sync for Protected<L, T> {}

impl<L: RawLock, T> Protected<L, T> {
    fn update<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        self.lock.with(|| f(unsafe { &mut *self.value.get() }))
    }
}

fn count_twice<L: RawLock + Sync>() -> u32 {
    let counter = Protected::<L, u32>::default();
    thread::scope(|scope| {
        scope.spawn(|| counter.update(|n| *n += L::STEPS));
        counter.update(|n| *n += L::STEPS);
    });
    counter.update(|n| *n)
}

#[test]
fn both_threads_count() {
    assert_eq!(count_twice::<Spin>(), 2);
    assert_eq!(count_twice::<Ticket>(), 4);
}
