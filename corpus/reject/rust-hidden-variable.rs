//: error "`limit` hides a variable of this name"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
#[test] fn a() {
    let limit = 1;
    {
        fn limit() -> u32 { 2 }
        X.store(limit(), Ordering::SeqCst);
    }
    assert_eq!(limit, 1);
}
