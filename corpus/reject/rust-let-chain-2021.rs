//: error "a let chain needs edition 2024"
//: edition 2021
fn main() {
    let x = Some(1);
    if let Some(y) = x && y == 1 {}
}
