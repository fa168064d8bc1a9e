//! An engine that gets its work in slices answers as if it had got it at once.
//!
//! The first slice is so small that engines are interrupted wherever they can be: while they encode, between goals,
//! between bounds, and in the middle of a frame. Each slice is twice as large as the one before.

use crate::support::{alike, automata, config, meeting, random, waiting};
use automata::{Mix, automata};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Attack, RobustOptions, robust};
use fencepost::internals::techniques::Techniques;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeMap;

/// Enough for most programs here: the others show what is left open.
const AT_ONCE: u64 = 1 << 20;

/// In slices it takes four times as much at most, unless engines overlook how much they have used.
const IN_SLICES: u64 = 16 * AT_ONCE;

fn techniques(first_slice: Option<u64>) -> Techniques {
    Techniques {
        first_slice,
        ..Techniques::default()
    }
}

fn budget(first_slice: Option<u64>) -> Budget {
    let work = first_slice.map_or(AT_ONCE, |_| IN_SLICES);
    Budget::default().with_states(5_000).with_work(work)
}

/// The answers about all goals. Evidence that does not replay is a defect.
fn goals(
    program: &Program,
    model: Model,
    engine: Engine,
    first_slice: Option<u64>,
) -> BTreeMap<Goal, &'static str> {
    let options = CheckOptions::new(model)
        .engine(engine)
        .until(Until::AllAnswered)
        .techniques(techniques(first_slice));
    let report = check(program, &options, &budget(first_slice)).expect("no defect");
    let answers = report.answers().iter().chain(report.observations());
    answers
        .map(|answer| (answer.goal, answer.verdict.word()))
        .collect()
}

/// The answers about all attacks.
fn attacks(
    program: &Program,
    model: Model,
    first_slice: Option<u64>,
) -> BTreeMap<Attack, &'static str> {
    let options = RobustOptions::new(model)
        .every(true)
        .techniques(techniques(first_slice));
    let report = robust(program, &options, &budget(first_slice)).expect("no defect");
    let answers = report.answers().iter();
    answers
        .map(|answer| (answer.attack, answer.verdict.word()))
        .collect()
}

/// Requires the same answers in slices, except that more may be decided.
fn agree<Q: Ord + std::fmt::Debug>(
    at_once: &BTreeMap<Q, &'static str>,
    in_slices: &BTreeMap<Q, &'static str>,
    engine: Engine,
    model: Model,
) -> Result<(), TestCaseError> {
    prop_assert!(at_once.keys().eq(in_slices.keys()));
    for (query, word) in at_once {
        let other = in_slices[query];
        // Others decide within bounds what one of them, with more work, decides without; and the lazy engine
        // unrolls loops only if it gets all work at once.
        let is_open = *word == "unknown" || *word == "within" && engine == Engine::Auto;
        let is_lazy = engine == Engine::Lazy && (*word == "within" || other == "unknown");
        prop_assert!(
            *word == other || is_open || is_lazy,
            "{model} {engine:?} {query:?}: {other} in slices, {word} at once"
        );
    }
    Ok(())
}

fn no_slice_matters(
    program: &Program,
    model: Model,
    engine: Engine,
    first_slice: u64,
) -> Result<(), TestCaseError> {
    let [at_once, in_slices] =
        [None, Some(first_slice)].map(|first| goals(program, model, engine, first));
    agree(&at_once, &in_slices, engine, model)
}

fn engines() -> impl Strategy<Value = Engine> {
    prop::sample::select(Engine::ALL.to_vec())
}

/// From that of a single configuration on.
fn first_slices() -> impl Strategy<Value = u64> {
    (6..15_u32).prop_flat_map(|bits| 1_u64 << bits..2 << bits)
}

