//: error "a value with a closure in it cannot be assigned, copied or kept in a collection here"
#[test] fn a() { let mut f = Some(|| 1u32); assert!(f.is_some()); f = None; assert!(f.is_none()); }
