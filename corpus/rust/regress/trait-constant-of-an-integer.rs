//: about the constant of a trait that an integer type has one of its own of the same name
//: edition 2021
//: check sc holds
//: check tso holds
trait Limit { const MAX: u32; }
impl Limit for u32 { const MAX: u32 = 7; }
fn limit<T: Limit>(_: T) -> u32 { T::MAX }
#[test]
fn t() {
    assert_eq!(limit(1u32), 7);
    assert_eq!(<u32 as Limit>::MAX, 7);
}
