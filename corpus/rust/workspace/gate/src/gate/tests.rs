use super::*;
use std::sync::atomic::AtomicU32;
use std::thread;

static GATE: Gate = Gate::new();
static INSIDE: AtomicU32 = AtomicU32::new(0);

fn visit(side: usize) {
    if let Some(_pass) = GATE.enter(side) {
        assert_eq!(INSIDE.fetch_add(1, Ordering::Relaxed), 0);
        INSIDE.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn one_side_is_inside() {
    let other = thread::spawn(|| visit(1));
    visit(0);
    other.join().unwrap();
}

#[test]
fn a_side_enters_again() {
    drop(GATE.enter(0));
    assert!(GATE.enter(0).is_some());
}
