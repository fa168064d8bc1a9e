//! What slices leave out, and what they keep. That they change no answer is a law of all passes (`passes`), which
//! draws programs from here.

use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::techniques::{PassName, Passes, When};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::Program;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// The verdicts with and without slices, and the configurations visited.
fn answers(program: &Program, model: Model, slicing: bool) -> (Vec<String>, Option<u64>) {
    let mut options = CheckOptions::new(model).engine(Engine::Explicit);
    let when = if slicing { When::Possible } else { When::Never };
    options.techniques.passes = Passes::default().with(PassName::Slice, when);
    let budget = Budget::default().with_states(20_000);
    let report = check(program, &options, &budget).expect("no defect");
    let words = report.answers().iter().map(|answer| {
        if let Verdict::Violated(run) = &answer.verdict {
            assert!(run.reached.contains(&answer.goal));
        }
        answer.verdict.word().to_owned()
    });
    (words.collect(), report.stats().states)
}

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
pub(crate) fn program() -> impl Strategy<Value = Option<(String, Program)>> {
    let thread = || prop::collection::vec(statement(), 1..5);
    let property = prop_oneof![
        2 => (0..3_i32, 0..3_i32).prop_map(|(a, b)| format!("forbid x == {a} && y == {b};")),
        1 => (0..3_i32).prop_map(|a| format!("final assert x != {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("forbid t{t}@here && x == {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("forbid !t{t}@here && y == {a};")),
        1 => (0..3_i32, 0..2_usize).prop_map(|(a, t)| format!("exists t{t}.r == {a};")),
    ];
    let properties = prop::collection::vec(property, 1..3);
    (thread(), thread(), properties, any::<bool>()).prop_map(|(a, b, properties, places)| {
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
        let program = parse(&text).into_program().ok()?;
        Some((text, program))
    })
}

/// Otherwise the law of passes would say little about slices.
#[test]
fn many_random_programs_have_smaller_slices() {
    let mut runner = TestRunner::deterministic();
    let (mut drawn, mut smaller) = (0, [0; 2]);
    for _ in 0..300 {
        let program = program()
            .new_tree(&mut runner)
            .expect("a program")
            .current();
        let Some((_, program)) = program else {
            continue;
        };
        drawn += 1;
        for (smaller, model) in smaller.iter_mut().zip([Model::Sc, Model::Pso]) {
            let [some, all] = [true, false].map(|slicing| answers(&program, model, slicing).1);
            *smaller += usize::from(some < all);
        }
    }
    assert!(
        drawn > 200 && smaller.iter().all(|&smaller| smaller > 60),
        "{drawn} {smaller:?}"
    );
}

fn states(text: &str, slicing: bool) -> u64 {
    let program = parse(text).into_program().expect("a program");
    answers(&program, Model::Sc, slicing)
        .1
        .expect("the explicit engine counts states")
}

/// Only the numbers of the rounds multiply the states.
#[test]
fn a_counter_that_nothing_depends_on_is_left_out() {
    let locks = |body: &str| {
        format!(
            "shared lock, full;
            thread w[2] {{
                local r, i;
                loop {{
                    do {{ r = cas(lock, 0, 1); }} while (r != 0);
                  critical: {body} lock = 0;
                }}
            }}
            forbid w.0@critical && w.1@critical;"
        )
    };
    let plain = locks("skip;");
    let counted =
        locks("i = (i + 1) % 8; if (i == 0) { full = 1; } else { if (i > 3) { full = 0; } }");
    assert!(states(&counted, false) > 8 * states(&plain, false));
    assert!(states(&counted, true) < 2 * states(&plain, true));
}

/// Each of them matters: for a goal, for how far a thread gets, or for another condition.
#[test]
fn branches_that_matter_are_kept() {
    for (body, holds) in [
        ("r = nondet(0, 1); if (r == 0) { x = 1; }", false),
        ("r = nondet(0, 1); if (r == 0) { s = 1; } x = s;", false),
        ("r = 1; if (r == 0) { s = 1; } x = s;", true),
        // No path leads on.
        (
            "r = 1; choose { assume(r == 0); } or { assume(r == 2); } x = 1;",
            true,
        ),
        // The loop does not end.
        ("r = 1; while (r == 1) { s = 1 - s; } x = 1;", true),
        // The assertion is a goal.
        ("r = nondet(0, 1); if (r == 0) { assert(s == 1); }", false),
    ] {
        let text = format!("shared x; thread t {{ local r, s; {body} }} forbid x == 1;");
        let program = parse(&text).into_program().expect("a program");
        for slicing in [true, false] {
            let (words, _) = answers(&program, Model::Sc, slicing);
            assert_eq!(words.iter().all(|word| word == "holds"), holds, "{text}");
        }
    }
}

/// Stores that are left out, and put back between those that others see.
#[test]
fn evidence_in_a_slice_is_evidence_with_full_buffers() {
    let log = |cell| format!("{cell} = 1; log[i] = {cell}; i = (i + 1) % 3; log[i] = 2;");
    let text = format!(
        "shared x, y, log[3];
        thread s {{ local i, r; {} x = 2; r = y; }}
        thread t {{ local i, r; {} y = 2; r = x; }}
        final assert s.r != 0 || t.r != 0;",
        log("x"),
        log("y")
    );
    let program = parse(&text).into_program().expect("a program");
    for model in [Model::Tso, Model::Pso, Model::Pgas] {
        let (words, _) = answers(&program, model, true);
        assert_eq!(words.last().map(String::as_str), Some("violated"));
    }
    let (words, _) = answers(&program, Model::Sc, true);
    assert!(words.iter().all(|word| word == "holds"));
}

/// Whichever branch is taken, the buffer is drained: only under SC does the slice leave it out.
#[test]
fn locked_instructions_in_branches_that_do_not_matter_are_kept_as_fences() {
    let thread = |me, mine, other| {
        format!(
            "thread t{me} {{ local r, s; {mine} = 1; s = nondet(0, 1);
            if (s == 0) {{ s = xchg(z, 1); }} else {{ s = xchg(z, 2); }} r = {other}; }}"
        )
    };
    let threads = thread(0, "x", "y") + &thread(1, "y", "x");
    let text = format!("shared x, y, z; {threads} final assert t0.r == 1 || t1.r == 1;");
    let program = parse(&text).into_program().expect("a program");
    for model in Model::ALL {
        let (words, _) = answers(&program, model, true);
        assert!(words.iter().all(|word| word == "holds"), "{model}");
    }
}
