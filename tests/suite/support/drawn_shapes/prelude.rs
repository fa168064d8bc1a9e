use std::cell::{Cell, RefCell};
use std::cmp::Ordering as O;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut, Index, IndexMut, AddAssign, Add, Neg};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use inner::{W, Y, V};

static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store(H.load(Relaxed).wrapping_mul(31).wrapping_add(k) % 10007, Relaxed); k % 1000 }

// Each use is recorded; a clone differs from what it was made of.
#[derive(Debug)]
pub struct C(u32);
impl C {
    const MAX: u32 = 70;
    fn v(&self) -> u32 { e(self.0 + 61) }
    fn m(&mut self) -> u32 { self.0 += 1; e(self.0 + 71) }
    fn end(self) -> u32 { e(self.0 + 81) }
    fn and(self, k: u32) -> C { e(k); C(self.0 + k % 9) }
}
impl Clone for C { fn clone(&self) -> C { e(self.0 + 11); C(self.0 % 90 + 1) } }
impl Drop for C { fn drop(&mut self) { e(self.0 + 23); } }
impl PartialEq for C { fn eq(&self, o: &C) -> bool { e(31 + self.0 * 3 + o.0); self.0 % 4 == o.0 % 4 } }
impl Eq for C {}
impl PartialOrd for C { fn partial_cmp(&self, o: &C) -> Option<O> { e(41 + self.0); (self.0 % 5).partial_cmp(&(o.0 % 5)) } }
impl Ord for C { fn cmp(&self, o: &C) -> O { e(51 + o.0); (o.0 % 7).cmp(&(self.0 % 7)) } }
impl Default for C { fn default() -> C { e(5); C(9) } }
impl AddAssign<u32> for C { fn add_assign(&mut self, k: u32) { e(6); self.0 = (self.0 + k) % 90; } }
impl Add<&C> for C { type Output = C; fn add(self, o: &C) -> C { e(7 + o.0); C((self.0 + o.0) % 90) } }
impl From<u32> for C { fn from(k: u32) -> C { C(e(k) % 60) } }

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct K(u32, bool);
impl Neg for K { type Output = K; fn neg(self) -> K { e(8); K(self.0 + 1, !self.1) } }

#[derive(Clone, PartialEq, PartialOrd, Debug, Default)]
struct S { a: C, b: u32, c: C, d: (C, u32) }
impl S {
    fn new(k: u32) -> S { S { a: C(k % 50), b: k, c: C(k % 7 + 1), d: (C(k % 3), 2) } }
    fn a(&self) -> &C { e(90); &self.a }
    fn a_mut(&mut self) -> &mut C { e(91); &mut self.a }
    fn parts(&mut self) -> (&mut C, &mut u32) { (&mut self.c, &mut self.b) }
    fn total(&self) -> u32 { self.a.0 + self.b % 100 + self.c.0 + self.d.0.0 }
}
struct Z { a: C, k: u32, o: Option<C> }
impl Drop for Z { fn drop(&mut self) { let n = self.o.as_ref().map_or(3, |c| c.0); e(self.k % 100 + n + 101); } }
impl Z {
    fn new(k: u32) -> Z { Z { a: C(k % 40), k, o: if k % 3 == 0 { None } else { Some(C(k % 11)) } } }
    fn take(&mut self) -> Option<C> { self.o.take() }
    fn set(mut self, k: u32) -> Z { self.k = k; self }
}

