//: about a message that is sent before the data is written
//: check sc violated
//: check tso violated
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);

#[test]
fn what_is_received_was_written() {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        sender.send(1).unwrap();
        DATA.store(1, Ordering::Relaxed);
    });
    let i: u32 = receiver.recv().unwrap();
    assert!(DATA.load(Ordering::Relaxed) >= i);
    worker.join().unwrap();
}
