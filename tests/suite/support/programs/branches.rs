//! Branches and data, of which the properties mention some cells, registers and places only.

use fencepost::internals::formats::parse;
use fencepost::program::Program;
use proptest::prelude::*;

/// An expression over the registers, some of them compared with constants that they may have.
fn expression() -> impl Strategy<Value = String> {
    let reg = prop::sample::select(vec!["r", "s", "t"]);
    prop_oneof![
        2 => (0..3_i32).prop_map(|value| value.to_string()),
        2 => reg.clone().prop_map(str::to_owned),
        1 => (reg.clone(), reg.clone()).prop_map(|(a, b)| format!("{a} + {b}")),
        1 => reg.prop_map(|reg| format!("({reg} + 1) % 3")),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec!["==", "!=", "<", ">="]);
    prop_oneof![
        4 => (expression(), op.clone(), expression()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => (expression(), op, expression()).prop_map(|(a, op, b)| format!("{a} {op} {b} || s > 5")),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let cell = || prop::sample::select(vec!["x", "y", "z", "w", "q[r & 1]"]);
    let reg = || prop::sample::select(vec!["r", "s", "t"]);
    let leaf = prop_oneof![
        4 => (cell(), expression()).prop_map(|(cell, e)| format!("{cell} = {e};")),
        4 => (reg(), cell()).prop_map(|(reg, cell)| format!("{reg} = {cell};")),
        3 => (reg(), expression()).prop_map(|(reg, e)| format!("{reg} = {e};")),
        1 => reg().prop_map(|reg| format!("{reg} = nondet(0, 1);")),
        1 => (reg(), cell(), expression()).prop_map(|(reg, cell, e)| format!("{reg} = xchg({cell}, {e});")),
        1 => (reg(), cell()).prop_map(|(reg, cell)| format!("{reg} = cas({cell}, 0, 1);")),
        1 => Just("fence;".to_owned()),
        1 => condition().prop_map(|c| format!("assume({c});")),
        1 => condition().prop_map(|c| format!("assert({c});")),
        1 => Just("here: skip;".to_owned()),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..3).prop_map(|all| all.join(" "));
        prop_oneof![
            3 => (condition(), block()).prop_map(|(c, a)| format!("if ({c}) {{ {a} }}")),
            3 => (condition(), block(), block())
                .prop_map(|(c, a, b)| format!("if ({c}) {{ {a} }} else {{ {b} }}")),
            1 => (block(), block()).prop_map(|(a, b)| format!("choose {{ {a} }} or {{ {b} }}")),
            1 => (condition(), block()).prop_map(|(c, a)| format!("while ({c}) {{ {a} }}")),
            1 => block().prop_map(|a| format!("atomic {{ {a} }}")),
        ]
    })
}

/// Programs with properties that mention some cells, registers and places only.
pub fn programs() -> impl Strategy<Value = Option<Program>> {
    let thread = || prop::collection::vec(statement(), 1..5);
    let property = prop_oneof![
        2 => (0..3_i32, 0..3_i32).prop_map(|(a, b)| format!("forbid x == {a} && y == {b};")),
        1 => (0..3_i32).prop_map(|a| format!("final assert x != {a};")),
        1 => (0..2_i32, 1..3_i32).prop_map(|(k, a)| format!("exists q[{k}] == {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("forbid t{t}@here && x == {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("forbid !t{t}@here && y == {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("exists t{t}.r == {a};")),
    ];
    let properties = prop::collection::vec(property, 1..3);
    let around = prop::bool::weighted(0.3);
    let threads = (thread(), thread(), around).prop_map(|(mut a, mut b, around)| {
        // Then what is between the two matters if it drains the buffer.
        if around {
            for (body, mine, other) in [(&mut a, "x", "y"), (&mut b, "y", "x")] {
                body.insert(0, format!("{mine} = 1;"));
                body.push(format!("r = {other};"));
            }
        }
        (a, b, around)
    });
    (threads, properties, any::<bool>()).prop_map(|((a, b, around), mut properties, places)| {
        if around {
            properties.push("exists t0.r == 0 && t1.r == 0;".to_owned());
        }
        let threads = [a, b].into_iter().enumerate().map(|(t, mut statements)| {
            let mut labels = 0;
            for statement in &mut statements {
                // A label may be written once in each thread.
                while statement.contains("here:") {
                    labels += 1;
                    let name = if labels == 1 { "@:" } else { "" };
                    *statement = statement.replacen("here:", name, 1);
                }
                *statement = statement.replace("@:", "here:");
            }
            let last = if labels == 0 { "here: skip;" } else { "" };
            format!(
                "thread t{t} {{ local r, s, t; {} {last} }}\n",
                statements.join("\n")
            )
        });
        let threads: String = threads.collect();
        let properties: Vec<String> = properties
            .into_iter()
            .filter(|property| places || !property.contains("@here"))
            .collect();
        let text = format!(
            "shared x, y, z, w, q[2];\n{threads}{}",
            properties.join("\n")
        );
        parse(&text).into_program().ok()
    })
}
