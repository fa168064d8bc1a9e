//! Random programs in Rust that call by operators, by closures that are values, by trait objects, and by conversions.
//!
//! As in `drawn_types`, a tape of numbers draws a program, and what is called and dropped is recorded in a number `H`.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::cmp::Ordering as O;
use std::ops::{Add, AddAssign, BitOr, Deref, DerefMut, Index, IndexMut, Mul, Neg, Not, Shl, Sub, SubAssign};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k) % 1009, Relaxed); k % 1000 }
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0 % 100 + 7); } }
impl D { fn v(&self) -> u32 { e(self.0 % 100 + 100) } fn end(self) -> u32 { e(self.0 % 100 + 400) } }
#[derive(Clone, Copy, PartialEq, Debug)]
struct P(u32, u32);
impl Add for P { type Output = P; fn add(self, o: P) -> P { e(1); P((self.0 + o.0) % 90, (self.1 + o.1) % 80) } }
impl Add<u32> for P { type Output = P; fn add(self, o: u32) -> P { e(2); P((self.0 + o) % 90, self.1) } }
impl Sub<P> for P { type Output = u32; fn sub(self, o: P) -> u32 { e(3); (self.0 * 3 + o.1) % 97 } }
impl Mul<P> for u32 { type Output = P; fn mul(self, o: P) -> P { e(4); P((self * o.0) % 90, o.1) } }
impl Neg for P { type Output = P; fn neg(self) -> P { e(5); P(self.1, self.0) } }
impl Not for P { type Output = bool; fn not(self) -> bool { e(6); self.0 > self.1 } }
impl AddAssign<u32> for P { fn add_assign(&mut self, o: u32) { e(8); self.0 = (self.0 + o) % 90; } }
impl SubAssign<P> for P { fn sub_assign(&mut self, o: P) { e(9); self.1 = (self.1 + o.0) % 80; } }
impl BitOr<D> for P { type Output = D; fn bitor(self, o: D) -> D { e(11); D((self.0 + o.v()) % 90) } }
impl<'a> Shl<&'a D> for P { type Output = u32; fn shl(self, o: &'a D) -> u32 { e(12); (o.v() + self.0) % 91 } }
impl PartialEq<u32> for P { fn eq(&self, o: &u32) -> bool { e(13); self.0 == *o } }
impl PartialOrd for P { fn partial_cmp(&self, o: &P) -> Option<O> { e(14); if self.0 == 0 { None } else { Some(o.1.cmp(&self.1)) } } }
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct R(u32, bool);
#[derive(Clone, Copy, PartialEq, Eq)]
struct Q(u32);
impl PartialOrd for Q { fn partial_cmp(&self, o: &Q) -> Option<O> { Some(self.cmp(o)) } }
impl Ord for Q { fn cmp(&self, o: &Q) -> O { e(15); (self.0 % 7).cmp(&(o.0 % 7)).reverse().then_with(|| self.0.cmp(&o.0)) } }
struct G { v: [u32; 3], reads: u32 }
impl Deref for G { type Target = [u32; 3]; fn deref(&self) -> &[u32; 3] { e(16); &self.v } }
impl DerefMut for G { fn deref_mut(&mut self) -> &mut [u32; 3] { self.reads += 1; e(17 + self.reads); &mut self.v } }
struct X { a: P, b: [P; 2] }
impl Index<u32> for X { type Output = P; fn index(&self, i: u32) -> &P { e(18); &self.b[i as usize % 2] } }
impl Index<bool> for X { type Output = P; fn index(&self, i: bool) -> &P { e(19); if i { &self.a } else { &self.b[0] } } }
impl IndexMut<u32> for X { fn index_mut(&mut self, i: u32) -> &mut P { e(21); &mut self.b[i as usize % 2] } }
enum E { N(u32), B(bool), D(D) }
impl From<u32> for E { fn from(n: u32) -> E { e(22); E::N(n) } }
impl From<bool> for E { fn from(b: bool) -> E { e(23); E::B(b) } }
impl From<D> for E { fn from(d: D) -> E { e(24); E::D(d) } }
impl E { fn n(&self) -> u32 { match self { E::N(n) => *n % 90, E::B(b) => *b as u32, E::D(d) => d.v() } } }
fn bad_n(n: u32) -> Result<u32, u32> { if n % 3 == 0 { Err(n) } else { Ok(n + 1) } }
fn bad_b(n: u32) -> Result<u32, bool> { if n % 4 == 0 { Err(n > 20) } else { Ok(n + 2) } }
fn bad_d(n: u32) -> Result<u32, D> { if n % 5 == 0 { Err(D(n)) } else { Ok(n + 3) } }
fn all(n: u32) -> Result<u32, E> { let a = bad_n(n)?; let b = bad_b(a)?; let c = bad_d(b)?; Ok(c % 90) }
fn into(x: impl std::convert::Into<E>) -> u32 { let y: E = x.into(); y.n() }
trait T { fn f(&self, n: u32) -> u32; fn g(&mut self, n: u32) -> u32 { e(25); self.f(n + 1) } fn d(&self, d: D) -> D { D(self.f(d.end())) } }
impl T for P { fn f(&self, n: u32) -> u32 { e(self.0 + n % 90) } fn g(&mut self, n: u32) -> u32 { self.0 = (self.0 + n) % 90; self.0 } }
impl T for D { fn f(&self, n: u32) -> u32 { (self.v() + n) % 93 } fn d(&self, d: D) -> D { e(26); d } }
impl T for u32 { fn f(&self, n: u32) -> u32 { e(27); (*self + n) % 89 } }
fn object(n: u32) -> Box<dyn T> { match n % 3 { 0 => Box::new(P(n % 90, 3)), 1 => Box::new(D(n)), _ => Box::new(n % 90) } }
fn used(t: &dyn T, n: u32) -> u32 { e(28); t.f(n) }
struct F<C: FnOnce()> { f: Option<C> }
impl<C: FnOnce()> F<C> { fn new(f: C) -> F<C> { F { f: Some(f) } } fn off(mut self) { self.f = None; e(29); } }
impl<C: FnOnce()> Drop for F<C> { fn drop(&mut self) { if let Some(f) = self.f.take() { e(31); f(); e(37); } } }
struct M<C> { f: C, n: u32 }
impl<C: Fn(u32) -> u32> M<C> { fn run(&self) -> u32 { (self.f)(self.n % 50) } fn then(&self, n: u32) -> u32 { e(32); (self.f)((self.f)(n % 50) % 50) } }
fn adds(k: u32) -> impl Fn(u32) -> u32 { e(33); move |n| { e(n % 50 + k % 50); (n + k) % 97 } }
fn counts(k: u32) -> impl FnMut() -> u32 { let mut n = k % 60; move || { n += 1; e(n) } }
fn holds(d: D) -> impl Fn() -> u32 { move || d.v() }
fn perhaps(c: bool, f: impl FnOnce() -> u32) -> u32 { if c { f() } else { e(34) } }
fn passes<C: FnOnce() -> u32>(c: bool, f: C) -> u32 { e(35); perhaps(c, f) + 1 }
fn boxed(f: Box<dyn FnOnce(u32) -> u32>, n: u32) -> u32 { e(36); f(n % 50) }
fn inc(n: u32) -> u32 { e(n % 90 + 1) }
fn dbl(n: u32) -> u32 { n * 2 % 90 }
fn picked(n: u32) -> fn(u32) -> u32 { if n % 2 == 0 { inc } else { dbl } }
";

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    names: Vec<String>,
    next: u32,
}

impl Pen<'_> {
    fn choose(&mut self, most: u32) -> u32 {
        u32::from(self.tape.next().copied().unwrap_or(0)) % most
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next % 60
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    fn variable(&mut self) -> Option<String> {
        let at = self.choose(self.names.len().max(1) as u32);
        self.names.get(at as usize).cloned()
    }

    fn nat(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.choose(3) {
                0 => format!("e({})", self.number()),
                1 => self.variable().unwrap_or_else(|| "4u32".to_owned()),
                _ => format!("{}u32", self.number()),
            };
        }
        let d = depth - 1;
        match self.choose(32) {
            0 => format!("(({} + {}) % 97)", self.nat(d), self.nat(d)),
            1 => format!("({} - {})", self.pair(d), self.pair(d)),
            2 => format!("{}.0", self.pair(d)),
            3 => format!("({} << &{})", self.pair(d), self.owned(d)),
            4 => format!("({}).end()", self.owned(d)),
            5 => format!("E::from({}).n()", self.nat(d)),
            6 => format!("E::from({}).n()", self.truth(d)),
            7 => format!("E::from({}).n()", self.owned(d)),
            8 => format!("into({})", self.nat(d)),
            9 => format!("into({})", self.owned(d)),
            10 => format!("all({} % 90).unwrap_or_else(|x| x.n())", self.nat(d)),
            11 => format!("used(&{}, {} % 50)", self.pair(d), self.nat(d)),
            12 => format!("used(&{}, {} % 50)", self.owned(d), self.nat(d)),
            13 => format!("object({}).f({} % 50)", self.nat(d), self.nat(d)),
            14 => format!("object({}).d({}).v()", self.nat(d), self.owned(d)),
            15 => {
                let (of, by, x) = (self.nat(d), self.nat(d), self.name());
                format!(
                    "({{ let mut {x} = object({of}); {x}.g({by} % 50) + used(&*{x}, 3) }} % 91)"
                )
            }
            16 => format!("adds({})({} % 50)", self.nat(d), self.nat(d)),
            17 => {
                let (of, x) = (self.nat(d), self.name());
                format!("({{ let mut {x} = counts({of}); {x}() + {x}() }} % 91)")
            }
            18 => format!("(holds({}))()", self.owned(d)),
            19 => {
                let (of, c, x) = (self.owned(d), self.truth(d), self.name());
                let tail = self.nat(d);
                format!(
                    "({{ let {x} = {of}; perhaps({c}, move || {x}.end() + {tail} % 50) }} % 91)"
                )
            }
            20 => {
                let (of, c, x) = (self.owned(d), self.truth(d), self.name());
                let tail = self.nat(d);
                format!("({{ let {x} = {of}; passes({c}, move || {x}.v() + {tail} % 50) }} % 91)")
            }
            21 => {
                let (of, n, x) = (self.owned(d), self.nat(d), self.name());
                let tail = self.nat(d);
                format!(
                    "({{ let {x} = {of}; boxed(Box::new(move |n| {x}.end() + n + {tail} % 50), {n}) }} % 91)"
                )
            }
            22 => {
                let (k, n, x) = (self.nat(d), self.nat(d), self.name());
                format!("({{ let {x} = {k}; M {{ f: |n: u32| (n + {x}) % 89, n: {n} }}.run() }})")
            }
            23 => {
                let (k, n) = (self.nat(d), self.nat(d));
                format!("M {{ f: adds({k}), n: 2 }}.then({n})")
            }
            24 => format!("picked({})({} % 50)", self.nat(d), self.nat(d)),
            25 => {
                let (a, b, x) = (self.nat(d), self.nat(d), self.name());
                format!(
                    "({{ let mut {x} = G {{ v: [{a} % 90, 2, 3], reads: 0 }}; {x}[1] = {b} % 80; {x}[0] += {x}[1]; {x}[0] }} % 97)"
                )
            }
            26 => format!("Q({}).max(Q({})).0 % 90", self.nat(d), self.nat(d)),
            27 => format!(
                "std::cmp::min(Q({}), Q({})).0 % 90",
                self.nat(d),
                self.nat(d)
            ),
            28 => {
                let (a, b) = (self.nat(d), self.nat(d));
                format!(
                    "match Q({a}).cmp(&Q({b})) {{ O::Less => 1, O::Equal => 2, O::Greater => 3 }}"
                )
            }
            29 => {
                let (of, n, x) = (self.owned(d), self.nat(d), self.name());
                let cancels = ["", ".off()"][self.choose(2) as usize];
                format!(
                    "({{ let {x} = {of}; let y = F::new(move || {{ {x}.v(); e({n} % 60); }}); y{cancels}; 5u32 }})"
                )
            }
            30 => {
                let (of, x) = (self.nat(d), self.name());
                format!(
                    "({{ let mut {x} = 0u32; {{ let _y = F::new(|| {{ {x} += 3; }}); e({of} % 90); }} {x} }})"
                )
            }
            _ => {
                let (of, n, x) = (self.pair(d), self.nat(d), self.name());
                format!(
                    "({{ let {x}: Arc<dyn T> = Arc::new({of}); let y = {x}.clone(); y.f({n} % 50) + {x}.f(1) }} % 91)"
                )
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("(e({}) % 2 == 0)", self.number());
        }
        let d = depth - 1;
        match self.choose(9) {
            0 => format!("({} > 40)", self.nat(d)),
            1 => format!("({} == {})", self.pair(d), self.pair(d)),
            2 => format!("({} == {})", self.pair(d), self.nat(d)),
            3 => format!("({} < {})", self.pair(d), self.pair(d)),
            4 => format!("({} >= {})", self.pair(d), self.pair(d)),
            5 => format!("!{}", self.pair(d)),
            6 => format!("(Q({}) <= Q({}))", self.nat(d), self.nat(d)),
            7 => format!(
                "(R({}, true).cmp(&R({}, {})).is_lt())",
                self.nat(d),
                self.nat(d),
                self.truth(d)
            ),
            _ => format!(
                "({}).partial_cmp(&{}).is_none()",
                self.pair(d),
                self.pair(d)
            ),
        }
    }

    fn pair(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("P({}, {})", self.number(), self.number());
        }
        let d = depth - 1;
        match self.choose(9) {
            0 => format!("P({} % 90, {} % 80)", self.nat(d), self.nat(d)),
            1 => format!("({} + {})", self.pair(d), self.pair(d)),
            2 => format!("({} + {})", self.pair(d), self.nat(d)),
            3 => format!("({} * {})", self.nat(d), self.pair(d)),
            4 => format!("(-{})", self.pair(d)),
            5 => {
                let (of, n, x) = (self.pair(d), self.nat(d), self.name());
                format!("({{ let mut {x} = {of}; {x} += {n}; {x} }})")
            }
            6 => {
                let (of, by, x) = (self.pair(d), self.pair(d), self.name());
                format!("({{ let mut {x} = {of}; {x} -= {by}; {x} }})")
            }
            7 => {
                let (of, i, by, x) = (self.pair(d), self.nat(d), self.nat(d), self.name());
                format!(
                    "({{ let mut {x} = X {{ a: {of}, b: [P(1, 2), P(3, 4)] }}; {x}[{i}] += {by}; {x}[1u32].0 = 7; {x}[0u32] + {x}[true] }})"
                )
            }
            _ => {
                let (of, i, x) = (self.pair(d), self.truth(d), self.name());
                format!("({{ let {x} = X {{ a: {of}, b: [P(5, 6), P(7, 8)] }}; {x}[{i}] }})")
            }
        }
    }

