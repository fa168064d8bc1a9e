//! Random programs in Rust that move values and parts of values around, and record the order of what happens in a number.
//!
//! They are drawn by tapes, as those of `drawn_rust`. Each variable is known with its type and with the parts that are
//! moved out of it, so that all programs are accepted by the compiler. Some parts are moved in some branches only, into
//! threads, out of temporary values, out of boxes, or by patterns that leave out others.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::mem;
use std::rc::Rc;
use std::sync::Arc;
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k) % 1009, Relaxed); k }
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0); } }
impl D {
    fn v(&self) -> u32 { e(self.0 + 100) }
    fn end(self) -> u32 { e(self.0 + 400) }
    fn same(self) -> D { e(self.0 + 450); self }
}
fn d(k: u32) -> D { e(k + 500); D(k) }
struct S { a: D, b: D }
impl S { fn a(self) -> D { self.a } }
struct N { s: S, n: u32, d: D }
struct W { d: D, s: S }
struct Held { h: Arc<D>, d: D }
impl Held { fn copy(&self) -> Held { Held { d: d(self.d.0), h: self.h.clone() } } }
impl Drop for W { fn drop(&mut self) { e(self.d.0 + 600); } }
fn yes(k: u32) -> bool { e(k + 700) % 2 == 0 }
fn second(_: D, (x, _): (D, D)) -> D { x }
fn half(k: u32, x: D) -> Option<D> { if k % 2 == 0 { Some(x) } else { None } }
fn early(k: u32, x: D, y: D) -> Option<D> { let z = half(k, x)?; drop(y); Some(z) }
fn part(n: N) -> D { if n.n % 2 == 0 { n.d } else { n.s.b } }
";

/// The most that a program is worth.
const DEEP: u32 = 3;

/// The types of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    D,
    S,
    N,
    W,
    Pair,
    Option,
    Result,
    OfPair,
    BoxD,
    BoxS,
    Array,
    Arc,
    Rc,
    Held,
}

const TYPES: [Type; 14] = [
    Type::D,
    Type::S,
    Type::Pair,
    Type::N,
    Type::Option,
    Type::BoxD,
    Type::Result,
    Type::OfPair,
    Type::W,
    Type::BoxS,
    Type::Array,
    Type::Arc,
    Type::Rc,
    Type::Held,
];

impl Type {
    /// The parts that can be named, and whether they can be moved.
    fn parts(self) -> &'static [(&'static str, Type)] {
        match self {
            Type::S => &[("a", Type::D), ("b", Type::D)],
            Type::N => &[("s", Type::S), ("d", Type::D)],
            Type::Pair => &[("0", Type::D), ("1", Type::D)],
            Type::BoxD => &[("*", Type::D)],
            Type::BoxS => &[("*", Type::S)],
            Type::W => &[("d", Type::D), ("s", Type::S)],
            Type::Held => &[("h", Type::Arc), ("d", Type::D)],
            Type::D
            | Type::Option
            | Type::Result
            | Type::OfPair
            | Type::Array
            | Type::Arc
            | Type::Rc => &[],
        }
    }
}

type Path = Vec<&'static str>;

#[derive(Clone)]
struct Var {
    name: String,
    ty: Type,
    moved: Vec<Path>,
}

/// Part of a variable.
#[derive(Clone)]
struct Part {
    var: usize,
    path: Path,
    ty: Type,
    movable: bool,
}

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    vars: Vec<Var>,
    next: u32,
    /// What is declared before cannot be moved, because this is repeated or in a function of its own.
    floor: usize,
    threads: u32,
    loops: u32,
}

