//: about `ref mut` calls `deref_mut`
//: edition 2021
//: check sc holds
//: check tso holds
use std::ops::{Deref, DerefMut};
struct W { v: Option<u32>, muts: u32 }
impl Deref for W { type Target = Option<u32>; fn deref(&self) -> &Option<u32> { &self.v } }
impl DerefMut for W { fn deref_mut(&mut self) -> &mut Option<u32> { self.muts += 1; &mut self.v } }
#[test]
fn t() {
    let mut w = W { v: Some(1), muts: 0 };
    match *w { Some(ref mut k) => *k = 2, None => {} }
    assert_eq!(w.muts, 1);
}
