//: error "the method `try_lock_for` of `Mutex<u32>` is not supported"
//: edition 2021
// A method that the type does not have.
use std::sync::Mutex;
use std::thread;

static TOTAL: Mutex<u32> = Mutex::new(0);

fn main() {
    let other = thread::spawn(|| *TOTAL.lock().unwrap() += 1);
    if let Some(mut total) = TOTAL.try_lock_for(5) {
        *total += 1;
    }
    other.join().unwrap();
}
