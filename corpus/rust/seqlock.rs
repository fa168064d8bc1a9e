//: about a sequence lock: a writer and a reader that tries again
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{fence, AtomicU32};
use std::sync::Arc;
use std::thread;

#[derive(Default)]
struct SeqLock {
    version: AtomicU32,
    left: AtomicU32,
    right: AtomicU32,
}

impl SeqLock {
    fn write(&self, value: u32) {
        let version = self.version.load(Relaxed);
        self.version.store(version + 1, Relaxed);
        fence(Release);
        self.left.store(value, Relaxed);
        self.right.store(value, Relaxed);
        self.version.store(version + 2, Release);
    }

    fn read(&self) -> (u32, u32) {
        loop {
            let before = self.version.load(Acquire);
            if before % 2 == 1 {
                continue;
            }
            let seen = (self.left.load(Relaxed), self.right.load(Relaxed));
            fence(Acquire);
            if self.version.load(Relaxed) == before {
                return seen;
            }
        }
    }
}

#[test]
fn both_halves_agree() {
    let lock = Arc::new(SeqLock {
        version: AtomicU32::new(0),
        left: AtomicU32::new(0),
        right: AtomicU32::new(0),
    });
    let writer = {
        let lock = lock.clone();
        thread::spawn(move || lock.write(7))
    };
    let (left, right) = lock.read();
    assert_eq!(left, right);
    writer.join().unwrap();
}
