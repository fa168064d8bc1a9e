//: about a receiver that waits for a time: it has the message, or the time is over, or the sender has ended
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let (sender, receiver) = channel();
    let t = thread::spawn(move || {
        thread::sleep(Duration::from_millis(5));
        let _ = sender.send(3);
    });
    let start = Instant::now();
    let end = match receiver.recv_timeout(Duration::from_millis(20)) {
        Ok(value) => value,
        Err(RecvTimeoutError::Timeout) => 4,
        // The message came first.
        Err(RecvTimeoutError::Disconnected) => unreachable!(),
    };
    assert!(end == 3 || end == 4);
    if start.elapsed() > Duration::from_secs(1) {
        thread::park_timeout(Duration::from_millis(1));
    }
    t.join().unwrap();
}
