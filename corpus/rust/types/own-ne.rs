//: about `ne` that the text defines: tuples, references, boxes, arrays and vectors ask for it; what is derived, and options, do not
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct E<'a>(u32, &'a Cell<u32>);
impl PartialEq for E<'_> {
    fn eq(&self, o: &Self) -> bool { self.1.set(self.1.get() * 3 + 1); self.0 == o.0 }
    fn ne(&self, o: &Self) -> bool { self.1.set(self.1.get() * 3 + 2); self.0 != o.0 }
}
#[derive(PartialEq)]
struct Derived<'a>(E<'a>, [u32; 2], Vec<u32>);
#[test]
fn t() {
    let n = Cell::new(0);
    let e = |k| E(k, &n);
    assert!(e(1) != e(2));
    assert_eq!(n.get(), 2);
    n.set(0);
    assert!((e(1), 1) != (e(2), 1));
    assert!(&e(1) != &e(2));
    assert!(Box::new(e(1)) != Box::new(e(2)));
    assert!([e(1)] == [e(1)]);
    assert!(vec![e(1)] != vec![e(2)]);
    assert_eq!(n.get(), 242);
    n.set(0);
    let d = |k| Derived(e(k), [1, k], vec![k]);
    assert!(d(1) != d(2));
    assert!(d(1) == d(1));
    assert!(Some(e(1)) != Some(e(2)));
    assert_eq!(n.get(), 13);
}