fn models() -> impl Strategy<Value = Model> {
    prop::sample::select(Model::ALL.to_vec())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn of_statements(
        sketch in sketch(Shape::ALL),
        model in models(),
        engine in engines(),
        first in first_slices(),
    ) {
        no_slice_matters(&sketch.build(), model, engine, first)?;
    }

    #[test]
    fn of_automata(
        automata in prop_oneof![automata(6, Mix::Apart), automata(6, Mix::Races)],
        model in models(),
        engine in engines(),
        first in first_slices(),
    ) {
        no_slice_matters(&automata.build(), model, engine, first)?;
    }

    #[test]
    fn of_threads_that_wait(
        program in prop_oneof![waiting::program(), waiting::conditional()],
        model in models(),
        engine in engines(),
        first in first_slices(),
    ) {
        no_slice_matters(&program, model, engine, first)?;
    }

    #[test]
    fn of_attacks(
        sketch in prop_oneof![meeting::acyclic(4), sketch(Shape::ALL)],
        model in models(),
        first in first_slices(),
    ) {
        let program = sketch.build();
        let [at_once, in_slices] = [None, Some(first)].map(|first| attacks(&program, model, first));
        agree(&at_once, &in_slices, Engine::Auto, model)?;
    }

    #[test]
    fn of_attacks_of_threads_that_are_alike(
        alike in prop_oneof![alike::statements(Shape::ALL), alike::owners()],
        model in models(),
        first in first_slices(),
    ) {
        let [at_once, in_slices] =
            [None, Some(first)].map(|first| attacks(&alike.program, model, first));
        agree(&at_once, &in_slices, Engine::Auto, model)?;
    }
}

/// Otherwise the law would say little.
#[test]
fn engines_go_on_where_they_have_stopped() {
    let goal = |value| format!("final assert x != {value} || y != {};", (3 * value + 1) & 3);
    let goals = (0..4).map(goal).collect::<Vec<_>>().join(" ");
    let text = format!(
        "shared x, y;
         thread a {{ local i, r; while (i < 2) {{ r = y; x = (x + r + 1) & 3; i = i + 1; }} }}
         thread b {{ local i, r; while (i < 2) {{ r = x; y = (y + r + 1) & 3; i = i + 1; }} }} {goals}"
    );
    let program = parse(&text).program.expect("no errors in the text");
    let cost = |engine, first_slice| {
        let options = CheckOptions::new(Model::Sc)
            .engine(engine)
            .until(Until::AllAnswered)
            .note_unreachable(false)
            .techniques(techniques(first_slice));
        let report = check(&program, &options, &Budget::default()).expect("no defect");
        let stats = report.stats();
        stats.states.or(stats.queries).unwrap_or(0)
    };
    for engine in [Engine::Explicit, Engine::Bmc, Engine::Ic3] {
        let [at_once, in_slices] = [None, Some(2_000)].map(|first| cost(engine, first));
        assert!(
            2 * in_slices <= 3 * at_once + 200,
            "{engine:?}: {in_slices}, {at_once}"
        );
    }
}

/// What is found out about goals that are decided one by one is kept, too.
#[test]
fn goals_that_are_decided_one_by_one_go_on_where_they_have_stopped() {
    let text = "shared head, tail, place[32];
        thread producer { local i; while (i < 64) {
            while (i - head == 32) { } place[i % 32] = i + 10; i = i + 1; tail = i;
        } }
        thread consumer { local i, v; while (i < 64) {
            while (tail == i) { } v = place[i % 32]; assert(v == i + 10); i = i + 1; head = i;
        } }";
    let program = parse(text).program.expect("no errors in the text");
    let states = |first_slice| {
        let options = CheckOptions::new(Model::Tso)
            .engine(Engine::Explicit)
            .note_unreachable(false)
            .techniques(techniques(first_slice));
        let report = check(&program, &options, &Budget::default()).expect("no defect");
        assert_eq!(report.verdict().word(), "holds");
        report.stats().states.unwrap_or(0)
    };
    let (at_once, in_slices) = (states(None), states(Some(2_000)));
    assert!(in_slices <= 2 * at_once, "{in_slices}, {at_once}");
}
