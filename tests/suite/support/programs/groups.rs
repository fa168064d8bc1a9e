//! Groups of threads: some write the group's cells, others, often many that are alike, only read them, and now and
//! then a thread reads a cell of another group. Threads wait, fail, never end, leave memory, and keep others out with
//! atomic blocks.

use proptest::prelude::*;
use std::fmt::Write as _;

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

fn properties() -> impl Strategy<Value = Vec<Observes>> {
    let observed = prop::collection::vec((0..3usize, 0..6u8), 1..3);
    prop::collection::vec((0..8u8, observed, 0..3), 0..3)
}

/// Programs with goals.
pub fn texts() -> impl Strategy<Value = String> {
    let groups = (prop::collection::vec(group(), 1..4), properties());
    groups.prop_map(|(groups, properties)| text(&groups, &properties))
}

/// Programs with attacks.
pub fn racing_texts() -> impl Strategy<Value = String> {
    prop::collection::vec(racing_group(), 1..3).prop_map(|groups| text(&groups, &[]))
}
