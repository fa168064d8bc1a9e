//! Many small threads: rings, chains, broadcasts, barriers.

use super::{Fences, each};

/// Store buffering around a ring of `n` threads.
pub(super) fn ring(n: u32, fences: Fences) -> String {
    let fence = fences.text();
    let threads = each(n, |i| {
        let next = (i + 1) % n;
        format!("thread t{i} {{ local r; x[{i}] = 1; {fence} r = x[{next}]; }}\n")
    });
    let seen: Vec<String> = (0..n).map(|i| format!("t{i}.r == 1")).collect();
    let seen = seen.join(" || ");
    format!("program ring_{n};\nshared x[{n}];\n{threads}final assert {seen};\n")
}

/// Message passing over `n` threads, at least two: each waits for the flag of its predecessor.
pub(super) fn chain(n: u32) -> String {
    let last = n - 1;
    let middle = each(last - 1, |before| {
        let i = before + 1;
        format!("thread t{i} {{ local r; r = f[{before}]; assume(r == 1); f[{i}] = 1; }}\n")
    });
    let before = last - 1;
    format!(
        "program chain_{n};\nshared d, f[{last}];\nthread t0 {{ d = 1; f[0] = 1; }}\n{middle}\
         thread t{last} {{ local r; r = f[{before}]; assume(r == 1); r = d; }}\n\
         final assert t{last}.r == 1;\n"
    )
}

/// `n` pairs of threads, each with store buffering on its own variables.
pub(super) fn pairs(n: u32, fences: Fences) -> String {
    let fence = fences.text();
    each(n, |k| {
        format!(
            "shared x{k}, y{k};
            thread a{k} {{ local r; x{k} = 1; {fence} r = y{k}; }}
            thread b{k} {{ local r; y{k} = 1; {fence} r = x{k}; }}\n"
        )
    }) + &each(n, |k| format!("final assert a{k}.r == 1 || b{k}.r == 1;\n"))
}

/// Message passing from one writer to `n` readers.
pub(super) fn broadcast(n: u32) -> String {
    let readers = each(n, |k| {
        format!("thread r{k} {{ local f, d; f = flag; d = data; assert(f == 0 || d == 1); }}\n")
    });
    format!("shared data, flag;\nthread w {{ data = 1; flag = 1; }}\n{readers}")
}

/// Message passing from one writer to `n` readers that wait.
pub(super) fn broadcast_wait(n: u32) -> String {
    let readers = each(n, |k| {
        format!("thread r{k} {{ local d; while (flag == 0) {{ }} d = data; assert(d == 1); }}\n")
    });
    format!("shared data, flag;\nthread w {{ data = 1; flag = 1; }}\n{readers}")
}

/// One round of a central barrier: after it, each of `n` threads sees what its neighbour stored before.
pub(super) fn barrier(n: u32) -> String {
    let last = n - 1;
    let threads = each(n, |k| {
        let next = (k + 1) % n;
        format!(
            "thread t{k} {{
                local r;
                x[{k}] = 1;
                if (fetch_add(count, 1) == {last}) {{ go = 1; }} else {{ while (go == 0) {{ }} }}
                r = x[{next}];
                assert(r == 1);
            }}\n"
        )
    });
    format!("shared count, go, x[{n}];\n{threads}")
}

/// `n` threads add 1 each.
pub(super) fn fetch_add(n: u32) -> String {
    let threads = each(n, |i| format!("thread t{i} {{ fetch_add(c, 1); }}\n"));
    format!("shared c;\n{threads}final assert c == {n};\n")
}

/// `n` workers publish a value each, and a master waits for all and adds. Workers only store, and the
/// master only loads.
pub(super) fn sum(n: u32) -> String {
    let workers = each(n, |i| {
        format!("thread w{i} {{ d[{i}] = {}; f[{i}] = 1; }}\n", i + 1)
    });
    let additions = each(n, |i| {
        format!("while (f[{i}] == 0) {{ }}\nv = d[{i}];\ns = s + v;\n")
    });
    let total = u64::from(n) * (u64::from(n) + 1) / 2;
    format!(
        "shared d[{n}], f[{n}];\n{workers}\
         thread m {{\nlocal s, v;\n{additions}assert(s == {total});\n}}\n"
    )
}
