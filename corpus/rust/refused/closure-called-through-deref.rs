//: error "a call of a closure through `Deref` and `DerefMut` of the text is not supported"
//: edition 2021
use std::ops::{Deref, DerefMut};
struct W<T> { v: T, muts: u32 }
impl<T> Deref for W<T> { type Target = T; fn deref(&self) -> &T { &self.v } }
impl<T> DerefMut for W<T> { fn deref_mut(&mut self) -> &mut T { self.muts += 1; &mut self.v } }
#[test]
fn t() {
    let mut n = 0u32;
    let mut w = W { v: move |k: u32| { n += k; n }, muts: 0 };
    assert_eq!(w(2) + w(3), 7);
    assert_eq!(w.muts, 2);   // a closure that counts is called through `deref_mut`
}
