//: about patterns of slices, with names for the rest
//: edition 2021
//: check sc holds
//: check tso holds
fn weighed(s: &[u32]) -> u32 {
    match s {
        [] => 0,
        [x] => *x,
        [x, rest @ ..] => x * 10 + weighed(rest),
    }
}
fn ends(s: &[u32]) -> Option<(&u32, &u32)> {
    if let [first, .., last] = s { Some((first, last)) } else { None }
}
fn kind(s: &[u32]) -> u32 {
    match s {
        [1 | 2, .., 9] => 1,
        [a, middle @ .., b] if a == b => 2 + middle.len() as u32,
        [.., 7] => 7,
        _ => 8,
    }
}
#[test]
fn t() {
    assert_eq!(weighed(&[1, 2, 3]), 33);
    let mut v = vec![4u32, 5, 6];
    assert_eq!(ends(&v), Some((&4, &6)));
    assert_eq!(ends(&v[2..]), None);
    if let [first, .., last] = &mut v[..] {
        *first += 1;
        std::mem::swap(first, last);
    }
    assert_eq!(v, vec![6, 5, 5]);
    assert!(v.as_slice() == &vec![6, 5, 5][..]);
    assert_eq!([kind(&[2, 9]), kind(&[3, 4, 5, 3]), kind(&[7]), kind(&[1, 8])], [1, 4, 7, 8]);
    let [_, rest @ ..] = v.as_slice() else { panic!() };
    assert_eq!(rest.len(), 2);
}
