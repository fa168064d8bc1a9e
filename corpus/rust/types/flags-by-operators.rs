//: about store buffering on flags that are joined by `|`, in a table that is indexed by an enumeration
//: check sc holds
//: check tso violated
//: fence tso assertions 2
use std::ops::{BitOr, Index};
use std::sync::atomic::{AtomicU8, Ordering::*};
use std::thread;

#[derive(Clone, Copy, PartialEq)]
struct Flags(u8);

impl Flags {
    const READY: Flags = Flags(1);
    const LAST: Flags = Flags(2);
}

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

struct Table {
    left: AtomicU8,
    right: AtomicU8,
}

impl Index<Side> for Table {
    type Output = AtomicU8;
    fn index(&self, side: Side) -> &AtomicU8 {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }
}

static TABLE: Table = Table {
    left: AtomicU8::new(0),
    right: AtomicU8::new(0),
};

fn meets(own: Side, other: Side) -> bool {
    let all = Flags::READY | Flags::LAST;
    TABLE[own].store(all.0, Release);
    Flags(TABLE[other].load(Acquire)) == all
}

fn main() {
    let left = thread::spawn(|| meets(Side::Left, Side::Right));
    let right = meets(Side::Right, Side::Left);
    let left = left.join().unwrap();
    assert!(left || right);
}
