//! Each mention of a shared name is one load, from left to right: statements of the language have the final
//! states of the same steps written out, one load at a time, while another thread changes what they mention.

use crate::support::config::config;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Halt, explore_halts};
use fencepost::internals::verdict::Budget;
use fencepost::program::{Program, ThreadId};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

/// What both texts declare. A procedure that is called has the effects of its steps.
const DECLARED: &str = "shared a[3], b[2], i, j, x; shared p = 1;\n\
    proc take(c) { local o; o = *c; *c = 1 - o; return o; }\n\
    proc add(m, v) { *m += v; }\n\
    proc bump(m) { (*m)++; }\n";

/// A part of a statement, and the steps that it stands for.
#[derive(Clone, Debug)]
struct Part {
    short: &'static str,
    steps: &'static str,
}

/// Cells, with the steps that leave their address in `k`.
const TARGETS: [Part; 10] = [
    part("x", "k = &x;"),
    part("a[i]", "k = i; k = &a[0] + k;"),
    part("a[i + j]", "k = i; l = j; k = &a[0] + (k + l);"),
    part("a[b[j]]", "k = j; k = b[k]; k = &a[0] + k;"),
    part("*p", "k = p;"),
    part("*(p)", "k = p;"),
    part("*(&a[0] + i)", "k = i; k = &a[0] + k;"),
    part("a[take(&i)]", "k = i; i = 1 - k; k = &a[0] + k;"),
    part("a[xchg(i, 1)]", "k = xchg(i, 1); k = &a[0] + k;"),
    part(
        "a[j ? i : 2]",
        "l = j; if (l) { k = i; } else { k = 2; } k = &a[0] + k;",
    ),
];

/// Values, with the steps that leave them in `e`.
const OPERANDS: [Part; 7] = [
    part("1", "e = 1;"),
    part("i", "e = i;"),
    part("x", "e = x;"),
    part("a[j]", "e = j; e = a[e];"),
    part("take(&j)", "e = j; j = 1 - e;"),
    part("xchg(j, 0)", "e = xchg(j, 0);"),
    part("(i && x)", "e = i; if (e) { e = x; if (e) { e = 1; } }"),
];

const fn part(short: &'static str, steps: &'static str) -> Part {
    Part { short, steps }
}

/// A statement, and its steps.
fn statement() -> impl Strategy<Value = (String, String)> {
    let operator = select(vec!["+", "-", "*", "&", "|", "^", "<<"]);
    (
        select(TARGETS.to_vec()),
        select(OPERANDS.to_vec()),
        operator,
        0..14,
    )
        .prop_map(|(cell, operand, operator, kind)| {
            let (target, address) = (cell.short, cell.steps);
            let (value, computed) = (operand.short, operand.steps);
            let store = |sign: &str, by: &str| format!("v = *k; *k = v {sign} {by};");
            let pointer = target
                .strip_prefix('*')
                .map_or_else(|| format!("&{target}"), ToOwned::to_owned);
            match kind {
                0..=4 => (
                    format!("{target} {operator}= {value};"),
                    format!("{address} v = *k; {computed} *k = v {operator} e;"),
                ),
                5 => (
                    format!("({target})++;"),
                    format!("{address} {}", store("+", "1")),
                ),
                6 => (
                    format!("--{target};"),
                    format!("{address} {}", store("-", "1")),
                ),
                7 => (
                    format!("{target} = {value};"),
                    format!("{address} {computed} *k = e;"),
                ),
                8 => (
                    format!("r = cas({target}, {value}, 2);"),
                    format!("{address} {computed} r = cas(*k, e, 2);"),
                ),
                9 => (
                    format!("r = fetch_add({target}, {value});"),
                    format!("{address} {computed} r = fetch_add(*k, e);"),
                ),
                // Arguments first, from left to right.
                10 => (
                    format!("add({pointer}, {value});"),
                    format!("{address} {computed} {}", store("+", "e")),
                ),
                11 => (
                    format!("bump({pointer});"),
                    format!("{address} {}", store("+", "1")),
                ),
                12 => (
                    format!("r {operator}= {target} + {value};"),
                    format!("{address} v = *k; {computed} r = r {operator} (v + e);"),
                ),
                _ => (
                    format!("for (n = 0; n < 2; n += {value} | 1) {{ {target} ^= 1; }}"),
                    format!(
                        "n = 0; while (n < 2) {{ {address} {} {computed} n = n + (e | 1); }}",
                        store("^", "1")
                    ),
                ),
            }
        })
}

