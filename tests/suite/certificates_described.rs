//! Invariants that describe the states of small programs: true ones, and false ones.
//!
//! No engine finds them. The states that are reached are listed, without those that are bad, and perhaps
//! without some others; the invariant says which values and locations do not occur together in them. So
//! where a goal is reachable, or a state was left out, it is no invariant, and yet almost one.

use crate::certificates_inductive::{changed, is_invariant, live};
use crate::support::config::config;
use fencepost::internals::check::Engine;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program, print};
use fencepost::verify::{
    self, Config, Machine, System, Witness, check_invariant, encoded, pack, verify,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The models, as the engines and as the checker name them.
const MODELS: [(Model, verify::Model); 4] = [
    (Model::Sc, verify::Model::Sc),
    (Model::Tso, verify::Model::Tso),
    (Model::Pso, verify::Model::Pso),
    (Model::Pgas, verify::Model::Pgas),
];

/// A program with more states than this is too large.
const MOST_STATES: usize = 400;

/// An invariant that is about more states than this is not compared.
const MOST_COMPARED: usize = 20_000;

fn simple() -> impl Strategy<Value = String> {
    let cell = || select(vec!["c[0]", "c[1]"]);
    prop_oneof![
        3 => (cell(), select(vec![0, 1, 2, 5])).prop_map(|(cell, value)| format!("{cell} = {value};")),
        2 => cell().prop_map(|cell| format!("{cell} = r;")),
        3 => cell().prop_map(|cell| format!("r = {cell};")),
        1 => Just("r = c[r];".to_owned()),
        1 => Just("c[r & 1] = 1;".to_owned()),
        1 => Just("c[r] = 1;".to_owned()),
        2 => (cell(), 0..2, 0..3).prop_map(|(cell, old, new)| format!("r = cas({cell}, {old}, {new});")),
        1 => cell().prop_map(|cell| format!("r = xchg({cell}, 1 - r);")),
        1 => cell().prop_map(|cell| format!("r = fetch_or({cell}, 1);")),
        1 => (0..2, 1..3).prop_map(|(low, high)| format!("r = nondet({low}, {high});")),
        1 => Just("r = 1 - r;".to_owned()),
        1 => Just("r = r < 2 && r != 0 || r == -1;".to_owned()),
        2 => (0..3).prop_map(|value| format!("assume(r == {value});")),
        2 => (0..3).prop_map(|value| format!("assert(r != {value});")),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let some = || prop::collection::vec(simple(), 1..3).prop_map(|all| all.join(" "));
    prop_oneof![
        6 => simple(),
        2 => some().prop_map(|body| format!("atomic {{ {body} }}")),
        1 => (0..3).prop_map(|value| format!("atomic word {{ c[0] = {value}; c[1] = r; }}")),
        1 => Just("atomic word { r = c[0]; s = c[1]; }".to_owned()),
        1 => (some(), some()).prop_map(|(a, b)| format!("if (r == 1) {{ {a} }} else {{ {b} }}")),
        1 => select(vec!["c[0]", "c[1]"]).prop_map(|cell| format!("do {{ r = {cell}; }} while (r == 0);")),
    ]
}

fn thread(name: &'static str) -> impl Strategy<Value = String> {
    let body = || prop::collection::vec(statement(), 0..3).prop_map(|all| all.join(" "));
    (body(), body(), prop::bool::weighted(0.3)).prop_map(move |(before, after, is_loop)| {
        let body = format!("{before} here: skip; {after}");
        let body = if is_loop {
            format!("loop {{ {body} }}")
        } else {
            body
        };
        format!("thread {name} {{ local r, s; {body} }}\n")
    })
}

fn property() -> impl Strategy<Value = &'static str> {
    select(vec![
        "",
        "forbid !(b@here) && c[1] == 2;",
        "forbid a@here || c[0] == 2;",
        "final assert c[0] != 2;",
        "final assert a.r != 1;",
        "exists c[0] == 2;",
        "forbid a@here && b@here;",
        "forbid c[0] == 2;",
        "forbid a@here && c[1] == 1;",
        "forbid b@here && c[0] == 1 && c[1] == 1;",
        "forbid a.r == 2;",
        "forbid c[0] + c[1] > 2;",
        "final assert c[0] == 1;",
        "final assert a.r == b.r;",
        "final assert c[0] != 2 || b.r == 1;",
        "exists c[1] == 1;",
        "exists a.r == 1 && b.r == 0;",
    ])
}

fn small() -> impl Strategy<Value = String> {
    (thread("a"), thread("b"), property(), property(), 0..2)
        .prop_map(|(a, b, one, other, initial)| {
            format!("shared c[2] = {{0, {initial}}};\n{a}{b}{one} {other}")
        })
        .prop_filter("it is a program", |text| parse(text).program.is_some())
}

/// The states, without those that are bad and this one, and what only they lead to; `None` if there are
/// too many.
fn states(machine: &Machine<'_>, without: Option<Index>) -> Option<Vec<Config>> {
    let mut left_out: Option<Vec<u8>> = None;
    loop {
        let mut seen: BTreeMap<Vec<u8>, Config> = BTreeMap::new();
        let mut work = vec![machine.initial()];
        while let Some(state) = work.pop() {
            let bytes = encoded(machine, &state);
            if machine.bad(&state).is_some() || left_out.as_ref() == Some(&bytes) {
                continue;
            }
            if seen.insert(bytes, state.clone()).is_none() {
                machine.successors(&state, &mut |next| work.push(next));
            }
            if seen.len() > MOST_STATES {
                return None;
            }
        }
        match without {
            Some(index) if left_out.is_none() && !seen.is_empty() => {
                left_out = seen.keys().nth(index.index(seen.len())).cloned();
            }
            Some(_) | None => return Some(seen.into_values().collect()),
        }
    }
}

/// What a part of a cube is about: where a thread is, a register while the thread is at one of its
/// locations, or a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum About {
    At(usize, usize),
    Register(usize, i32, i32),
    Cell(usize, i32, i32),
}

