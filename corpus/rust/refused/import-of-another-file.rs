//: error "`crate::sync::atomic::AtomicU32` is not known: `crate` has no `sync`"
//: edition 2021
// An import from a module whose file is not given.
use crate::sync::atomic::{AtomicU32, Ordering::*};

static N: AtomicU32 = AtomicU32::new(1);

#[test]
fn t() {
    assert_eq!(N.load(Acquire), 1);
}
