//: error "the type `ThreadId` is not supported"
//: edition 2021
// The number of a thread, as the owner of a lock.
use std::sync::Mutex;
use std::thread::{self, ThreadId};

static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);

fn main() {
    let other = thread::spawn(|| *OWNER.lock().unwrap() = Some(thread::current().id()));
    other.join().unwrap();
    assert!(*OWNER.lock().unwrap() != Some(thread::current().id()));
}
