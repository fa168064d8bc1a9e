//: about an enumeration without values: two threads publish that they are busy, and look at each other
//: check sc holds
//: check tso violated  both loads may come before the stores are in memory
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum State {
    Idle,
    Busy = 4,
    Gone,
}

impl State {
    fn of(number: u8) -> Self {
        match number {
            0 => Self::Idle,
            4 => Self::Busy,
            _ => Self::Gone,
        }
    }

    fn lets_others_go_on(self) -> bool {
        match self {
            Self::Idle | State::Gone => true,
            Self::Busy => false,
        }
    }
}

static STATES: [AtomicU8; 2] = [const { AtomicU8::new(State::Idle as u8) }; 2];

fn enter(me: usize) -> bool {
    STATES[me].store(State::Busy as u8, Ordering::Release);
    State::of(STATES[1 - me].load(Ordering::Acquire)).lets_others_go_on()
}

#[test]
fn at_most_one_enters() {
    use State::*;
    assert_eq!((Idle as u8, Busy as u8, Gone as u8), (0, 4, 5));
    assert!(State::of(9) == Gone && Busy != Gone);
    let other = thread::spawn(|| enter(1));
    let first = enter(0);
    let second = other.join().unwrap();
    assert!(!(first && second), "both are inside");
}
