//: about two producers, and a consumer that takes what is there: nothing is lost, and each producer's values stay in order
//: check sc holds
//: check tso holds
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn values_stay_in_order() {
    let queue = Arc::new(Mutex::new(VecDeque::new()));
    let producers: Vec<_> = (0..2)
        .map(|i| {
            let queue = queue.clone();
            thread::spawn(move || {
                queue.lock().unwrap().push_back(10 * i);
                queue.lock().unwrap().push_back(10 * i + 1);
            })
        })
        .collect();
    let early: Option<u32> = queue.lock().unwrap().pop_front();
    for producer in producers {
        producer.join().unwrap();
    }
    let rest = queue.lock().unwrap();
    let all: Vec<u32> = early.into_iter().chain(rest.iter().copied()).collect();
    assert_eq!(all.len(), 4);
    assert_eq!(all.iter().sum::<u32>(), 22);
    let position = |value| all.iter().position(|x| *x == value);
    assert!(position(0) < position(1));
    assert!(position(10) < position(11));
}
