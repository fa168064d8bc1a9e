//! No pass changes an answer: each alone, each two of them, and all, with evidence that replays.
//!
//! The reference of the law is one search for all goals of the whole program, and for attacks the explicit engine
//! without passes. Some programs consist of groups of threads: some write the group's cells, others, often many that are
//! alike, only read them, and now and then a thread reads a cell of another group. Threads wait, fail,
//! never end, leave memory, and keep others out with atomic blocks.

use crate::support::{alike, config, meeting, random, waiting, witnesses};
use crate::{published, slices};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{
    Attack, Method, RobustOptions, RobustReport, has_attacks, is_singular, robust,
};
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::techniques::{PassName, Passes, Techniques, When};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeMap;
use std::fmt::Write;
use witnesses::check_witness;

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

/// What threads of a group do that may delay stores: they write and read the same two cells, and now and then they
/// wait for one of the others, or are kept in order.
fn racing() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (any::<bool>(), 1..3).prop_map(|(c, v)| Act::Write(c, v)),
        6 => any::<bool>().prop_map(Act::Read),
        1 => Just(Act::ReadForeign),
        2 => any::<bool>().prop_map(Act::Wait),
        1 => any::<bool>().prop_map(Act::Add),
        1 => (any::<bool>(), 0..2).prop_map(|(c, v)| Act::WriteIf(c, v)),
        1 => Just(Act::Fence),
        1 => Just(Act::StoreFence),
    ]
}

/// A group of threads that race, some of which are alike.
fn racing_group() -> impl Strategy<Value = Group> {
    let writers = prop::collection::vec(prop::collection::vec(racing(), 2..5), 0..3);
    let alike = (prop::collection::vec(racing(), 2..4), 2..4usize);
    let readers = prop::collection::vec(alike, 0..2);
    (writers, readers, 0..2usize).prop_map(|(writers, readers, foreign)| Group {
        writers,
        readers,
        foreign,
    })
}

/// Programs with attacks.
fn racing_texts() -> impl Strategy<Value = Option<String>> {
    let racing = prop::collection::vec(racing_group(), 1..3);
    prop_oneof![
        3 => racing.prop_map(|groups| Some(text(&groups, &[]))),
        1 => texts(),
    ]
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
fn words(
    mut options: CheckOptions,
    program: &Program,
    states: usize,
) -> BTreeMap<Goal, &'static str> {
    options.until = Until::AllAnswered;
    options.note_unreachable = false;
    let budget = Budget::default().with_states(states);
    // The solver would be busy with some formulas for long.
    let budget = if states < 10_000 {
        budget.with_work(1 << 20)
    } else {
        budget
    };
    // Evidence that does not replay is a defect.
    let report = check(program, &options, &budget).expect("no defect");
    let answers = report.answers().iter().chain(report.observations());
    answers
        .map(|answer| (answer.goal, answer.verdict.word()))
        .collect()
}

/// These passes wherever they are possible, and no others.
fn only(passes: &[PassName]) -> Techniques {
    let mut only = Passes::default();
    for &pass in PassName::ALL {
        let is_used = passes.contains(&pass);
        only = only.with(pass, if is_used { When::Possible } else { When::Never });
    }
    Techniques {
        passes: only,
        ..Techniques::default()
    }
}

/// The passes that make problems about goals easier.
const OF_GOALS: [PassName; 6] = [
    PassName::Alike,
    PassName::Cone,
    PassName::ToSc,
    PassName::Predicates,
    PassName::Slice,
    PassName::Split,
];

/// The passes that make problems about attacks easier, and those about the goals of derived programs.
const OF_ATTACKS: [PassName; 5] = [
    PassName::Alike,
    PassName::Cone,
    PassName::TooLate,
    PassName::Slice,
    PassName::Split,
];

