//: about a channel of units
//: edition 2021
//: check sc holds
//: check tso holds
use std::sync::mpsc::channel;
#[test]
fn t() {
    let (_tx, rx) = channel::<()>();
    assert!(rx.try_recv().is_err());
}
