//: about a slice in a box has the elements of the vector
//: check sc holds
fn f(a: &Box<[u32]>) -> u32 { a[0] }
#[test] fn a() { assert_eq!(f(&vec![1, 2].into_boxed_slice()), 1); }
