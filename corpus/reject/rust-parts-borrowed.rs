//: error "this closure moves parts of `pair` and borrows others, which is not supported"
struct Part(u32);
impl Drop for Part { fn drop(&mut self) {} }
#[test] fn a() {
    let pair = (Part(1), Part(2));
    std::thread::scope(|s| { s.spawn(|| { drop(pair.0); assert_eq!(pair.1.0, 2); }); });
}
