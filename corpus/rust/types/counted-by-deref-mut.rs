//: about a guard whose `deref_mut` counts: where its value is read, `deref` is called
//: check sc holds
use std::ops::{Deref, DerefMut};

struct Counted {
    value: u32,
    writes: u32,
}

impl Deref for Counted {
    type Target = u32;
    fn deref(&self) -> &u32 {
        &self.value
    }
}

impl DerefMut for Counted {
    fn deref_mut(&mut self) -> &mut u32 {
        self.writes += 1;
        &mut self.value
    }
}

fn main() {
    let mut counted = Counted { value: 1, writes: 0 };
    *counted += 1;
    let seen = *counted;
    *counted = 5;
    let inner = &mut *counted;
    *inner += seen;
    assert_eq!(counted.writes, 3);
    assert_eq!(*counted, 7);
}
