//: about the greatest element by `Ord`, where the derived `PartialOrd` differs
//: edition 2021
//: check sc holds
//: check tso holds
use std::cmp::Ordering;
#[derive(PartialEq, Eq, PartialOrd)]
struct Task { prio: u32 }
impl Ord for Task { fn cmp(&self, o: &Self) -> Ordering { o.prio.cmp(&self.prio) } }
#[test]
fn t() {
    let v = [Task { prio: 3 }, Task { prio: 1 }];
    assert_eq!(v.iter().max().unwrap().prio, 1);   // `Ord::cmp`, not `>=`
}