impl About {
    fn part(self) -> Value {
        match self {
            About::At(t, at) => json!(["at", t, [at]]),
            About::Register(t, mask, bits) => json!(["r", t, 0, mask, bits]),
            About::Cell(cell, mask, bits) => json!(["c", cell, mask, bits]),
        }
    }
}

/// How an invariant is written.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// The value of registers that are not read.
    dead: i32,
    /// The bits of values that are compared: all that matter, or more.
    mask: i32,
    /// The same for the last cell, so that some cubes compare fewer bits.
    last: i32,
}

fn style() -> impl Strategy<Value = Style> {
    let masks = || select(vec![-1, 3, 7]);
    (0..2, masks(), select(vec![1, 2, 3, 5, 6])).prop_map(|(dead, mask, last)| Style {
        dead,
        mask,
        last,
    })
}

/// The invariant that says which values there are, and which two or three of them are not there together.
fn described(program: &Program, machine: &Machine<'_>, states: &[Config], style: Style) -> Value {
    let Style { dead, mask, last } = style;
    let threads = program.threads();
    let counts: Vec<usize> = threads.iter().map(|t| t.locations().len()).collect();
    let live = live(machine, &counts);
    let range = |values: BTreeSet<i32>| match (values.first(), values.last()) {
        (Some(low), Some(high)) => json!([low, high]),
        _ => json!([0, 0]),
    };
    let of_register = |t: usize, at: usize| -> Value {
        let here = states.iter().filter(|state| state.locations[t] == at);
        range(here.map(|state| state.registers[t][0]).collect())
    };
    let registers: Vec<Vec<Value>> = (0..counts.len())
        .map(|t| {
            (0..counts[t])
                .map(|at| json!([of_register(t, at)]))
                .collect()
        })
        .collect();
    let cells: Vec<Value> = (0..2)
        .map(|cell| range(states.iter().map(|state| state.cells[cell]).collect()))
        .collect();
    // All that is true of a state, in the order of the parts.
    let facts = |state: &Config| -> Vec<About> {
        let mut facts = Vec::new();
        for (t, &at) in state.locations.iter().enumerate() {
            let is_live = live[t][at][0];
            let value = if is_live { state.registers[t][0] } else { dead };
            facts.push(About::At(t, at));
            facts.push(About::Register(t, mask, value & mask));
        }
        let cells = state.cells.iter().enumerate();
        facts.extend(cells.map(|(cell, &value)| About::Cell(cell, mask, value & mask)));
        facts.push(About::Cell(0, last, state.cells[0] & last));
        facts
    };
    let all: Vec<Vec<About>> = states.iter().map(facts).collect();
    let count = all.first().map_or(0, Vec::len);
    let values =
        |place: usize| -> BTreeSet<About> { all.iter().map(|facts| facts[place]).collect() };
    let mut clauses = Vec::new();
    for (t, &count) in counts.iter().enumerate() {
        let reached: BTreeSet<usize> = states.iter().map(|state| state.locations[t]).collect();
        let out: Vec<usize> = (0..count).filter(|at| !reached.contains(at)).collect();
        if !out.is_empty() {
            clauses.push(json!([["at", t, out]]));
        }
    }
    for i in 0..count {
        for j in 0..i {
            let pairs: BTreeSet<(About, About)> = all.iter().map(|f| (f[i], f[j])).collect();
            for a in values(i) {
                for b in values(j) {
                    if !pairs.contains(&(a, b)) {
                        clauses.push(json!([a.part(), b.part()]));
                    }
                }
            }
            for k in 0..j {
                let triples: BTreeSet<(About, About, About)> =
                    all.iter().map(|f| (f[i], f[j], f[k])).collect();
                let others: BTreeSet<(About, About)> = all.iter().map(|f| (f[i], f[k])).collect();
                let rest: BTreeSet<(About, About)> = all.iter().map(|f| (f[j], f[k])).collect();
                for &(a, b) in &pairs {
                    for c in values(k) {
                        let is_new = others.contains(&(a, c)) && rest.contains(&(b, c));
                        if is_new && !triples.contains(&(a, b, c)) {
                            clauses.push(json!([a.part(), b.part(), c.part()]));
                        }
                    }
                }
            }
        }
    }
    json!({
        "kind": "inductive",
        "dead": vec![[dead]; counts.len()],
        "registers": registers,
        "cells": cells,
        "clauses": clauses,
    })
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn what_describes_states_is_accepted_only_if_it_is_an_invariant(
        text in small(),
        without in prop::option::of(any::<Index>()),
        style in style(),
        all_observed in any::<bool>(),
        changes in prop::collection::vec((any::<u8>(), any::<u16>(), select(vec![-1, 1])), 6),
    ) {
        let program = parse(&text).into_program().expect("a program");
        let own = verify::Program::read(&print(&program)).expect("a program");
        let never = if all_observed { own.observations() } else { Vec::new() };
        let machine = Machine::new(&own, verify::Model::Sc, &never);
        for without in [None, without] {
            let Some(states) = states(&machine, without) else { return Ok(()) };
            let leaf = described(&program, &machine, &states, style);
            let mut leaves = vec![leaf.clone()];
            leaves.extend(changes.iter().map(|&(kind, at, by)| changed(&leaf, kind, at.into(), by)));
            for leaf in leaves {
                if check_invariant(&own, &leaf, &never).is_ok() {
                    let is = is_invariant(&own, &leaf, &never, MOST_COMPARED);
                    prop_assert!(is != Some(false), "{}\n{}", text, leaf);
                }
            }
        }
    }
}

