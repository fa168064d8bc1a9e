//! Grace periods of RCU against a machine of which they are a step: it counts the sections that each thread has begun, and
//! those whose stores have all left the buffer, and a grace period waits for those that had begun when it did.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{Format, ParseOptions, Parsed, parse_with, render};
use fencepost::internals::litmus::FinalStates;
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore;
use fencepost::internals::verdict::{Budget, Verdict};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

const CELLS: [&str; 3] = ["x", "y", "z"];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Act {
    Store(usize, i32),
    Load(usize),
    Begin,
    End,
    Wait,
    Fence,
}

/// What a thread does, as parts that begin and end all of their sections.
fn thread() -> impl Strategy<Value = Vec<Act>> {
    let access = prop_oneof![
        (0..3_usize, 1..3).prop_map(|(cell, value)| Act::Store(cell, value)),
        (0..3_usize).prop_map(Act::Load),
    ];
    let accesses = prop::collection::vec(access.clone(), 0..3);
    let section = (accesses.clone(), accesses, any::<bool>()).prop_map(|(first, second, nests)| {
        let mut acts = vec![Act::Begin];
        acts.extend(first);
        if nests {
            acts.extend([Act::Begin, Act::End]);
        }
        acts.extend(second);
        acts.push(Act::End);
        acts
    });
    let part = prop_oneof![
        4 => access.prop_map(|access| vec![access]),
        4 => section,
        2 => Just(vec![Act::Wait]),
        1 => Just(vec![Act::Fence]),
    ];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

fn threads() -> impl Strategy<Value = Vec<Vec<Act>>> {
    prop::collection::vec(thread(), 2..4).prop_filter("it is small and waits", |threads| {
        let all = threads.concat();
        let waits = all.iter().filter(|act| **act == Act::Wait).count();
        all.len() <= 12 && (1..4).contains(&waits) && all.contains(&Act::Begin)
    })
}

/// What is in a buffer: a store, or the end of a section.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entry {
    Store(usize, i32),
    End,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    loaded: Vec<i32>,
    buffer: Vec<Entry>,
    depth: usize,
    begun: usize,
    ended: usize,
    /// In a grace period: the sections that each thread had begun.
    waits_for: Option<Vec<usize>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    memory: [i32; 3],
    threads: Vec<Thread>,
}

impl Machine {
    fn put(&mut self, t: usize, entry: Entry) {
        match entry {
            Entry::Store(cell, value) => self.memory[cell] = value,
            Entry::End => self.threads[t].ended += 1,
        }
    }

    /// Executes the next act of a thread, if that is possible.
    fn step(&self, t: usize, act: Act, model: Model) -> Option<Machine> {
        let mut next = self.clone();
        let thread = &mut next.threads[t];
        thread.at += 1;
        let entry = match act {
            Act::Store(cell, value) => Some(Entry::Store(cell, value)),
            Act::Load(cell) => {
                let own = thread.buffer.iter().rev().find_map(|entry| match entry {
                    Entry::Store(other, value) if *other == cell => Some(*value),
                    Entry::Store(..) | Entry::End => None,
                });
                thread.loaded.push(own.unwrap_or(self.memory[cell]));
                None
            }
            Act::Begin => {
                thread.begun += usize::from(thread.depth == 0);
                thread.depth += 1;
                None
            }
            Act::End => {
                thread.depth -= 1;
                (thread.depth == 0).then_some(Entry::End)
            }
            Act::Fence if thread.buffer.is_empty() => None,
            Act::Wait if thread.buffer.is_empty() => {
                if let Some(begun) = thread.waits_for.take() {
                    let mut both = begun.iter().zip(&self.threads);
                    if both.any(|(begun, other)| other.ended < *begun) {
                        return None;
                    }
                } else {
                    let begun = self.threads.iter().map(|other| other.begun);
                    thread.waits_for = Some(begun.collect());
                    thread.at -= 1;
                }
                None
            }
            Act::Fence | Act::Wait => return None,
        };
        match (entry, model) {
            (Some(entry), Model::Sc) => next.put(t, entry),
            (Some(entry), _) => next.threads[t].buffer.push(entry),
            (None, _) => {}
        }
        Some(next)
    }

