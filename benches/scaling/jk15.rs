//! The programs of [JK15, section 7]: seven algorithms, each after the code of Fig. 2.
//!
//! ```text
//! dekker peterson lamport dijkstra szymanski   two threads add to a counter in their critical
//!                                              sections; no increment is lost
//! chaselev cilk                                an owner and a thief; no item is taken twice
//!
//! [xi = 1; s1 += yi]^n  ||  [yi = 1; s2 += xi]^n      before each thread's own code
//! ```
//!
//! The `n` statements of Fig. 2 add pairs that affect no assertion. *Beside* the algorithm, they have
//! their own assertion, as in the paper, which always holds. *Fed* to it, the sums are part of the
//! algorithm's assertion, so that slicing removes nothing.
//!
//! Each critical section is entered once, and threads wait where the algorithm does.

use std::fmt::{self, Write as _};

/// Whether the innocent pairs have their own assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Innocent {
    Beside,
    Fed,
}

impl fmt::Display for Innocent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Innocent::Beside => "beside",
            Innocent::Fed => "fed",
        })
    }
}

/// One of the seven algorithms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    /// Its additional declarations.
    shared: &'static str,
    /// The two threads' registers and code.
    threads: [fn() -> String; 2],
    /// A sum and its required value.
    sum: &'static str,
    is: u32,
}

/// The sizes of the paper.
pub(crate) const SIZES: [u32; 20] = [
    2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40,
];

/// All seven algorithms, in the order of the paper.
#[rustfmt::skip]
pub(crate) const ALGORITHMS: [Algorithm; 7] = [
    Algorithm { name: "dekker", shared: "flag[2], turn, count", threads: [|| dekker(0), || dekker(1)], sum: "count", is: 2 },
    Algorithm { name: "peterson", shared: "flag[2], turn, count", threads: [|| peterson(0), || peterson(1)], sum: "count", is: 2 },
    Algorithm { name: "lamport", shared: "b[2], gate, inner, count", threads: [|| lamport(0), || lamport(1)], sum: "count", is: 2 },
    Algorithm { name: "dijkstra", shared: "flag[2], turn, count", threads: [|| dijkstra(0), || dijkstra(1)], sum: "count", is: 2 },
    Algorithm { name: "szymanski", shared: "flag[2], count", threads: [|| szymanski(0), || szymanski(1)], sum: "count", is: 2 },
    Algorithm { name: "chaselev", shared: "top, bottom, slot[2]", threads: [owner, thief], sum: CHASE_LEV_SUM, is: 0 },
    Algorithm { name: "cilk", shared: "head, tail = 1, lk", threads: [worker, stealer], sum: "t0.got + t1.got", is: 1 },
];

impl Algorithm {
    /// The program with `n` times the code of Fig. 2.
    pub(crate) fn text(&self, n: u32, innocent: Innocent) -> String {
        let (name, shared) = (self.name, self.shared);
        let mut text = format!("program jk15_{name}_{innocent}_{n};\nshared {shared};\n");
        let _ = writeln!(text, "shared x[{n}], y[{n}], s[2];");
        for (me, (body, (own, other))) in self
            .threads
            .iter()
            .zip([('x', 'y'), ('y', 'x')])
            .enumerate()
        {
            let _ = writeln!(text, "thread t{me} {{");
            let body = body();
            // Declarations come first.
            let (declared, code) = body.split_once('\n').unwrap_or((&body, ""));
            let _ = writeln!(text, "{declared}");
            for i in 0..n {
                let _ = writeln!(text, "{own}[{i}] = 1; s[{me}] = s[{me}] + {other}[{i}];");
            }
            let _ = writeln!(text, "{code}\n}}");
        }
        let (sum, is) = (self.sum, self.is);
        let _ = match innocent {
            Innocent::Beside => writeln!(
                text,
                "final assert {sum} == {is};\nfinal assert s[0] + s[1] >= 0;"
            ),
            Innocent::Fed => writeln!(text, "final assert {sum} + (s[0] + s[1] < 0) == {is};"),
        };
        text
    }
}

/// The critical section of both threads.
const INCREMENT: &str = "c = count; count = c + 1;";

fn dekker(me: u32) -> String {
    let you = 1 - me;
    format!(
        "local c;
        flag[{me}] = 1;
        while (flag[{you}] == 1) {{
            if (turn == {you}) {{
                flag[{me}] = 0;
                while (turn == {you}) {{ }}
                flag[{me}] = 1;
            }}
        }}
        {INCREMENT}
        turn = {you};
        flag[{me}] = 0;"
    )
}