#[derive(Debug)]
pub enum N { A, B(u32), D { x: u32, c: C }, E(Box<N>, C), F(Option<C>, (u32, C)) }
impl Clone for N {
    fn clone(&self) -> N {
        match self {
            N::A => N::A,
            N::B(k) => N::B(*k),
            N::D { x, c } => N::D { x: *x, c: c.clone() },
            N::E(n, c) => N::E(n.clone(), c.clone()),
            N::F(o, (k, c)) => N::F(o.clone(), (*k, c.clone())),
        }
    }
}
impl PartialEq for N {
    fn eq(&self, o: &N) -> bool {
        match (self, o) {
            (N::A, N::A) => true,
            (N::B(j), N::B(k)) => j == k,
            (N::D { x, c }, N::D { x: y, c: d }) => x == y && c == d,
            (N::E(n, c), N::E(m, d)) => n == m && c == d,
            (N::F(a, b), N::F(c, d)) => a == c && b == d,
            _ => false,
        }
    }
}
impl N {
    fn make(k: u32) -> N {
        match k % 7 {
            0 => N::A,
            1 | 2 => N::B(k),
            3 => N::D { x: k, c: C(k % 30) },
            4 => N::E(Box::new(N::D { x: 1, c: C(2) }), C(k % 20)),
            5 => N::F(None, (k, C(3))),
            _ => N::F(Some(C(k % 9)), (4, C(k % 13))),
        }
    }
    fn n(self) -> u32 {
        match self {
            N::A => e(110),
            N::B(k) => k % 100,
            N::D { x, c } => if e(x) % 2 == 0 { c.end() } else { c.0 + 1 },
            N::E(n, _) => n.n() + 1,
            N::F(Some(c), _) => c.end(),
            N::F(None, (k, c)) => c.0 + k % 100,
        }
    }
    fn look(&self) -> u32 {
        match self {
            N::A => 1,
            N::B(k @ 0..=9) => *k,
            N::B(k) => k % 50 + 10,
            N::D { x, c } => x % 100 + c.v(),
            N::E(inner, c) => inner.look() + c.0,
            N::F(c, (k, _)) => c.as_ref().map_or(5, C::v) + k % 100,
        }
    }
    fn change(&mut self) -> u32 {
        match self {
            N::A => { *self = N::B(7); e(111) }
            N::B(k) => { *k += 1; *k % 100 }
            N::D { x, c } => { *x = c.m(); *x }
            N::E(n, c) => { c.0 += 1; n.change() }
            N::F(o @ None, _) => { *o = Some(C(8)); 3 }
            N::F(Some(c), (k, d)) => { std::mem::swap(c, d); *k += 1; c.0 }
        }
    }
}

mod inner {
    use super::{e, C, Deref, DerefMut, AddAssign};
    // Outside, its field `f` and its method `get` are passed over.
    pub struct W<T> { v: T, f: u32, pub muts: u32 }
    impl<T> W<T> {
        pub fn new(v: T) -> W<T> { W { v, f: 1, muts: 0 } }
        fn get(&self) -> u32 { self.f }
        pub fn inside(&mut self) -> u32 { self.f += 1; self.get() }
        pub fn into(self) -> T { self.v }
    }
    impl<T> Deref for W<T> { type Target = T; fn deref(&self) -> &T { e(120); &self.v } }
    impl<T> DerefMut for W<T> { fn deref_mut(&mut self) -> &mut T { self.muts += 1; e(121 + self.muts); &mut self.v } }
    pub struct Y { pub f: u32, pub c: C, pub a: [u32; 3], pub o: Option<C>, pub v: Vec<u32> }
    impl Y {
        pub fn new(k: u32) -> Y { Y { f: k % 100, c: C(k % 30), a: [k % 10, 2, 3], o: Some(C(4)), v: vec![k % 9, 1] } }
        pub fn get(&self) -> u32 { e(self.f + 2) }
        pub fn set(&mut self, k: u32) -> &mut Y { self.f = k % 100; e(self.f); self }
        pub fn take(&mut self) -> Option<C> { self.o.take() }
        pub fn arr(&mut self) -> &mut [u32; 3] { &mut self.a }
    }
    impl AddAssign<u32> for Y { fn add_assign(&mut self, k: u32) { e(9); self.f = (self.f + k) % 90; } }
    // A guard: its end is recorded.
    pub struct V<'a>(&'a mut C);
    impl<'a> V<'a> { pub fn new(c: &'a mut C) -> V<'a> { V(c) } }
    impl Deref for V<'_> { type Target = C; fn deref(&self) -> &C { e(130); self.0 } }
    impl DerefMut for V<'_> { fn deref_mut(&mut self) -> &mut C { e(131); self.0 } }
    impl Drop for V<'_> { fn drop(&mut self) { e(self.0.0 + 132); } }
}

