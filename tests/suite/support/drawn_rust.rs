//! Random programs in Rust that record the order of what happens in a number.
//!
//! A program is drawn by a *tape* of numbers: each choice takes the next one, and 0 where the tape has
//! ended, which is the simplest choice. So a shorter tape makes a smaller program, and proptest shrinks
//! programs by shrinking tapes. All programs are accepted by the compiler: what is moved is not used again,
//! and no temporary value with a destructor borrows a variable.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k) % 1009, Relaxed); k }
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0); } }
impl D {
    fn v(&self) -> u32 { e(self.0 + 100) }
    fn opt(&self) -> Option<u32> { if self.0 % 2 == 0 { Some(e(self.0 + 200)) } else { None } }
    fn b(&self) -> bool { e(self.0 + 300); self.0 % 3 == 0 }
    fn end(self) -> u32 { e(self.0 + 400) }
}
struct P { a: D, b: D }
fn mk(k: u32) -> D { e(k + 500); D(k) }
fn two(x: D, y: D) -> u32 { e(x.0 + y.0) }
fn first(x: D, _: D) -> D { x }
fn maybe(k: u32) -> Option<D> { if k % 2 == 0 { Some(D(k)) } else { None } }
fn given(x: D) -> Option<u32> { if x.0 % 2 == 0 { Some(x.0) } else { None } }
";

/// The most that a program is worth.
const DEEP: u32 = 4;

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    /// The names of the variables of type `D` in each block, and whether they can be moved here.
    blocks: Vec<Vec<Owned>>,
    numbers: Vec<Vec<String>>,
    next: u32,
    /// How many loops and closures are around: what is outside of them cannot be moved.
    floor: usize,
    loops: u32,
    returns_option: bool,
    in_closure: bool,
}

struct Owned {
    name: String,
    moved: bool,
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

    /// A value of type `u32`.
    fn nat(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 5 } else { 19 };
        match self.choose(choices) {
            0 => format!("e({})", self.number()),
            1 => format!("mk({}).v()", self.number()),
            2 => format!("D({}).v()", self.number()),
            3 => match self.alive(0) {
                Some(name) => format!("{name}.v()"),
                None => "1".to_owned(),
            },
            4 => match self.numbers.iter().flatten().next_back() {
                Some(name) => name.clone(),
                None => "2".to_owned(),
            },
            5 => format!("({} + {}) % 97", self.nat(depth - 1), self.nat(depth - 1)),
            6 => self.block(depth - 1, Wanted::Nat),
            7 => {
                let condition = self.condition(depth - 1);
                let (then, other) = self.branches(depth - 1, Wanted::Nat);
                format!("if {condition} {then} else {other}")
            }
            8 => self.if_let(depth - 1, Wanted::Nat),
            9 => self.matching(depth - 1, Wanted::Nat),
            10 => format!("{}.end()", self.owned(depth - 1)),
            11 => format!("two({}, {})", self.owned(depth - 1), self.owned(depth - 1)),
            12 => format!("e({})", self.nat(depth - 1)),
            13 => format!(
                "{}.unwrap_or({})",
                self.option(depth - 1),
                self.nat(depth - 1)
            ),
            14 => format!(
                "first({}, {}).v()",
                self.owned(depth - 1),
                self.owned(depth - 1)
            ),
            15 => format!("D({}).v() + {}", self.number(), self.nat(depth - 1)),
            16 if self.returns_option => format!("{}?", self.option(depth - 1)),
            17 => self.labelled(depth - 1),
            18 => format!("(&{}).v()", self.owned(depth - 1)),
            _ => "3".to_owned(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 2 } else { 7 };
        match self.choose(choices) {
            0 => format!("D({}).b()", self.number()),
            1 => format!("e({}) % 2 == 0", self.number()),
            2 => format!(
                "{} && {}",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            3 => format!(
                "({} || {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            4 => format!("!{}.b()", self.owned(depth - 1)),
            5 => format!("matches!({}, Some(_))", self.option(depth - 1)),
            _ => format!("{} > 50", brackets(&self.nat(depth - 1))),
        }
    }

    fn option(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 2 } else { 5 };
        match self.choose(choices) {
            0 => format!("D({}).opt()", self.number()),
            1 => format!("mk({}).opt()", self.number()),
            2 => format!("Some({})", self.nat(depth - 1)),
            3 => format!("given({})", self.owned(depth - 1)),
            _ => format!("{}.opt()", self.owned(depth - 1)),
        }
    }

    /// A value of type `D`.
    fn owned(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 3 } else { 8 };
        match self.choose(choices) {
            0 => format!("D({})", self.number()),
            1 => format!("mk({})", self.number()),
            2 => match self.movable() {
                Some(name) => name,
                None => format!("D({})", self.number()),
            },
            3 => brackets(&self.block(depth - 1, Wanted::Owned)),
            4 => {
                let condition = self.condition(depth - 1);
                let (then, other) = self.branches(depth - 1, Wanted::Owned);
                format!("(if {condition} {then} else {other})")
            }
            5 => format!(
                "first({}, {})",
                self.owned(depth - 1),
                self.owned(depth - 1)
            ),
            6 => brackets(&self.matching(depth - 1, Wanted::Owned)),
            _ => brackets(&self.if_let(depth - 1, Wanted::Owned)),
        }
    }

