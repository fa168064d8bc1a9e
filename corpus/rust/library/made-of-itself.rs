//: about a value with a `Weak` pointer to itself, which leads to nothing while the value is made
//: check sc holds
//: check tso holds
use std::sync::{Arc, Weak};
use std::thread;

struct Node {
    own: Weak<Node>,
    value: u32,
}

fn main() {
    let node = Arc::new_cyclic(|own: &Weak<Node>| {
        assert!(own.upgrade().is_none());
        Node { own: own.clone(), value: 4 }
    });
    let own = node.own.clone();
    let t = thread::spawn(move || own.upgrade().map(|node| node.value));
    assert_eq!(t.join().unwrap(), Some(4));
    let own = node.own.clone();
    drop(node);
    assert!(own.upgrade().is_none());
}