fn peterson(me: u32) -> String {
    let you = 1 - me;
    format!(
        "local c;
        flag[{me}] = 1;
        turn = {you};
        while (flag[{you}] == 1 && turn == {you}) {{ }}
        {INCREMENT}
        flag[{me}] = 0;"
    )
}

/// Lamport's fast mutex.
fn lamport(me: u32) -> String {
    let (you, number) = (1 - me, me + 1);
    format!(
        "local c;
      start:
        b[{me}] = 1;
        gate = {number};
        if (inner != 0) {{
            b[{me}] = 0;
            while (inner != 0) {{ }}
            goto start;
        }}
        inner = {number};
        if (gate != {number}) {{
            b[{me}] = 0;
            while (b[{you}] == 1) {{ }}
            if (inner != {number}) {{
                while (inner != 0) {{ }}
                goto start;
            }}
        }}
        {INCREMENT}
        inner = 0;
        b[{me}] = 0;"
    )
}

fn dijkstra(me: u32) -> String {
    let you = 1 - me;
    format!(
        "local c, f, t;
        do {{
            flag[{me}] = 1;
            t = turn;
            while (t != {me}) {{
                f = flag[t];
                if (f == 0) {{ turn = {me}; }}
                t = turn;
            }}
            flag[{me}] = 2;
            f = flag[{you}];
        }} while (f == 2);
        {INCREMENT}
        flag[{me}] = 0;"
    )
}

/// Szymanski's mutual exclusion. Before it leaves, the first thread waits until the second one's flag is
/// neither 2 nor 3; before it enters, the second waits until the first one's flag is at most 1.
fn szymanski(me: u32) -> String {
    let you = 1 - me;
    let (inside, outside) = if me == 0 {
        ("", "do { f = flag[1]; } while (f == 2 || f == 3);")
    } else {
        ("do { f = flag[0]; } while (f > 1);", "")
    };
    format!(
        "local c, f;
        flag[{me}] = 1;
        do {{ f = flag[{you}]; }} while (f > 2);
        flag[{me}] = 3;
        if (flag[{you}] == 1) {{
            flag[{me}] = 2;
            while (flag[{you}] != 4) {{ }}
        }}
        flag[{me}] = 4;
        {inside}
        {INCREMENT}
        {outside}
        flag[{me}] = 0;"
    )
}

/// The number of items that were taken twice, or read before they were pushed.
const CHASE_LEV_SUM: &str = "(t0.item != 0 && (t0.item == t1.first || t0.item == t1.second)) \
     + (t1.first != 0 && t1.first == t1.second) + t1.early";

/// Two pushes and a take of Chase and Lev's deque.
fn owner() -> String {
    "local t, old, item;
        slot[0] = 11;
        bottom = 1;
        slot[1] = 12;
        bottom = 2;
        bottom = 1;
        t = top;
        if (t < 1) {
            item = slot[1];
        } else if (t == 1) {
            old = cas(top, 1, 2);
            if (old == 1) { item = slot[1]; }
            bottom = 2;
        } else {
            bottom = 2;
        }"
    .to_owned()
}

/// Two steals from it.
fn thief() -> String {
    "local t, b, old, first, second, early;
        t = top;
        b = bottom;
        if (t < b) {
            first = slot[t];
            if (first == 0) { early = 1; }
            cas(top, t, t + 1);
        }
        t = top;
        b = bottom;
        if (t < b) {
            second = slot[t];
            if (second == 0) { early = 1; }
            old = cas(top, t, t + 1);
            if (old != t) { second = 0; }
        }"
    .to_owned()
}

/// A pop of Cilk's THE protocol, which competes with a steal for the only item.
fn worker() -> String {
    "local h, got;
        tail = 0;
        h = head;
        if (h > 0) {
            tail = 1;
            while (xchg(lk, 1) == 1) { }
            tail = 0;
            h = head;
            if (h > 0) { tail = 1; } else { got = 1; }
            lk = 0;
        } else {
            got = 1;
        }"
    .to_owned()
}

/// A steal.
fn stealer() -> String {
    "local t, got;
        while (xchg(lk, 1) == 1) { }
        head = 1;
        t = tail;
        if (1 > t) { head = 0; } else { got = 1; }
        lk = 0;"
        .to_owned()
}