    /// The configurations after an entry has left a buffer.
    fn flushed(&self, t: usize, model: Model) -> Vec<Machine> {
        let buffer = &self.threads[t].buffer;
        let may_leave = |at: &usize| {
            let earlier = &buffer[..*at];
            let stays = |entry: &Entry| match (entry, buffer[*at]) {
                (Entry::Store(one, _), Entry::Store(other, _)) => *one == other,
                (Entry::End, _) | (_, Entry::End) => true,
            };
            *at == 0 || model == Model::Pso && !earlier.iter().any(stays)
        };
        let all = (0..buffer.len()).filter(may_leave).map(|at| {
            let mut next = self.clone();
            let entry = next.threads[t].buffer.remove(at);
            next.put(t, entry);
            next
        });
        all.collect()
    }
}

/// The final values of all loads by name, and of all cells.
type Outcome = BTreeMap<String, i32>;

fn outcomes(threads: &[Vec<Act>], model: Model) -> BTreeSet<Outcome> {
    let start = Thread {
        at: 0,
        loaded: Vec::new(),
        buffer: Vec::new(),
        depth: 0,
        begun: 0,
        ended: 0,
        waits_for: None,
    };
    let start = Machine {
        memory: [0; 3],
        threads: vec![start; threads.len()],
    };
    let (mut seen, mut open) = (HashSet::from([start.clone()]), vec![start]);
    let mut found = BTreeSet::new();
    while let Some(machine) = open.pop() {
        let mut next = Vec::new();
        for (t, acts) in threads.iter().enumerate() {
            if let Some(act) = acts.get(machine.threads[t].at) {
                next.extend(machine.step(t, *act, model));
            }
            next.extend(machine.flushed(t, model));
        }
        let has_ended = |(thread, acts): (&Thread, &Vec<Act>)| thread.at == acts.len();
        if next.is_empty() && machine.threads.iter().zip(threads).all(has_ended) {
            found.insert(outcome(&machine));
        }
        open.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
    }
    found
}

fn outcome(machine: &Machine) -> Outcome {
    let mut all: Outcome = BTreeMap::new();
    for (t, thread) in machine.threads.iter().enumerate() {
        let loaded = thread.loaded.iter().enumerate();
        all.extend(loaded.map(|(r, value)| (format!("{t}:r{r}"), *value)));
    }
    let cells = CELLS.iter().zip(machine.memory);
    all.extend(cells.map(|(cell, value)| ((*cell).to_owned(), value)));
    all
}

/// The acts of a thread in C, on pointers to the cells, and how many values it loads.
fn body(acts: &[Act]) -> (String, usize) {
    let (mut text, mut r) = (String::new(), 0);
    for act in acts {
        match act {
            Act::Store(cell, value) => writeln!(text, "WRITE_ONCE(*{}, {value});", CELLS[*cell]),
            Act::Load(cell) => {
                r += 1;
                writeln!(text, "int r{} = READ_ONCE(*{});", r - 1, CELLS[*cell])
            }
            Act::Begin => writeln!(text, "rcu_read_lock();"),
            Act::End => writeln!(text, "rcu_read_unlock();"),
            Act::Wait => writeln!(text, "synchronize_rcu();"),
            Act::Fence => writeln!(text, "smp_mb();"),
        }
        .expect("strings grow");
    }
    (text, r)
}

fn test_of(threads: &[Vec<Act>]) -> String {
    let mut text = "C t\n{ }\n".to_owned();
    let mut atoms: Vec<String> = CELLS.iter().map(|cell| format!("{cell}=9")).collect();
    for (t, acts) in threads.iter().enumerate() {
        let (body, loads) = body(acts);
        write!(text, "P{t} (int *x, int *y, int *z) {{\n{body}}}\n").expect("strings grow");
        atoms.extend((0..loads).map(|r| format!("{t}:r{r}=9")));
    }
    text + &format!("exists ({})\n", atoms.join(" /\\ "))
}

