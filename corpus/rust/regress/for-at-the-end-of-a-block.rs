//: about what a loop goes through ends with the loop, also at the end of a function before edition 2024
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
fn both(log: &Cell<u32>) {
    let _last = D(2, log);
    for d in vec![D(1, log)].iter() { assert_eq!(d.0, 1); }
}
#[test]
fn t() {
    let log = Cell::new(0);
    both(&log);
    assert_eq!(log.get(), 12);
}
