//! Random programs in Rust with enumerations that hold values, generic types and functions, traits, and closures.
//!
//! As in `drawn_rust`, a tape of numbers draws a program: each choice takes the next one, and 0 where the tape has ended,
//! which is the simplest choice. What is called, what is dropped and what is computed is recorded in a number `H`. A program
//! may panic, by `unwrap` and its like.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k) % 1009, Relaxed); k % 1000 }
#[derive(PartialEq)]
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0 + 7); } }
impl D { fn v(&self) -> u32 { e(self.0 + 100) } fn end(self) -> u32 { e(self.0 + 400) } }
impl Clone for D { fn clone(&self) -> D { e(self.0 + 600); D(self.0 + 1) } }
impl Default for D { fn default() -> D { e(77); D(9) } }
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum S { #[default] Nil, Dot(u32), Box2 { w: u32, h: u32 }, Both(u32, bool) }
impl S {
    const UNIT: S = S::Dot(1);
    fn size(&self) -> u32 {
        match self { S::Nil => 0, Self::Dot(n) => *n, S::Box2 { w, h } => w + h, S::Both(n, true) => *n + 1, S::Both(n, _) => *n }
    }
    fn grown(self, by: u32) -> Self {
        match self { S::Dot(n) | S::Both(n, _) => S::Dot(n + by), S::Box2 { w, .. } => S::Box2 { w, h: by }, Self::Nil => S::UNIT }
    }
}
enum K { One(D), Other(u32), Empty }
impl K { fn end(self) -> u32 { match self { K::One(d) => d.end(), K::Other(n) => n, K::Empty => 3 } } }
#[derive(Clone, PartialEq, Default)]
struct W<T> { x: T, n: u32 }
impl<T> W<T> {
    fn map<U>(self, f: impl FnOnce(T) -> U) -> W<U> { W { x: f(self.x), n: self.n } }
    fn get(self) -> T { self.x }
    fn n(&self) -> u32 { e(self.n + 20) }
}
trait Area {
    const K: u32;
    type Part: Into;
    fn area(&self) -> u32;
    fn twice(&self) -> u32 { e(30); self.area() * 2 + Self::K }
    fn part(&self) -> Self::Part;
    fn make(n: u32) -> Self;
}
trait Into { fn into_nat(self) -> u32; }
impl Into for u32 { fn into_nat(self) -> u32 { self + 1 } }
impl Into for bool { fn into_nat(self) -> u32 { e(self as u32) } }
impl<T: Into> Into for Option<T> { fn into_nat(self) -> u32 { match self { Some(t) => t.into_nat(), None => 5 } } }
impl Area for S {
    const K: u32 = 2;
    type Part = bool;
    fn area(&self) -> u32 { self.size() }
    fn part(&self) -> bool { self.size() > 2 }
    fn make(n: u32) -> S { S::Both(n, n > 4) }
}
impl Area for u32 {
    const K: u32 = 4;
    type Part = Option<u32>;
    fn area(&self) -> u32 { *self }
    fn twice(&self) -> u32 { *self + 100 + Self::K }
    fn part(&self) -> Option<u32> { if *self > 9 { Some(*self) } else { None } }
    fn make(n: u32) -> u32 { e(n) }
}
fn both<A: Area, B: Area>(a: A, b: &B) -> u32 { (a.twice() + b.area()) % 97 + A::K }
fn parts<A: Area>(n: u32) -> u32 where A::Part: Into { A::make(n).part().into_nat() }
fn apply<F: Fn(u32) -> u32>(f: F, n: u32) -> u32 { f(f(n) % 50) }
fn once<T, R>(x: T, f: impl FnOnce(T) -> R) -> R { e(40); f(x) }
fn each(n: u32, mut f: impl FnMut(u32)) { for i in 0..n % 4 { f(i); } }
fn inc(n: u32) -> u32 { e(n % 90 + 1) }
fn half(n: u32) -> Option<u32> { if n % 2 == 0 { Some(n / 2) } else { None } }
fn odd(n: u32) -> Result<u32, u32> { if n % 2 == 1 { Ok(e(n)) } else { Err(n + 1) } }
fn hold(n: u32) -> Option<D> { if n % 3 == 0 { None } else { Some(D(n)) } }
fn tried(n: u32) -> Result<D, u32> { if n % 3 == 0 { Err(n) } else { Ok(D(n)) } }
struct Fault(u32);
impl From<u32> for Fault { fn from(n: u32) -> Fault { Fault(e(n % 80 + 2)) } }
fn chain(n: u32) -> Result<u32, Fault> { let a = odd(n)?; let b = odd(a + 2)?; Ok(a + b) }
fn chained(n: u32) -> Option<u32> { let a = half(n)?; Some(half(a)? + 1) }
";

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nat,
    Bool,
    Option,
    Result,
    Shape,
}

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    /// Variables that can be copied.
    names: Vec<(String, Kind)>,
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

    fn variable(&mut self, kind: Kind) -> Option<String> {
        let of: Vec<String> = self
            .names
            .iter()
            .filter(|(_, own)| *own == kind)
            .map(|(name, _)| name.clone())
            .collect();
        let at = self.choose(of.len().max(1) as u32);
        of.get(at as usize).cloned()
    }

    /// Something that is made with a name of this kind in scope.
    fn within(&mut self, name: &str, kind: Kind, make: impl FnOnce(&mut Self) -> String) -> String {
        self.names.push((name.to_owned(), kind));
        let made = make(self);
        self.names.pop();
        made
    }

    /// A closure of one number.
    fn closure(&mut self, depth: u32, result: Kind) -> String {
        if result == Kind::Nat && self.choose(4) == 1 {
            return "inc".to_owned();
        }
        if result == Kind::Option && self.choose(3) == 1 {
            return "half".to_owned();
        }
        let x = self.name();
        let body = self.within(&x, Kind::Nat, |pen| pen.of(result, depth));
        match self.choose(3) {
            0 => format!("|{x}| {body}"),
            1 => format!("|{x}| {{ e({x} % 70); {body} }}"),
            _ => format!("move |{x}: u32| {{ if {x} > 20 {{ return {body}; }} {body} }}"),
        }
    }

    fn of(&mut self, kind: Kind, depth: u32) -> String {
        match kind {
            Kind::Nat => self.nat(depth),
            Kind::Bool => self.truth(depth),
            Kind::Option => self.option(depth),
            Kind::Result => self.result(depth),
            Kind::Shape => self.shape(depth),
        }
    }

    fn nat(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.choose(3) {
                0 => format!("e({})", self.number()),
                1 => self.variable(Kind::Nat).unwrap_or_else(|| "4".to_owned()),
                _ => self.number().to_string(),
            };
        }
        let d = depth - 1;
        match self.choose(30) {
            0 => format!("(({} + {}) % 97)", self.nat(d), self.nat(d)),
            1 => format!("{}.unwrap_or({})", self.option(d), self.nat(d)),
            2 => format!("{}.unwrap_or_else(|| {})", self.option(d), self.nat(d)),
            3 => format!(
                "{}.map_or({}, {})",
                self.option(d),
                self.nat(d),
                self.closure(d, Kind::Nat)
            ),
            4 => format!("{}.unwrap()", self.option(d)),
            5 => format!(
                "{}.unwrap_or_else({})",
                self.result(d),
                self.closure(d, Kind::Nat)
            ),
            6 => format!("{}.size()", self.shape(d)),
            7 => format!("apply({}, {})", self.closure(d, Kind::Nat), self.nat(d)),
            8 => format!("once({}, {})", self.nat(d), self.closure(d, Kind::Nat)),
            9 => format!("both({}, &{})", self.shape(d), self.nat(d)),
            10 => format!("both({}, &{})", self.nat(d), self.shape(d)),
            11 => format!(
                "parts::<{}>({})",
                ["S", "u32"][self.choose(2) as usize],
                self.nat(d)
            ),
            12 => self.matching(d),
            13 => {
                let x = self.name();
                let (of, other) = (self.option(d), self.nat(d));
                let then = self.within(&x, Kind::Nat, |pen| pen.nat(d));
                format!("(if let Some({x}) = ({of}) {{ {then} }} else {{ {other} }})")
            }
            14 => format!("{}.end()", self.owned(d)),
            15 => format!("{}.map(|d| d.v()).unwrap_or({})", self.held(d), self.nat(d)),
            16 => format!("{}.end()", self.kind(d)),
            17 => format!(
                "W {{ x: {}, n: {} }}.map({}).get()",
                self.nat(d),
                self.nat(0),
                self.closure(d, Kind::Nat)
            ),
            18 => format!("W {{ x: {}, n: 3 }}.n()", self.owned(d)),
            19 => format!("chain({}).unwrap_or_else(|f| f.0)", self.nat(d)),
            20 => format!("chained({}).unwrap_or_default()", self.nat(d)),
            21 => {
                let x = self.name();
                let (of, by) = (self.nat(d), self.nat(d));
                let inner = self.within(&x, Kind::Nat, |pen| pen.nat(d));
                format!(
                    "({{ let {x} = {of}; let mut t = {by}; each({x}, |i| t = (t + i + {inner}) % 89); t }})"
                )
            }
            22 => format!("<S as Area>::make({}).area()", self.nat(d)),
            23 => format!("Area::twice(&{})", self.shape(d)),
            24 => format!("{}.into_nat()", self.option(d)),
            25 => format!("Into::into_nat({})", self.truth(d)),
            26 => format!("{}.as_ref().map(D::v).unwrap_or(2)", self.held(d)),
            27 => format!(
                "{}.map_or_else(|r| r + 1, {})",
                self.result(d),
                self.closure(d, Kind::Nat)
            ),
            28 => {
                let (a, b) = (self.option(d), self.option(d));
                format!(
                    "({{ let mut o = {a}; let p = o.take(); o = {b}; p.or(o).map_or(1, |x| x) }})"
                )
            }
            _ => format!("{}.clone().end()", self.owned(d)),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("e({}) % 2 == 0", self.number());
        }
        let d = depth - 1;
        match self.choose(8) {
            0 => format!("({} > 40)", self.nat(d)),
            1 => format!("({} == {})", self.option(d), self.option(d)),
            2 => format!("({} != {})", self.shape(d), self.shape(d)),
            3 => format!("{}.is_some()", self.option(d)),
            4 => format!(
                "{}.is_ok_and({})",
                self.result(d),
                self.closure(d, Kind::Bool)
            ),
            5 => format!("matches!({}, S::Dot(n) if n > 3)", self.shape(d)),
            6 => format!("{}.is_none()", self.held(d)),
            _ => format!("({} == {})", self.result(d), self.result(d)),
        }
    }

    fn option(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.choose(3) {
                0 => format!("half({})", self.number()),
                1 => "None::<u32>".to_owned(),
                _ => self
                    .variable(Kind::Option)
                    .unwrap_or_else(|| "Some(6)".to_owned()),
            };
        }
        let d = depth - 1;
        match self.choose(13) {
            0 => format!("Some({})", self.nat(d)),
            1 => format!("{}.map({})", self.option(d), self.closure(d, Kind::Nat)),
            2 => format!(
                "{}.and_then({})",
                self.option(d),
                self.closure(d, Kind::Option)
            ),
            3 => format!("{}.filter(|x| *x > {})", self.option(d), self.nat(0)),
            4 => format!("{}.or({})", self.option(d), self.option(d)),
            5 => format!("{}.or_else(|| {})", self.option(d), self.option(d)),
            6 => format!("{}.ok()", self.result(d)),
            7 => format!("{}.err()", self.result(d)),
            8 => format!("{}.map(|d| d.end())", self.held(d)),
            9 => format!(
                "{}.zip({}).map(|(a, b)| (a + b) % 83)",
                self.option(d),
                self.option(d)
            ),
            10 => format!("{}.xor({})", self.option(d), self.option(d)),
            11 => format!(
                "if {} {{ {} }} else {{ None }}",
                self.truth(d),
                self.option(d)
            ),
            _ => format!("Some({}).map(S::Dot).map(|s| s.size())", self.nat(d)),
        }
    }

    fn result(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.choose(3) {
                0 => format!("odd({})", self.number()),
                1 => self
                    .variable(Kind::Result)
                    .unwrap_or_else(|| "Err::<u32, u32>(8)".to_owned()),
                _ => "Ok::<u32, u32>(3)".to_owned(),
            };
        }
        let d = depth - 1;
        match self.choose(7) {
            0 => format!("{}.map({})", self.result(d), self.closure(d, Kind::Nat)),
            1 => format!("{}.map_err({})", self.result(d), self.closure(d, Kind::Nat)),
            2 => format!(
                "{}.and_then({})",
                self.result(d),
                self.closure(d, Kind::Result)
            ),
            3 => format!("{}.ok_or({})", self.option(d), self.nat(d)),
            4 => format!("{}.ok_or_else(|| {})", self.option(d), self.nat(d)),
            5 => format!("tried({}).map(|d| d.v())", self.nat(d)),
            _ => format!(
                "{}.or_else({})",
                self.result(d),
                self.closure(d, Kind::Result)
            ),
        }
    }

    fn shape(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.choose(4) {
                0 => "S::Nil".to_owned(),
                1 => self
                    .variable(Kind::Shape)
                    .unwrap_or_else(|| "S::UNIT".to_owned()),
                2 => format!("S::Dot({})", self.number()),
                _ => "S::default()".to_owned(),
            };
        }
        let d = depth - 1;
        match self.choose(6) {
            0 => format!("S::Dot({})", self.nat(d)),
            1 => format!("S::Box2 {{ h: {}, w: {} }}", self.nat(d), self.nat(d)),
            2 => format!("S::Both({}, {})", self.nat(d), self.truth(d)),
            3 => format!("{}.grown({})", self.shape(d), self.nat(d)),
            4 => format!("{}.map_or(S::Nil, S::Dot)", self.option(d)),
            _ => format!("{}.clone()", self.shape(d)),
        }
    }

    fn owned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("D({})", self.number());
        }
        let d = depth - 1;
        match self.choose(6) {
            0 => format!("D({})", self.nat(d)),
            1 => format!("{}.unwrap_or(D({}))", self.held(d), self.number()),
            2 => format!("{}.unwrap_or_default()", self.held(d)),
            3 => format!("W {{ x: {}, n: 2 }}.get()", self.owned(d)),
            4 => format!("once({}, |d| {{ d.v(); d }})", self.owned(d)),
            _ => format!("tried({}).unwrap_or_else(D)", self.nat(d)),
        }
    }

    fn held(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("hold({})", self.number());
        }
        let d = depth - 1;
        match self.choose(6) {
            0 => format!("Some({})", self.owned(d)),
            1 => format!("tried({}).ok()", self.nat(d)),
            2 => format!("{}.filter(|d| d.v() % 2 == 0)", self.held(d)),
            3 => format!("{}.or_else(|| {})", self.held(d), self.held(d)),
            4 => format!("{}.map(|d| D(d.v()))", self.held(d)),
            _ => format!("{}.map(D)", self.option(d)),
        }
    }

    fn kind(&mut self, depth: u32) -> String {
        match self.choose(3) {
            0 => "K::Empty".to_owned(),
            1 => format!("K::Other({})", self.nat(depth)),
            _ => format!("K::One({})", self.owned(depth)),
        }
    }

    fn matching(&mut self, depth: u32) -> String {
        match self.choose(4) {
            0 => {
                let (of, a, b) = (self.shape(depth), self.name(), self.nat(depth));
                let then = self.within(&a, Kind::Nat, |pen| pen.nat(depth));
                format!(
                    "(match ({of}) {{ S::Dot({a}) | S::Both({a}, _) => {then}, S::Box2 {{ .. }} => 7, S::Nil => {b} }})"
                )
            }
            1 => {
                let (of, a) = (self.option(depth), self.name());
                let some = self.within(&a, Kind::Nat, |pen| pen.nat(depth));
                format!(
                    "(match ({of}) {{ Some({a}) if {a} > 9 => {some}, None => 6, Some(_) => 8 }})"
                )
            }
            2 => {
                let (of, other, a) = (self.kind(depth), self.nat(depth), self.name());
                let then = self.within(&a, Kind::Nat, |pen| pen.nat(depth));
                format!(
                    "(match ({of}) {{ K::One(d) => d.v(), K::Other({a}) => {then}, K::Empty => {other} }})"
                )
            }
            _ => {
                let (of, or, a) = (self.option(depth), self.result(depth), self.name());
                let then = self.within(&a, Kind::Nat, |pen| pen.nat(depth));
                format!(
                    "(match ({of}, {or}) {{ (Some({a}), Ok(_)) => {then}, (_, Err({a})) => {a}, (None, Ok(_)) => 5 }})"
                )
            }
        }
    }

    fn statement(&mut self, text: &mut String) {
        let depth = 1 + self.choose(3);
        match self.choose(6) {
            0 => {
                let value = self.nat(depth);
                writeln!(text, "    e(({value}) % 500);").expect("a text can be written to");
            }
            1 => {
                let (value, name) = (self.nat(depth), self.name());
                writeln!(text, "    let {name}: u32 = {value};").expect("a text can be written to");
                self.names.push((name, Kind::Nat));
            }
            2 => {
                let kinds = [Kind::Option, Kind::Result, Kind::Shape];
                let kind = kinds[self.choose(3) as usize];
                let (value, name) = (self.of(kind, depth), self.name());
                writeln!(text, "    let {name} = {value};").expect("a text can be written to");
                self.names.push((name, kind));
            }
            3 => {
                let (value, name) = (self.held(depth), self.name());
                let used = ["", ".as_ref()"][self.choose(2) as usize];
                writeln!(
                    text,
                    "    let {name} = {value}; if let Some(d) = ({name}{used}) {{ d.v(); }}"
                )
                .expect("a text can be written to");
            }
            4 => {
                let (of, value) = (self.held(depth), self.nat(depth));
                writeln!(
                    text,
                    "    let Some(k) = {of} else {{ e({value}); return; }}; k.v();"
                )
                .expect("a text can be written to");
            }
            _ => {
                let (value, name) = (self.kind(depth), self.name());
                writeln!(text, "    let {name} = {value}; e({name}.end() % 300);")
                    .expect("a text can be written to");
            }
        }
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
    for _ in 0..=pen.choose(4) {
        pen.statement(&mut text);
    }
    text.push_str("}\n");
    text
}
