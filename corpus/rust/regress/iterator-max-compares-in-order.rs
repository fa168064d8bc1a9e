//: about `max` and `min` of an iterator compare what was before with what comes
//: edition 2021
//: check sc holds
//: check tso holds
use std::cell::Cell;
use std::cmp::Ordering;
#[derive(PartialEq, Eq)]
struct Logged<'a>(u32, &'a Cell<u32>);
impl PartialOrd for Logged<'_> { fn partial_cmp(&self, o: &Self) -> Option<Ordering> { Some(self.cmp(o)) } }
impl Ord for Logged<'_> {
    fn cmp(&self, o: &Self) -> Ordering {
        self.1.set(self.1.get() * 100 + self.0 * 10 + o.0);
        self.0.cmp(&o.0)
    }
}
#[test]
fn t() {
    let log = Cell::new(0);
    let all = [Logged(1, &log), Logged(3, &log), Logged(2, &log)];
    assert_eq!(all.iter().max().unwrap().0, 3);
    assert_eq!(log.get(), 1332);
    log.set(0);
    assert_eq!(all.iter().min().unwrap().0, 1);
    assert_eq!(log.get(), 1312);
}
