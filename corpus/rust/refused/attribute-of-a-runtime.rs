//: error "`async` is not supported"
//: edition 2021
// A test that another crate's macro rewrites.
use std::sync::atomic::{AtomicBool, Ordering};

static RAN: AtomicBool = AtomicBool::new(false);

#[tokio::test]
async fn runs() {
    RAN.store(true, Ordering::Relaxed);
}
