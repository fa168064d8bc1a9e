//! Goals decided on the parts of a program that they depend on have the answers that the whole program
//! gives, searched by the step-by-step reference.
//!
//! The programs consist of groups of threads: some write the group's cells, others, often many that are
//! alike, only read them, and now and then a thread reads a cell of another group. Threads wait, fail,
//! never end, leave memory, and keep others out with atomic blocks.
//!
//! The same for goals that the explicit engine decides one by one.

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A statement on the cells `x` and `y` of the thread's group, its cells `a[2]`, and a foreign cell.
#[derive(Clone, Copy, Debug)]
enum Act {
    Write(bool, i32),
    Copy(bool),
    Read(bool),
    ReadForeign,
    WriteIf(bool, i32),
    Index,
    Add(bool),
    Swap(bool),
    Wait(bool),
    Fence,
    StoreFence,
    Barrier,
    Both(i32),
    Assert(i32),
    Never,
}

impl Act {
    fn text(self, group: usize, foreign: usize) -> String {
        let cell = |second: bool| format!("{}{group}", if second { 'y' } else { 'x' });
        match self {
            Act::Write(c, v) => format!("{} = {v};", cell(c)),
            Act::Copy(c) => format!("{} = r;", cell(c)),
            Act::Read(c) => format!("r = {};", cell(c)),
            Act::ReadForeign => format!("r = x{foreign};"),
            Act::WriteIf(c, v) => format!("if (r == {v}) {{ {} = 2; }}", cell(c)),
            Act::Index => format!("a{group}[r] = 1;"),
            Act::Add(c) => format!("r = fetch_add({}, 1);", cell(c)),
            Act::Swap(c) => format!("r = cas({}, 0, 1);", cell(c)),
            Act::Wait(c) => format!("while ({} == 0) {{ }}", cell(c)),
            Act::Fence => "fence;".to_owned(),
            Act::StoreFence => "fence store;".to_owned(),
            Act::Barrier => "barrier all;".to_owned(),
            Act::Both(v) => format!("atomic {{ x{group} = {v}; y{group} = {v}; }}"),
            Act::Assert(v) => format!("assert(r != {v});"),
            Act::Never => "assume(r == 7);".to_owned(),
        }
    }
}

fn writing() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (any::<bool>(), 0..3).prop_map(|(c, v)| Act::Write(c, v)),
        2 => any::<bool>().prop_map(Act::Copy),
        2 => (any::<bool>(), 0..2).prop_map(|(c, v)| Act::WriteIf(c, v)),
        1 => Just(Act::Index),
        1 => any::<bool>().prop_map(Act::Add),
        1 => any::<bool>().prop_map(Act::Swap),
        1 => (1..3).prop_map(Act::Both),
        4 => reading(),
    ]
}

fn reading() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => any::<bool>().prop_map(Act::Read),
        1 => Just(Act::ReadForeign),
        1 => any::<bool>().prop_map(Act::Wait),
        1 => Just(Act::Fence),
        1 => Just(Act::StoreFence),
        1 => Just(Act::Barrier),
        4 => (0..3).prop_map(Act::Assert),
        1 => Just(Act::Never),
    ]
}

#[derive(Clone, Debug)]
struct Group {
    writers: Vec<Vec<Act>>,
    /// The readers' statements, and how many readers execute them.
    readers: Vec<(Vec<Act>, usize)>,
    foreign: usize,
}

fn group() -> impl Strategy<Value = Group> {
    let writer = prop::collection::vec(writing(), 1..4);
    let reader = (prop::collection::vec(reading(), 1..4), 1..4usize);
    let writers = prop::collection::vec(writer, 1..3);
    let readers = prop::collection::vec(reader, 0..3);
    (writers, readers, 0..3usize).prop_map(|(writers, readers, foreign)| Group {
        writers,
        readers,
        foreign,
    })
}

/// A property: its kind, and what it observes: a thread's register or a cell, of a group each.
type Observes = (u8, Vec<(usize, u8)>, i32);

fn text(groups: &[Group], properties: &[Observes]) -> String {
    let mut text = String::new();
    let mut threads: Vec<Vec<String>> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let foreign = group.foreign % groups.len();
        let _ = writeln!(text, "shared x{number}, y{number}, a{number}[2];");
        let mut names = Vec::new();
        let readers = group.readers.iter();
        let readers = readers.flat_map(|(acts, copies)| std::iter::repeat_n(acts, *copies));
        for acts in group.writers.iter().chain(readers) {
            let name = format!("t{number}_{}", names.len());
            let body: Vec<String> = acts.iter().map(|act| act.text(number, foreign)).collect();
            let _ = writeln!(text, "thread {name} {{ local r; {} }}", body.join(" "));
            names.push(name);
        }
        threads.push(names);
    }
    // Without these, most programs have too few threads to be divided.
    for idle in 0..4 {
        let _ = writeln!(text, "thread idle{idle} {{ local r; r = {idle}; }}");
    }
    for (kind, observed, value) in properties {
        let observed = observed.iter().map(|&(group, what)| {
            let group = group % groups.len();
            match what {
                0 => format!("x{group}"),
                1 => format!("y{group}"),
                what => {
                    let names = &threads[group];
                    format!("{}.r", names[usize::from(what) % names.len()])
                }
            }
        });
        let facts: Vec<String> = observed.map(|what| format!("{what} == {value}")).collect();
        let facts = facts.join(" && ");
        let _ = match kind {
            0..4 => writeln!(text, "forbid {facts};"),
            4 | 5 => writeln!(text, "final assert !({facts});"),
            6 => writeln!(text, "exists {facts};"),
            _ => writeln!(text, "forbid stuck;"),
        };
    }
    text
}

