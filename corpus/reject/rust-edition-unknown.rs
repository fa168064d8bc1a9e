//: error "unknown edition `2020`"
//: edition 2020
fn main() {}
