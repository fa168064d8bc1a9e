//: about the same as readers-and-writers.rs, but a reader leaves by a relaxed operation: the next writer does not come after what it read
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

struct Lock {
    state: AtomicU32,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Lock {}

struct Writer<'a>(&'a Lock);
struct Reader<'a>(&'a Lock);

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.0.state.store(0, Release);
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_sub(1, Relaxed);
    }
}

impl Lock {
    fn write(&self) -> Writer<'_> {
        while self.state.compare_exchange(0, u32::MAX, Acquire, Relaxed).is_err() {}
        Writer(self)
    }

    fn read(&self) -> Reader<'_> {
        let mut seen = self.state.load(Relaxed);
        loop {
            if seen < u32::MAX {
                match self.state.compare_exchange_weak(seen, seen + 1, Acquire, Relaxed) {
                    Ok(_) => return Reader(self),
                    Err(now) => seen = now,
                }
            } else {
                seen = self.state.load(Relaxed);
            }
        }
    }
}

static LOCK: Lock = Lock { state: AtomicU32::new(0), value: UnsafeCell::new(0) };

fn add() {
    let writer = LOCK.write();
    unsafe { *LOCK.value.get() += 1 };
    drop(writer);
}

#[test]
fn readers_and_writers() {
    let one = thread::spawn(|| add());
    let other = thread::spawn(|| add());
    let reader = LOCK.read();
    let seen = unsafe { *LOCK.value.get() };
    drop(reader);
    one.join().unwrap();
    other.join().unwrap();
    assert!(seen <= 2);
}

// race: `LOCK.value` (lines 56 and 65)
