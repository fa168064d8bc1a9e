//: error "`libc::usleep` is not known: neither a module `libc` nor a crate of this name was read"
//: edition 2021
// A crate of functions of the system.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let other = thread::spawn(|| READY.store(true, Ordering::Release));
    while !READY.load(Ordering::Acquire) {
        unsafe { libc::usleep(10) };
    }
    other.join().unwrap();
}