trait Sh {
    const ID: u32;
    const MAX: u32 = 33;
    fn q(&self) -> u32;
    fn qm(&mut self) -> u32 { e(140 + Self::ID % 50) }
    fn own(self) -> u32 where Self: Sized { self.q() + 1 }
    fn st() -> u32 where Self: Sized { Self::ID + Self::MAX }
}
impl Sh for C { const ID: u32 = 1; const MAX: u32 = 34; fn q(&self) -> u32 { e(self.0 + 141) } fn qm(&mut self) -> u32 { self.0 += 2; self.0 } }
impl Sh for K { const ID: u32 = 2; fn q(&self) -> u32 { e(self.0 + 142) } fn own(self) -> u32 { e(7) } }
impl Sh for u32 { const ID: u32 = 3; fn q(&self) -> u32 { e(*self % 50 + 143) } fn qm(&mut self) -> u32 { *self += 1; *self % 100 } }
impl Sh for u8 { const ID: u32 = 4; const MAX: u32 = 35; fn q(&self) -> u32 { e(u32::from(*self) + 144) } }
impl<T: Sh> Sh for Option<T> { const ID: u32 = 10 + T::ID; fn q(&self) -> u32 { self.as_ref().map_or(e(145), |t| t.q()) } }
impl<T: Sh> Sh for (T, u32) { const ID: u32 = 20 + T::ID; const MAX: u32 = T::MAX + 1; fn q(&self) -> u32 { self.0.q() + self.1 % 100 } fn qm(&mut self) -> u32 { self.1 += 1; self.0.qm() } }
impl<T: Sh, const L: usize> Sh for [T; L] { const ID: u32 = 30 + L as u32; fn q(&self) -> u32 { let mut n = 0; for t in self { n += t.q(); } n % 500 } }
impl<T: Sh + ?Sized> Sh for &T { const ID: u32 = T::ID; fn q(&self) -> u32 { (**self).q() } }
fn q<T: Sh>(t: T) -> u32 { t.own() + T::MAX }
fn qr<T: Sh + ?Sized>(t: &T) -> u32 { t.q() + T::ID }
fn qm<T: Sh>(t: &mut T) -> u32 { t.qm() + t.q() }
fn sts<T: Sh>(_: &T) -> u32 { T::st() }

// Objects.
trait Ob {
    fn f(&self, k: u32) -> u32;
    fn g(&mut self, k: u32) -> u32 { self.f(k) + 1 }
    fn c(&self) -> Box<dyn Ob> { Box::new(K(e(150), true)) }
    fn end(self: Box<Self>) -> u32 { e(151) }
}
impl Ob for C { fn f(&self, k: u32) -> u32 { e(self.0 + k % 100 + 152) } fn g(&mut self, k: u32) -> u32 { self.0 = (self.0 + k) % 90; self.m() } fn c(&self) -> Box<dyn Ob> { Box::new(self.clone()) } }
impl Ob for K { fn f(&self, k: u32) -> u32 { e(self.0 % 100 + k % 100 + 153) } fn end(self: Box<Self>) -> u32 { self.0 % 100 } }
impl Ob for S { fn f(&self, k: u32) -> u32 { e(self.total() % 100 + k % 100) } fn end(self: Box<Self>) -> u32 { let S { a, d, .. } = *self; a.end() + d.1 } }
impl<F: FnMut(u32) -> u32> Ob for Hd<F> { fn f(&self, k: u32) -> u32 { e(self.n + k % 100) } fn g(&mut self, k: u32) -> u32 { (self.f)(k) } }
fn ob(k: u32) -> Box<dyn Ob> {
    match k % 4 { 0 => Box::new(C(k % 50)), 1 => Box::new(K(k, false)), 2 => Box::new(S::new(k)), _ => { let mut n = k % 90; Box::new(Hd { f: move |i| { n += i % 5; n % 100 }, n: 2 }) } }
}

