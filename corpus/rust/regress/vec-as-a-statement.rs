//: about a vector that nothing uses ends with its statement
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct D<'a>(&'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() + 1); } }
#[test]
fn t() {
    let ends = Cell::new(0);
    vec![D(&ends), D(&ends)];
    assert_eq!(ends.get(), 2);
}
