//: about a `move` closure changes its own copies of what it captures
//: check sc holds
//: check tso holds
use std::thread;
#[test]
fn the_variable_keeps_its_value() {
    let mut n = 1;
    let mut next = move || {
        n += 1;
        n
    };
    assert_eq!(next(), 2);
    assert_eq!(next(), 3);
    assert_eq!(n, 1);
    n = 5;
    assert_eq!(next(), 4);
    let m = Some(10).map(move |x| {
        n += x;
        n
    });
    assert_eq!(m, Some(15));
    assert_eq!(n, 5);
    let other = thread::spawn(move || {
        n += 1;
        n
    });
    assert_eq!(other.join().unwrap(), 6);
    assert_eq!(n, 5);
}