    fn of(&mut self, wanted: Wanted, depth: u32) -> String {
        match wanted {
            Wanted::Nat => self.nat(depth),
            Wanted::Owned => self.owned(depth),
            Wanted::Nothing => String::new(),
        }
    }

    fn branches(&mut self, depth: u32, wanted: Wanted) -> (String, String) {
        let then = self.block(depth, wanted);
        let other = self.block(depth, wanted);
        (then, other)
    }

    fn if_let(&mut self, depth: u32, wanted: Wanted) -> String {
        if self.choose(3) == 0 {
            let (what, x) = (self.number(), self.fresh());
            let then = self.block_with(Some(&x), depth, wanted);
            let other = self.block(depth, wanted);
            return format!("if let Some(mut {x}) = maybe({what}) {then} else {other}");
        }
        let option = self.option(depth);
        let x = self.fresh();
        self.numbers.push(vec![x.clone()]);
        let then = self.block(depth, wanted);
        self.numbers.pop();
        let other = self.block(depth, wanted);
        format!("if let Some({x}) = {option} {then} else {other}")
    }

    fn matching(&mut self, depth: u32, wanted: Wanted) -> String {
        let option = self.option(depth);
        let x = self.fresh();
        self.numbers.push(vec![x.clone()]);
        let guarded = self.choose(2) == 1;
        let guard = if guarded {
            format!(" if {}", self.condition(depth))
        } else {
            String::new()
        };
        let some = self.arm(depth, wanted);
        self.numbers.pop();
        let other = self.arm(depth, wanted);
        format!("match {option} {{ Some({x}){guard} => {some}, _ => {other} }}")
    }

    /// The body of an arm: a value or a block.
    fn arm(&mut self, depth: u32, wanted: Wanted) -> String {
        if wanted == Wanted::Nothing || self.choose(2) == 1 {
            return self.block(depth, wanted);
        }
        self.enter(Vec::new());
        let value = self.of(wanted, depth);
        self.leave();
        value
    }

    fn labelled(&mut self, depth: u32) -> String {
        let label = format!("'l{}", self.number());
        self.enter(Vec::new());
        let stmts = self.statements(depth);
        let condition = self.condition(depth);
        let early = self.nat(depth);
        let rest = self.statements(depth);
        let last = self.nat(depth);
        self.leave();
        format!(
            "{label}: {{ {stmts} if {condition} {{ break {label} ({early}); }} {rest} {last} }}"
        )
    }

    fn enter(&mut self, owned: Vec<Owned>) {
        self.blocks.push(owned);
        self.numbers.push(Vec::new());
    }

    fn leave(&mut self) {
        self.blocks.pop();
        self.numbers.pop();
    }

    fn block(&mut self, depth: u32, wanted: Wanted) -> String {
        self.block_with(None, depth, wanted)
    }

    /// A block, in which this variable of type `D` is.
    fn block_with(&mut self, own: Option<&str>, depth: u32, wanted: Wanted) -> String {
        let own = own.map(|name| Owned {
            name: name.to_owned(),
            moved: false,
        });
        self.enter(own.into_iter().collect());
        let stmts = self.statements(depth);
        let value = self.of(wanted, depth);
        self.leave();
        format!("{{ {stmts} {value} }}")
    }

