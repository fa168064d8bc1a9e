//: error "a value with a closure in it cannot be assigned, copied or kept in a collection here"
#[test] fn a() { let all = vec![(0..2u32).map(|x| x + 1)]; assert_eq!(all.len(), 1); }
