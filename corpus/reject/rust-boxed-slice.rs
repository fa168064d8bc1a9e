//: error "a type of this kind is not supported"
fn f(a: &Box<[u32]>) -> u32 { a[0] }
#[test] fn a() { assert_eq!(f(&vec![1, 2].into_boxed_slice()), 1); }
