//: error "a comparison that is not derived is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
struct Version { number: u32, note: u32 }
impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool { self.number == other.number }
}
#[test] fn a() {
    let seen = Version { number: X.load(Ordering::SeqCst), note: 1 };
    assert!(seen == Version { number: 0, note: 2 });
}