impl Pen<'_> {
    fn choose(&mut self, most: u32) -> u32 {
        let drawn = self.tape.next().copied().unwrap_or(0);
        u32::from(drawn) % most
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn fresh(&mut self) -> String {
        format!("x{}", self.number())
    }

    /// The parts of variables that have their values.
    fn parts(&self) -> Vec<Part> {
        let mut found = Vec::new();
        for (number, var) in self.vars.iter().enumerate() {
            let mut open = vec![(Vec::new(), var.ty, number >= self.floor)];
            while let Some((path, ty, movable)) = open.pop() {
                let overlaps = |moved: &Path| moved.starts_with(&path) || path.starts_with(moved);
                let is_gone = |moved: &Path| path.starts_with(moved);
                if !var.moved.iter().any(overlaps) {
                    found.push(Part {
                        var: number,
                        path: path.clone(),
                        ty,
                        movable,
                    });
                }
                if !var.moved.iter().any(is_gone) {
                    for (name, part) in ty.parts().iter().rev() {
                        let mut path = path.clone();
                        path.push(*name);
                        open.push((path, *part, movable && ty != Type::W));
                    }
                }
            }
        }
        found
    }

    fn text(&self, part: &Part) -> String {
        let mut text = self.vars[part.var].name.clone();
        for step in &part.path {
            text = match *step {
                "*" => format!("(*{text})"),
                step => format!("{text}.{step}"),
            };
        }
        text
    }

    /// A part of this type, the newest variables first.
    fn find(&mut self, ty: Type, moves: bool) -> Option<Part> {
        let parts = self.parts();
        let mut parts: Vec<Part> = parts
            .into_iter()
            .filter(|part| part.ty == ty && (part.movable || !moves))
            .collect();
        if parts.is_empty() {
            return None;
        }
        let at = self.choose(parts.len() as u32) as usize;
        let at = parts.len() - 1 - at;
        Some(parts.swap_remove(at))
    }

    fn moved(&mut self, part: &Part) {
        self.vars[part.var].moved.push(part.path.clone());
    }

    /// A part of this type that is moved.
    fn taken(&mut self, ty: Type) -> Option<String> {
        let part = self.find(ty, true)?;
        self.moved(&part);
        Some(self.text(&part))
    }

    /// A value.
    fn value(&mut self, ty: Type, depth: u32) -> String {
        let deeper = depth.saturating_sub(1);
        if self.choose(3) == 1
            && let Some(part) = self.taken(ty)
        {
            return part;
        }
        let d = |pen: &mut Self| pen.value(Type::D, deeper);
        match ty {
            Type::D => {
                let choices = if depth == 0 { 2 } else { 13 };
                match self.choose(choices) {
                    0 => format!("d({})", self.number()),
                    1 => format!("D({})", self.number()),
                    2 => format!("second({}, ({}, {}))", d(self), d(self), d(self)),
                    3 => format!("({}).a", self.value(Type::S, deeper)),
                    4 => format!("({}).b", self.value(Type::S, deeper)),
                    5 => format!("({}).s.a", self.value(Type::N, deeper)),
                    6 => format!("({}).1", self.value(Type::Pair, deeper)),
                    7 => format!("*{}", self.value(Type::BoxD, deeper)),
                    8 => format!(
                        "{}.unwrap_or({})",
                        self.value(Type::Option, deeper),
                        d(self)
                    ),
                    9 => format!("({}).a()", self.value(Type::S, deeper)),
                    10 => format!("part({})", self.value(Type::N, deeper)),
                    11 => format!("({}).same()", d(self)),
                    _ => {
                        let condition = format!("yes({})", self.number());
                        let (then, other) = self.either(|pen| pen.block(Some(Type::D), deeper));
                        format!("(if {condition} {then} else {other})")
                    }
                }
            }
            Type::S => format!("S {{ b: {}, a: {} }}", d(self), d(self)),
            Type::N => format!(
                "N {{ n: {}, s: {}, d: {} }}",
                self.number(),
                self.value(Type::S, deeper),
                d(self)
            ),
            Type::W => format!("W {{ d: {}, s: {} }}", d(self), self.value(Type::S, deeper)),
            Type::Pair => format!("({}, {})", d(self), d(self)),
            Type::Option => match self.choose(4) {
                0 => format!("half({}, {})", self.number(), d(self)),
                1 => format!("early({}, {}, {})", self.number(), d(self), d(self)),
                2 => format!("{}.ok()", self.value(Type::Result, deeper)),
                _ => "None::<D>".to_owned(),
            },
            Type::Result => match self.choose(2) {
                0 => format!("Ok::<D, D>({})", d(self)),
                _ => format!("Err::<D, D>({})", d(self)),
            },
            Type::OfPair => match self.choose(3) {
                0 | 1 => format!("Some(({}, {}))", d(self), d(self)),
                _ => "None::<(D, D)>".to_owned(),
            },
            Type::BoxD => format!("Box::new({})", d(self)),
            Type::BoxS => format!("Box::new({})", self.value(Type::S, deeper)),
            Type::Array => format!("[{}, {}]", d(self), d(self)),
            Type::Arc => match self.find(Type::Arc, false) {
                Some(part) if self.choose(2) == 1 => format!("Arc::clone(&{})", self.text(&part)),
                Some(_) | None => format!("Arc::new({})", d(self)),
            },
            Type::Rc => match self.find(Type::Rc, false) {
                Some(part) if self.choose(2) == 1 => format!("{}.clone()", self.text(&part)),
                Some(_) | None => format!("Rc::new({})", self.value(Type::S, deeper)),
            },
            Type::Held => match self.find(Type::Held, false) {
                Some(part) if self.choose(3) == 1 => format!("{}.copy()", self.text(&part)),
                Some(_) | None => {
                    format!(
                        "Held {{ d: {}, h: {} }}",
                        d(self),
                        self.value(Type::Arc, deeper)
                    )
                }
            },
        }
    }

    /// Two branches, after which everything is moved that one of them moves.
    fn either(&mut self, mut branch: impl FnMut(&mut Self) -> String) -> (String, String) {
        let before = self.vars.clone();
        let then = branch(self);
        let after = std::mem::replace(&mut self.vars, before);
        let other = branch(self);
        for (var, other) in self.vars.iter_mut().zip(after) {
            var.moved.extend(other.moved);
        }
        (then, other)
    }

    /// A block with a value of this type, or none.
    fn block(&mut self, ty: Option<Type>, depth: u32) -> String {
        self.block_with(&[], ty, depth)
    }

    /// The same where these variables are.
    fn block_with(&mut self, own: &[(&str, Type)], ty: Option<Type>, depth: u32) -> String {
        let before = self.vars.len();
        for (name, ty) in own {
            self.declared(name, *ty);
        }
        let stmts = self.statements(depth);
        let value = ty.map(|ty| self.value(ty, depth)).unwrap_or_default();
        self.vars.truncate(before);
        format!("{{ {stmts} {value} }}")
    }

    fn declared(&mut self, name: &str, ty: Type) {
        self.vars.push(Var {
            name: name.to_owned(),
            ty,
            moved: Vec::new(),
        });
    }

    fn statements(&mut self, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..self.choose(5) {
            let stmt = self.statement(depth);
            write!(text, "{stmt} ").expect("a text can be written to");
        }
        text
    }

    /// Something to take apart: a value, or what a variable holds.
    fn scrutinee(&mut self, ty: Type, depth: u32) -> (String, Option<Part>) {
        if self.choose(2) == 1
            && let Some(part) = self.find(ty, true)
        {
            return (self.text(&part), Some(part));
        }
        let before = self.vars.clone();
        let value = self.value(ty, depth);
        // It is no place, so that it is a temporary value.
        if value.starts_with('x') && !value.ends_with(')')
            || value.starts_with("(*")
            || value.chars().rev().take(2).eq("a.".chars())
        {
            self.vars = before;
            let parts = (D_OF, S_OF);
            return match ty {
                Type::Pair => (format!("({0}, {0})", parts.0), None),
                Type::S => (parts.1.to_owned(), None),
                Type::Option => (format!("Some({})", parts.0), None),
                Type::OfPair => (format!("Some(({0}, {0}))", parts.0), None),
                Type::Result => (format!("Ok::<D, D>({})", parts.0), None),
                Type::D
                | Type::N
                | Type::W
                | Type::BoxD
                | Type::BoxS
                | Type::Array
                | Type::Arc
                | Type::Rc
                | Type::Held => (parts.0.to_owned(), None),
            };
        }
        (value, None)
    }

    fn part_moved(&mut self, part: Option<&Part>, step: &'static str) {
        if let Some(part) = part {
            let mut path = part.path.clone();
            path.push(step);
            self.vars[part.var].moved.push(path);
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 8 } else { 34 };
        let deeper = depth.saturating_sub(1);
        match self.choose(choices) {
            0 => {
                let ty = TYPES[self.choose(TYPES.len() as u32) as usize];
                let value = self.value(ty, deeper);
                let name = self.fresh();
                self.declared(&name, ty);
                format!("let mut {name} = {value};")
            }
            1 | 2 => {
                let movable: Vec<Part> = self
                    .parts()
                    .into_iter()
                    .filter(|part| part.movable)
                    .collect();
                if movable.is_empty() {
                    return format!("drop(d({}));", self.number());
                }
                let at = self.choose(movable.len() as u32) as usize;
                let part = movable[movable.len() - 1 - at].clone();
                self.moved(&part);
                let text = self.text(&part);
                match self.choose(5) {
                    0 => format!("drop({text});"),
                    1 => {
                        let name = self.fresh();
                        self.declared(&name, part.ty);
                        format!("let mut {name} = {text};")
                    }
                    2 => format!("{text};"),
                    3 => format!("mem::forget({text});"),
                    _ => format!("{{ let _moved = {text}; e({}); }}", self.number()),
                }
            }
            3 => match self.find(Type::D, false) {
                Some(part) => format!("{}.v();", self.text(&part)),
                None => String::new(),
            },
            4 => {
                // What is assigned to may have been moved.
                let count = self.vars.len() as u32;
                if count == 0 || self.threads > 0 {
                    return String::new();
                }
                let at = self.choose(count) as usize;
                let ty = self.vars[at].ty;
                let value = self.value(ty, deeper);
                if at >= self.floor {
                    self.vars[at].moved.clear();
                } else if !self.vars[at].moved.is_empty() {
                    return format!("drop({value});");
                }
                format!("{} = {value};", self.vars[at].name)
            }
            5 => {
                if self.threads > 0 {
                    return String::new();
                }
                // A part, which may have been moved, of what has not been moved as a whole.
                let Some(part) = self.find(Type::S, false) else {
                    return String::new();
                };
                let name = if self.choose(2) == 0 { "a" } else { "b" };
                let gone = self.choose(2) == 1 && part.movable;
                let base = self.text(&part);
                let drop = if gone {
                    format!("drop({base}.{name});")
                } else {
                    String::new()
                };
                let before = self.vars.clone();
                let value = self.value(Type::D, deeper);
                if before
                    .iter()
                    .zip(&self.vars)
                    .any(|(a, b)| a.moved != b.moved)
                {
                    self.vars = before;
                    return String::new();
                }
                format!("{drop} {base}.{name} = {value};")
            }
            6 => format!("let _ = {};", self.value(Type::D, deeper)),
            7 => match self.find(Type::Pair, false) {
                Some(part) => format!("let _ = {};", self.text(&part)),
                None => String::new(),
            },
            8 => {
                let (value, part) = self.scrutinee(Type::Pair, deeper);
                let name = self.fresh();
                self.declared(&name, Type::D);
                if self.choose(2) == 0 {
                    self.part_moved(part.as_ref(), "0");
                    format!("let (mut {name}, _) = {value};")
                } else {
                    self.part_moved(part.as_ref(), "1");
                    format!("let (_, mut {name}) = {value};")
                }
            }
            9 => {
                let (value, part) = self.scrutinee(Type::S, deeper);
                let name = self.fresh();
                self.declared(&name, Type::D);
                self.part_moved(part.as_ref(), "b");
                format!("let S {{ b: mut {name}, .. }} = {value};")
            }
            10 => {
                let (value, part) = self.scrutinee(Type::Option, deeper);
                if let Some(part) = &part {
                    self.moved(part);
                }
                let name = self.fresh();
                let mut own = vec![(&*name, Type::D)];
                let (some, none) = self.either(|pen| {
                    let own = std::mem::take(&mut own);
                    pen.block_with(&own, None, deeper)
                });
                if self.choose(2) == 0 {
                    format!("match {value} {{ Some(mut {name}) => {some}, None => {none} }}")
                } else {
                    format!("if let Some(mut {name}) = {value} {some} else {none}")
                }
            }
            11 => {
                let (value, part) = self.scrutinee(Type::Result, deeper);
                if let Some(part) = &part {
                    self.moved(part);
                }
                let (x, y) = (self.fresh(), self.fresh());
                let mut own = vec![&*y, &*x];
                let (ok, err) = self.either(|pen| {
                    let name = own.pop().unwrap_or_default();
                    pen.block_with(&[(name, Type::D)], None, deeper)
                });
                format!("match {value} {{ Ok(mut {x}) => {ok} Err(mut {y}) => {err} }}")
            }
            12 => {
                let (value, part) = self.scrutinee(Type::OfPair, deeper);
                if let Some(part) = &part {
                    self.moved(part);
                }
                let name = self.fresh();
                let mut own = vec![(&*name, Type::D)];
                let (then, _) = self.either(|pen| match own.pop() {
                    Some(own) => pen.block_with(&[own], None, deeper),
                    None => String::new(),
                });
                let pattern = match self.choose(3) {
                    0 => format!("Some((mut {name}, _))"),
                    1 => format!("Some((_, mut {name}))"),
                    _ => format!("Some((mut {name}, _y))"),
                };
                format!("if let {pattern} = {value} {then}")
            }
            13 => {
                let (value, part) = self.scrutinee(Type::Option, deeper);
                if let Some(part) = &part {
                    self.moved(part);
                }
                let name = self.fresh();
                let guard = self.number();
                let mut own = vec![(&*name, Type::D)];
                let (then, other) = self.either(|pen| {
                    let own = std::mem::take(&mut own);
                    pen.block_with(&own, None, deeper)
                });
                format!(
                    "match {value} {{ Some(mut {name}) if yes({guard}) => {then} _ => {other} }}"
                )
            }
            14 if self.threads == 0 => {
                let (value, part) = self.scrutinee(Type::Option, deeper);
                if let Some(part) = &part {
                    self.moved(part);
                }
                let name = self.fresh();
                let number = self.number();
                self.declared(&name, Type::D);
                format!("let Some(mut {name}) = {value} else {{ e({number}); return; }};")
            }
            15 => {
                let condition = format!("yes({})", self.number());
                let (then, other) = self.either(|pen| pen.block(None, deeper));
                format!("if {condition} {then} else {other}")
            }
            16 => {
                let i = self.fresh();
                let floor = std::mem::replace(&mut self.floor, self.vars.len());
                self.loops += 1;
                let first = self.statements(deeper);
                let jump = match self.choose(3) {
                    0 => String::new(),
                    1 => format!("if yes({i} + {}) {{ break; }}", self.number()),
                    _ => format!("if yes({i}) {{ continue; }}"),
                };
                let rest = self.statements(deeper);
                self.vars.truncate(self.floor);
                self.floor = floor;
                self.loops -= 1;
                format!("for {i} in 0..2u32 {{ {first} {jump} {rest} }}")
            }
            17 => {
                let (i, name) = (self.fresh(), self.fresh());
                let floor = std::mem::replace(&mut self.floor, self.vars.len());
                self.loops += 1;
                let first = self.statements(deeper);
                let value = self.value(Type::D, deeper);
                self.vars.truncate(self.floor);
                self.floor = floor;
                self.loops -= 1;
                self.declared(&name, Type::D);
                format!(
                    "let mut {i} = 0u32; let mut {name} = loop {{ {first} {i} += 1; if {i} == 2 {{ break {value}; }} }};"
                )
            }
            18..=20 if self.threads == 0 && self.loops == 0 => self.thread(deeper),
            21 if self.threads == 0 => format!("if yes({}) {{ return; }}", self.number()),
            22 => match self.find(Type::D, false) {
                Some(part) => {
                    let place = self.text(&part);
                    let before = self.vars.clone();
                    let value = self.value(Type::D, deeper);
                    if before
                        .iter()
                        .zip(&self.vars)
                        .any(|(a, b)| a.moved != b.moved)
                        || self.threads > 0
                    {
                        self.vars = before;
                        return String::new();
                    }
                    let name = self.fresh();
                    self.declared(&name, Type::D);
                    format!("let mut {name} = mem::replace(&mut {place}, {value});")
                }
                None => String::new(),
            },
            23 => match self.find(Type::Option, false) {
                Some(part) if self.threads == 0 => {
                    let place = self.text(&part);
                    let name = self.fresh();
                    self.declared(&name, Type::Option);
                    match self.choose(3) {
                        0 => format!("let mut {name} = {place}.take();"),
                        1 => format!("let mut {name} = mem::take(&mut {place});"),
                        _ => format!("let mut {name} = {place}.replace(d({}));", self.number()),
                    }
                }
                Some(_) | None => String::new(),
            },
            24 => match (self.find(Type::S, false), self.threads) {
                (Some(part), 0) => {
                    let place = self.text(&part);
                    format!("mem::swap(&mut {place}.a, &mut {place}.b);")
                }
                (Some(_) | None, _) => String::new(),
            },
            25 => {
                let value = self.value(Type::D, deeper);
                let name = self.fresh();
                format!(
                    "let {name}; if yes({}) {{ {name} = {value}; {name}.v(); }}",
                    self.number()
                )
            }
            26 => format!("({}).end();", self.value(Type::D, deeper)),
            27 => {
                let floor = std::mem::replace(&mut self.floor, self.vars.len());
                let block = self.block(None, deeper);
                self.floor = floor;
                block
            }
            28 => format!("{};", self.value(Type::Pair, deeper)),
            29 => {
                let value = self.value(Type::Arc, deeper);
                let name = self.fresh();
                self.declared(&name, Type::Option);
                format!("let mut {name} = Arc::into_inner({value});")
            }
            30 => {
                let value = self.value(Type::Arc, deeper);
                let then = self.block(None, deeper);
                format!("if let Ok(x) = Arc::try_unwrap({value}) {{ x.v(); }} else {then}")
            }
            31 => match self.find(Type::Arc, false) {
                Some(part) => {
                    let text = self.text(&part);
                    format!("e(Arc::strong_count(&{text}) as u32); {text}.v();")
                }
                None => String::new(),
            },
            32 => match self.find(Type::Rc, false) {
                Some(part) => {
                    let text = self.text(&part);
                    format!("e(Rc::strong_count(&{text}) as u32 + {text}.a.0);")
                }
                None => String::new(),
            },
            _ => format!("drop({});", self.value(Type::W, deeper)),
        }
    }

    /// A thread that captures parts of variables.
    fn thread(&mut self, depth: u32) -> String {
        let mut first = String::new();
        for _ in 0..=self.choose(3) {
            let movable: Vec<Part> = self
                .parts()
                .into_iter()
                // No other thread can have an `Rc`.
                .filter(|part| part.movable && part.ty != Type::Rc)
                .collect();
            if movable.is_empty() {
                break;
            }
            let at = self.choose(movable.len() as u32) as usize;
            let part = movable[movable.len() - 1 - at].clone();
            // A closure moves nothing out of a box, but the box.
            let boxed = part.path.iter().position(|step| *step == "*");
            let mut outer = part.clone();
            outer.path.truncate(boxed.unwrap_or(part.path.len()));
            let var = &self.vars[part.var];
            if var.moved.iter().any(|moved| moved.starts_with(&outer.path)) {
                continue;
            }
            let text = self.text(&part);
            if part.ty == Type::D && boxed.is_none() && self.choose(4) == 3 {
                // The number is copied, and the value stays where it is.
                write!(first, "e({text}.0); ").expect("a text can be written to");
                continue;
            }
            match (part.ty, self.choose(2)) {
                (Type::D, 0) => write!(first, "{text}.v(); "),
                (Type::S, 0) => write!(first, "{text}.a.v(); "),
                _ => write!(first, "drop({text}); "),
            }
            .expect("a text can be written to");
            self.moved(&outer);
        }
        let (floor, threads) = (self.floor, self.threads);
        let before = self.vars.len();
        let vars = std::mem::take(&mut self.vars);
        self.floor = 0;
        self.threads = 1;
        let own = self.statements(depth);
        self.vars = vars;
        self.vars.truncate(before);
        (self.floor, self.threads) = (floor, threads);
        format!("std::thread::spawn(move || {{ {first}{own} }}).join().unwrap();")
    }
}

const D_OF: &str = "d(7)";
const S_OF: &str = "S { a: d(8), b: d(9) }";

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        vars: Vec::new(),
        next: 0,
        floor: 0,
        threads: 0,
        loops: 0,
    };
    let stmts: String = (0..4).map(|_| pen.statements(DEEP)).collect();
    format!("fn {name}() {{ {stmts} }}\n")
}
