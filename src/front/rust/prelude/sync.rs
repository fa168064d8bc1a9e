//! `std::sync`: what is not known by itself.
//!
//! No thread panics while it holds a lock, so no lock is poisoned.

pub struct PoisonError<T> {
    guard: T,
}

impl<T> PoisonError<T> {
    pub fn into_inner(self) -> T {
        self.guard
    }

    pub fn get_ref(&self) -> &T {
        &self.guard
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

// The first variant is the one of an error that was not made from a guard: its tag is 0.
pub enum TryLockError<T> {
    WouldBlock,
    Poisoned(PoisonError<T>),
}

pub use super::arc::Weak;
use super::option::{None, Option, Some};
use super::result::{Err, Ok, Result};
use atomic_wait::{wait, wake_all};
use core::cell::{Cell, UnsafeCell};
use core::intrinsics;
use core::sync::atomic::{AtomicU32, Ordering};
use core::sync::{Condvar, Mutex, MutexGuard};
use super::time::Duration;

// The states of a `Once`.
const NEW: u32 = 0;
const RUNNING: u32 = 1;
const DONE: u32 = 2;

pub struct Once {
    state: AtomicU32,
}

impl Once {
    pub const fn new() -> Once {
        Once {
            state: AtomicU32::new(NEW),
        }
    }

    pub fn is_completed(&self) -> bool {
        self.state.load(Ordering::Acquire) == DONE
    }

    pub fn call_once(&self, f: impl FnOnce()) {
        if self.state.load(Ordering::Acquire) == DONE {
            return;
        }
        loop {
            let state = self.state.load(Ordering::Acquire);
            if state == DONE {
                return;
            }
            if state == RUNNING {
                wait(&self.state, RUNNING);
            } else if self
                .state
                .compare_exchange(NEW, RUNNING, Ordering::Acquire, Ordering::Acquire)
                .is_ok()
            {
                f();
                self.state.swap(DONE, Ordering::AcqRel);
                wake_all(&self.state);
                return;
            }
        }
    }
}

pub struct OnceLock<T> {
    once: Once,
    value: UnsafeCell<Option<T>>,
}

impl<T> OnceLock<T> {
    pub const fn new() -> OnceLock<T> {
        OnceLock {
            once: Once::new(),
            value: UnsafeCell::new(None),
        }
    }

    pub fn get(&self) -> Option<&T> {
        if self.once.is_completed() {
            let value = &*self.value.get();
            value.as_ref()
        } else {
            None
        }
    }

    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
        self.once.call_once(|| {
            let value = f();
            self.value.get().write(Some(value));
        });
        let value = &*self.value.get();
        match value {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        let mut given = Some(value);
        self.once.call_once(|| {
            self.value.get().write(given.take());
        });
        match given {
            Some(value) => Err(value),
            None => Ok(()),
        }
    }

    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }
}

impl<T> OnceLock<T> {
    pub fn get_mut(&mut self) -> Option<&mut T> {
        let value = &mut *self.value.get();
        value.as_mut()
    }

    pub fn take(&mut self) -> Option<T> {
        let value = &mut *self.value.get();
        let taken = value.take();
        if taken.is_some() {
            self.once = Once::new();
        }
        taken
    }
}

// It is made by the first one that needs it, and others wait for that.
pub struct LazyLock<T, F = fn() -> T> {
    cell: OnceLock<T>,
    make: Cell<Option<F>>,
}

impl<T, F> LazyLock<T, F> {
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock {
            cell: OnceLock::new(),
            make: Cell::new(Some(f)),
        }
    }

    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.cell.get_or_init(|| match this.make.take() {
            Some(make) => make(),
            None => panic!(),
        })
    }
}

impl<T, F> Deref for LazyLock<T, F> {
    type Target = T;

    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

struct Round {
    arrived: usize,
    number: u32,
}

pub struct Barrier {
    round: Mutex<Round>,
    ended: Condvar,
    threads: usize,
}

pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl Barrier {
    pub const fn new(threads: usize) -> Barrier {
        Barrier {
            round: Mutex::new(Round {
                arrived: 0,
                number: 0,
            }),
            ended: Condvar::new(),
            threads,
        }
    }

    pub fn wait(&self) -> BarrierWaitResult {
        let mut round = self.round.lock().unwrap();
        let own = round.number;
        round.arrived += 1;
        if round.arrived < self.threads {
            while round.number == own {
                round = self.ended.wait(round).unwrap();
            }
            BarrierWaitResult(false)
        } else {
            round.arrived = 0;
            round.number = round.number.wrapping_add(1);
            self.ended.notify_all();
            BarrierWaitResult(true)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

// Whether the time is over is up to it: so a wait ends at some time, for one reason or another.
impl Condvar {
    pub fn wait_timeout<T>(
        &self,
        guard: MutexGuard<T>,
        time: Duration,
    ) -> Result<(MutexGuard<T>, WaitTimeoutResult), PoisonError<(MutexGuard<T>, WaitTimeoutResult)>> {
        let is_over = intrinsics::wait_timeout(self, &guard);
        Ok((guard, WaitTimeoutResult(is_over)))
    }

    pub fn wait_timeout_while<T, F: FnMut(&mut T) -> bool>(
        &self,
        guard: MutexGuard<T>,
        time: Duration,
        mut condition: F,
    ) -> Result<(MutexGuard<T>, WaitTimeoutResult), PoisonError<(MutexGuard<T>, WaitTimeoutResult)>> {
        let mut guard = guard;
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            if intrinsics::either() {
                return Ok((guard, WaitTimeoutResult(true)));
            }
            intrinsics::wait_timeout(self, &guard);
        }
    }
}
