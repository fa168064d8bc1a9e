//! Locks: at most one thread is in its critical section, or no increment made there is lost.

use super::{Fences, Rounds, each, mutual_exclusion, others};
use std::fmt::Write as _;

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:ident, $($arg:tt)*) => { let _ = writeln!($text, $($arg)*); };
}

/// Peterson's mutual exclusion, entered `k` times by each side, or forever if `k` is 0.
pub(super) fn peterson(k: u32, fences: Fences) -> String {
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
pub(super) fn dekker(k: u32, fences: Fences) -> String {
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

/// Lamport's fast mutex for `n` threads, at least two.
pub(super) fn lamport(n: u32, fences: Fences, rounds: Rounds) -> String {
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

/// The queue lock of Mellor-Crummey and Scott for `n` threads: each waits for its predecessor at a
/// variable of its own.
pub(super) fn mcs(n: u32) -> String {
    let nodes = n + 1;
    let threads = each(n, |i| {
        let me = i + 1;
        format!(
            "thread t{i} {{
                local before, after, last, v;
                next[{me}] = 0;
                waits[{me}] = 1;
                before = xchg(tail, {me});
                if (before != 0) {{ next[before] = {me}; while (waits[{me}] == 1) {{ }} }}
              cs:
                v = c;
                c = v + 1;
                after = next[{me}];
                if (after == 0) {{
                    last = cas(tail, {me}, 0);
                    if (last != {me}) {{ do {{ after = next[{me}]; }} while (after == 0); }}
                }}
                if (after != 0) {{ waits[after] = 0; }}
            }}\n"
        )
    });
    format!("shared next[{nodes}], waits[{nodes}], tail, c;\n{threads}final assert c == {n};\n")
}

/// A ticket lock for `n` threads.
pub(super) fn ticket(n: u32) -> String {
    let threads = each(n, |i| {
        format!(
            "thread t{i} {{
                local mine, v;
                mine = fetch_add(next, 1);
                while (serving != mine) {{ }}
              cs:
                v = c;
                c = v + 1;
                serving = mine + 1;
            }}\n"
        )
    });
    format!("shared next, serving, c;\n{threads}final assert c == {n};\n")
}

/// A ticket lock for `n` threads that enter forever. Tickets wrap around at a power of two above `n`.
pub(super) fn ticket_loop(n: u32) -> String {
    let mask = (n + 1).next_power_of_two() - 1;
    let threads = each(n, |i| {
        format!(
            "thread t{i} {{
                local mine, v;
                loop {{
                    atomic {{ mine = next; next = (mine + 1) & {mask}; }}
                    while (serving != mine) {{ }}
                  cs:
                    v = c;
                    c = 1 - v;
                    serving = (mine + 1) & {mask};
                }}
            }}\n"
        )
    });
    format!("shared next, serving, c;\n{threads}{}", mutual_exclusion(n))
}

/// A lock of one exchange instruction, for `n` threads.
pub(super) fn spinlock(n: u32) -> String {
    let threads = each(n, |i| {
        format!(
            "thread t{i} {{
                local v;
                while (xchg(lock, 1) == 1) {{ }}
              cs:
                v = c;
                c = v + 1;
                lock = 0;
            }}\n"
        )
    });
    format!("shared lock, c;\n{threads}final assert c == {n};\n")
}

/// Lamport's bakery for `n` threads, at least two, with its fences.
pub(super) fn bakery(n: u32) -> String {
    let threads = each(n, |i| {
        let choice = others(n, i, |j| format!("v = num[{j}]; if (v > m) {{ m = v; }}\n"));
        let waits = others(n, i, |j| {
            format!(
                "while (e[{j}] == 1) {{ }}
                do {{ v = num[{j}]; }} while (v != 0 && (v < m + 1 || v == m + 1 && {j} < {i}));\n"
            )
        });
        format!(
            "thread t{i} {{
                local m, v;
                e[{i}] = 1;
                fence;
                {choice}num[{i}] = m + 1;
                e[{i}] = 0;
                fence;
                {waits}
              cs:
                skip;
                num[{i}] = 0;
            }}\n"
        )
    });
    format!("shared e[{n}], num[{n}];\n{threads}{}", mutual_exclusion(n))
}

/// The filter lock, Peterson's lock for `n` threads, at least two, with its fences.
pub(super) fn filter(n: u32) -> String {
    let threads = each(n, |i| {
        let levels = each(n - 1, |below| {
            let level = below + 1;
            let ahead: Vec<String> = (0..n)
                .filter(|&j| j != i)
                .map(|j| format!("level[{j}] >= {level}"))
                .collect();
            format!(
                "level[{i}] = {level};
                    victim[{level}] = {i};
                    fence;
                    while (victim[{level}] == {i} && ({})) {{ }}\n",
                ahead.join(" || ")
            )
        });
        format!("thread t{i} {{\n{levels}cs: skip;\nlevel[{i}] = 0;\n}}\n")
    });
    format!(
        "shared level[{n}], victim[{n}];\n{threads}{}",
        mutual_exclusion(n)
    )
}

/// `n` dining philosophers, at least two, who take the fork with the smaller number first. Neighbours
/// do not eat at the same time.
pub(super) fn philosophers(n: u32) -> String {
    let threads = each(n, |i| {
        let next = (i + 1) % n;
        let (first, second) = (i.min(next), i.max(next));
        format!(
            "thread t{i} {{
                while (xchg(fork[{first}], 1) == 1) {{ }}
                while (xchg(fork[{second}], 1) == 1) {{ }}
              cs:
                eat[{i}] = 1;
                fork[{second}] = 0;
                fork[{first}] = 0;
            }}\n"
        )
    });
    let apart = each(n, |i| format!("forbid t{i}@cs && t{}@cs;\n", (i + 1) % n));
    format!("shared fork[{n}], eat[{n}];\n{threads}{apart}")
}
