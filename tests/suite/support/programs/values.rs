//! Many goals about the same variables, which a search may look up by their values.

use proptest::prelude::*;

fn statement() -> impl Strategy<Value = String> {
    let cell = || prop::sample::select(vec!["x", "y"]);
    prop_oneof![
        4 => (cell(), 0..3).prop_map(|(cell, value)| format!("{cell} = {value};")),
        3 => cell().prop_map(|cell| format!("r = {cell};")),
        1 => cell().prop_map(|cell| format!("r = fetch_add({cell}, 1);")),
        1 => cell().prop_map(|cell| format!("if (r == 1) {{ {cell} = 2; }}")),
        1 => Just("fence;".to_owned()),
    ]
}

/// Goals with each pair of values from 0 to 2, of which some hold for one of the two alone.
fn goals(kind: &str, [a, b]: [&str; 2], or: i32) -> String {
    let pairs = (0..9).map(|number| (number / 3, number % 3));
    let goals = pairs.map(|(x, y)| {
        let (forbid, both) = (format!("{kind} "), format!("{a} == {x} && {y} == {b}"));
        if (3 * x + y) % 4 == or {
            let either = format!("{a} == {x} || {b} == {y}");
            format!("{forbid}({either}) && {both};\n{forbid}{either};\n")
        } else {
            format!("{forbid}{both};\n{forbid}t0@here && {both};\n")
        }
    });
    goals.collect()
}

pub fn texts() -> impl Strategy<Value = String> {
    let body = || prop::collection::vec(statement(), 1..4).prop_map(|all| all.join(" "));
    let pairs = prop::sample::select(vec![["x", "y"], ["x", "t0.r"], ["t0.r", "t1.r"]]);
    let kind = prop::sample::select(vec!["forbid", "exists"]);
    (body(), body(), body(), kind, pairs, 0..4).prop_map(|(a, b, c, kind, pair, or)| {
        let goals = goals(kind, pair, or);
        format!(
            "shared x, y;\nthread t0 {{ local r; {a} here: skip; {b} }}\nthread t1 {{ local r; {c} }}\n{goals}"
        )
    })
}
