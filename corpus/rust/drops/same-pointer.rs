//: about whether two pointers are the same, which is not whether two variables are
//: check sc holds
use std::rc::Rc;
use std::sync::Arc;

#[test]
fn clones_are_the_same() {
    let first = Arc::new(1);
    let clone = first.clone();
    let other = Arc::new(1);
    assert!(Arc::ptr_eq(&first, &clone));
    assert!(!Arc::ptr_eq(&first, &other));
    let local = Rc::new(2);
    assert!(Rc::ptr_eq(&local, &Rc::clone(&local)));
}
