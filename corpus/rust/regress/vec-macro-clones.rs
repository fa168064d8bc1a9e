//: about `vec![x; n]` moves the last one
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct C<'a>(&'a Cell<u32>);
impl Clone for C<'_> { fn clone(&self) -> Self { self.0.set(self.0.get() + 1); C(self.0) } }
#[test]
fn t() {
    let c = Cell::new(0);
    let v = vec![C(&c); 3];          // the last one is moved; so in `fill`
    assert_eq!(c.get(), 2);
}
