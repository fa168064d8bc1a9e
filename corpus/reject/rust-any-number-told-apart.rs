//: any number
//: error "any number of threads execute `thread`, and what each is called with is not known or not the same"
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

static LAST: AtomicUsize = AtomicUsize::new(0);

#[test]
fn told_apart() {
    for i in 0..3 {
        thread::spawn(move || LAST.store(i, Relaxed));
    }
}
