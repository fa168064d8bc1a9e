//: about a reader that locks again may wait behind a writer, which waits for its first guard
//: forbid stuck
//: check sc violated
//: check tso violated
use std::sync::RwLock;
use std::thread;

static COUNT: RwLock<u32> = RwLock::new(0);

fn twice() -> u32 {
    let first = COUNT.read().unwrap();
    let second = COUNT.read().unwrap();
    *first + *second
}

#[test]
fn reads_while_another_writes() {
    let writer = thread::spawn(|| *COUNT.write().unwrap() += 1);
    let seen = twice();
    writer.join().unwrap();
    assert!(seen == 0 || seen == 2);
}
