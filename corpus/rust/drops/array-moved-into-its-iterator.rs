//: about what an array gave up as an iterator ends with it: the rest where the statement ends
//: check sc holds
//: edition 2021
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
#[test]
fn t() {
    let log = Cell::new(0);
    let first = [D(1, &log), D(2, &log)].into_iter().next();   // the second ends here, the first one later
    assert_eq!((first.is_some(), log.get()), (true, 2));
}
