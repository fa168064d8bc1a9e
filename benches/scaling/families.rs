//! Families of programs with one size parameter, and the expected answers to their queries.
//!
//! ```text
//! ring      x[i] = 1; r = x[i+1]             around n threads; all read 0 under TSO, unless fenced
//! chain     f[i-1] == 1; f[i] = 1            message passing over n threads; breaks under PSO
//! peterson  each side enters n times         mutual exclusion; breaks under TSO, unless fenced
//! dekker    likewise                         likewise
//! fig2      [x[i] = 1; s1 += y[i]]^n         [JK15, Fig. 2]: no reordering matters
//! beside    fig2, then Peterson's counter    the pairs do not matter, and slicing removes them
//! fed       likewise                         the sums are in the assertion: slicing removes nothing
//! ```
//!
//! The programs are written in Fencepost's own language, so that a member can be printed, saved and
//! checked on the command line.
//!
//! **Invariant.** Every query has an expected answer, which is checked: a benchmark of wrong answers
//! would be meaningless.

use fencepost::formats::parse;
use fencepost::model::Model;
use fencepost::program::Program;
use std::fmt::{self, Write as _};

/// Whether a program has the fences that repair it under TSO.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fences {
    Absent,
    Present,
}

impl Fences {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Fences::Absent => "",
            Fences::Present => "fence;",
        }
    }
}

/// One family under one model. Its members differ only in `n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    pub(crate) name: &'static str,
    text: fn(u32) -> String,
    pub(crate) model: Model,
    pub(crate) slicing: bool,
    /// The sizes in the table, in ascending order.
    pub(crate) sizes: &'static [u32],
    /// The size that criterion measures.
    pub(crate) small: u32,
    /// Whether a goal is reachable, for every `n`.
    pub(crate) violated: bool,
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsliced = if self.slicing { "" } else { ", unsliced" };
        write!(f, "{} {}{unsliced}", self.name, self.model)
    }
}

/// One program of a series.
#[derive(Clone, Debug)]
pub(crate) struct Member<'s> {
    pub(crate) series: &'s Series,
    pub(crate) n: u32,
    pub(crate) program: Program,
}

impl Series {
    /// The member of this size.
    pub(crate) fn member(&self, n: u32) -> Member<'_> {
        let text = (self.text)(n);
        let parsed = parse(&text);
        let program = parsed
            .program
            .unwrap_or_else(|| panic!("{self}, n = {n}: {:?}\n{text}", parsed.diagnostics));
        Member {
            series: self,
            n,
            program,
        }
    }
}

