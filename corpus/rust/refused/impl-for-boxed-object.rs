//: error "`id` of a pointer does something else than that of what it points to"
//: edition 2021
trait Named { fn id(&self) -> u32; }
struct Re;
impl Named for Re { fn id(&self) -> u32 { 2 } }
impl<T: Named + ?Sized> Named for Box<T> { fn id(&self) -> u32 { (**self).id() + 10 } }
#[test]
fn t() {
    let b: Box<dyn Named> = Box::new(Re);
    assert_eq!(b.id(), 12);
}
