//! The dialect of litmus tests in C: variables that are not declared, addresses as values, filters.
//!
//! Random tests are written as text and executed here once more, with values that are numbers or names,
//! store buffers that are lists, and every order of steps tried. Neither types nor the numbers of
//! addresses occur in that, as in the mind of the author of a test.

mod machine;
mod make;

use crate::support::config;
use config::config;
use fencepost::internals::formats::{Format, parse_as, render};
use fencepost::internals::litmus::FinalStates;
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore;
use fencepost::internals::report::litmus;
use fencepost::internals::verdict::Budget;
use machine::{World, finals};
use make::{CELLS, Draw, Thread, Value, ZERO, threads};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

fn written(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Address(cell) => CELLS[cell].to_owned(),
    }
}

/// Something observed: a cell, or a register of a thread.
#[derive(Clone, Copy)]
enum Observed {
    Cell(usize),
    Register(usize, usize),
}

impl Observed {
    fn of(self, world: &World) -> Value {
        match self {
            Observed::Cell(cell) => world.memory[cell],
            Observed::Register(thread, r) => world.registers[thread][r],
        }
    }

    fn name(self) -> String {
        match self {
            Observed::Cell(cell) => CELLS[cell].to_owned(),
            Observed::Register(thread, r) => format!("{thread}:r{r}"),
        }
    }

    fn shown(self) -> String {
        match self {
            Observed::Cell(cell) => format!("[{}]", CELLS[cell]),
            Observed::Register(..) => self.name(),
        }
    }
}

/// An atom of a condition: a place, a value that fits, and whether they are equal.
type Atom = (Observed, Value, bool);

fn holds(atom: Atom, world: &World) -> bool {
    (atom.0.of(world) == atom.1) == atom.2
}

fn atom_text((observed, value, equal): Atom) -> String {
    let text = format!("{}={}", observed.name(), written(value));
    if equal { text } else { format!("~({text})") }
}

fn atom(all: &[Observed], threads: &[Thread], draw: &mut Draw<'_>) -> Atom {
    let observed = all[draw.below(all.len())];
    let address = match observed {
        Observed::Cell(cell) => cell >= 2,
        Observed::Register(thread, r) => threads[thread].addresses[r],
    };
    let value = match (address, draw.below(3)) {
        (true, 2) => ZERO,
        (true, cell) => Value::Address(cell),
        (false, number) => Value::Number(number as i32),
    };
    (observed, value, draw.below(4) > 0)
}

/// The text of a test.
fn text(threads: &[Thread], all: &[Observed], filter: Option<Atom>, atoms: [Atom; 3]) -> String {
    let initial = "{ int x; intptr_t p; intptr_t q=y; }";
    let mut text = format!("C t\n{initial}\n");
    for (id, thread) in threads.iter().enumerate() {
        let parameters = "int *x, int *y, intptr_t *p, intptr_t *q";
        write!(text, "P{id}({parameters})\n{{\n{}}}\n", thread.text).expect("strings grow");
    }
    let names: Vec<String> = all.iter().map(|observed| observed.name()).collect();
    writeln!(text, "locations [{}]", names.join("; ")).expect("strings grow");
    if let Some(filter) = filter {
        writeln!(text, "filter ({})", atom_text(filter)).expect("strings grow");
    }
    let [a, b, c] = atoms.map(atom_text);
    writeln!(text, "exists ({a} /\\ ({b} \\/ {c}))").expect("strings grow");
    text
}

/// What the program answers: the states, and how many satisfy the condition.
fn answer(text: &str, model: Model) -> Option<(BTreeSet<BTreeMap<String, String>>, usize)> {
    let parsed = parse_as(Format::LitmusC, text);
    let shown = render(&parsed.diagnostics, "test", text, false);
    let (Some(program), Some(test)) = (parsed.program, parsed.litmus) else {
        panic!("{text}\n{shown}");
    };
    let explored = explore(&program, model, &Budget::default().with_states(400_000));
    let states = FinalStates::new(&test, &explored);
    if states.incomplete.is_some() {
        return None;
    }
    let printed = litmus(&program, &test, &states, model);
    let lines = printed.lines().skip(2);
    let lines = lines.take_while(|line| line.ends_with(';'));
    let pairs = |line: &str| {
        let pairs = line.split(';').filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(name, value)| (name.trim().to_owned(), value.to_owned()))
            .collect()
    };
    Some((lines.map(pairs).collect(), states.positive()))
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn a_test_in_the_dialect_has_the_states_of_its_values(
        numbers in prop::collection::vec(prop::collection::vec(0_usize..5040, 30), 1..4),
        condition in prop::collection::vec(0_usize..5040, 20),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let threads = threads(&numbers);
        let mut all: Vec<Observed> = (0..4).map(Observed::Cell).collect();
        for (id, thread) in threads.iter().enumerate() {
            all.extend((0..thread.addresses.len()).map(|r| Observed::Register(id, r)));
        }
        let mut draw = Draw { numbers: condition.iter() };
        let filter = (draw.below(2) == 0).then(|| atom(&all, &threads, &mut draw));
        let atoms = [(); 3].map(|()| atom(&all, &threads, &mut draw));
        let text = text(&threads, &all, filter, atoms);
        let mut expected = BTreeSet::new();
        let mut positive = BTreeSet::new();
        for world in finals(&threads, model) {
            if filter.is_some_and(|filter| !holds(filter, &world)) {
                continue;
            }
            let values = all.iter().map(|it| (it.shown(), written(it.of(&world))));
            let values: BTreeMap<String, String> = values.collect();
            let [a, b, c] = atoms.map(|atom| holds(atom, &world));
            if a && (b || c) {
                positive.insert(values.clone());
            }
            expected.insert(values);
        }
        if let Some(found) = answer(&text, model) {
            prop_assert_eq!(found, (expected, positive.len()), "{} under {}", text, model);
        }
    }
}
