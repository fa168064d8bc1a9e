//! Families with one size parameter, and whether their members are robust under TSO.
//!
//! ```text
//! lamport      b[i] = 1; x = i; y == 0; y = i; x == i  Lamport's fast mutex of n threads
//! ring         x[i] = 1; r = x[i+1]                    around n threads
//! diamonds     x = 1; [two ways]^n; r = y              n diamonds between a store and a load
//! branching    x = 1; one diamond of n ways; r = y     [BCDM15, Fig. 8]
//! twice        x = 0, …, x = n - 1, and all over       [BCDM15, Fig. 9]: seen only in the second round
//! beside       [x[i] = 1; r = y[i]]^n                  innocent pairs, then Peterson
//! peterson     each side enters n times, or forever for 0
//! dekker       likewise
//! ```
//!
//! On these programs, explicit exploration of robustness and of fence sets is known to explode: with
//! the number of threads, of paths between a store and a load, of pairs, or of rounds. A member
//! contains its expectation, like a corpus file.
//!
//! **Invariant.** The expectation holds for every size.

use super::families::{self, Fences};
use std::fmt::Write as _;

/// Whether a thread enters once or repeatedly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rounds {
    Once,
    Forever,
}

impl Rounds {
    fn around(self, body: &str) -> String {
        match self {
            Rounds::Once => body.to_owned(),
            Rounds::Forever => format!("loop {{\n{body}}}\n"),
        }
    }
}

/// One family. Its members differ only in `n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    pub(crate) name: &'static str,
    program: fn(u32) -> String,
    /// The sizes to measure, in ascending order.
    pub(crate) sizes: &'static [u32],
    /// Whether the members are robust under TSO.
    pub(crate) robust: bool,
}

impl Growth {
    /// The member of this size as the text of a file, with its expectation.
    pub(crate) fn text(&self, n: u32) -> String {
        let verdict = if self.robust { "yes" } else { "no" };
        let (name, program) = (self.name, (self.program)(n));
        format!("//: about {name} of size {n}\n//: robust tso {verdict}\n{program}")
    }
}

/// All families, in the order of the header.
#[rustfmt::skip]
pub(crate) const GROWTHS: &[Growth] = &[
    Growth { name: "lamport", program: |n| lamport(n, Fences::Absent, Rounds::Once), sizes: &[2, 3, 4, 5, 6], robust: false },
    Growth { name: "lamport-fenced", program: |n| lamport(n, Fences::Present, Rounds::Once), sizes: &[2, 3, 4, 5, 6], robust: true },
    Growth { name: "lamport-loop", program: |n| lamport(n, Fences::Absent, Rounds::Forever), sizes: &[2, 3, 4, 5, 6], robust: false },
    Growth { name: "lamport-loop-fenced", program: |n| lamport(n, Fences::Present, Rounds::Forever), sizes: &[2, 3, 4, 5, 6], robust: true },
    Growth { name: "ring", program: |n| families::ring(n, Fences::Absent), sizes: &[4, 8, 10, 12, 13, 16, 20, 40], robust: false },
    Growth { name: "ring-fenced", program: |n| families::ring(n, Fences::Present), sizes: &[4, 8, 10, 12, 13, 16, 20, 40], robust: true },
    Growth { name: "diamonds", program: |n| diamonds(n, Fences::Absent), sizes: &[2, 4, 8, 10, 11, 25, 50, 100], robust: false },
    Growth { name: "diamonds-fenced", program: |n| diamonds(n, Fences::Present), sizes: &[2, 4, 8, 10, 11, 25, 50, 100], robust: true },
    Growth { name: "branching", program: |n| branching(n, Fences::Absent), sizes: &[2, 5, 10, 20, 50], robust: false },
    Growth { name: "branching-fenced", program: |n| branching(n, Fences::Present), sizes: &[2, 5, 10, 20, 50], robust: true },
    Growth { name: "twice", program: twice, sizes: &[2, 5, 10, 20], robust: false },
    Growth { name: "beside", program: |n| beside(n, Rounds::Once), sizes: &[2, 5, 7, 8, 9, 25, 50, 100], robust: false },
    Growth { name: "beside-loop", program: |n| beside(n, Rounds::Forever), sizes: &[2, 3, 4, 5, 10, 20], robust: false },
    Growth { name: "peterson", program: |k| families::peterson(k, Fences::Absent), sizes: &[0, 1, 2, 3, 4, 5, 10], robust: false },
    Growth { name: "peterson-fenced", program: |k| families::peterson(k, Fences::Present), sizes: &[0, 1, 2, 3, 4, 5, 10], robust: true },
    Growth { name: "dekker", program: |k| families::dekker(k, Fences::Absent), sizes: &[0, 1, 2, 3, 4, 5, 10], robust: false },
    Growth { name: "dekker-fenced", program: |k| families::dekker(k, Fences::Present), sizes: &[0, 1, 2, 3, 4, 5, 10], robust: true },
];

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:ident, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

