//: about a right to read that becomes one to write or is given back: `self` is passed on
//: edition 2024
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::{mem, thread};

static LOCK: AtomicU32 = AtomicU32::new(0);

struct Read;
struct Write;

impl Drop for Read {
    fn drop(&mut self) {
        LOCK.fetch_sub(1, Release);
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        LOCK.store(0, Release);
    }
}

impl Read {
    fn try_upgrade(self) -> Result<Write, Self> {
        if LOCK.compare_exchange(1, 100, Acquire, Relaxed).is_ok() {
            mem::forget(self);
            Ok(Write)
        } else {
            Err(self)
        }
    }

    fn upgrade(self) -> Result<Write, Self> {
        self.try_upgrade()
    }
}

fn read() -> Option<Read> {
    let readers = LOCK.load(Relaxed);
    let free = readers < 100 && LOCK.compare_exchange(readers, readers + 1, Acquire, Relaxed).is_ok();
    if free { Some(Read) } else { None }
}

fn both() {
    let Some(read) = read() else { return };
    match read.upgrade() {
        Ok(write) => drop(write),
        Err(read) => drop(read),
    }
}

#[test]
fn free_at_the_end() {
    let thread = thread::spawn(both);
    both();
    thread.join().unwrap();
    assert_eq!(LOCK.load(Relaxed), 0);
}
