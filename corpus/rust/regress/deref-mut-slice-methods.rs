//: about methods of slices that change them call `deref_mut`
//: edition 2021
//: check sc holds
//: check tso holds
use std::ops::{Deref, DerefMut};
struct W { v: Vec<u32>, muts: u32 }
impl Deref for W { type Target = Vec<u32>; fn deref(&self) -> &Vec<u32> { &self.v } }
impl DerefMut for W { fn deref_mut(&mut self) -> &mut Vec<u32> { self.muts += 1; &mut self.v } }
#[test]
fn t() {
    let mut w = W { v: vec![1, 2], muts: 0 };
    w.swap(0, 1);
    for x in w.iter_mut() { *x += 1; }
    for x in &mut *w { *x += 1; }
    let s = &mut w[1..];
    s[0] = 3;
    assert_eq!(w.muts, 4);
}
