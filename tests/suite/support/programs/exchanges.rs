//! Threads that pass values to each other, wait for each other in loops with and without stores, count, choose, and
//! have blocks that may never be left.

use proptest::prelude::*;
use std::fmt::Write as _;

fn cell() -> BoxedStrategy<String> {
    prop_oneof![
        3 => Just("x"),
        3 => Just("y"),
        1 => Just("z"),
        1 => Just("a[i % 2]"),
        1 => Just("a[r & 1]"),
    ]
    .prop_map(str::to_owned)
    .boxed()
}

fn value() -> BoxedStrategy<String> {
    prop_oneof![
        4 => (0..3_i32).prop_map(|value| value.to_string()),
        1 => Just("i".to_owned()),
        1 => Just("r".to_owned()),
        1 => Just("i + 1".to_owned()),
    ]
    .boxed()
}

/// A statement that ends.
fn simple() -> BoxedStrategy<String> {
    (cell(), cell(), value(), 0..27_u8)
        .prop_map(|(x, y, v, form)| match form {
            0..=5 => format!("{x} = {v};"),
            6..=9 => format!("r = {x};"),
            10 => format!("{x} = {y};"),
            11 => format!("{x} = {x} + 1;"),
            12 => "i = i + 1;".to_owned(),
            13 => format!("assert({x} != {v});"),
            14 => "assert(r < 2);".to_owned(),
            15 => "fence;".to_owned(),
            16 => format!("r = xchg({x}, {v});"),
            17 => format!("r = cas({x}, {v}, 1);"),
            18 => format!("atomic {{ r = {x}; {y} = r; }}"),
            19 => format!("atomic {{ r = {x}; assume(r == {v}); {y} = 1; }}"),
            20 => "r = nondet(0, 1);".to_owned(),
            21 => format!("choose {{ {x} = {v}; }} or {{ skip; }}"),
            22 => format!(
                "choose {{ atomic {{ r = {x}; assume(r == 0); r = {y}; }} }} \
                 or {{ atomic {{ r = z; assume(r >= 1); z = 2; r = {y}; }} }}"
            ),
            23..=24 => format!("atomic {{ q = {x}; r = a[q & 1]; q = 0; }}"),
            25 => format!("atomic {{ q = {x}; r = a[q & 1]; a[r & 1] = {v}; q = 0; }}"),
            _ => format!("assume({x} == {v} || r == 0);"),
        })
        .boxed()
}

/// A loop that waits for other threads, or may.
fn wait() -> BoxedStrategy<String> {
    (cell(), cell(), value(), 0..12_u8)
        .prop_map(|(x, y, v, form)| match form {
            0..=2 => format!("while ({x} == {v}) {{ }}"),
            3 => format!("while ({x} != {v}) {{ }}"),
            4 => format!("while (i - {x} == 2) {{ }}"),
            5 => format!("while ({x} == {v} && {y} >= 1) {{ }}"),
            6 => format!("do {{ r = {x}; q = {y}; }} while (r != q);"),
            7 => format!("while ({x} == {v}) {{ {y} = {v}; }}"),
            8 => format!("while ({x} == {v}) {{ {y} = 1; {y} = 0; }}"),
            9 => format!("while (cas({x}, 0, 1) != 0) {{ }}"),
            10 => format!("do {{ atomic {{ r = {x}; {x} = 1; }} }} while (r == 1);"),
            _ => format!("while ({x} == {v}) {{ r = {y}; assert(r != 2); }}"),
        })
        .boxed()
}

/// The statements of a thread, with a label somewhere.
fn body() -> BoxedStrategy<String> {
    let one = || prop_oneof![4 => simple(), 2 => wait()];
    let some = |most| prop::collection::vec(one(), 0..=most).prop_map(|all| all.join(" "));
    let passing = (1..4, some(3))
        .prop_map(|(rounds, inner)| format!("while (i < {rounds}) {{ {inner} i = i + 1; }}"));
    let branch = (cell(), some(2)).prop_map(|(x, inner)| format!("if ({x} == 1) {{ {inner} }}"));
    let part = prop_oneof![4 => some(4), 3 => passing, 1 => branch];
    let long =
        (part.clone(), part).prop_map(|(before, after)| format!("{before} l: skip; {after}"));
    // Short ones mostly end, so that what they have done is seen.
    let short = prop::collection::vec(prop_oneof![8 => simple(), 1 => wait()], 1..4)
        .prop_map(|all| format!("{} l: skip;", all.join(" ")));
    prop_oneof![long, short].boxed()
}

