//: about guards that are moved, returned, kept in structures and dropped early: none keeps its lock
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
static M: Mutex<u32> = Mutex::new(0);
fn early(flag: bool) -> u32 {
    let g = M.lock().unwrap();
    if flag { return *g; }
    let n = *g;
    drop(g);
    n + 1
}
fn give() -> MutexGuard<'static, u32> { M.lock().unwrap() }
fn add(mut g: MutexGuard<'_, u32>) { *g += 1; }
struct Pair<'a> { g: MutexGuard<'a, u32>, n: u32 }
#[test]
fn t() {
    let h = thread::spawn(|| { let mut g = give(); *g += 5; });
    let a = early(true); let b = early(false);
    assert!(a == 0 || a == 5); assert!(b == 1 || b == 6);
    h.join().unwrap();
    add(give());
    {
        let p = Pair { g: give(), n: 3 };
        assert_eq!(*p.g, 6); assert_eq!(p.n, 3);
    }
    for i in 0..2 { let mut g = M.lock().unwrap(); if i == 1 { break; } *g += 1; continue; }
    match *M.lock().unwrap() { 7 => {}, other => panic!("{other}") }
    let g = Some(M.lock().unwrap());
    if let Some(mut g) = g { *g = 1; }
    let v = *M.lock().unwrap();
    assert_eq!(v, 1);
}
