//: about a closure that is copied where it is given away counts on its own
//: edition 2021
//: check sc holds
//: check tso holds
fn run(mut f: impl FnMut() -> u32) -> u32 { f() + f() }
#[test]
fn t() {
    let mut n = 0u32;
    let f = move || { n += 1; n };
    assert_eq!(run(f), 3);
    assert_eq!(run(f), 3);
}
