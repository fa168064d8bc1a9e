//: about adaptors call the `nth` of an iterator
//: edition 2021
//: check sc holds
//: check tso holds
struct Cnt(u32);
impl Iterator for Cnt {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { self.0 += 1; if self.0 > 6 { None } else { Some(self.0) } }
    fn nth(&mut self, n: usize) -> Option<u32> { self.0 += n as u32; self.next().map(|x| x * 10) }
}
#[test]
fn t() {
    assert_eq!(Cnt(0).skip(2).next(), Some(30));   // `Skip` calls `nth`
}
