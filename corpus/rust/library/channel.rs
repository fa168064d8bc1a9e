//: about what a channel receives was written before it was sent, and it ends with its last sender
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);

#[test]
fn what_is_received_was_written() {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        for i in 1..=2u32 {
            DATA.store(i, Ordering::Relaxed);
            sender.send(i).unwrap();
        }
    });
    let mut sum = 0;
    for i in receiver {
        assert!(DATA.load(Ordering::Relaxed) >= i);
        sum += i;
    }
    worker.join().unwrap();
    assert_eq!(sum, 3);
}
