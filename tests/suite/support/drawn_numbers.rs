//! Random programs in Rust that compute with numbers of all types.
//!
//! As in `drawn_rust`, a tape of numbers draws a program: each choice takes the next one, and 0 where the
//! tape has ended, which is the simplest choice. Each program mixes what it computes into a number `H`. It
//! may panic: where a result leaves its type, at a division by 0, outside of an array.
//!
//! Some values are known while the program is read. Others have been stored in an atomic, and nothing is
//! known of them. Values of 64 bits that 32 bits do not represent are drawn seldom: they are undecided.

mod statements;
mod values;

use std::fmt::Write as _;

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Int {
    name: &'static str,
    /// Its atomic is `Atomic` and this.
    atomic: &'static str,
    bits: u32,
    signed: bool,
}

const fn int(name: &'static str, atomic: &'static str, bits: u32, signed: bool) -> Int {
    Int {
        name,
        atomic,
        bits,
        signed,
    }
}

const I32: Int = int("i32", "I32", 32, true);
const U8: Int = int("u8", "U8", 8, false);
const I8: Int = int("i8", "I8", 8, true);
const U32: Int = int("u32", "U32", 32, false);
const U16: Int = int("u16", "U16", 16, false);
const I16: Int = int("i16", "I16", 16, true);
const U64: Int = int("u64", "U64", 64, false);
const I64: Int = int("i64", "I64", 64, true);
const USIZE: Int = int("usize", "Usize", 64, false);
const ISIZE: Int = int("isize", "Isize", 64, true);

/// All types; those of up to 32 bits are drawn more often.
const DRAWN: [Int; 16] = [
    I32, U8, I8, U32, U16, I16, I32, U8, I8, U32, I16, U32, U64, I64, USIZE, ISIZE,
];

/// The fields of the structure `P`.
const FIELDS: [(&str, Int); 5] = [("a", I32), ("b", U8), ("c", I16), ("d", U32), ("f", I64)];

impl Int {
    fn least(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    fn most(self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    fn holds(self, value: i128) -> bool {
        (self.least()..=self.most()).contains(&value)
    }

    /// What `as` makes of a number.
    fn reduced(self, value: i128) -> i128 {
        let value = value.rem_euclid(1 << self.bits);
        if value > self.most() {
            value - (1 << self.bits)
        } else {
            value
        }
    }
}

/// What all programs begin with.
pub fn prelude() -> String {
    let mut text = "\
use std::sync::atomic::*;
use std::sync::atomic::Ordering::Relaxed;
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) { H.store(H.load(Relaxed).wrapping_mul(31).wrapping_add(k), Relaxed); }
static Z_BOOL: AtomicBool = AtomicBool::new(false);
fn h_bool(v: bool) -> bool { Z_BOOL.store(v, Relaxed); Z_BOOL.load(Relaxed) }
#[derive(Clone, Copy, PartialEq)]
struct P { a: i32, b: u8, c: i16, d: u32, f: i64 }
"
    .to_owned();
    for Int { name, atomic, .. } in [I32, U8, I8, U32, U16, I16, U64, I64, USIZE, ISIZE] {
        writeln!(
            text,
            "static Z_{atomic}: Atomic{atomic} = Atomic{atomic}::new(0);\n\
             fn h_{name}(v: {name}) -> {name} {{ Z_{atomic}.store(v, Relaxed); Z_{atomic}.load(Relaxed) }}\n\
             fn pick_{name}(c: bool, a: {name}, b: {name}) -> {name} {{ if c {{ return a; }} b }}"
        )
        .expect("a text can be written to");
    }
    text
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int(Int),
    Bool,
    Array(Int, u32),
    Fields,
    Option(Int),
    /// A static atomic.
    Atomic(Int),
    AtomicBool,
    /// A constant, and whether patterns may name it.
    Const(Int),
    /// A function or closure of one argument, and its result.
    Function(Int, Int),
}

impl Kind {
    /// Whether closures and inner functions see it, too.
    fn is_item(self) -> bool {
        matches!(self, Kind::Atomic(_) | Kind::AtomicBool | Kind::Const(_))
    }
}

struct Var {
    name: String,
    kind: Kind,
    mutable: bool,
}

/// What `return` takes here.
#[derive(Clone, Copy)]
enum Returns {
    Nothing,
    Value(Int),
}

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    vars: Vec<Var>,
    next: u32,
    /// Variables before this one are outside of the closure: only those that do not change are visible.
    floor: usize,
    /// Variables before this one are outside of the function: only items are visible.
    hidden: usize,
    /// The labels of the loops around; none for a loop that has a value.
    loops: Vec<Option<String>>,
    returns: Returns,
}

impl Pen<'_> {
    fn choose(&mut self, most: u32) -> u32 {
        let drawn = self.tape.next().copied().unwrap_or(0);
        u32::from(drawn) % most
    }

    fn fresh(&mut self, letter: char) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn int(&mut self) -> Int {
        DRAWN[self.choose(DRAWN.len() as u32) as usize]
    }

    fn declare(&mut self, name: &str, kind: Kind, mutable: bool) {
        self.vars.push(Var {
            name: name.to_owned(),
            kind,
            mutable,
        });
    }

    /// The variables that can be named here.
    fn visible(&self) -> impl DoubleEndedIterator<Item = &Var> {
        let all = self.vars.iter().enumerate();
        all.filter(|&(at, var)| {
            let is_hidden = self.vars[at + 1..].iter().any(|one| one.name == var.name);
            let is_inside = at >= self.floor || at >= self.hidden && !var.mutable;
            !is_hidden && (is_inside || var.kind.is_item())
        })
        .map(|(_, var)| var)
    }

    /// A variable of which this is true.
    fn variable(&mut self, is: impl Fn(&Var) -> bool) -> Option<(String, Kind)> {
        let found: Vec<(String, Kind)> = self
            .visible()
            .filter(|var| is(var))
            .map(|var| (var.name.clone(), var.kind))
            .collect();
        let most = u32::try_from(found.len()).ok().filter(|most| *most > 0)?;
        let at = most - 1 - self.choose(most);
        found.into_iter().nth(at as usize)
    }

    /// What is drawn here is in a scope of its own.
    fn scoped(&mut self, draw: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.vars.len();
        let text = draw(self);
        self.vars.truncate(before);
        text
    }

    /// The same inside a function or closure.
    fn inside(
        &mut self,
        captures: bool,
        returns: Returns,
        draw: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let before = (self.floor, self.hidden, self.returns);
        let loops = std::mem::take(&mut self.loops);
        (self.floor, self.returns) = (self.vars.len(), returns);
        if !captures {
            self.hidden = self.vars.len();
        }
        let text = self.scoped(draw);
        (self.floor, self.hidden, self.returns) = before;
        self.loops = loops;
        text
    }
}

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        vars: Vec::new(),
        next: 0,
        floor: 0,
        hidden: 0,
        loops: Vec::new(),
        returns: Returns::Nothing,
    };
    let stmts = pen.statements(3) + &pen.statements(3) + &pen.statements(2);
    let ty = pen.int();
    let last = pen.number(ty, 3);
    let seen = pen.seen(0);
    format!("fn {name}() {{ {stmts}e({last} as u32); {seen}}}\n")
}
