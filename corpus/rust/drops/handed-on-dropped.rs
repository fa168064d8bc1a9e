//: about a right to read that ends although it became one to write
//: edition 2024
//: check sc violated
//: check tso violated
//: check pso violated
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

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
            drop(self);
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
