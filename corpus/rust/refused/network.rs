//: error "`net::TcpListener::bind` is not supported"
//: edition 2021
// A port of the machine.
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};

static LISTENS: AtomicBool = AtomicBool::new(false);

fn main() {
    if TcpListener::bind("127.0.0.1:0").is_ok() {
        LISTENS.store(true, Ordering::Release);
    }
    assert!(LISTENS.load(Ordering::Acquire));
}