/// All states, also those that are bad; `None` if there are too many.
fn every_state<S: System<State: Clone>>(system: &S) -> Option<Vec<Vec<u8>>> {
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut work = vec![system.initial()];
    while let Some(state) = work.pop() {
        if seen.insert(encoded(system, &state)) {
            system.successors(&state, &mut |next| work.push(next));
        }
        if seen.len() > 3 * MOST_STATES {
            return None;
        }
    }
    Some(seen.into_iter().collect())
}

fn is_accepted(
    program: &Program,
    question: &str,
    model: Model,
    never: &[usize],
    leaves: &[Value],
) -> bool {
    let certificate = json!({
        "format": "fencepost certificate",
        "version": 1,
        "question": question,
        "never": never,
        "model": model.name(),
        "program": print(program),
        "leaves": leaves,
    });
    verify(&certificate.to_string()).is_ok()
}

/// A program whose threads may wait, with one property about that.
fn waiting() -> impl Strategy<Value = String> {
    let property = select(vec![
        "forbid stuck;",
        "forbid stuck && (c[0] == 1);",
        "forbid stuck && (a.r == 0);",
        "forbid stuck && !(b@here);",
    ]);
    (thread("a"), thread("b"), property)
        .prop_map(|(a, b, property)| format!("shared c[2];\n{a}{b}{property}"))
        .prop_filter("it is a program", |text| parse(text).program.is_some())
}

