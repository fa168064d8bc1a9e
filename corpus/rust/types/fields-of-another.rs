//: about `..` in a structure moves or copies the fields that are not written, and the others end where they are
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
struct S<'a> { a: D<'a>, n: u32, b: D<'a> }
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Limits { most: u32, least: u32, closed: bool }
#[test]
fn t() {
    let log = Cell::new(0);
    let d = |k| D(k, &log);
    let first = S { a: d(1), n: 7, b: d(2) };
    let second = S { a: d(3), ..first };
    assert_eq!((second.n, second.b.0), (7, 2));
    drop(second);
    assert_eq!(log.get(), 32);
    drop(first.a);
    assert_eq!(log.get(), 321);
    let made = S { b: d(4), ..S { a: d(5), n: 1, b: d(6) } };
    assert_eq!((made.a.0, log.get()), (5, 3216));
    let limits = Limits { most: 5, ..Default::default() };
    assert_eq!(Limits { closed: true, ..limits }, Limits { most: 5, least: 0, closed: true });
}
