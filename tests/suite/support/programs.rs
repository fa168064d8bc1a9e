//! Programs for the laws of all techniques: each generator here makes some of them fire often.

pub mod arrivals;
pub mod branches;
pub mod components;
pub mod exchanges;
pub mod groups;
pub mod places;
pub mod values;

use super::automata::{Mix, automata};
use super::random::{Shape, sketch};
use super::{alike, meeting, waiting};
use crate::published;
use fencepost::internals::formats::parse;
use fencepost::program::{Goal, Program};
use proptest::prelude::*;

/// A program and goals.
#[derive(Clone)]
pub struct Asked {
    pub program: Program,
    pub goals: Vec<Goal>,
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:?} of\n{}",
            self.goals,
            fencepost::program::print(&self.program)
        )
    }
}

impl From<Program> for Asked {
    fn from(program: Program) -> Self {
        let goals = program.goals();
        Self { program, goals }
    }
}

impl From<alike::Alike> for Asked {
    fn from(alike: alike::Alike) -> Self {
        let alike::Alike { program, goals, .. } = alike;
        Self { program, goals }
    }
}

fn read(text: &str) -> Asked {
    let parsed = parse(text);
    let errors = parsed.diagnostics;
    let program = parsed.program;
    program
        .unwrap_or_else(|| panic!("{errors:?}\n{text}"))
        .into()
}

/// Programs with goals.
pub fn with_goals() -> impl Strategy<Value = Asked> {
    let statements = prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)];
    let jumps = prop_oneof![
        2 => automata(6, Mix::Apart),
        1 => automata(6, Mix::Races),
        1 => automata(6, Mix::Blocks),
    ];
    let sliced = branches::programs().prop_filter_map("no program", |drawn| drawn);
    prop_oneof![
        3 => statements.prop_map(|sketch| sketch.build().into()),
        2 => jumps.prop_map(|automata| automata.build().into()),
        2 => at_locations(),
        2 => exchanges::texts().prop_map(|text| read(&text)),
        1 => exchanges::pointers().prop_map(|text| read(&text)),
        2 => exchanges::crowds().prop_map(|text| read(&text)),
        4 => of_threads_that_are_alike(),
        2 => groups::texts().prop_map(|text| read(&text)),
        2 => sliced.prop_map(Asked::from),
        1 => values::texts().prop_map(|text| read(&text)),
        1 => published::text().prop_map(|text| read(&published::asking(&text))),
        1 => waiting().prop_map(Asked::from),
    ]
}

/// Programs with one to three goals, most of which need threads at locations: a search leaves out more where all do.
pub fn at_locations() -> impl Strategy<Value = Asked> {
    (places::programs(), 1..4_usize).prop_map(|(program, last)| {
        let mut asked = Asked::from(program);
        let others = asked.goals.len().saturating_sub(last);
        asked.goals.drain(..others);
        asked
    })
}

/// Programs with threads that are alike.
pub fn of_threads_that_are_alike() -> impl Strategy<Value = Asked> {
    prop_oneof![
        2 => alike::statements(Shape::ALL),
        1 => alike::waits(),
        3 => alike::owners(),
    ]
    .prop_map(Asked::from)
}

/// Programs whose threads may wait forever.
pub fn waiting() -> impl Strategy<Value = Program> {
    prop_oneof![
        waiting::program(),
        waiting::conditional(),
        waiting::beside_servers()
    ]
}

/// Programs with attacks.
pub fn with_attacks() -> impl Strategy<Value = Asked> {
    let meeting = prop_oneof![2 => meeting::acyclic(4), 1 => sketch(Shape::ALL)];
    let components = components::components();
    prop_oneof![
        3 => meeting.prop_map(|sketch| sketch.build().into()),
        3 => groups::racing_texts().prop_map(|text| read(&text)),
        1 => groups::texts().prop_map(|text| read(&text)),
        2 => alike::statements(Shape::ALL).prop_map(Asked::from),
        2 => alike::owners().prop_map(Asked::from),
        3 => arrivals::texts().prop_map(|text| read(&text)),
        2 => components.prop_map(|all| read(&components::text(&all, 0))),
        2 => published::text().prop_map(|text| read(&text)),
    ]
}

/// Small programs that fences repair, or that need none.
pub fn to_fence() -> impl Strategy<Value = Asked> {
    let components = components::components();
    prop_oneof![
        2 => components.prop_map(|all| read(&components::text(&all, 0))),
        1 => meeting::acyclic(3).prop_map(|sketch| sketch.build().into()),
        1 => published::text().prop_map(|text| read(&text)),
    ]
}
