//: error "the type `HashMap` is not supported"
//: edition 2021
// A table of the standard library.
use std::collections::HashMap;
use std::sync::Mutex;
use std::thread;

fn main() {
    let seen: Mutex<HashMap<u32, u32>> = Mutex::new(HashMap::new());
    thread::scope(|s| {
        s.spawn(|| seen.lock().unwrap().insert(1, 10));
    });
    assert_eq!(seen.lock().unwrap().get(&1), Some(&10));
}