    fn statements(&mut self, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..self.choose(4) {
            let stmt = self.statement(depth);
            write!(text, "{stmt} ").expect("a text can be written to");
        }
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        let choices = if depth == 0 { 10 } else { 24 };
        let deeper = depth.saturating_sub(1);
        match self.choose(choices) {
            0 => format!("e({});", self.number()),
            1 => {
                let value = self.owned(deeper);
                let name = self.declared();
                format!("let {name} = {value};")
            }
            2 => format!("let _ = {};", self.owned(deeper)),
            3 => format!("{};", self.owned(deeper)),
            4 => format!("_ = {};", self.owned(deeper)),
            5 => match self.movable() {
                Some(name) => format!("drop({name});"),
                None => format!("drop(D({}));", self.number()),
            },
            6 => {
                let value = self.nat(deeper);
                let name = self.fresh();
                self.numbers
                    .last_mut()
                    .expect("in a block")
                    .push(name.clone());
                format!("let {name} = {value};")
            }
            7 => {
                let name = self.fresh();
                let value = self.owned(0);
                let borrowed = format!("let {name} = &{value};");
                self.blocks
                    .last_mut()
                    .expect("in a block")
                    .push(Owned { name, moved: true });
                borrowed
            }
            8 => match self.alive(0) {
                Some(name) => format!("let _ = {name};"),
                None => String::new(),
            },
            9 => {
                // A new variable hides the old one, which lives on.
                let value = self.owned(deeper);
                match self.blocks.last_mut().expect("in a block").last_mut() {
                    Some(last) if !last.moved => {
                        let name = last.name.clone();
                        last.moved = true;
                        let owned = Owned {
                            name: name.clone(),
                            moved: false,
                        };
                        self.blocks.last_mut().expect("in a block").push(owned);
                        format!("let mut {name} = {value};")
                    }
                    _ => format!("drop({value});"),
                }
            }
            10 => format!("e({});", self.nat(deeper)),
            11 => {
                let condition = self.condition(deeper);
                let then = self.block(deeper, Wanted::Nothing);
                let other = self.block(deeper, Wanted::Nothing);
                format!("if {condition} {then} else {other}")
            }
            12 => self.if_let(deeper, Wanted::Nothing),
            13 => self.matching(deeper, Wanted::Nothing),
            14 => {
                let (name, times) = (self.fresh(), self.choose(3));
                let body = self.repeated(deeper, true);
                format!("for {name} in 0..{times} {body}")
            }
            15 => {
                let (i, x) = (self.fresh(), self.fresh());
                let step = self.choose(2) + 1;
                let body = self.repeated(deeper, true);
                format!(
                    "let mut {i} = 4u32; while let Some({x}) = D({i} % 4).opt() {{ if {i} < {step} {{ break; }} {i} -= {step}; {body} }}"
                )
            }
            16 => {
                let i = self.fresh();
                self.enter_loop();
                let condition = self.condition(deeper);
                self.leave_loop();
                let body = self.repeated(deeper, true);
                format!("let mut {i} = 0u32; while {i} < 2 && {condition} {{ {i} += 1; {body} }}")
            }
            17 => {
                let i = self.fresh();
                self.enter_loop();
                let (condition, value) = (self.condition(deeper), self.nat(deeper));
                self.leave_loop();
                let rest = self.repeated(deeper, false);
                let name = self.fresh();
                self.numbers
                    .last_mut()
                    .expect("in a block")
                    .push(name.clone());
                format!(
                    "let mut {i} = 0u32; let {name} = loop {{ {i} += 1; if {condition} || {i} > 2 {{ break \
                     ({value}); }} {rest} }};"
                )
            }
            18 => {
                let pair = (self.owned(deeper), self.owned(deeper));
                let (a, b) = (self.declared(), self.declared());
                format!("let ({a}, {b}) = ({}, {});", pair.0, pair.1)
            }
            19 => {
                let pair = (self.owned(deeper), self.owned(deeper));
                let name = self.fresh();
                let last = self.choose(3);
                let rest = match last {
                    0 => format!("e({name}.a.0);"),
                    1 => format!("drop({name});"),
                    _ => format!("drop({name}.a);"),
                };
                format!("let {name} = P {{ b: {}, a: {} }}; {rest}", pair.0, pair.1)
            }
            20 if !self.in_closure => {
                let name = self.fresh();
                let (floor, returns) = (self.floor, self.returns_option);
                self.floor = self.blocks.len();
                self.returns_option = false;
                self.in_closure = true;
                let body = self.nat(deeper);
                self.in_closure = false;
                self.returns_option = returns;
                self.floor = floor;
                format!("let {name} = || {body}; e({name}());")
            }
            21 if self.returns_option => {
                let condition = self.condition(deeper);
                let value = self.option(deeper);
                format!("if {condition} {{ return {value}; }}")
            }
            22 if self.returns_option => {
                let option = self.option(deeper);
                let name = self.fresh();
                self.numbers
                    .last_mut()
                    .expect("in a block")
                    .push(name.clone());
                format!("let Some({name}) = {option} else {{ return None; }};")
            }
            23 => match self.assignable() {
                Some(name) => format!("{name} = {};", self.owned(deeper)),
                None => String::new(),
            },
            _ => format!("{};", self.block(deeper, Wanted::Owned)),
        }
    }