/// Each of these passes alone, each two of them, and all.
fn combinations(all: &[PassName]) -> Vec<Vec<PassName>> {
    let alone = all.iter().map(|&pass| vec![pass]);
    let pairs = all.iter().enumerate();
    let pairs = pairs.flat_map(|(at, &a)| all[at + 1..].iter().map(move |&b| vec![a, b]));
    alone.chain(pairs).chain([all.to_vec()]).collect()
}

/// Requires that no combination of passes changes an answer that the reference gives. Returns how many goals an
/// engine decided.
fn agree(
    text: &str,
    program: &Program,
    model: Model,
    engine: Engine,
) -> Result<usize, TestCaseError> {
    let goals = program.goals();
    let budget = Budget::default().with_states(60_000);
    let reference = check_all_with(program, model, &goals, Reduction::ALL, &budget).verdicts;
    let mut decided = 0;
    for passes in combinations(&OF_GOALS) {
        let options = CheckOptions::new(model)
            .engine(engine)
            .techniques(only(&passes));
        let found = words(options, program, 5_000);
        prop_assert_eq!(found.len(), goals.len());
        for (goal, known) in &reference {
            let word = found[goal];
            let is_open =
                matches!(known, Verdict::Unknown(_)) || ["unknown", "within"].contains(&word);
            prop_assert!(
                is_open || known.word() == word,
                "{model} {engine:?} {passes:?} {goal:?}: {word}, not {}\n{text}",
                known.word()
            );
            decided += usize::from(!is_open);
        }
    }
    Ok(decided)
}

/// The answers about all attacks, and the verdict if one feasible attack is enough.
fn attacks(
    options: &RobustOptions,
    program: &Program,
    states: usize,
) -> (BTreeMap<Attack, &'static str>, &'static str) {
    let budget = Budget::default().with_states(states).with_work(1 << 20);
    // A witness that does not replay, or is none, is a defect.
    let decided = |options: &RobustOptions| -> RobustReport {
        robust(program, options, &budget).expect("no defect")
    };
    let all = decided(&options.clone().every(true));
    for (attack, run) in all.feasible() {
        let witness = check_witness(run, attack.thread, attack.store, attack.last);
        assert_eq!(witness, Ok(()), "{attack:?}");
    }
    let answers = all.answers().iter();
    let answers = answers.map(|answer| (answer.attack, answer.verdict.word()));
    let any = decided(&options.clone().until(Until::Violated));
    (answers.collect(), any.verdict().word())
}

/// Requires that no combination of passes changes an answer about an attack that the explicit engine gives
/// without passes. Returns how many of them are decided, and how many of these are feasible.
fn agree_on_attacks(
    text: &str,
    program: &Program,
    options: &RobustOptions,
) -> Result<[usize; 2], TestCaseError> {
    let model = options.model;
    if !has_attacks(program, model) {
        return Ok([0, 0]);
    }
    let reference = RobustOptions::new(model)
        .method(Method::Locality)
        .engine(Engine::Explicit)
        .techniques(only(&[]));
    let (reference, any) = attacks(&reference, program, 60_000);
    let is_open = |word| ["unknown", "within"].contains(&word);
    let mut decided = [0, 0];
    for passes in combinations(&OF_ATTACKS) {
        let options = options.clone().techniques(only(&passes));
        let about = format!(
            "{model} {:?} {:?} {passes:?}\n{text}",
            options.method, options.engine
        );
        let (found, found_any) = attacks(&options, program, 5_000);
        prop_assert!(found.keys().eq(reference.keys()), "{}", about);
        for (attack, known) in &reference {
            let word = found[attack];
            if !is_open(known) && !is_open(word) {
                prop_assert_eq!(word, *known, "{:?} {}", attack, about);
                decided[0] += 1;
                decided[1] += usize::from(word == "violated");
            }
        }
        if !is_open(any) && !is_open(found_any) {
            prop_assert_eq!(found_any, any, "{}", about);
        }
    }
    Ok(decided)
}

