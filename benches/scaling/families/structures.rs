//! Structures: data that threads hand to each other through queues, stacks and sequence locks.

use super::each;

/// One reader of a sequence lock that protects `a` and `b`.
fn reader(name: &str) -> String {
    format!(
        "thread {name} {{
            local s, e, x, y;
            do {{ s = seq; x = a; y = b; e = seq; }} while (s != e || (s & 1) == 1);
            assert(x == y);
        }}\n"
    )
}

/// A sequence lock, written once, with `n` readers. The writer only stores, and readers only load.
pub(super) fn seqlock(n: u32) -> String {
    let readers = each(n, |i| reader(&format!("r{i}")));
    format!("shared seq, a, b;\nthread w {{ seq = 1; a = 1; b = 1; seq = 2; }}\n{readers}")
}

/// A sequence lock, written `n` times, with one reader.
pub(super) fn seqlock_writes(n: u32) -> String {
    let reader = reader("r");
    format!(
        "shared seq, a, b;
        thread w {{
            local i;
            while (i < {n}) {{
                seq = 2 * i + 1;
                a = i + 1;
                b = i + 1;
                seq = 2 * i + 2;
                i = i + 1;
            }}
        }}\n{reader}"
    )
}

/// A ring buffer of `n` places for one producer and one consumer, who pass `2n` items.
pub(super) fn spsc(n: u32) -> String {
    format!(
        "const N = {n};
        const ITEMS = {};
        shared head, tail;
        shared place[N];
        thread producer {{
            local i;
            while (i < ITEMS) {{
                while (i - head == N) {{ }}
                place[i % N] = i + 10;
                i = i + 1;
                tail = i;
            }}
        }}
        thread consumer {{
            local i, v;
            while (i < ITEMS) {{
                while (tail == i) {{ }}
                v = place[i % N];
                assert(v == i + 10);
                i = i + 1;
                head = i;
            }}
        }}\n",
        2 * n
    )
}

/// Treiber's stack: `n` threads push a node each, and one pops. A node that was popped has its item.
pub(super) fn treiber(n: u32) -> String {
    let nodes = n + 1;
    let pushes = each(n, |i| {
        let node = i + 1;
        format!(
            "thread push{i} {{
                local h, old;
                item[{node}] = 1;
                do {{ h = head; next[{node}] = h; old = cas(head, h, {node}); }} while (old != h);
            }}\n"
        )
    });
    format!(
        "shared head;
        shared next[{nodes}], item[{nodes}];
        {pushes}thread pop {{
            local h, n, old, got;
            do {{
                h = head;
                if (h == 0) {{ break; }}
                n = next[h];
                old = cas(head, h, n);
            }} while (old != h);
            if (h != 0) {{ got = item[h]; assert(got != 0); }}
        }}\n"
    )
}

/// Michael and Scott's queue: `n` threads enqueue a node each, and one dequeues. Node 0 is the first
/// dummy.
pub(super) fn ms_queue(n: u32) -> String {
    let nodes = n + 1;
    let enqueues = each(n, |i| {
        let node = i + 1;
        format!(
            "thread e{i} {{
                local t, x, old, done;
                item[{node}] = {node};
                next[{node}] = 0;
                while (done == 0) {{
                    t = tail;
                    x = next[t];
                    if (x == 0) {{
                        old = cas(next[t], 0, {node});
                        if (old == 0) {{ done = 1; }}
                    }} else {{
                        cas(tail, t, x);
                    }}
                }}
                cas(tail, t, {node});
            }}\n"
        )
    });
    format!(
        "shared head, tail;
        shared next[{nodes}], item[{nodes}];
        {enqueues}thread d {{
            local h, t, x, v, old;
            h = head;
            t = tail;
            x = next[h];
            if (x != 0) {{ v = item[x]; assert(v != 0); old = cas(head, h, x); }}
        }}\n"
    )
}

/// Chase and Lev's deque: the owner pushes `n` items and takes up to `n`, a thief tries `n` steals. No
/// item is taken twice.
pub(super) fn chase_lev(n: u32) -> String {
    let cells = n + 1;
    let pushes = each(n, |k| {
        let item = k + 1;
        format!("slot[{k}] = {item}; bottom = {item};\n")
    });
    let take = "b = b - 1;
        bottom = b;
        fence;
        t = top;
        if (t < b) {
            item = slot[b];
        } else if (t == b) {
            item = 0;
            old = cas(top, t, t + 1);
            if (old == t) { item = slot[b]; }
            b = b + 1;
            bottom = b;
            if (item != 0) { assert(fetch_add(got[item], 1) == 0); }
            return;
        } else {
            bottom = b + 1;
            return;
        }
        assert(fetch_add(got[item], 1) == 0);\n";
    let steal = "t = top;
        b = bottom;
        if (t < b) {
            v = slot[t];
            old = cas(top, t, t + 1);
            if (old == t) { assert(fetch_add(got[v], 1) == 0); }
        }\n";
    let (takes, steals) = (each(n, |_| take.to_owned()), each(n, |_| steal.to_owned()));
    format!(
        "shared top, bottom;
        shared slot[{cells}], got[{cells}];
        thread owner {{\nlocal t, old, item, b;\n{pushes}b = {n};\n{takes}}}
        thread thief {{\nlocal t, b, old, v;\n{steals}}}\n"
    )
}

/// Read-copy-update: `n` readers, and an updater that waits for all before it frees the old data.
pub(super) fn rcu(n: u32) -> String {
    let readers = each(n, |i| {
        format!(
            "thread r{i} {{
                local p, f;
                active[{i}] = 1;
                fence;
                p = gp;
                if (p == 0) {{ f = freed; assert(f == 0); }}
                active[{i}] = 0;
            }}\n"
        )
    });
    let waits = each(n, |i| format!("while (active[{i}] == 1) {{ }}\n"));
    format!(
        "shared gp, freed, active[{n}];\n{readers}thread u {{\ngp = 1;\nfence;\n{waits}freed = 1;\n}}\n"
    )
}

/// `n` items, handed over one by one: each side waits for the other.
pub(super) fn handshake(n: u32) -> String {
    format!(
        "shared f, d;
        thread p {{
            local i;
            while (i < {n}) {{ d = i; f = 1; while (f == 1) {{ }} i = i + 1; }}
        }}
        thread c {{
            local i, v;
            while (i < {n}) {{ while (f == 0) {{ }} v = d; assert(v == i); f = 0; i = i + 1; }}
        }}\n"
    )
}