/// All series, in the order of the table.
#[rustfmt::skip]
pub(crate) const SERIES: &[Series] = &[
    Series { name: "ring", text: |n| ring(n, Fences::Absent), model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: true },
    Series { name: "ring-fenced", text: |n| ring(n, Fences::Present), model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: false },
    Series { name: "chain", text: chain, model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: false },
    Series { name: "chain", text: chain, model: Model::Pso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: true },
    Series { name: "peterson", text: |k| peterson(k, Fences::Absent), model: Model::Tso, slicing: true, sizes: &[1, 2, 4, 8, 12, 16, 24], small: 2, violated: true },
    Series { name: "peterson-fenced", text: |k| peterson(k, Fences::Present), model: Model::Tso, slicing: true, sizes: &[1, 2, 4, 8, 12, 16, 24], small: 2, violated: false },
    Series { name: "jk15-fig2", text: jk15_fig2, model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-fig2", text: jk15_fig2, model: Model::Tso, slicing: false, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-beside", text: jk15_beside, model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-beside", text: jk15_beside, model: Model::Tso, slicing: false, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-fed", text: |n| jk15_fed(n, Fences::Absent), model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: true },
    Series { name: "jk15-fed-fenced", text: |n| jk15_fed(n, Fences::Present), model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
];

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:ident, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

/// Store buffering around a ring of `n` threads.
pub(crate) fn ring(n: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program ring_{n};\nshared x[{n}];");
    for i in 0..n {
        let next = (i + 1) % n;
        line!(
            text,
            "thread t{i} {{ local r; x[{i}] = 1; {fence} r = x[{next}]; }}"
        );
    }
    let seen: Vec<String> = (0..n).map(|i| format!("t{i}.r == 1")).collect();
    line!(text, "final assert {};", seen.join(" || "));
    text
}

/// Message passing over `n` threads, at least two: each waits for the flag of its predecessor.
pub(crate) fn chain(n: u32) -> String {
    let last = n - 1;
    let mut text = String::new();
    line!(text, "program chain_{n};\nshared d, f[{last}];");
    line!(text, "thread t0 {{ d = 1; f[0] = 1; }}");
    for i in 1..last {
        let before = i - 1;
        line!(
            text,
            "thread t{i} {{ local r; r = f[{before}]; assume(r == 1); f[{i}] = 1; }}"
        );
    }
    let before = last - 1;
    line!(
        text,
        "thread t{last} {{ local r; r = f[{before}]; assume(r == 1); r = d; }}"
    );
    line!(text, "final assert t{last}.r == 1;");
    text
}

/// Peterson's mutual exclusion, entered `k` times by each side, or forever if `k` is 0.
pub(crate) fn peterson(k: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program peterson_{k};\nshared flag[2], turn;");
    for (me, you) in [(0, 1), (1, 0)] {
        let body = format!(
            "flag[{me}] = 1;
            turn = {you};
            {fence}
            while (flag[{you}] == 1 && turn == {you}) {{ }}
          critical:
            seen = turn;
            flag[{me}] = 0;"
        );
        line!(text, "thread t{me} {{ local seen; {} }}", entered(k, &body));
    }
    line!(text, "forbid t0@critical && t1@critical;");
    text
}

/// Dekker's mutual exclusion, entered `k` times by each side, or forever if `k` is 0.
pub(crate) fn dekker(k: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program dekker_{k};\nshared flag[2], turn;");
    for (me, you) in [(0, 1), (1, 0)] {
        let body = format!(
            "flag[{me}] = 1;
            {fence}
            while (flag[{you}] == 1) {{
                if (turn == {you}) {{
                    flag[{me}] = 0;
                    {fence}
                    while (turn == {you}) {{ }}
                    flag[{me}] = 1;
                    {fence}
                }}
            }}
          critical:
            turn = {you};
            flag[{me}] = 0;
            {fence}"
        );
        line!(text, "thread t{me} {{ {} }}", entered(k, &body));
    }
    line!(text, "forbid t0@critical && t1@critical;");
    text
}

/// The statements in a loop with `k` iterations, or an endless loop if `k` is 0.
fn entered(k: u32, body: &str) -> String {
    if k == 0 {
        format!("loop {{\n{body}\n}}")
    } else {
        format!("local i; while (i < {k}) {{\n{body}\ni = i + 1;\n}}")
    }
}

/// The innocent pairs of [JK15, Fig. 2] on one side: it stores to its own cells and sums the other's.
fn innocent_pairs(n: u32, own: char, other: char) -> String {
    let mut text = String::new();
    for i in 0..n {
        line!(text, "{own}[{i}] = 1; s = s + {other}[{i}];");
    }
    text
}

/// [JK15, Fig. 2]: `n` innocent pairs per side.
pub(crate) fn jk15_fig2(n: u32) -> String {
    let mut text = String::new();
    line!(text, "program jk15_fig2_{n};\nshared x[{n}], y[{n}];");
    line!(
        text,
        "thread t1 {{ local s;\n{}}}",
        innocent_pairs(n, 'x', 'y')
    );
    line!(
        text,
        "thread t2 {{ local s;\n{}}}",
        innocent_pairs(n, 'y', 'x')
    );
    line!(text, "final assert t1.s + t2.s >= 0;");
    text
}

/// The innocent pairs before Peterson's counter with its fences, whose assertion does not read the
/// sums: slicing removes them.
pub(crate) fn jk15_beside(n: u32) -> String {
    let text = pairs_before_counter("jk15_beside", n, Fences::Present);
    text + "final assert count == 2;\n"
}

/// The innocent pairs before Peterson's counter, whose assertion reads the sums: slicing cannot
/// remove them.
pub(crate) fn jk15_fed(n: u32, fences: Fences) -> String {
    let text = pairs_before_counter("jk15_fed", n, fences);
    text + "final assert count + (t0.s + t1.s < 0) == 2;\n"
}

fn pairs_before_counter(name: &str, n: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(
        text,
        "program {name}_{n};\nshared flag[2], turn, count, x[{n}], y[{n}];"
    );
    for (me, you, own, other) in [(0, 1, 'x', 'y'), (1, 0, 'y', 'x')] {
        let pairs = innocent_pairs(n, own, other);
        line!(
            text,
            "thread t{me} {{
                local s, c;
                {pairs}
                flag[{me}] = 1;
                turn = {you};
                {fence}
                while (flag[{you}] == 1 && turn == {you}) {{ }}
                c = count;
                count = c + 1;
                flag[{me}] = 0;
            }}"
        );
    }
    text
}
