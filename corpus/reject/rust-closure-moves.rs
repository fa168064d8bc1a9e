//: error "a closure that moves a captured value whose end has an effect is not supported"
struct Part(u32);
impl Drop for Part { fn drop(&mut self) {} }
#[test] fn a() {
    let part = Part(1);
    let none: Option<u32> = None;
    assert!(none.map(|value| { drop(part); value }).is_none());
}
