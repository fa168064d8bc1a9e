//! Random programs in Rust over the shapes that values have: closures with state, values that lead to others, trait objects, variants, ends.
//!
//! They are drawn by tapes, as those of `drawn_rust`, from a grammar whose rules are texts (`rules`). All types of the prelude record each
//! use of theirs in the number `H`: what is called, cloned, compared, dereferenced and dropped, and in which order.

mod rules;

use rules::{RETURNS, Rules, STATEMENTS, rules};
use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = include_str!("drawn_shapes/prelude.rs");

/// The most characters of a statement: what is longer takes the simplest rules only.
const LONGEST: usize = 900;

struct Pen<'t> {
    tape: std::slice::Iter<'t, u8>,
    /// Variables that are numbers.
    numbers: Vec<String>,
    /// Variables that are values of type `C`.
    values: Vec<String>,
    next: u32,
    /// How many characters the statement at hand has.
    length: usize,
}

impl Pen<'_> {
    fn choose(&mut self, of: usize) -> usize {
        // Two bytes, as there are many rules.
        let mut byte = || usize::from(self.tape.next().copied().unwrap_or(0));
        if of <= 200 {
            byte() % of
        } else {
            (byte() * 256 + byte()) % of
        }
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("x{}", self.next)
    }

    fn variable(&mut self, kind: char) -> Option<String> {
        let count = if kind == 'r' {
            self.values.len()
        } else {
            self.numbers.len()
        };
        if count == 0 {
            return None;
        }
        let at = self.choose(count);
        Some(if kind == 'r' {
            format!("(&{})", self.values[at])
        } else {
            self.numbers[at].clone()
        })
    }

    /// A text of this kind. What is closed does not mention variables that are not numbers.
    fn text(&mut self, kind: char, depth: usize, closed: bool) -> String {
        if kind == 'l' {
            return self.choose(7).to_string();
        }
        if (kind == 'r' && !closed || kind == 'n')
            && self.choose(4) == 1
            && let Some(variable) = self.variable(kind)
        {
            return variable;
        }
        let Rules { leaves, others } = rules(kind);
        let is_short = depth > 0 && self.length < LONGEST;
        let of = if is_short {
            leaves.len() + others.len()
        } else {
            leaves.len()
        };
        let at = self.choose(of);
        let rule = leaves
            .iter()
            .chain(others)
            .nth(at)
            .copied()
            .unwrap_or_default();
        let text = self.fill(rule, depth.saturating_sub(1), closed);
        // What is around it may bind more strongly.
        let is_open = match kind {
            'r' | 'b' => true,
            'n' => rule.contains(' ') && !rule.starts_with('('),
            'T' => false,
            _ => rule.contains("{ ") && !rule.starts_with('('),
        };
        if is_open { format!("({text})") } else { text }
    }

    /// A rule with texts for `@k`, where `k` is a kind, and with new names for `$x`.
    fn fill(&mut self, rule: &str, depth: usize, closed: bool) -> String {
        let mut names: Vec<(char, String)> = Vec::new();
        let mut text = String::new();
        let mut rest = rule.chars();
        self.length += rule.len();
        while let Some(c) = rest.next() {
            match c {
                '@' => match rest.next() {
                    Some('@') | None => text.push('@'),
                    // A number inside of a closure that outlives its place.
                    Some('k') => text += &self.text('n', depth, true),
                    Some(kind) => text += &self.text(kind, depth, closed),
                },
                '$' => {
                    let of = rest.next().unwrap_or('x');
                    if !names.iter().any(|(own, _)| *own == of) {
                        let name = self.name();
                        names.push((of, name));
                    }
                    let found = names.iter().find(|(own, _)| *own == of);
                    text += found.map_or("", |(_, name)| name);
                }
                _ => text.push(c),
            }
        }
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        self.length = 0;
        match self.choose(8) {
            0 => {
                let (value, name) = (self.text('n', depth, false), self.name());
                let text = format!("let {name}: u32 = {value};\n");
                self.numbers.push(name);
                text
            }
            1 => {
                let (value, name) = (self.text('c', depth, false), self.name());
                let text = format!("let {name}: C = {value};\n");
                self.values.push(name);
                text
            }
            2 | 3 => format!("e({});\n", self.text('n', depth, false)),
            _ => {
                let at = self.choose(STATEMENTS.len() + RETURNS.len());
                let rule = STATEMENTS.iter().chain(RETURNS).nth(at);
                let mut text = self.fill(rule.copied().unwrap_or_default(), depth, false);
                text.push('\n');
                text
            }
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let (numbers, values) = (self.numbers.len(), self.values.len());
        let mut text = String::new();
        for _ in 0..=self.choose(3) {
            if depth > 0 && self.choose(6) == 1 {
                let inner = self.block(depth - 1);
                write!(text, "{{\n{inner}}}\n").expect("a text can be written to");
            } else {
                text += &self.statement(2);
            }
        }
        self.numbers.truncate(numbers);
        self.values.truncate(values);
        text
    }
}

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut pen = Pen {
        tape: tape.iter(),
        numbers: Vec::new(),
        values: Vec::new(),
        next: 0,
        length: 0,
    };
    format!("fn {name}() {{\n{}}}\n", pen.block(1))
}
