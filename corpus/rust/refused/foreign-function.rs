//: error "`sched_getcpu` is not known"
//: edition 2021
// A function of another language.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

extern "C" {
    fn sched_getcpu() -> i32;
}

static SHARDS: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

fn count() {
    let shard = unsafe { sched_getcpu() } as usize % 2;
    SHARDS[shard].fetch_add(1, Relaxed);
}

fn main() {
    let other = thread::spawn(count);
    count();
    other.join().unwrap();
    assert_eq!(SHARDS[0].load(Relaxed) + SHARDS[1].load(Relaxed), 2);
}