/// What another thread does while it runs.
fn interference() -> impl Strategy<Value = String> {
    let all = vec![
        "i = 1;",
        "i = 0;",
        "j = 1;",
        "p = 2;",
        "b[0] = 1;",
        "x = 3;",
        "a[0] = 5;",
        "a[1] = 6;",
        "b[1] = 1;",
        "fence;",
    ];
    prop::collection::vec(select(all), 1..4).prop_map(|all| all.join(" "))
}

/// The same program, short and written out.
fn programs() -> impl Strategy<Value = [String; 2]> {
    let own = prop::collection::vec(statement(), 1..3);
    (own, interference(), any::<bool>()).prop_map(|(own, other, is_atomic)| {
        let text = |body: Vec<&str>| {
            let body = body.join(" ");
            let body = if is_atomic {
                format!("atomic {{ {body} }}")
            } else {
                body
            };
            format!(
                "{DECLARED}thread t {{ local k, l, v, e, r, n; {body} }}\nthread u {{ {other} }}\n"
            )
        };
        let short = own.iter().map(|(short, _)| short.as_str()).collect();
        let steps = own.iter().map(|(_, steps)| steps.as_str()).collect();
        [text(short), text(steps)]
    })
}

fn program(text: &str) -> Program {
    let parsed = parse(text);
    let errors = parsed.diagnostics.iter().map(|d| d.message.clone());
    let errors: Vec<String> = errors.collect();
    parsed
        .program
        .unwrap_or_else(|| panic!("{errors:?}\n{text}"))
}

/// The memory at all ends, with the registers that both texts name; `None` if there are too many states.
fn ends(text: &str, model: Model) -> Option<BTreeSet<(Vec<i32>, Vec<i32>)>> {
    let program = program(text);
    let budget = Budget::default().with_states(200_000);
    let (halts, incomplete) = explore_halts(&program, model, &budget);
    let registers = program.thread(ThreadId::from(0)).registers();
    let named = |name: &str| registers.iter().position(|register| register.name == name);
    let seen: Vec<usize> = ["r", "n"].into_iter().filter_map(named).collect();
    let has_ended = |halt: &Halt| {
        let mut threads = program.thread_ids().zip(&halt.locations);
        threads.all(|(thread, &at)| program.thread(thread).is_end(at))
    };
    incomplete.is_none().then(|| {
        let end = |halt: Halt| {
            let values = seen.iter().map(|&register| halt.registers[0][register]);
            (halt.memory, values.collect())
        };
        halts.into_iter().filter(has_ended).map(end).collect()
    })
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn statements_have_the_final_states_of_their_steps(
        [short, steps] in programs(),
        model in select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        if let (Some(of_short), Some(of_steps)) = (ends(&short, model), ends(&steps, model)) {
            prop_assert_eq!(of_short, of_steps, "{}\n{}", short, steps);
        }
    }
}

#[test]
fn most_programs_of_the_law_are_compared_and_have_several_ends() {
    let mut runner = TestRunner::deterministic();
    let (mut compared, mut several) = (0, 0);
    for _ in 0..60 {
        let tree = programs().new_tree(&mut runner).expect("a program");
        if let Some(found) = ends(&tree.current()[1], Model::Tso) {
            compared += 1;
            several += usize::from(found.len() > 1);
        }
    }
    assert!(compared > 50 && several > 12, "{compared} {several}");
}

#[test]
fn a_compound_assignment_stores_to_the_cell_that_it_loads() {
    // The index is 0 or 1 for both accesses. Loaded twice, the sum of `a[0]` could go to `a[1]`.
    let text = "shared a[2] = {5, 7}, i; thread t { a[i] += 1; } thread u { i = 1; }";
    for model in Model::ALL {
        let found: BTreeSet<Vec<i32>> = ends(text, model)
            .expect("few states")
            .into_iter()
            .map(|(memory, _)| memory)
            .collect();
        let expected = BTreeSet::from([vec![6, 7, 1], vec![5, 8, 1]]);
        assert_eq!(found, expected, "{model}");
    }
}
