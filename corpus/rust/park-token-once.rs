//: about a thread that is unparked before it parks
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
use std::thread;

#[test]
fn the_token_stays() {
    let main = thread::current();
    let other = thread::spawn(move || main.unpark());
    other.join().unwrap();
    thread::park();
}
