//: about the last `Rc` is taken apart while a `Weak` pointer lives: it leads to nothing from there on
//: check sc holds
use std::rc::Rc;

#[test]
fn weak_pointers_lead_to_nothing() {
    let strong = Rc::new(5);
    let weak = Rc::downgrade(&strong);
    assert_eq!((weak.strong_count(), weak.weak_count()), (1, 1));
    assert_eq!(Rc::try_unwrap(strong).ok(), Some(5));
    assert!(weak.upgrade().is_none());
    assert_eq!((weak.strong_count(), weak.weak_count()), (0, 0));
}
