//: error "`k` of a pointer does something else than that of what it points to"
//: edition 2021
trait K { fn k(self) -> u32; }
impl K for &u32 { fn k(self) -> u32 { 1 } }
impl K for &mut u32 { fn k(self) -> u32 { 2 } }
impl K for u32 { fn k(self) -> u32 { 3 } }
#[test]
fn t() {
    let mut x = 5u32;
    let (a, b, c) = ((&x).k(), (&mut x).k(), x.k());
    assert_eq!(a * 100 + b * 10 + c, 123);
}
