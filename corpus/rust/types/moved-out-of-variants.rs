//: about values with ends are moved out of variants that have several
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
enum M<'a> { One(D<'a>), Two(D<'a>, D<'a>), Boxed(Box<M<'a>>, D<'a>) }
fn first<'a>(m: M<'a>) -> D<'a> {
    match m {
        M::One(d) => d,
        M::Two(_, d) => d,
        M::Boxed(inner, _) => first(*inner),
    }
}
#[test]
fn t() {
    let log = Cell::new(0);
    let d = |k| D(k, &log);
    assert_eq!(first(M::Two(d(1), d(2))).0, 2);
    assert_eq!(log.get(), 12);
    assert_eq!(first(M::Boxed(Box::new(M::Two(d(3), d(4))), d(5))).0, 4);
    assert_eq!(log.get(), 12354);
}
