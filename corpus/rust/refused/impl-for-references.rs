//: error "`q` of a pointer does something else than that of what it points to"
//: edition 2021
trait Q { fn q(&self) -> u32; }
struct Re;
impl Q for Re { fn q(&self) -> u32 { 1 } }
impl<T: Q + ?Sized> Q for &T { fn q(&self) -> u32 { (**self).q() + 10 } }
fn by<T: Q>(t: T) -> u32 { t.q() }
#[test]
fn t() {
    assert_eq!(by(&Re), 11);
}
