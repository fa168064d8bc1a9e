//! Data: wide values, counters, and arrays with computed indices.

use super::each;

/// Two threads increment a counter `n` times each, by retrying a compare-and-swap. Nothing is stored
/// but by locked instructions, so nothing is delayed.
pub(super) fn retry(n: u32) -> String {
    let threads = each(2, |i| {
        format!(
            "thread t{i} {{
                local k, v, old;
                while (k < {n}) {{
                    do {{ v = c; old = cas(c, v, v + 1); }} while (old != v);
                    k = k + 1;
                }}
            }}\n"
        )
    });
    format!("shared c;\n{threads}final assert c == {};\n", 2 * n)
}

/// Each thread counts to `n - 1` in a variable of its own, in memory, before fenced store buffering.
pub(super) fn counter(n: u32) -> String {
    let last = n - 1;
    let thread = |me, own, other| {
        format!(
            "thread t{me} {{
                local r, v;
                while (v < {last}) {{ v = n{me}; v = v + 1; n{me} = v; }}
                {own} = 1;
                fence;
                r = {other};
            }}\n"
        )
    };
    let threads = thread(0, 'x', 'y') + &thread(1, 'y', 'x');
    format!("shared x, y, n0, n1;\n{threads}final assert t0.r == 1 || t1.r == 1;\n")
}

/// Message passing of any of `n` values. One thread only stores, and the other only loads.
pub(super) fn wide(n: u32) -> String {
    let last = n - 1;
    format!(
        "shared data, flag;
        thread p {{ local v; v = nondet(0, {last}); data = v; flag = 1; }}
        thread c {{ local f, d; f = flag; d = data; if (f == 1) {{ assert(d >= 0 && d <= {last}); }} }}
        final assert c.f == 0 || c.d == p.v;\n"
    )
}

/// Two threads publish one of `n` values each, and a third one adds them.
pub(super) fn wide_sum(n: u32) -> String {
    let last = n - 1;
    format!(
        "shared a, b, ready[2];
        thread p {{ local v; v = nondet(0, {last}); a = v; ready[0] = 1; }}
        thread q {{ local v; v = nondet(0, {last}); b = v; ready[1] = 1; }}
        thread c {{
            local x, y;
            while (ready[0] == 0) {{ }}
            while (ready[1] == 0) {{ }}
            x = a;
            y = b;
            assert(x + y <= {});
        }}\n",
        2 * last
    )
}

/// Two threads insert a key each into a table of `n` places, at least two, and look it up.
pub(super) fn hash(n: u32) -> String {
    let thread = |name| {
        format!(
            "thread {name} {{
                local i, k, old;
                k = nondet(1, 3);
                i = (k * 7) % N;
                old = cas(key[i], 0, k);
                while (old != 0 && old != k) {{ i = (i + 1) % N; old = cas(key[i], 0, k); }}
                assert(key[i] == k);
            }}\n"
        )
    };
    format!(
        "const N = {n};\nshared key[N];\n{}{}",
        thread('a'),
        thread('b')
    )
}

/// Store buffering on neighbouring cells of an array of `n`, at least three. The threads may choose cells
/// so that one of them loads what the other never stores: then both loads return 0 under SC.
pub(super) fn array_buffering(n: u32) -> String {
    let last = n.min(256) - 1;
    let thread = |name| {
        format!(
            "thread {name} {{
                local i, r;
                i = nondet(0, {last});
                x[i] = 1;
                r = x[(i + 1) % N];
            }}\n"
        )
    };
    format!(
        "const N = {n};\nshared x[N];\n{}{}final assert a.r == 1 || b.r == 1 || a.i == b.i;\n",
        thread('a'),
        thread('b')
    )
}

/// One thread fills an array of `n` in a loop, and another one waits and reads it in a loop.
pub(super) fn fill(n: u32) -> String {
    format!(
        "const N = {n};
        shared x[N], ready;
        thread w {{ local i; while (i < N) {{ x[i] = i + 1; i = i + 1; }} ready = 1; }}
        thread r {{
            local i, v;
            while (ready == 0) {{ }}
            while (i < N) {{ v = x[i]; assert(v == i + 1); i = i + 1; }}
        }}\n"
    )
}
