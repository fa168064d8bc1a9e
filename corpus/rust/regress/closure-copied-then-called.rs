//: about a closure goes on counting where its copy began
//: edition 2021
//: check sc holds
//: check tso holds
fn run(mut f: impl FnMut() -> u32) -> u32 { f(); f() }
#[test]
fn t() {
    let mut n = 0u32;
    let mut f = move || { n += 1; n };
    assert_eq!(f(), 1);
    assert_eq!(run(f), 3);
    assert_eq!(f(), 2);
}
