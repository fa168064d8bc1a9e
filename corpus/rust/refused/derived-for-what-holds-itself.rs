//: error "what is derived for `List` is not supported: it holds values of its own type"
//: edition 2021
#[derive(Clone)]
struct List { first: u32, rest: Option<Box<List>> }
#[test]
fn t() {
    let list = List { first: 1, rest: Some(Box::new(List { first: 2, rest: None })) };
    let other = list.clone();
    assert_eq!(other.rest.unwrap().first, 2);
}
