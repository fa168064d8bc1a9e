//! Attacks that come too late have no witness: whatever is ruled out by where the other threads are, a
//! search for computations with buffers does not find.
//!
//! The threads count each other, wait for each other and enter once only, so that it often matters which of
//! them is still to come. Some of it happens in loops, in atomic blocks and on computed cells.

use crate::support::config::config;
use crate::support::random::{Shape, sketch};
use fencepost::internals::check::Engine;
use fencepost::internals::facts::Values;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{
    Attack, Pruning, RobustOptions, attacks, has_attacks, robust, too_late,
};
use fencepost::internals::techniques::Techniques;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::Program;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::fmt::Write;

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];

/// The attacks that come too late, and those that static arguments leave open.
fn late_and_open(program: &Program, model: Model) -> (Vec<Attack>, Vec<Attack>) {
    let values = Values::of(program);
    let all = attacks(program, &values, model, Pruning::NONE).open;
    let budget = Budget::default().with_states(20_000);
    let late = all.chunk_by(|a, b| a.thread == b.thread).flat_map(|some| {
        too_late(program, &values, some, &budget)
            .expect("no defect")
            .0
    });
    let late = late.collect();
    (late, attacks(program, &values, model, Pruning::ALL).open)
}

fn none_is_feasible(program: &Program, about: &str) -> Result<(), TestCaseError> {
    for model in WEAK
        .into_iter()
        .filter(|&model| has_attacks(program, model))
    {
        let (late, _) = late_and_open(program, model);
        let options = RobustOptions::new(model)
            .engine(Engine::Explicit)
            .techniques(Techniques::NONE);
        let budget = Budget::default().with_states(20_000);
        let report = robust(program, &options, &budget).expect("no defect");
        for (attack, _) in report.feasible() {
            let found = late.binary_search(&attack);
            prop_assert!(found.is_err(), "{model} {attack:?}\n{about}");
        }
    }
    Ok(())
}

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

fn text() -> impl Strategy<Value = String> {
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

fn program(text: &str) -> Program {
    let parsed = parse(text);
    assert!(parsed.program.is_some(), "{text}\n{:?}", parsed.diagnostics);
    parsed.program.expect("it is there")
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn of_threads_that_wait_for_each_other(text in text()) {
        none_is_feasible(&program(&text), &text)?;
    }

    #[test]
    fn of_any_program(sketch in sketch(Shape::ALL)) {
        none_is_feasible(&sketch.build(), "")?;
    }
}

/// Otherwise the laws above would say nothing.
#[test]
fn some_random_programs_have_attacks_that_only_come_too_late() {
    let mut runner = TestRunner::deterministic();
    let mut some = 0;
    for _ in 0..200 {
        let text = text().new_tree(&mut runner).expect("a program").current();
        let (late, open) = late_and_open(&program(&text), Model::Pso);
        some += usize::from(open.iter().any(|attack| late.binary_search(attack).is_ok()));
    }
    assert!(some >= 8, "{some}");
}

/// The last thread to arrive at a barrier opens it: with 24 threads, a search of the derived programs would
/// visit all combinations of those that have arrived.
#[test]
fn a_barrier_is_robust() {
    let thread = |me: i32| {
        format!(
            "thread t{me} {{ local r; x[{me}] = 1;
            if (fetch_add(count, 1) == 23) {{ go = 1; }} else {{ while (go == 0) {{ }} }}
            r = x[{}]; }}",
            (me + 1) % 24
        )
    };
    let threads: String = (0..24).map(thread).collect();
    let program = program(&format!("shared count, go, x[24]; {threads}"));
    let options = RobustOptions::new(Model::Tso).engine(Engine::Explicit);
    let budget = Budget::default().with_states(20_000);
    let report = robust(&program, &options, &budget).expect("no defect");
    assert_eq!(report.verdict(), Verdict::Holds);
}
