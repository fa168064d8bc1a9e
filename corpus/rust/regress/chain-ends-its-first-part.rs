//: about the first iterator of a chain ends when it has yielded nothing
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct It<'a>(u32, &'a Cell<u32>);
impl Iterator for It<'_> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { self.0 = self.0.checked_sub(1)?; Some(self.0) }
}
impl Drop for It<'_> { fn drop(&mut self) { self.1.set(self.1.get() + 1); } }
#[test]
fn t() {
    let ends = Cell::new(0);
    let mut chain = It(1, &ends).chain(It(2, &ends));
    assert_eq!((chain.next(), ends.get()), (Some(0), 0));
    assert_eq!((chain.next(), ends.get()), (Some(1), 1));
}
