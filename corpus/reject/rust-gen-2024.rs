//: error "`gen` is a keyword since edition 2024"
//: edition 2024
fn gen() {}
fn main() {
    gen();
}