fn properties() -> BoxedStrategy<String> {
    let one = (0..8_u8, 0..3_i32).prop_map(|(form, v)| match form {
        0 => "forbid t0@l && t1@l;".to_owned(),
        1 => format!("forbid t0@l && x == {v};"),
        2 => format!("forbid t0.r == {v} && t1.r == 1;"),
        3 => format!("forbid x == 1 && y == {v};"),
        4 => format!("final assert t0.r != {v} || t1.r != 1;"),
        5 => format!("final assert x != {v};"),
        6 => format!("exists t1.r == {v} && y == 1;"),
        _ => format!("forbid t1@l && (t0@l && z == {v} || t0.i == 2);"),
    });
    let random = prop::collection::vec(one, 0..3).prop_map(|all| all.join("\n"));
    let places = [
        ("x", "y"),
        ("y", "z"),
        ("a[0]", "x"),
        ("t0.r", "t1.r"),
        ("t1.r", "x"),
    ];
    let all = prop::sample::select(places.to_vec()).prop_map(all_values);
    prop_oneof![1 => random, 2 => all].boxed()
}

/// Two short threads: one mostly goes where cells point, the other one mostly stores.
pub fn pointers() -> BoxedStrategy<String> {
    let of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let cell = || of(&["x", "y", "a[0]", "a[1]"]);
    let store = || (cell(), 1..3_i32).prop_map(|(cell, v)| format!("{cell} = {v};"));
    let follow = (of(&["x", "y"]), 1..3_i32, 0..9_u8).prop_map(|(x, v, form)| match form {
        0..=3 => format!("atomic {{ q = {x}; r = a[q & 1]; q = 0; }}"),
        4 => format!("atomic {{ q = {x}; r = a[q & 1]; assume(r == 0); {x} = {v}; q = 0; }}"),
        5 => format!("atomic {{ q = {x}; a[q & 1] = {v}; q = 0; }}"),
        6 => format!("r = a[{x} & 1];"),
        7 => format!("a[{x} & 1] = {v};"),
        _ => format!("while (a[{x} & 1] == 0) {{ }}"),
    });
    let wait = || (cell(), 0..3_i32).prop_map(|(cell, v)| format!("while ({cell} == {v}) {{ }}"));
    let load = || cell().prop_map(|cell| format!("r = {cell};"));
    let one = prop_oneof![6 => follow, 2 => store(), 1 => load()];
    let other = prop_oneof![8 => store(), 2 => load(), 1 => wait()];
    let body =
        |one: BoxedStrategy<String>| prop::collection::vec(one, 1..4).prop_map(|all| all.join(" "));
    let places = [("t0.r", "x"), ("t0.r", "t1.r"), ("a[0]", "a[1]")];
    let places = prop::sample::select(places.to_vec());
    (body(one.boxed()), body(other.boxed()), places)
        .prop_map(|(one, other, place)| {
            let [a, b] = [one, other].map(|body| format!("{{ local q, r; {body} }}"));
            let properties = all_values(place);
            format!("shared x, y; shared a[2];\nthread t0 {a}\nthread t1 {b}\n{properties}")
        })
        .boxed()
}

