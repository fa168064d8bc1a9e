//: about a length that is read under another lock than the push: it may have changed
//: check sc violated
//: check tso violated
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn the_index_is_the_last() {
    let all = Arc::new(Mutex::new(vec![1u32]));
    let other = {
        let all = all.clone();
        thread::spawn(move || {
            all.lock().unwrap().clear();
        })
    };
    let length = all.lock().unwrap().len();
    if length > 0 {
        // The vector may be empty by now.
        assert_eq!(all.lock().unwrap()[length - 1], 1);
    }
    other.join().unwrap();
}
