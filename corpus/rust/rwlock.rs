//: about a lock for readers and a writer: readers see both changes or none
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::{Arc, RwLock};
use std::thread;

#[test]
fn readers_see_whole_changes() {
    let pair = Arc::new(RwLock::new((0, 0)));
    let other = Arc::clone(&pair);
    let writer = thread::spawn(move || {
        let mut pair = other.write().unwrap();
        pair.0 += 1;
        pair.1 += 1;
    });
    {
        let first = pair.read().unwrap();
        let second = pair.read().unwrap();
        assert_eq!(first.0, second.1);
    }
    if let Ok(mut pair) = pair.try_write() {
        pair.0 += 1;
        pair.1 += 1;
    }
    writer.join().unwrap();
    let last = pair.read().unwrap();
    assert!(last.0 == last.1 && last.0 >= 1);
}
