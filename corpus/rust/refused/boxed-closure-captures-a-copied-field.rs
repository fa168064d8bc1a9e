//: error "this closure captures parts of `h`, which is not supported"
//: edition 2021
use std::sync::Mutex;
static M: Mutex<u32> = Mutex::new(0);
struct Held<'a> { _g: std::sync::MutexGuard<'a, u32>, turn: u32 }
#[test]
fn t() {
    let h = Held { _g: M.lock().unwrap(), turn: 3 };
    let f: Box<dyn FnOnce() -> u32> = Box::new(move || h.turn);   // copies `h.turn` only (edition 2021)
    assert_eq!(f(), 3);
    let other = std::thread::spawn(|| M.try_lock().is_ok());
    assert!(!other.join().unwrap());
}