    /// The body of a loop.
    fn repeated(&mut self, depth: u32, may_break: bool) -> String {
        self.enter_loop();
        self.enter(Vec::new());
        let stmts = self.statements(depth);
        let jump = match self.choose(4) {
            1 if may_break => format!("if {} {{ break; }}", self.condition(depth)),
            2 => format!("if {} {{ continue; }}", self.condition(depth)),
            _ => String::new(),
        };
        let rest = self.statements(depth);
        self.leave();
        self.leave_loop();
        format!("{{ {stmts} {jump} {rest} }}")
    }

    fn enter_loop(&mut self) {
        self.loops += 1;
        self.blocks.push(Vec::new());
        self.numbers.push(Vec::new());
        self.floors_push();
    }

    fn leave_loop(&mut self) {
        self.loops -= 1;
        self.blocks.pop();
        self.numbers.pop();
        self.floor = 0;
        if self.in_closure || self.loops > 0 {
            // The loops around are not known any more: nothing outside is moved.
            self.floor = self.blocks.len();
        }
    }

    fn floors_push(&mut self) {
        self.floor = self.blocks.len();
    }

    fn fresh(&mut self) -> String {
        format!("x{}", self.number())
    }

    fn declared(&mut self) -> String {
        let name = self.fresh();
        let owned = Owned {
            name: name.clone(),
            moved: false,
        };
        self.blocks.last_mut().expect("in a block").push(owned);
        format!("mut {name}")
    }

    /// A variable that has its value.
    fn alive(&mut self, least: usize) -> Option<String> {
        let all = self
            .blocks
            .iter()
            .enumerate()
            .filter(|(at, _)| *at >= least);
        let mut names = all
            .flat_map(|(_, block)| block)
            .filter(|owned| !owned.moved);
        names.next_back().map(|owned| owned.name.clone())
    }

    fn movable(&mut self) -> Option<String> {
        let floor = self.floor;
        let all = self
            .blocks
            .iter_mut()
            .enumerate()
            .filter(|(at, _)| *at >= floor);
        let mut names: Vec<&mut Owned> = all
            .flat_map(|(_, block)| block)
            .filter(|owned| !owned.moved)
            .collect();
        let last = names.pop()?;
        last.moved = true;
        Some(last.name.clone())
    }

    fn assignable(&mut self) -> Option<String> {
        if self.in_closure {
            return None;
        }
        self.alive(0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Nat,
    Owned,
    Nothing,
}

fn brackets(text: &str) -> String {
    format!("({text})")
}

/// The function that a tape makes, with this name. Its result does not matter.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        blocks: vec![Vec::new()],
        numbers: vec![Vec::new()],
        next: 0,
        floor: 0,
        loops: 0,
        returns_option: false,
        in_closure: false,
    };
    pen.returns_option = pen.choose(2) == 1;
    let stmts = pen.statements(DEEP) + &pen.statements(DEEP);
    let (returns, value) = if pen.returns_option {
        ("Option<u32>", pen.option(DEEP))
    } else {
        ("u32", pen.nat(DEEP))
    };
    format!("fn {name}() -> {returns} {{ {stmts}{value} }}\n")
}
