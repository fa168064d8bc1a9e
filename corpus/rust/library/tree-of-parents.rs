//: about a tree whose nodes have `Weak` pointers to their parents, which end with all others
//: check sc holds
//: check tso holds
use std::cell::RefCell;
use std::rc::{Rc, Weak};

struct Node {
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
    value: u32,
}

fn node(value: u32, children: Vec<Rc<Node>>) -> Rc<Node> {
    Rc::new(Node {
        parent: RefCell::new(Weak::new()),
        children: RefCell::new(children),
        value,
    })
}

fn main() {
    let leaf = node(3, vec![]);
    assert!(leaf.parent.borrow().upgrade().is_none());
    {
        let branch = node(5, vec![Rc::clone(&leaf)]);
        *leaf.parent.borrow_mut() = Rc::downgrade(&branch);
        assert_eq!(leaf.parent.borrow().upgrade().unwrap().value, 5);
        assert_eq!(branch.children.borrow()[0].value, 3);
        assert_eq!((Rc::strong_count(&leaf), Rc::weak_count(&branch)), (2, 1));
    }
    assert!(leaf.parent.borrow().upgrade().is_none());
    assert_eq!(Rc::strong_count(&leaf), 1);
}