/// Three or four short threads that meet in the same few cells, exchange values, follow them, and wait.
pub fn crowds() -> BoxedStrategy<String> {
    let of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let cell = move || of(&["x", "x", "y", "a[0]", "a[1]"]);
    let one = (cell(), cell(), 1..3_i32, 0..30_u8).prop_map(|(x, y, v, form)| match form {
        0..=3 => format!("{x} = {v};"),
        4..=5 => format!("r = {x};"),
        6 => format!("r = xchg({x}, {v});"),
        7 => format!("q = xchg({x}, {v}); a[q & 1] = {v}; q = 0;"),
        8 => format!("q = cas({x}, 0, {v}); if (q == 0) {{ {y} = {v}; }} q = 0;"),
        9 => format!("r = fetch_add({x}, 1);"),
        10 => format!("q = {x}; a[q & 1] = {v}; q = 0;"),
        11 => format!("q = {x}; r = a[q & 1]; q = 0;"),
        12 => format!("atomic {{ q = {x}; a[q & 1] = {v}; r = {y}; q = 0; }}"),
        13 => format!("if ({x} == {v}) {{ {y} = 1; }}"),
        14 => format!("if ({x} == 0) {{ {x} = {v}; r = {y}; }}"),
        15 => format!("while ({x} == 0) {{ }}"),
        16 => format!("do {{ q = {x}; }} while (q != {v}); q = 0;"),
        17 => format!("{x} = {y};"),
        18 => "fence;".to_owned(),
        19 => format!("q = fetch_add({x}, 1); if (q == {v}) {{ {y} = 1; }} q = 0;"),
        20 => format!("do {{ q = fetch_add({x}, 1); }} while (q == 0); q = 0;"),
        21 => format!("atomic {{ r = {x}; r = r + {y}; }}"),
        22 => format!("assert({x} != {v});"),
        23 => format!("r = nondet(0, 1); {x} = r;"),
        24 => format!("atomic {{ r = {x}; assume(r == {v}); {y} = 1; }}"),
        25 => format!("assume({x} == {v} || r == 0);"),
        26 => format!("q = {x}; a[q] = {v}; q = 0;"),
        27 => format!("q = {x}; assert(q < 2); {y} = q; q = 0;"),
        28 => format!("choose {{ {x} = {v}; }} or {{ r = {y}; }}"),
        _ => format!("{x} = {v}; {x} = 0;"),
    });
    let body = prop::collection::vec(one, 1..4).prop_map(|all| all.join(" "));
    let threads = prop_oneof![
        3 => prop::collection::vec(body.clone(), 3),
        1 => prop::collection::vec(body.clone(), 4),
        1 => (body.clone(), body).prop_map(|(a, b)| vec![a.clone(), a, b]),
    ];
    let places = [
        ("t0.r", "t1.r"),
        ("t1.r", "t2.r"),
        ("x", "y"),
        ("a[0]", "a[1]"),
        ("t0.r", "a[0]"),
    ];
    let properties = prop_oneof![
        3 => prop::sample::select(places.to_vec()).prop_map(all_values),
        1 => (0..3_i32).prop_map(|v| format!("forbid t0@l && t1@l;\nforbid t2@l && x == {v};")),
        1 => (0..3_i32).prop_map(|v| format!("forbid t0.r == {v} && y == 1;")),
    ];
    (threads, properties)
        .prop_map(|(threads, properties)| {
            let mut text = "shared x, y; shared a[2];\n".to_owned();
            for (number, body) in threads.iter().enumerate() {
                let _ = writeln!(text, "thread t{number} {{ local r, q; {body} l: skip; }}");
            }
            text + &properties
        })
        .boxed()
}

/// What there may be in two places when all threads have ended.
fn all_values((one, other): (&str, &str)) -> String {
    let values = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
    let exists = values.map(|(a, b)| format!("exists {one} == {a} && {other} == {b};"));
    exists.collect::<Vec<String>>().join("\n")
}

/// Two or three threads.
pub fn texts() -> BoxedStrategy<String> {
    let threads = prop_oneof![
        4 => prop::collection::vec(body(), 2),
        1 => prop::collection::vec(body(), 3),
    ];
    (threads, properties())
        .prop_map(|(threads, properties)| {
            let mut text = "shared x, y, z;\nshared a[2];\n".to_owned();
            for (number, body) in threads.iter().enumerate() {
                let _ = writeln!(text, "thread t{number} {{ local i, r, q; {body} }}");
            }
            text + &properties
        })
        .boxed()
}
