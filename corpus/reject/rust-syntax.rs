//: error "expected"
#[test]
fn a() {
    let = 1;
}
