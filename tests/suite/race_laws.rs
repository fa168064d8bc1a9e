//! Data races of random C programs: those that vector clocks find in some execution under SC, and no
//! others.
//!
//! A program is drawn as a list of statements for each thread, and becomes both C text and the steps of a
//! small machine (`text`). The machine (`machine`) visits all of its configurations, with one counter per thread in
//! each clock and a record of every access, and collects the pairs of lines that race. It shares nothing
//! with the search of the product: neither the front end, nor the finite clocks, nor the reductions.

#![allow(
    clippy::expect_used,
    reason = "a test whose program is rejected has failed"
)]

mod machine;
mod text;

use crate::support::config;
use config::config;
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::races::race_warnings;
use fencepost::internals::verdict::Budget;
use machine::{Order, races};
use proptest::prelude::*;
use std::collections::BTreeSet;
use text::{ATOMIC, Drawn, PLAIN, Stmt, write};

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::Relaxed),
        Just(Order::Acquire),
        Just(Order::Release),
        Just(Order::AcqRel),
        Just(Order::SeqCst)
    ]
}

fn of_load() -> impl Strategy<Value = Order> {
    prop_oneof![1 => Just(Order::Relaxed), 2 => Just(Order::Acquire), 1 => Just(Order::SeqCst)]
}

fn of_store() -> impl Strategy<Value = Order> {
    prop_oneof![1 => Just(Order::Relaxed), 2 => Just(Order::Release), 1 => Just(Order::SeqCst)]
}

/// The orders of taking and releasing a lock: mostly right.
fn of_lock() -> impl Strategy<Value = [Order; 2]> {
    prop_oneof![
        5 => Just([Order::Acquire, Order::Release]),
        1 => Just([Order::Relaxed, Order::Release]),
        1 => Just([Order::Acquire, Order::Relaxed]),
    ]
}

fn access() -> BoxedStrategy<Stmt> {
    let cell = 0..PLAIN.len();
    prop_oneof![
        4 => cell.clone().prop_map(Stmt::Read),
        4 => cell.clone().prop_map(Stmt::Write),
        1 => (cell, of_store()).prop_map(|(cell, order)| Stmt::Mixed(cell, order)),
    ]
    .boxed()
}

fn statement(depth: u32) -> BoxedStrategy<Stmt> {
    let at = 0..ATOMIC.len();
    let simple = prop_oneof![
        6 => access(),
        3 => (at.clone(), 1..3, of_store()).prop_map(|(at, value, order)| Stmt::Store(at, value, order)),
        2 => (at.clone(), 1..3, of_load()).prop_map(|(at, value, order)| Stmt::Await(at, value, order)),
        2 => (at.clone(), order()).prop_map(|(at, order)| Stmt::Add(at, order)),
        2 => prop_oneof![Just(Order::Acquire), Just(Order::Release), Just(Order::AcqRel), Just(Order::SeqCst)].prop_map(Stmt::Fence),
        1 => Just(Stmt::Barrier),
        1 => Just(Stmt::Once),
        1 => any::<bool>().prop_map(Stmt::Publish),
        1 => Just(Stmt::Depends),
        1 => Just(Stmt::Branches),
        1 => Just(Stmt::BranchesToStore),
    ];
    if depth == 0 {
        return simple.boxed();
    }
    let body = || prop::collection::vec(statement(depth - 1), 1..3);
    // Inside a lock: no other one, so that nothing hangs.
    let inside = || prop::collection::vec(access(), 1..3);
    let failed = prop::collection::vec(access(), 0..2);
    prop_oneof![
        8 => simple,
        3 => (at.clone(), 0..3, of_load(), body()).prop_map(|(at, value, order, body)| Stmt::IfLoad(at, value, order, body)),
        2 => (at.clone(), 0..3, order(), body()).prop_map(|(at, value, order, body)| Stmt::IfAdd(at, value, order, body)),
        2 => (at, [0..3, 1..3], order(), of_load(), body(), body())
            .prop_map(|(at, values, success, failure, yes, no)| Stmt::IfCas(at, values, [success, failure], [yes, no])),
        2 => inside().prop_map(Stmt::Mutex),
        1 => (inside(), failed).prop_map(|(yes, no)| Stmt::TryMutex([yes, no])),
        1 => inside().prop_map(Stmt::Read3),
        1 => inside().prop_map(Stmt::Write3),
        2 => (inside(), of_lock()).prop_map(|(body, orders)| Stmt::CasRead(body, orders)),
        2 => (inside(), of_lock()).prop_map(|(body, orders)| Stmt::CasWrite(body, orders)),
        2 => (inside(), of_lock()).prop_map(|(body, orders)| Stmt::Ticket(body, orders)),
    ]
    .boxed()
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let bodies = prop_oneof![
        3 => prop::collection::vec(prop::collection::vec(statement(1), 1..5), 2),
        1 => prop::collection::vec(prop::collection::vec(statement(1), 1..3), 3),
    ];
    let nothing = || Just(Vec::new());
    let main = prop::collection::vec(
        prop_oneof![4 => nothing(), 1 => prop::collection::vec(access(), 1..2)],
        6,
    );
    (bodies, main).prop_map(|(threads, main)| Drawn { threads, main })
}

/// The races that the product finds: the object, and the two lines.
fn found(text: &str) -> BTreeSet<(String, [usize; 2])> {
    let parsed = parse_as(Format::C, text);
    assert!(parsed.program.is_some(), "{text}\n{:?}", parsed.diagnostics);
    let warnings = race_warnings(&parsed, &Budget::default());
    let mut found = BTreeSet::new();
    for warning in warnings {
        assert!(warning.certain, "the search is stopped: {text}");
        let mut lines = warning.origins.map(|origin| origin.line as usize);
        lines.sort_unstable();
        found.extend(warning.objects.iter().map(|name| (name.clone(), lines)));
    }
    found
}

/// Compares a program with the machine; whether it could.
fn compare(drawn: &Drawn) -> Result<bool, TestCaseError> {
    let (text, program) = write(drawn);
    let Some(races) = races(&program, 60_000) else {
        return Ok(false);
    };
    let found = found(&text);
    let name = |cell: usize| ["x", "y", "t", "t"][cell].to_owned();
    let objects: BTreeSet<String> = races.iter().map(|(cell, _)| name(*cell)).collect();
    let named: BTreeSet<String> = found.iter().map(|(name, _)| name.clone()).collect();
    prop_assert_eq!(named, objects, "{}\n{:?}", text, races);
    for (object, lines) in found {
        let is_race = races
            .iter()
            .any(|(cell, pair)| name(*cell) == object && *pair == lines);
        prop_assert!(is_race, "{object} {lines:?}: {text}\n{races:?}");
    }
    Ok(true)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn races_are_those_that_vector_clocks_find(drawn in drawn()) {
        compare(&drawn)?;
    }
}
