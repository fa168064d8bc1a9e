//: about a reader that drops its guard before it locks again
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::RwLock;
use std::thread;

static COUNT: RwLock<u32> = RwLock::new(0);

fn twice() -> u32 {
    let first = *COUNT.read().unwrap();
    let second = *COUNT.read().unwrap();
    first.max(second)
}

#[test]
fn reads_while_another_writes() {
    let writer = thread::spawn(|| *COUNT.write().unwrap() += 1);
    let seen = twice();
    writer.join().unwrap();
    assert!(seen == 0 || seen == 1);
}
