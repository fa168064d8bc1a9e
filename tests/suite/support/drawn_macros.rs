//! Random programs in Rust whose functions use macros that they define.
//!
//! A tape of numbers draws a program, as in `drawn_numbers`. It has macros of several kinds: with fragments
//! of all kinds, repetitions, rules that call one another, and local names that are also those of
//! the function that calls them. Each program mixes what it computes into a number `H`.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::sync::atomic::*;
use std::sync::atomic::Ordering::Relaxed;
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) { H.store(H.load(Relaxed).wrapping_mul(31).wrapping_add(k), Relaxed); }
fn w(k: u32) -> u32 { k ^ 5 }
const ONE: u32 = 1;
";

/// The names of variables, of the program and of its macros.
const NAMES: [&str; 4] = ["a", "b", "c", "x"];

/// The variable that can be assigned to.
const OUTER: &str = "m";

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    /// The macros that can be called here: their names, and which one they are.
    macros: Vec<(String, usize)>,
    /// The variables that are there, all of type `u32`.
    vars: Vec<&'static str>,
    next: usize,
    prefix: String,
}

/// Macros whose calls are expressions, of `$n` by their names; `INNER` is a call of a macro before.
const EXPRESSIONS: [&str; 10] = [
    "($e:expr) => { { let a = $e; a.wrapping_add(a) } };",
    "($e:expr, $f:expr) => { $e.wrapping_mul($f).wrapping_add(3) };",
    "($e:expr) => { { let x = 5u32; let b = $e; x.wrapping_sub(b) ^ INNER($e) } };",
    "($($e:expr),* $(,)?) => { 0u32 $(.wrapping_add($e))* };",
    "(@one $e:expr) => { $e | 1 }; ($e:expr $(, $r:expr)*) => { SELF!(@one $e) $(^ SELF!(@one $r))* };",
    "($v:ident = $e:expr; $b:expr) => { { let $v = $e; let c = 7u32; $b.wrapping_add(c) } };",
    "($t:ty, $l:literal) => { <$t>::from($l as u8).wrapping_add(ONE) };",
    "($e:expr) => { match $e { a if a % 2 == 0 => a / 2, x => x.wrapping_mul(3).wrapping_add(1) } };",
    "() => { 1u32 }; ($h:tt $($r:tt)*) => { 1u32.wrapping_add(SELF!($($r)*)) };",
    "($p:pat => $e:expr) => { match $e { $p => 10u32, _ => 20u32 } };",
];

/// Macros whose calls are statements.
const STATEMENTS: [&str; 6] = [
    "($v:ident) => { let mut $v = $v.wrapping_add(1); };",
    "($v:ident, $e:expr) => { let a = $e; e(a); $v = $v.wrapping_mul(a | 1); };",
    "($n:literal, $b:block) => { 'out: for i in 0..$n { if i == 2 { break 'out; } $b } };",
    "($($s:stmt;)*) => { $($s;)* };",
    "($b:block $l:lifetime) => { $l: loop { { let c = 1u32; e(c); } loop { $b break $l; } } };",
    "($(let $v:ident: $t:ty = $e:expr),+) => { $(let $v: $t = $e;)+ };",
];

