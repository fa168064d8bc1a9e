//: about the last element of the first part of a chain lives until the second part has ended
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct D<'a>(u32, &'a Cell<u32>);
impl Drop for D<'_> { fn drop(&mut self) { self.1.set(self.1.get() * 10 + self.0); } }
#[test]
fn t() {
    let log = Cell::new(0);
    let d = |k| D(k, &log);
    let last = vec![d(1)].into_iter().chain(vec![d(2), d(3)]).last();
    assert_eq!(log.get(), 21);
    drop(last);
    assert_eq!(log.get(), 213);
}
