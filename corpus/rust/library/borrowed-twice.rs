//: about a `RefCell` that is borrowed mutably while it is borrowed
//: check sc violated
//: check tso violated
use std::cell::RefCell;

fn main() {
    let all = RefCell::new(vec![1, 2]);
    let first = all.borrow();
    if first[0] == 1 {
        all.borrow_mut().push(3);
    }
}