/// A program whose assertion is that this outcome does not occur.
fn program_of(threads: &[Vec<Act>], outcome: &Outcome) -> String {
    let mut text = "#include <linux/kthread.h>\n#include <linux/rcupdate.h>\n#include <assert.h>\n\
                    static int X, Y, Z;\n"
        .to_owned();
    let (mut begin, mut end) = (String::new(), String::new());
    for (t, acts) in threads.iter().enumerate() {
        let (body, loads) = body(acts);
        let (mut outs, mut own) = (String::new(), String::new());
        for r in 0..loads {
            writeln!(outs, "static int out{t}_{r};").expect("strings grow");
            writeln!(own, "out{t}_{r} = r{r};").expect("strings grow");
        }
        write!(
            text,
            "{outs}static int P{t}(void *unused) {{\nint *x = &X, *y = &Y, *z = &Z;\n{body}{own}return 0;\n}}\n"
        )
        .expect("strings grow");
        writeln!(begin, "thrd_t t{t}; thrd_create(&t{t}, P{t}, NULL);").expect("strings grow");
        writeln!(end, "thrd_join(t{t}, NULL);").expect("strings grow");
    }
    let atoms = outcome.iter().map(|(name, value)| {
        let name = match name.split_once(":r") {
            Some((t, r)) => format!("out{t}_{r}"),
            None => name.to_uppercase(),
        };
        format!("{name} == {value}")
    });
    let atoms: Vec<String> = atoms.collect();
    let never = atoms.join(" && ");
    text + &format!("int main(void) {{\n{begin}{end}assert(!({never}));\nreturn 0;\n}}\n")
}

fn read(format: Format, text: &str) -> Parsed {
    let parsed = parse_with(format, text, &ParseOptions::default());
    let shown = render(&parsed.diagnostics, "test", text, false);
    assert!(parsed.program.is_some(), "{text}\n{shown}");
    parsed
}

/// The outcomes of a litmus test; `None` if there are too many configurations.
fn states(text: &str, model: Model) -> Option<BTreeSet<Outcome>> {
    let parsed = read(Format::LitmusC, text);
    let (program, test) = (parsed.program?, parsed.litmus?);
    let explored = explore(&program, model, &Budget::default().with_states(400_000));
    let found = FinalStates::new(&test, &explored);
    if found.incomplete.is_some() {
        return None;
    }
    let named = |values: &[i32]| {
        let names = test.shown.iter().map(|shown| {
            let name = shown.name.trim_matches(['[', ']']);
            name.to_owned()
        });
        names.zip(values.iter().copied()).collect()
    };
    Some(found.values().map(named).collect())
}

fn models() -> impl Strategy<Value = Model> {
    prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso])
}

proptest! {
    #![proptest_config(config(192))]

    #[test]
    fn a_test_has_the_outcomes_of_a_machine_with_grace_periods(threads in threads(), model in models()) {
        let text = test_of(&threads);
        if let Some(found) = states(&text, model) {
            prop_assert_eq!(found, outcomes(&threads, model), "{} {}", model, text);
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_program_has_the_outcomes_of_a_machine_with_grace_periods(
        threads in threads(),
        model in models(),
        (pick, change) in (any::<prop::sample::Index>(), any::<Option<prop::sample::Index>>()),
    ) {
        let all: Vec<Outcome> = outcomes(&threads, model).into_iter().collect();
        prop_assume!(!all.is_empty());
        let mut one = pick.get(&all).clone();
        // Most others do not occur.
        if let Some(change) = change {
            let name = change.get(&one.keys().cloned().collect::<Vec<_>>()).clone();
            one.entry(name).and_modify(|value| *value = (*value + 1) % 3);
        }
        let text = program_of(&threads, &one);
        let program = read(Format::C, &text).program.expect("it was read");
        let budget = Budget::default().with_states(400_000);
        let report = check(&program, &CheckOptions::new(model), &budget).expect("no defect");
        match report.verdict() {
            Verdict::Holds => prop_assert!(!all.contains(&one), "{} {}", model, text),
            Verdict::Violated(_) => prop_assert!(all.contains(&one), "{} {}", model, text),
            Verdict::HoldsWithin(..) | Verdict::Unknown(_) => {}
        }
    }
}

/// Shapes that are rare among random ones: what is buffered before a section or inside it, and a third thread.
#[test]
fn the_beginning_and_the_end_of_a_section_empty_no_buffer() {
    use Act::{Begin, End, Load, Store, Wait};
    let before = vec![Store(0, 1), Begin, Load(1), End];
    let inside = vec![Begin, Store(0, 1), End, Load(1)];
    let other = vec![Store(1, 1), Load(0)];
    for reader in [before, inside] {
        let threads = [reader, other.clone(), vec![Wait]];
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let found = states(&test_of(&threads), model).expect("there are few");
            assert_eq!(found, outcomes(&threads, model), "{model} {threads:?}");
            let is_buffered = |outcome: &Outcome| outcome["0:r0"] == 0 && outcome["1:r0"] == 0;
            assert_eq!(
                found.iter().any(is_buffered),
                model != Model::Sc,
                "{model} {threads:?}"
            );
        }
    }
}
