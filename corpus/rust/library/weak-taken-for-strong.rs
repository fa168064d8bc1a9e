//: about a `Weak` pointer that is expected to lead to the value still, which may have ended
//: check sc violated
//: check tso violated
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(7u32);
    let weak = Arc::downgrade(&strong);
    let reader = thread::spawn(move || assert_eq!(*weak.upgrade().unwrap(), 7));
    drop(strong);
    reader.join().unwrap();
}
