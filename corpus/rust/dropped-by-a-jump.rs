//: about a jump drops the temporary values around it: no lock stays taken
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::{Mutex, MutexGuard};
use std::thread;
static M: Mutex<u32> = Mutex::new(1);
fn lock() -> MutexGuard<'static, u32> {
    M.lock().unwrap()
}
fn some(x: &u32) -> Option<u32> {
    if *x > 5 { Some(*x) } else { None }
}
fn returned() -> u32 {
    match *lock() {
        1 => return 2,
        n => n,
    }
}
fn tried() -> Option<u32> {
    Some(some(&lock())? + 1)
}
fn broken() -> u32 {
    loop {
        if let 1 = *lock() {
            break 3;
        }
        break 4;
    }
}
fn all() {
    assert_eq!(returned(), 2);
    assert_eq!(tried(), None);
    assert_eq!(broken(), 3);
    let closed = |n: u32| {
        if *lock() == n { return 5; }
        6
    };
    assert_eq!(closed(1), 5);
}
#[test]
fn nothing_is_held() {
    let other = thread::spawn(all);
    all();
    other.join().unwrap();
}