impl Pen<'_> {
    fn choose(&mut self, most: usize) -> usize {
        usize::from(self.tape.next().copied().unwrap_or(0)) % most
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.choose(NAMES.len())]
    }

    fn var(&mut self) -> &'static str {
        let at = self.choose(self.vars.len());
        self.vars[at]
    }

    fn expr(&mut self, depth: usize) -> String {
        let choice = if depth == 0 {
            self.choose(2)
        } else {
            self.choose(8)
        };
        match choice {
            0 => self.var().to_owned(),
            1 => format!("{}u32", self.choose(9)),
            2 => format!("({} & {})", self.expr(depth - 1), self.expr(depth - 1)),
            3 => format!("{}.wrapping_mul({})", self.var(), self.expr(depth - 1)),
            4 => format!("{}u32 + 1", self.choose(50)),
            _ => self.call(depth),
        }
    }

    /// A call that is an expression.
    fn call(&mut self, depth: usize) -> String {
        let found: Vec<(String, usize)> = self
            .macros
            .iter()
            .filter(|(_, kind)| *kind < EXPRESSIONS.len())
            .cloned()
            .collect();
        if found.is_empty() {
            return self.var().to_owned();
        }
        let (name, kind) = &found[self.choose(found.len())];
        let less = depth - 1;
        let arguments = match kind {
            0 | 2 | 7 => self.expr(less),
            1 => format!("{}, {}", self.expr(less), self.expr(less)),
            3 | 4 => {
                let count = self.choose(5) + 1;
                let all: Vec<String> = (0..count).map(|_| self.expr(less)).collect();
                all.join(", ")
            }
            5 => {
                let (name, value) = (self.name(), self.expr(less));
                self.vars.push(name);
                let body = self.expr(less);
                self.vars.pop();
                format!("{name} = {value}; {body}")
            }
            6 => format!("u32, {}", self.choose(200)),
            8 => ["", "a", "a (b c) +", "=> 1 x {}"][self.choose(4)].to_owned(),
            _ => {
                let pattern = ["1 | 2", "0..=9", "ONE"][self.choose(3)];
                format!("{pattern} => {}", self.expr(less))
            }
        };
        match self.choose(2) {
            0 => format!("{name}!({arguments})"),
            _ => format!("{name}![{arguments}]"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.choose(8) {
            0 => format!("e({});\n", self.expr(2)),
            1 => {
                let (name, value) = (self.name(), self.expr(2));
                self.vars.push(name);
                format!("let mut {name} = {value};\n")
            }
            2 => format!("{OUTER} = {};\n", self.expr(2)),
            3 if depth > 0 => self.block(depth),
            4 => self.definition(),
            _ => self.call_statement(depth),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let (vars, macros) = (self.vars.len(), self.macros.len());
        let mut text = "{\n".to_owned();
        for _ in 0..=self.choose(3) {
            text += &self.statement(depth.saturating_sub(1));
        }
        self.vars.truncate(vars);
        self.macros.truncate(macros);
        text + "}\n"
    }

    fn call_statement(&mut self, depth: usize) -> String {
        let found: Vec<(String, usize)> = self
            .macros
            .iter()
            .filter(|(_, kind)| *kind >= EXPRESSIONS.len())
            .cloned()
            .collect();
        if found.is_empty() {
            return format!("e({});\n", self.expr(2));
        }
        let (name, kind) = &found[self.choose(found.len())];
        match kind - EXPRESSIONS.len() {
            0 => format!("{name}!({});\n", self.var()),
            1 => format!("{name}!({OUTER}, {});\n", self.expr(1)),
            2 if depth > 0 => format!("{name}!({}, {});\n", self.choose(4), self.block(depth)),
            3 => {
                let (a, b) = (self.expr(1), self.expr(1));
                let own = self.name();
                let text = format!("{name}! {{ e({a}); let {own} = {b}; }}\n");
                self.vars.push(own);
                text
            }
            4 if depth > 0 => format!("{name}!({} 'out);\n", self.block(depth)),
            5 => {
                let (own, value) = (self.name(), self.expr(1));
                self.vars.push(own);
                format!("{name}!(let {own}: u32 = {value});\n")
            }
            _ => format!("e({});\n", self.expr(1)),
        }
    }

    /// A macro, which may use a variable around it.
    fn definition(&mut self) -> String {
        let kind = self.choose(EXPRESSIONS.len() + STATEMENTS.len());
        self.next += 1;
        let name = format!("{}_m{}", self.prefix, self.next);
        let inner: Vec<String> = self
            .macros
            .iter()
            .filter(|(_, kind)| [0, 3, 7].contains(kind))
            .map(|(name, _)| format!("{name}!"))
            .collect();
        let inner = match inner.len() {
            0 => "w".to_owned(),
            most => inner[self.choose(most)].clone(),
        };
        let rules = EXPRESSIONS.iter().chain(&STATEMENTS).nth(kind);
        let mut rules = rules.copied().unwrap_or_default().to_owned();
        rules = rules.replace("SELF", &name).replace("INNER", &inner);
        if kind == 0 && self.choose(2) == 1 && !self.vars.is_empty() {
            // It means the variable that is there now.
            rules = rules.replace(
                "a.wrapping_add(a)",
                &format!("a.wrapping_add({})", self.var()),
            );
        }
        self.macros.push((name.clone(), kind));
        format!("macro_rules! {name} {{ {rules} }}\n")
    }
}

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        macros: Vec::new(),
        vars: Vec::new(),
        next: 0,
        prefix: name.to_owned(),
    };
    let mut text = String::new();
    for _ in 0..=pen.choose(4) {
        text += &pen.definition();
    }
    writeln!(text, "fn {name}() {{ let mut m = 3u32; let mut a = 1u32;")
        .expect("it can be written");
    pen.vars.extend(["m", "a"]);
    for _ in 0..=pen.choose(8) {
        text += &pen.statement(2);
    }
    let last = pen.expr(3);
    writeln!(text, "e(m); e({last}); }}").expect("it can be written");
    text
}