    fn owned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("D({})", self.number());
        }
        let d = depth - 1;
        match self.choose(4) {
            0 => format!("D({} % 90)", self.nat(d)),
            1 => format!("({} | {})", self.pair(d), self.owned(d)),
            2 => format!("object({}).d({})", self.nat(d), self.owned(d)),
            _ => format!("(|d: D| {{ d.v(); d }})({})", self.owned(d)),
        }
    }

    fn statement(&mut self, text: &mut String) {
        let depth = 1 + self.choose(2);
        match self.choose(4) {
            0 => {
                let value = self.nat(depth);
                writeln!(text, "    e(({value}) % 500);")
            }
            1 => {
                let (value, name) = (self.nat(depth), self.name());
                let written = writeln!(text, "    let {name}: u32 = {value};");
                self.names.push(name);
                written
            }
            2 => {
                let (value, name) = (self.owned(depth), self.name());
                let used = self.nat(1);
                writeln!(
                    text,
                    "    let {name} = {value}; let _d = F::new(move || {{ {name}.end(); e(({used}) % 300); }});"
                )
            }
            _ => {
                let (value, name) = (self.nat(depth), self.name());
                writeln!(
                    text,
                    "    let mut {name} = object({value}); e({name}.g(5) % 300); {name} = object({name}.f(2)); e({name}.f(1));"
                )
            }
        }
        .expect("a text can be written to");
    }
}

/// A function of this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        names: Vec::new(),
        next: 0,
    };
    let mut text = format!("fn {name}() {{\n");
    for _ in 0..=pen.choose(3) {
        pen.statement(&mut text);
    }
    text.push_str("}\n");
    text
}
