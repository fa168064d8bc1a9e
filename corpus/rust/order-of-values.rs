//: about the order of numbers, tuples, options and structures that derive it
//: check sc holds
//: check tso holds
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Ticket { turn: u32, number: i8 }

static TURN: AtomicU32 = AtomicU32::new(1);

fn side(a: u32, b: u32) -> u32 {
    match a.cmp(&b) {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 3,
    }
}

#[test]
fn values_are_ordered_as_the_compiler_orders_them() {
    let worker = thread::spawn(|| side(TURN.load(SeqCst), 1));
    assert_eq!(worker.join().unwrap(), 2);
    assert!(side(1, 2) == 1 && side(2, 1) == 3);
    let (a, b) = (Ticket { turn: 1, number: 2 }, Ticket { turn: 1, number: -3 });
    assert!(b < a && a > b && a <= a && !(a >= Ticket { turn: 2, number: -128 }));
    assert!((1, 2) < (1, 3) && !((2, 0) < (1, 9)));
    assert!(None < Some(0) && Some(1) < Some(2) && !(Some(1) < None));
}
