//: error "`super::queue::Queue` is not known: `super` has no `queue`"
//: edition 2021
// An import from the module around, which this file does not have.
use super::queue::Queue;
use std::thread;

static QUEUE: Queue = Queue::new();

#[test]
fn a_value_arrives() {
    let sender = thread::spawn(|| QUEUE.push(3));
    sender.join().unwrap();
    assert_eq!(QUEUE.pop(), Some(3));
}
