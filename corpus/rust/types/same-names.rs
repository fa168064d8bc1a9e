//: about functions and constants that inherent impls and several traits give the same names
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::*};
static H: AtomicU32 = AtomicU32::new(0);
trait A {
    const K: u32;
    fn name(&self) -> u32 {
        1
    }
    fn go(&self) -> u32 {
        self.step() + 10
    }
    fn step(&self) -> u32;
}
trait B {
    fn name(&self) -> u32 {
        2
    }
}
struct S;
struct P;
impl A for S {
    const K: u32 = 5;
    fn step(&self) -> u32 {
        3
    }
}
impl B for S {}
impl S {
    fn step(&self) -> u32 {
        100
    }
    const K: u32 = 50;
}
impl A for P {
    const K: u32 = 6;
    fn step(&self) -> u32 {
        4
    }
}
trait Job {
    fn run(&self) -> u32;
}
impl<F: Fn() -> u32> Job for F {
    fn run(&self) -> u32 {
        self()
    }
}
impl Job for P {
    fn run(&self) -> u32 {
        77
    }
}
trait Tag {
    fn tag(&self) -> u32;
}
impl<T: Copy> Tag for (T, T) {
    fn tag(&self) -> u32 {
        8
    }
}
fn both<T: A>(t: &T) -> u32 {
    t.step() + T::K
}
#[test]
fn t() {
    let s = S;
    assert_eq!(<S as A>::name(&s), 1);
    assert_eq!(<S as B>::name(&s), 2);
    assert_eq!(A::name(&s), 1);
    assert_eq!(B::name(&s), 2);
    assert_eq!(s.step(), 100);
    assert_eq!(A::step(&s), 3);
    assert_eq!(s.go(), 13);
    assert_eq!(S::K, 50);
    assert_eq!(both(&P), 10);
    assert_eq!(P.run(), 77);
    assert_eq!((1u32, 2u32).tag(), 8);
    let g = both(&s);
    assert_eq!(g, 8);
}
