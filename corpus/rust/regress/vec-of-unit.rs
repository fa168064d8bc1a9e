//: about a vector of units
//: edition 2021
//: check sc holds
//: check tso holds
#[test]
fn t() {
    let v: Vec<()> = Vec::new();
    let w: Vec<u32> = vec![1];
    assert_eq!(w.len(), 1);
}
