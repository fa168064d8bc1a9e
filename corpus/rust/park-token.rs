//: about the token: a thread that is unparked before it parks does not wait, but only once
//: forbid stuck
//: check sc violated  both calls come before the first `park`, and the token is there once
//: check tso violated
use std::thread;

#[test]
fn there_is_one_token() {
    let main = thread::current();
    let other = thread::spawn(move || {
        main.unpark();
        main.unpark();
    });
    thread::park();
    other.join().unwrap();
    thread::park();
}