/// How attacks are looked for: one delayed store does not find each of them.
fn ways(program: &Program, model: Model, way: usize) -> RobustOptions {
    let options = RobustOptions::new(model);
    let auto = if is_singular(program, model) {
        Method::Locality
    } else {
        Method::Auto
    };
    match way {
        0 => options.method(auto),
        1 => options.method(Method::Locality).engine(Engine::Explicit),
        2 => options.method(Method::Locality).engine(Engine::Bmc),
        _ => options.method(Method::Direct),
    }
}

fn properties() -> impl Strategy<Value = Vec<Observes>> {
    let observed = prop::collection::vec((0..3usize, 0..6u8), 1..3);
    prop::collection::vec((0..8u8, observed, 0..3), 0..3)
}

/// Programs for all passes: groups of threads, branches and data that do not matter, nodes that are published
/// by locked instructions, and any.
fn texts() -> impl Strategy<Value = Option<String>> {
    let groups = (prop::collection::vec(group(), 1..4), properties());
    prop_oneof![
        3 => groups.prop_map(|(groups, properties)| Some(text(&groups, &properties))),
        2 => slices::program().prop_map(|drawn| drawn.map(|(text, _)| text)),
        1 => published::text().prop_map(|text| Some(published::asking(&text))),
    ]
}

fn engines() -> impl Strategy<Value = Engine> {
    prop::sample::select(vec![Engine::Auto, Engine::Explicit, Engine::Bmc])
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn no_pass_changes_an_answer(text in texts(), engine in engines(), model in 0..Model::ALL.len()) {
        let Some(text) = text else { return Ok(()) };
        let program = parse(&text).program.expect("no errors in the text");
        agree(&text, &program, Model::ALL[model], engine)?;
    }

    #[test]
    fn no_pass_changes_an_answer_about_waiting(
        program in prop_oneof![waiting::program(), waiting::conditional(), waiting::beside_servers()],
        engine in engines(),
        model in 0..Model::ALL.len(),
    ) {
        agree("threads that wait", &program, Model::ALL[model], engine)?;
    }

    #[test]
    fn no_pass_changes_an_answer_about_any_program(
        sketch in sketch(Shape::ALL),
        engine in engines(),
        model in 0..Model::ALL.len(),
    ) {
        agree("a sketch", &sketch.build(), Model::ALL[model], engine)?;
    }

    #[test]
    fn no_pass_changes_an_attack(text in racing_texts(), way in 0..4usize, model in 0..Model::ALL.len()) {
        let Some(text) = text else { return Ok(()) };
        let program = parse(&text).program.expect("no errors in the text");
        agree_on_attacks(&text, &program, &ways(&program, Model::ALL[model], way))?;
    }

    #[test]
    fn no_pass_changes_an_attack_of_threads_that_meet(
        sketch in prop_oneof![meeting::acyclic(4), sketch(Shape::ALL)],
        way in 0..4usize,
        model in 0..Model::ALL.len(),
    ) {
        let program = sketch.build();
        agree_on_attacks("a sketch", &program, &ways(&program, Model::ALL[model], way))?;
    }

    #[test]
    fn no_pass_changes_an_attack_of_threads_that_are_alike(
        alike in prop_oneof![alike::statements(Shape::ALL), alike::owners()],
        way in 0..4usize,
        model in 0..Model::ALL.len(),
    ) {
        let program = alike.program;
        agree_on_attacks("threads that are alike", &program, &ways(&program, Model::ALL[model], way))?;
    }
}

