//: error "only functions of C are said what they do"
//: call sensor = nondet
fn sensor() -> u8 {
    1
}

fn main() {
    assert!(sensor() > 0);
}
