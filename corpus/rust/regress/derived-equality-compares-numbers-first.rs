//: about a derived `==` compares numbers, and references to them, before other parts, as the compiler does
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
struct C<'a>(&'a Cell<u32>);
impl PartialEq for C<'_> { fn eq(&self, _: &Self) -> bool { self.0.set(self.0.get() + 1); true } }
#[derive(PartialEq)]
struct Early<'a> { c: C<'a>, n: &'a u32 }
#[derive(PartialEq)]
struct Late<'a> { c: C<'a>, n: usize }
#[derive(PartialEq)]
enum Either<'a> { Both(C<'a>, bool), Neither }
#[test]
fn t() {
    let count = Cell::new(0);
    let c = || C(&count);
    assert!(Early { c: c(), n: &1 } != Early { c: c(), n: &2 });
    assert!(Either::Both(c(), true) != Either::Both(c(), false));
    assert!(Either::Both(c(), true) != Either::Neither);
    assert_eq!(count.get(), 0);
    assert!(Late { c: c(), n: 1 } != Late { c: c(), n: 2 });
    assert_eq!(count.get(), 1);
}
