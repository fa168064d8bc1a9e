//: about a derived clone has boxes of its own
//: edition 2021
//: check sc holds
//: check tso holds
#[derive(Clone)]
struct Pair { a: Box<u32>, b: Option<Box<u32>> }
#[test]
fn t() {
    let mut x = Pair { a: Box::new(1), b: Some(Box::new(2)) };
    let y = x.clone();
    *x.a = 3;
    assert_eq!(*y.a, 1);
    drop(x);
    assert_eq!(y.b, Some(Box::new(2)));
}
