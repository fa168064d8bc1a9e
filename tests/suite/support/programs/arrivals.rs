//! Threads that count each other, wait for each other and enter once only, so that it often matters which of them is
//! still to come. Some of it happens in loops, in atomic blocks and on computed cells.

use proptest::prelude::*;
use std::fmt::Write as _;

fn statement() -> impl Strategy<Value = String> {
    let cell = || prop::sample::select(vec!["x", "y", "a[0]", "a[1]", "a[i & 1]"]);
    let leaf = prop_oneof![
        5 => cell().prop_map(|cell| format!("{cell} = 1;")),
        5 => cell().prop_map(|cell| format!("r = {cell};")),
        3 => Just("i = fetch_add(count, 1);".to_owned()),
        4 => (cell(), 1..3).prop_map(|(cell, last)| {
            format!("i = fetch_add(count, 1); if (i == {last}) {{ go = 1; r = {cell}; }}")
        }),
        1 => Just("r = count;".to_owned()),
        2 => prop::sample::select(vec!["x", "y", "go"]).prop_map(|cell| format!("while ({cell} == 0) {{ }}")),
        2 => Just("go = 1;".to_owned()),
        1 => Just("assume(count == 2);".to_owned()),
        1 => Just("fence;".to_owned()),
        1 => cell().prop_map(|cell| format!("atomic {{ {cell} = 1; r = {cell}; }}")),
        1 => cell().prop_map(|cell| format!("atomic {{ r = {cell}; assume(r == 0); {cell} = 1; }}")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..3).prop_map(|all| all.join(" "));
        let value = || prop::sample::select(vec!["i == 0", "i == 1", "i == 2", "r == 0", "r == 1"]);
        prop_oneof![
            4 => (value(), block(), block())
                .prop_map(|(c, a, b)| format!("if ({c}) {{ {a} }} else {{ {b} }}")),
            1 => (value(), block()).prop_map(|(c, a)| format!("while ({c}) {{ {a} i = i + 1; }}")),
        ]
    })
}

pub fn texts() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(statement(), 1..5);
    prop::collection::vec(body, 2..4).prop_map(|bodies| {
        let mut text = "shared x, y, go, count, a[2];\n".to_owned();
        for (number, body) in bodies.iter().enumerate() {
            let _ = writeln!(
                text,
                "thread t{number} {{ local r, i; {} }}",
                body.join(" ")
            );
        }
        text
    })
}