// Closures.
struct Hd<F> { f: F, n: u32 }
impl<F: FnMut(u32) -> u32> Hd<F> {
    fn call(&mut self, k: u32) -> u32 { self.n += 1; (self.f)(k) + self.n }
    fn twice(mut self) -> u32 { let f = &mut self.f; f(1) + f(2) }
}
fn once(f: impl FnOnce() -> u32) -> u32 { f() + e(160) }
fn run(mut f: impl FnMut() -> u32) -> u32 { f() + f() }
fn runm<F: FnMut() -> u32>(f: &mut F) -> u32 { f() + f() }
fn rund(f: &mut dyn FnMut() -> u32) -> u32 { f() + f() }
fn runc(f: &dyn Fn(u32) -> u32) -> u32 { f(1) + f(2) }
fn runf<F>(f: F, k: u32) -> u32 where F: Fn(u32) -> u32 { f(k) + f(1) }
fn ptr(f: fn(u32) -> u32, k: u32) -> u32 { f(f(k)) }
fn boxed(mut f: Box<dyn FnMut() -> u32>) -> u32 { f() + f() }
fn counts(k: u32) -> impl FnMut() -> u32 { let mut n = k % 90; move || { n += 3; e(n % 900) } }
fn adds(c: C) -> impl Fn(u32) -> u32 { move |k| c.v() + k % 100 }
fn boxes(k: u32) -> Box<dyn FnMut() -> u32> { let mut n = k % 90; if k % 2 == 0 { Box::new(move || { n += 1; n }) } else { let c = C(n); Box::new(move || c.v()) } }
fn comp<A, B, D>(f: impl Fn(A) -> B, g: impl Fn(B) -> D) -> impl Fn(A) -> D { move |x| g(f(x)) }
fn two<F: FnMut() -> u32 + Copy>(f: F) -> u32 { let (mut a, mut b) = (f, f); a() + a() + b() }
fn opt(f: Option<Box<dyn FnOnce() -> C>>) -> C { match f { Some(f) => f(), None => C(1) } }
fn inc(k: u32) -> u32 { e(k % 100 + 161) }
fn dbl(k: u32) -> u32 { e(k % 100 * 2) }

// Ways out.
fn early(k: u32, c: C) -> Option<C> { let _x = C(2); if k % 3 == 0 { return None; } Some(c.and(k)) }
fn tries(k: u32, o: Option<C>) -> Option<u32> { let _z = C(1); let c = o?; let d = early(k, c)?; Some(d.v() % 100 + k % 100) }
fn fails(k: u32) -> Result<C, N> { if k % 4 == 0 { Err(N::make(k / 4)) } else if k % 4 == 1 { Err(N::B(k)) } else { Ok(C(k % 50)) } }
impl From<N> for C { fn from(n: N) -> C { e(162); C(n.n() % 90) } }
fn passes(k: u32) -> Result<u32, C> { let c = fails(k)?; let _d = c.clone(); let n = fails(k + 1)?; Ok(c.0 + n.v()) }
fn lets(o: Option<(C, u32)>) -> u32 { let Some((c, k)) = o else { return e(163); }; let _y = C(k % 10); c.v() + k % 100 }
// fn flow(k: u32) -> ControlFlow<C, u32> { if k % 2 == 0 { ControlFlow::Break(C(k % 30)) } else { ControlFlow::Continue(k) } }

// An iterator whose steps are recorded.
struct It { at: u32, to: u32 }
impl Iterator for It { type Item = C; fn next(&mut self) -> Option<C> { e(170); if self.at >= self.to { return None; } self.at += 1; Some(C(self.at * 5 % 17)) } }
impl Drop for It { fn drop(&mut self) { e(171); } }
fn it(k: u32) -> It { It { at: 0, to: k % 5 } }
fn vs(k: u32) -> Vec<C> { let mut v = Vec::new(); for i in 0..k % 5 { v.push(C((i * 7 + k) % 23)); } v }
struct X { a: C, b: [C; 2] }
impl Index<u32> for X { type Output = C; fn index(&self, i: u32) -> &C { e(180); &self.b[i as usize % 2] } }
impl IndexMut<u32> for X { fn index_mut(&mut self, i: u32) -> &mut C { e(181); if i % 3 == 2 { &mut self.a } else { &mut self.b[i as usize % 2] } } }
fn x(k: u32) -> X { X { a: C(k % 40), b: [C(1), C(k % 9)] } }
fn takes(c: &C) -> u32 { c.v() }
fn takes_mut(c: &mut C) -> u32 { c.m() }
fn whole(v: &[C]) -> u32 { let mut n = 0; for c in v { n = (n * 3 + c.v()) % 500; } n }
fn size(v: &[C; 2]) -> u32 { v[0].v() + v.len() as u32 }
fn by(o: &dyn Ob, k: u32) -> u32 { o.f(k) }
fn unmany(S { a, d: (d, _), .. }: S, C(k): C) -> u32 { a.v() + d.v() + k }
fn lift(n: N) -> Option<u32> { match n { N::B(k) => Some(k), N::F(Some(c), _) => Some(c.v()), _ => None } }
