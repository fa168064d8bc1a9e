//! Long threads: straight lines, loops and branches between the instructions that matter.

use super::{Fences, Rounds, each, store_buffering};
use std::fmt::Write as _;

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:ident, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

/// Store buffering around `n` stores to a variable of the thread's own and loads from it.
pub(super) fn straight(n: u32, fences: Fences) -> String {
    store_buffering((", p0, p1", ", s"), fences, |me| {
        each(n, |k| format!("p{me} = {}; s = p{me};\n", k % 7))
    })
}

/// Store buffering around `n` local instructions, alternately on a byte and back to a byte.
pub(super) fn straight_local(n: u32) -> String {
    store_buffering(("", ", s"), Fences::Absent, |_| {
        each(n, |k| {
            if k % 2 == 0 {
                "s = s & 255;\n".to_owned()
            } else {
                format!("s = s * 3 + {k};\n")
            }
        })
    })
}

/// Store buffering around a local loop of `n` iterations.
pub(super) fn local_loop(n: u32, fences: Fences) -> String {
    store_buffering(("", ", i"), fences, |_| {
        format!("while (i < {n}) {{ i = i + 1; }}\n")
    })
}

/// Store buffering around nested local loops of `n` iterations each.
pub(super) fn nested(n: u32) -> String {
    store_buffering(("", ", i, j"), Fences::Absent, |_| {
        format!("while (i < {n}) {{ j = 0; while (j < {n}) {{ j = j + 1; }} i = i + 1; }}\n")
    })
}

/// One thread stores to `n` cells in order, at least two, and another one loads them in reverse. A cell
/// was stored to before every later one.
pub(super) fn cells(n: u32) -> String {
    let stores = each(n, |k| format!("x[{k}] = 1;\n"));
    let registers: Vec<String> = (0..n).map(|k| format!("r{k}")).collect();
    let loads = each(n, |k| format!("r{k} = x[{}];\n", n - 1 - k));
    let ordered = each(n - 1, |k| {
        format!("final assert r.r{k} == 0 || r.r{} == 1;\n", k + 1)
    });
    format!(
        "shared x[{n}];\nthread w {{\n{stores}}}\nthread r {{\nlocal {};\n{loads}}}\n{ordered}",
        registers.join(", ")
    )
}

/// Store buffering with a sequence of `n` two-way diamonds between each store and its load: `2^n`
/// paths, which differ in a register.
pub(super) fn diamonds(n: u32, fences: Fences) -> String {
    let ways = "choose { s = s + s; } or { s = s + s + 1; }\n".repeat(n as usize);
    store_buffering(("", ", s"), fences, |_| ways.clone())
}

/// Fenced store buffering with `n` two-way diamonds between each store and its load, whose paths differ
/// in a sum: it has `n + 1` values, not `2^n`.
pub(super) fn diamonds_sum(n: u32) -> String {
    let ways = "choose { s = s + 1; } or { s = s + 2; }\n".repeat(n as usize);
    store_buffering(("", ", s"), Fences::Present, |_| ways.clone())
}

/// Simplified Dekker with a diamond of `n` branches in each thread [BCDM15, Fig. 8].
pub(super) fn branching(n: u32, fences: Fences) -> String {
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
pub(super) fn twice(n: u32) -> String {
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
pub(super) fn beside(n: u32, rounds: Rounds) -> String {
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

/// The innocent pairs of [JK15, Fig. 2] on one side: it stores to its own cells and sums the other's.
fn innocent_pairs(n: u32, own: char, other: char) -> String {
    let mut text = String::new();
    for i in 0..n {
        line!(text, "{own}[{i}] = 1; s = s + {other}[{i}];");
    }
    text
}

/// [JK15, Fig. 2]: `n` innocent pairs per side.
pub(super) fn jk15_fig2(n: u32) -> String {
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
pub(super) fn jk15_beside(n: u32) -> String {
    let text = pairs_before_counter("jk15_beside", n, Fences::Present);
    text + "final assert count == 2;\n"
}

/// The innocent pairs before Peterson's counter, whose assertion reads the sums: slicing cannot
/// remove them.
pub(super) fn jk15_fed(n: u32, fences: Fences) -> String {
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