/// Otherwise the law would say nothing: each pass makes some problem easier.
#[test]
fn every_pass_is_used() {
    let with = |text: &str, engine, model: Model, passes: &[PassName]| {
        let program = parse(text).program.expect("no errors in the text");
        let mut options = CheckOptions::new(model)
            .engine(engine)
            .techniques(only(passes));
        options.techniques.reduction = Reduction {
            local_steps: true,
            ..Reduction::NONE
        };
        options.until = Until::AllAnswered;
        let report = check(&program, &options, &Budget::default()).expect("no defect");
        (report.verdict().word(), report.stats().states)
    };
    let easier = |text: &str, model, before: &[PassName], pass| {
        let both = [before, &[pass]].concat();
        let [(word, states), (with, fewer)] =
            [before, &both].map(|passes| with(text, Engine::Explicit, model, passes));
        assert_eq!(word, with, "{pass:?}");
        assert!(fewer < states, "{pass:?}: {fewer:?}, {states:?}");
    };
    let readers = "shared x, y; thread w { x = 1; } thread r[3] { local a; a = x; assert(a != 2); }
                   thread o { y = 1; y = 2; }";
    easier(readers, Model::Tso, &[], PassName::Cone);
    easier(readers, Model::Sc, &[], PassName::Slice);
    let apart = "shared x, y; thread s { x = 1; } thread t { y = 1; } forbid x == 2; forbid y == 2;
                 thread u { x = 1; } thread v { y = 1; } thread w { x = 1; }";
    easier(apart, Model::Sc, &[PassName::Slice], PassName::Split);
    let locks = "shared x, y; thread t[2] { local a; x = 1; fence; a = y; assert(a != 2); }";
    easier(locks, Model::Tso, &[], PassName::ToSc);
    let program = parse(readers).program.expect("no errors in the text");
    let asked = |passes: &[PassName]| {
        let options = CheckOptions::new(Model::Sc)
            .engine(Engine::Explicit)
            .techniques(only(passes));
        words(options, &program, 1_000)
            .into_values()
            .collect::<Vec<_>>()
    };
    assert_eq!(asked(&[PassName::Alike]), asked(&[]));
    let waits = "shared x; thread t { while (x == 0) { } } forbid stuck;";
    let bmc = |passes: &[PassName]| with(waits, Engine::Bmc, Model::Sc, passes).0;
    assert_eq!(
        (bmc(&[PassName::Predicates]), bmc(&[])),
        ("violated", "unknown")
    );
}

/// Otherwise the law for attacks would say nothing.
#[test]
fn every_pass_is_used_for_attacks() {
    let all = OF_GOALS.iter().chain(&OF_ATTACKS);
    assert!(
        PassName::ALL
            .iter()
            .all(|pass| all.clone().any(|other| other == pass))
    );
    let easier = |text: &str, pass, word: &str| {
        let program = parse(text).program.expect("no errors in the text");
        let [before, after] = [&[][..], &[pass]].map(|passes| {
            let techniques = Techniques {
                reduction: Reduction {
                    local_steps: true,
                    ..Reduction::NONE
                },
                ..only(passes)
            };
            let options = RobustOptions::new(Model::Tso)
                .engine(Engine::Explicit)
                .techniques(techniques);
            let report = robust(&program, &options, &Budget::default()).expect("no defect");
            assert_eq!(report.verdict().word(), word, "{pass:?}");
            report.stats().states
        });
        assert!(after < before, "{pass:?}: {after:?}, {before:?}");
    };
    let apart = "shared x, y, a, b;
                 thread s { local r; x = 1; r = y; } thread t { local r; y = 1; r = x; }
                 thread u { a = 1; a = 2; a = 3; b = 1; } thread v { local r; r = b; r = a; }";
    easier(apart, PassName::Cone, "violated");
    let readers = "shared x, y; thread w { local r; x = 1; r = y; }
                   thread r[4] { local a; y = 1; a = x; }";
    easier(readers, PassName::Alike, "violated");
    let barrier = "shared n, a[3];
                   thread t[3] { local r; a[tid] = 1; r = fetch_add(n, 1); assume(n == 3); r = a[(tid + 1) % 3];
                                 a[tid] = 2; r = n; }";
    easier(barrier, PassName::TooLate, "holds");
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
            let found = words(options, &program, 20_000);
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
        let found = words(CheckOptions::new(Model::Tso), &program, 20_000);
        assert_eq!(found.into_values().collect::<Vec<_>>(), [word; 60]);
    }
}
