//: error "`..` with a captured value whose end has an effect is not supported"
//: edition 2021
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
struct S<'a> { a: D<'a>, b: D<'a> }
#[test]
fn t() {
    let log = Cell::new(0);
    let s = S { a: D(1, &log), b: D(2, &log) };
    let third = D(3, &log);
    let f = move || S { a: third, ..s };   // captures `s.b` only
    assert_eq!(f().b.0, 2);
}