/// Lamport's fast mutex for `n` threads, at least two.
fn lamport(n: u32, fences: Fences, rounds: Rounds) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program lamport_{n};\nshared b[{n}], x, y;");
    for i in 0..n {
        let me = i + 1;
        let mut others = String::new();
        for other in (0..n).filter(|&other| other != i) {
            line!(others, "while (b[{other}] == 1) {{ }}");
        }
        let body = format!(
            "start:
                b[{i}] = 1;
                x = {me};
                {fence}
                if (y != 0) {{
                    b[{i}] = 0;
                    {fence}
                    while (y != 0) {{ }}
                    goto start;
                }}
                y = {me};
                {fence}
                if (x != {me}) {{
                    b[{i}] = 0;
                    {fence}
                    {others}
                    if (y != {me}) {{
                        while (y != 0) {{ }}
                        goto start;
                    }}
                }}
              critical:
                y = 0;
                b[{i}] = 0;\n"
        );
        line!(text, "thread t{me} {{\n{}}}", rounds.around(&body));
    }
    line!(text, "forbid t1@critical && t2@critical;");
    text
}

/// Store buffering with a sequence of `n` two-way diamonds between each store and its load: `2^n`
/// paths, which differ in a register.
fn diamonds(n: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program diamonds_{n};\nshared x, y;");
    for (thread, own, other) in [("t1", 'x', 'y'), ("t2", 'y', 'x')] {
        line!(text, "thread {thread} {{ local s, r; {own} = 1;");
        for _ in 0..n {
            line!(text, "choose {{ s = s + s; }} or {{ s = s + s + 1; }}");
        }
        line!(text, "{fence} r = {other}; }}");
    }
    line!(text, "final assert t1.r == 1 || t2.r == 1;");
    text
}

/// Simplified Dekker with a diamond of `n` branches in each thread [BCDM15, Fig. 8].
fn branching(n: u32, fences: Fences) -> String {
    let fence = fences.text();
    let mut text = String::new();
    line!(text, "program branching_{n};\nshared x, y, a, b;");
    for (thread, own, other, branch) in [("t1", 'x', 'y', 'a'), ("t2", 'y', 'x', 'b')] {
        let ways: Vec<String> = (0..n)
            .map(|k| format!("{{ assume(r == {k}); {branch} = {}; }}", (k + 1) % n))
            .collect();
        line!(
            text,
            "thread {thread} {{
                local r;
                {own} = 1;
                r = {branch};
                choose {}
                {fence}
                r = {other};
                assume(r == 0);
              goal:
                skip;
            }}",
            ways.join(" or ")
        );
    }
    line!(text, "forbid t1@goal && t2@goal;");
    text
}

/// A loop of length `n` that must be executed twice before the other thread can have loaded the values
/// that it waits for [BCDM15, Fig. 9]. The length is at least two, since `x` must be stored as 1 and
/// then as 0.
fn twice(n: u32) -> String {
    format!(
        "program twice_{n};
        shared x, y;
        thread t1 {{
            local c, r;
            loop {{
                choose {{ assume(c < {n}); x = c; c = c + 1; }}
                or {{ assume(c == {n}); c = 0; }}
                or {{ assume(c == {n}); break; }}
            }}
            r = y;
            assume(r == 0);
          goal:
            skip;
        }}
        thread t2 {{
            local r;
            y = 1;
            r = x;
            assume(r == 1);
            r = x;
            assume(r == 0);
          goal:
            skip;
        }}
        forbid t1@goal && t2@goal;\n"
    )
}

/// `n` innocent pairs per side, as in [JK15, Fig. 2], before Peterson without fences. Reordering a pair
/// never affects mutual exclusion, but it always affects robustness.
fn beside(n: u32, rounds: Rounds) -> String {
    let mut text = String::new();
    line!(
        text,
        "program beside_{n};\nshared flag[2], turn, x[{n}], y[{n}];"
    );
    for (me, you, own, other) in [(0, 1, 'x', 'y'), (1, 0, 'y', 'x')] {
        let mut body = String::new();
        for i in 0..n {
            line!(body, "{own}[{i}] = 1; r = {other}[{i}];");
        }
        line!(
            body,
            "flag[{me}] = 1;
            turn = {you};
            while (flag[{you}] == 1 && turn == {you}) {{ }}
          critical:
            flag[{me}] = 0;"
        );
        line!(
            text,
            "thread t{me} {{\nlocal r;\n{}}}",
            rounds.around(&body)
        );
    }
    line!(text, "forbid t0@critical && t1@critical;");
    text
}