/// A thread that often delays stores, with addresses that are not constant.
fn delays(name: &'static str) -> impl Strategy<Value = String> {
    let cell = || {
        select(vec![
            "c[0]",
            "c[0]",
            "c[1]",
            "c[1]",
            "c[r & 1]",
            "c[1 - (r & 1)]",
        ])
    };
    let access = move || {
        prop_oneof![
            3 => cell().prop_map(|cell| format!("{cell} = 1;")),
            3 => cell().prop_map(|cell| format!("r = {cell};")),
        ]
    };
    let some = move || prop::collection::vec(access(), 1..3).prop_map(|all| all.join(" "));
    let one = prop_oneof![
        8 => access(),
        2 => some().prop_map(|body| format!("atomic {{ {body} }}")),
        1 => some().prop_map(|body| format!("if (r == 0) {{ {body} }}")),
        1 => select(vec![
            "fence;",
            "fence store;",
            "fence(c[0]);",
            "r = nondet(0, 1);",
            "assume(r == 0);",
            "r = xchg(c[1], 2);",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(one, 1..5)
        .prop_map(move |all| format!("thread {name} {{ local r; {} }}\n", all.join(" ")))
}

fn delaying() -> impl Strategy<Value = String> {
    let third = prop::option::weighted(0.3, delays("d"));
    (delays("a"), delays("b"), third)
        .prop_map(|(a, b, third)| format!("shared c[2];\n{a}{b}{}", third.unwrap_or_default()))
        .prop_filter("it is a program", |text| parse(text).program.is_some())
}

proptest! {
    #![proptest_config(config(150))]

    /// The set is closed, and has the states that are bad.
    #[test]
    fn all_states_are_evidence_if_and_only_if_the_reference_reaches_no_goal(
        text in prop_oneof![2 => small(), 1 => waiting()],
    ) {
        let program = parse(&text).into_program().expect("a program");
        let own = verify::Program::read(&print(&program)).expect("a program");
        for (model, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &[]);
            let Some(states) = every_state(&machine) else { continue };
            let leaf = json!({ "kind": "closed", "model": model.name(), "states": pack(&states) });
            let goals = program.goals();
            let budget = Budget::default().with_states(200_000);
            let answers = check_all_with(&program, model, &goals, Reduction::NONE, &budget);
            // Each observation alone, and none.
            let claims = own.observations().into_iter().map(|number| vec![number]);
            for never in claims.chain([Vec::new()]) {
                let is_claimed = |goal: Goal| match goal {
                    Goal::Property(number) => {
                        never.contains(&number) || !own.observations().contains(&number)
                    }
                    Goal::Assert(_) | Goal::Outside(_) => true,
                };
                let of_claim = answers.verdicts.iter().filter(|(goal, _)| is_claimed(*goal));
                let verdicts: Vec<_> = of_claim.map(|(_, verdict)| verdict).collect();
                let reached = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Violated(_)));
                if !reached && verdicts.iter().any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
                    continue;
                }
                let accepted = is_accepted(&program, "check", model, &never, std::slice::from_ref(&leaf));
                prop_assert_eq!(accepted, !reached, "{} {:?} {}", model, never, text);
            }
        }
    }

    /// The same for robustness: the states in which a cycle is closed are in the sets, too.
    #[test]
    fn all_states_with_a_delaying_thread_are_evidence_if_and_only_if_the_program_is_robust(
        text in delaying(),
    ) {
        let program = parse(&text).into_program().expect("a program");
        let own = verify::Program::read(&print(&program)).expect("a program");
        'models: for (model, of_checker) in &MODELS[1..] {
            let mut leaves = Vec::new();
            for thread in 0..own.thread_count() {
                let Ok(witness) = Witness::new(&own, *of_checker, thread) else { continue 'models };
                let Some(witness) = witness else { continue };
                let Some(states) = every_state(&witness) else { continue 'models };
                leaves.push(json!({ "kind": "attacks", "thread": thread, "states": pack(&states) }));
            }
            let options = RobustOptions::new(*model).engine(Engine::Explicit);
            let report = robust(&program, &options, &Budget::default()).expect("no defect");
            let is_robust = match report.verdict() {
                Verdict::Holds => true,
                Verdict::Violated(_) => false,
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => continue,
            };
            let accepted = is_accepted(&program, "robust", *model, &[], &leaves);
            prop_assert_eq!(accepted, is_robust, "{} {}", model, text);
            if !is_robust {
                continue;
            }
            // Each leaf is needed, and about its thread only.
            for number in 0..leaves.len() {
                let mut fewer = leaves.clone();
                fewer.remove(number);
                prop_assert!(!is_accepted(&program, "robust", *model, &[], &fewer), "{}", text);
            }
        }
    }
}
