//: error "`crossbeam_channel::unbounded` is not known: neither a module `crossbeam_channel` nor a crate of this name was read"
//: edition 2021
// A crate from a registry.
use crossbeam_channel::unbounded;
use std::thread;

fn main() {
    let (sender, receiver) = unbounded();
    let worker = thread::spawn(move || sender.send(1).unwrap());
    assert_eq!(receiver.recv().unwrap(), 1);
    worker.join().unwrap();
}