/// The answers about all goals.
fn words(program: &Program, model: Model, parts: bool) -> BTreeMap<Goal, &'static str> {
    let mut options = CheckOptions::new(model);
    options.simplified.parts = parts;
    words_with(options, program, 20_000)
}

fn words_with(
    mut options: CheckOptions,
    program: &Program,
    states: usize,
) -> BTreeMap<Goal, &'static str> {
    options.until = Until::AllAnswered;
    options.note_unreachable = false;
    let budget = Budget::default().with_states(states);
    let report = check(program, &options, &budget).expect("no defect");
    let answers = report.answers().iter().chain(report.observations());
    answers
        .map(|answer| (answer.goal, answer.verdict.word()))
        .collect()
}

/// Requires that what was found agrees with the reference.
fn agree(
    text: &str,
    program: &Program,
    model: Model,
    found: &BTreeMap<Goal, &'static str>,
) -> Result<(), TestCaseError> {
    let goals = program.goals();
    let budget = Budget::default().with_states(60_000);
    let reference = check_all_with(program, model, &goals, Reduction::ALL, &budget).verdicts;
    prop_assert_eq!(found.len(), goals.len());
    for (goal, known) in reference {
        let is_open = matches!(known, Verdict::Unknown(_));
        prop_assert!(
            is_open || [known.word(), "unknown", "within"].contains(&found[&goal]),
            "{model} {goal:?}: {}, not {}\n{text}",
            found[&goal],
            known.word()
        );
    }
    Ok(())
}

fn properties() -> impl Strategy<Value = Vec<Observes>> {
    let observed = prop::collection::vec((0..3usize, 0..6u8), 1..3);
    prop::collection::vec((0..8u8, observed, 0..3), 0..3)
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn a_goal_has_the_same_answer_in_its_part(
        groups in prop::collection::vec(group(), 1..4),
        properties in properties(),
    ) {
        let text = text(&groups, &properties);
        let program = parse(&text).program.expect("no errors in the text");
        for model in Model::ALL {
            agree(&text, &program, model, &words(&program, model, true))?;
        }
    }

    #[test]
    fn a_goal_that_is_decided_alone_has_the_same_answer(
        groups in prop::collection::vec(group(), 2..4),
        properties in properties(),
        states in 4..200usize,
    ) {
        let text = text(&groups, &properties);
        let program = parse(&text).program.expect("no errors in the text");
        for model in Model::ALL {
            let options = CheckOptions::new(model).engine(Engine::Explicit);
            agree(&text, &program, model, &words_with(options, &program, states))?;
        }
    }
}

/// A barrier: 3^24 combinations of threads that have not arrived, wait, or have gone on, if all assertions
/// are decided together.
#[test]
fn threads_behind_a_barrier_are_asked_one_by_one() {
    let barrier = |count: i32| {
        let thread = |me: i32| {
            format!(
                "thread t{me} {{ local r; x[{me}] = 1;
                if (fetch_add(count, 1) == {count}) {{ go = 1; }} else {{ while (go == 0) {{ }} }}
                r = x[{}]; assert(r == 1); }}",
                (me + 1) % 24
            )
        };
        let threads: String = (0..24).map(thread).collect();
        format!("shared count, go, x[24]; {threads}")
    };
    for (count, word) in [(23, "holds"), (22, "violated")] {
        let program = parse(&barrier(count))
            .program
            .expect("no errors in the text");
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let options = CheckOptions::new(model).engine(Engine::Explicit);
            let found = words_with(options, &program, 20_000);
            assert_eq!(found.into_values().collect::<Vec<_>>(), [word; 24]);
        }
    }
}

/// Sixty readers, each with a number of its own, so that they are not alike. A search of all at once has far
/// more than 2^60 configurations.
#[test]
fn readers_are_asked_one_by_one() {
    let reader = |number| {
        format!(
            "thread r{number} {{ local f, d; f = flag; d = data; if (d == 2) {{ d = {number}; }} \
             assert(f == 0 || d == 1); }}"
        )
    };
    let readers = (0..60).map(reader).collect::<Vec<_>>().join("\n");
    for (writer, word) in [
        ("data = 1; flag = 1;", "holds"),
        ("flag = 1; data = 1;", "violated"),
    ] {
        let text = format!("shared data, flag; thread w {{ {writer} }}\n{readers}");
        let program = parse(&text).program.expect("no errors in the text");
        let found = words(&program, Model::Tso, true);
        assert_eq!(found.into_values().collect::<Vec<_>>(), [word; 60]);
    }
}
