//: about a receiver ends, and with it a sender of its own channel that was sent
//: edition 2021
//: check sc violated
//: check tso violated
use std::sync::mpsc::{channel, Sender};
enum Msg { Reply(Sender<Msg>), Stop }
#[test]
fn t() {
    let (tx, rx) = channel::<Msg>();
    assert!(tx.send(Msg::Reply(tx.clone())).is_ok());
    drop(rx);
    assert!(false, "reached");
}
