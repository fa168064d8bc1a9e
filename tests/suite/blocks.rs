//! Atomic blocks that may not end: robustness against its definition, and properties against the
//! reference.
//!
//! A block that waits for a condition after it has read memory is no computation unless it ends. What it
//! read may then have needed two threads that delay stores, or two stores of one thread. The theorems
//! about attacks say nothing about such blocks, so what the tools do with them has laws of its own: the
//! generators of other laws seldom make blocks that wait.

use crate::support::{config, witnesses};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check_goals};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::check_all;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::Program;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::fmt::Write;

const CELLS: [&str; 4] = ["x", "y", "z", "u"];

/// More steps than almost all of the programs need.
const LIMIT: usize = 40_000;

/// A register that was loaded before.
#[derive(Clone, Debug)]
enum Known {
    Any(Index),
    /// Counted back from the one loaded last.
    Newest(usize),
}

fn known() -> impl Strategy<Value = Known> {
    any::<Index>().prop_map(Known::Any)
}

/// A statement. One whose register is not loaded yet is left out.
#[derive(Clone, Debug)]
enum Piece {
    Store(usize, i32),
    StoreRead(usize, Known),
    Load(usize),
    /// Loads one of the first two cells, chosen by a register.
    LoadAt(Known),
    Exchange(usize, i32),
    Assume(Known, i32),
    AssumeEqual(Known, Known),
    Assert(Known, i32),
    /// A loop that counts a copy of the register down.
    Count(Known),
    If(Known, Vec<Piece>),
    Fence(&'static str),
    /// Waits for what never happens.
    Never,
    Block(Vec<Piece>),
}

#[derive(Clone, Debug)]
struct Draft {
    threads: Vec<Vec<Piece>>,
    end: Option<(Index, Index, i32)>,
}

/// A statement that a block may contain.
fn inside() -> impl Strategy<Value = Piece> {
    let cell = 0..CELLS.len();
    prop_oneof![
        3 => (cell.clone(), 1..3).prop_map(|(cell, value)| Piece::Store(cell, value)),
        1 => (cell.clone(), known()).prop_map(|(cell, reg)| Piece::StoreRead(cell, reg)),
        6 => cell.prop_map(Piece::Load),
        1 => known().prop_map(Piece::LoadAt),
        3 => (known(), 0..3).prop_map(|(reg, value)| Piece::Assume(reg, value)),
        1 => (known(), known()).prop_map(|(a, b)| Piece::AssumeEqual(a, b)),
        1 => (known(), 0..3).prop_map(|(reg, value)| Piece::Assert(reg, value)),
        1 => known().prop_map(Piece::Count),
    ]
}

fn piece() -> impl Strategy<Value = Piece> {
    let cell = 0..CELLS.len();
    let nested = prop_oneof![
        5 => inside(),
        1 => (known(), prop::collection::vec(inside(), 1..3))
            .prop_map(|(reg, body)| Piece::If(reg, body)),
    ];
    prop_oneof![
        5 => (cell.clone(), 1..3).prop_map(|(cell, value)| Piece::Store(cell, value)),
        4 => cell.clone().prop_map(Piece::Load),
        1 => (known(), 0..3).prop_map(|(reg, value)| Piece::Assume(reg, value)),
        1 => (cell, 1..3).prop_map(|(cell, value)| Piece::Exchange(cell, value)),
        1 => select(vec!["fence;", "fence store;", "fence(x, y);", "fence(z);"])
            .prop_map(Piece::Fence),
        5 => prop::collection::vec(nested, 2..6).prop_map(Piece::Block),
    ]
}

/// Two cells, to which a thread stores one after the other.
fn writer(cells: [usize; 2]) -> impl Strategy<Value = Vec<Piece>> {
    let cell = prop_oneof![Just(cells[0]), 0..CELLS.len()];
    let extra = prop::option::weighted(0.3, (0..3_usize, cell, 1..3));
    let fence = prop::option::weighted(0.1, 0..2_usize);
    (extra, fence).prop_map(move |(extra, fence)| {
        let mut pieces = cells.map(|cell| Piece::Store(cell, 1)).to_vec();
        if let Some((at, cell, value)) = extra {
            pieces.insert(at, Piece::Store(cell, value));
        }
        if let Some(at) = fence {
            pieces.insert(at, Piece::Fence("fence store;"));
        }
        pieces
    })
}

/// A thread whose block reads these cells, and waits until it finds these values: at each read, or after
/// all of them.
fn reader(reads: Vec<(usize, i32)>) -> impl Strategy<Value = Vec<Piece>> {
    let change = (any::<Index>(), 0..CELLS.len(), 0..3);
    let some_cell = prop_oneof![Just(reads[0].0), 0..CELLS.len()];
    let around = (
        prop::option::weighted(0.3, (some_cell, any::<bool>())),
        prop::option::weighted(0.2, 0..CELLS.len()),
    );
    let last = prop_oneof![
        2 => Just(Vec::new()),
        1 => prop::collection::vec(inside(), 1..3),
        1 => Just(vec![Piece::Assert(Known::Newest(0), reads[reads.len() - 1].1), Piece::Never]),
    ];
    let changes = prop_oneof![1 => Just(Vec::new()), 1 => prop::collection::vec(change, 1..3)];
    let alone = prop::bool::weighted(0.3);
    (changes, any::<bool>(), around, last, alone).prop_map(
        move |(changes, late, (before, after), last, alone)| {
            let mut reads = reads.clone();
            for (at, cell, value) in changes {
                let at = at.index(reads.len());
                reads[at] = (cell, value);
            }
            if alone {
                reads.drain(..reads.len() - 1);
            }
            let mut body = Vec::new();
            for &(cell, value) in &reads {
                body.push(Piece::Load(cell));
                if !late {
                    body.push(Piece::Assume(Known::Newest(0), value));
                }
            }
            if late {
                let newest_first = reads.iter().rev().enumerate();
                body.extend(
                    newest_first.map(|(back, read)| Piece::Assume(Known::Newest(back), read.1)),
                );
            }
            body.extend(last);
            let mut pieces = vec![Piece::Block(body)];
            match before {
                Some((cell, true)) => pieces.insert(0, Piece::Exchange(cell, 1)),
                Some((cell, false)) => pieces.insert(0, Piece::Store(cell, 1)),
                None => {}
            }
            pieces.extend(after.map(Piece::Load));
            pieces
        },
    )
}

/// One or two threads that store to two cells each, and a block that ends only if it sees the stores in
/// the wrong order. Statements at random hardly ever need two delays.
fn meeting() -> impl Strategy<Value = Draft> {
    let pairs = (Just([0, 1, 2, 3]).prop_shuffle(), any::<bool>());
    let threads = pairs.prop_flat_map(|([a, b, c, d], both)| {
        let pairs = if both {
            vec![[a, b], [c, d]]
        } else {
            vec![[a, b]]
        };
        let seen = pairs
            .iter()
            .flat_map(|&[early, late]| [(late, 1), (early, 0)]);
        let seen: Vec<(usize, i32)> = seen.collect();
        let reader = Just(seen).prop_shuffle().prop_flat_map(reader);
        let writers: Vec<_> = pairs.into_iter().map(writer).collect();
        (writers, reader, any::<Index>())
    });
    threads.prop_map(|(mut threads, reader, at)| {
        threads.insert(at.index(threads.len() + 1), reader);
        Draft { threads, end: None }
    })
}

fn drafts() -> impl Strategy<Value = Draft> {
    prop_oneof![1 => draft(), 1 => meeting()]
}

fn draft() -> impl Strategy<Value = Draft> {
    let first = prop::collection::vec(piece(), 2..5);
    let rest = prop::collection::vec(prop::collection::vec(piece(), 1..4), 1..3);
    let end = prop::option::of((any::<Index>(), any::<Index>(), 0..3));
    (first, rest, end).prop_map(|(first, mut threads, end)| {
        threads.insert(0, first);
        Draft { threads, end }
    })
}

/// Writes the statements of a thread. Registers get a name when they are loaded.
struct Writer {
    text: String,
    registers: usize,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "  {line}").expect("a text has room");
    }

    fn fresh(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn known(&self, known: &Known) -> Option<usize> {
        match known {
            Known::Any(index) => (self.registers > 0).then(|| index.index(self.registers)),
            Known::Newest(back) => self.registers.checked_sub(back + 1),
        }
    }

    fn write(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Store(cell, value) => self.line(format_args!("{} = {value};", CELLS[*cell])),
                Piece::StoreRead(cell, index) => {
                    if let Some(reg) = self.known(index) {
                        self.line(format_args!("{} = r{reg};", CELLS[*cell]));
                    }
                }
                Piece::Load(cell) => {
                    let reg = self.fresh();
                    self.line(format_args!("r{reg} = {};", CELLS[*cell]));
                }
                Piece::LoadAt(index) => {
                    if let Some(at) = self.known(index) {
                        let reg = self.fresh();
                        self.line(format_args!("r{reg} = *(&x + (r{at} == 1));"));
                    }
                }
                Piece::Exchange(cell, value) => {
                    let reg = self.fresh();
                    self.line(format_args!("r{reg} = xchg({}, {value});", CELLS[*cell]));
                }
                Piece::Assume(index, value) => {
                    if let Some(reg) = self.known(index) {
                        self.line(format_args!("assume(r{reg} == {value});"));
                    }
                }
                Piece::AssumeEqual(a, b) => {
                    if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
                        self.line(format_args!("assume(r{a} == r{b});"));
                    }
                }
                Piece::Assert(index, value) => {
                    if let Some(reg) = self.known(index) {
                        self.line(format_args!("assert(r{reg} != {value});"));
                    }
                }
                Piece::Count(index) => {
                    if let Some(from) = self.known(index) {
                        let reg = self.fresh();
                        self.line(format_args!(
                            "r{reg} = r{from}; while (r{reg} > 0) {{ r{reg} = r{reg} - 1; }}"
                        ));
                    }
                }
                Piece::If(index, body) => {
                    if let Some(reg) = self.known(index) {
                        self.line(format_args!("if (r{reg} == 1) {{"));
                        self.write(body);
                        self.line(format_args!("}}"));
                    }
                }
                Piece::Never => self.line(format_args!("assume(0);")),
                Piece::Fence(fence) => self.line(format_args!("{fence}")),
                Piece::Block(body) => {
                    self.line(format_args!("atomic {{"));
                    self.write(body);
                    self.line(format_args!("}}"));
                }
            }
        }
    }
}

impl Draft {
    fn text(&self) -> String {
        let mut text = format!("shared {};\n", CELLS.join(", "));
        let mut registers = Vec::new();
        for (number, pieces) in self.threads.iter().enumerate() {
            let mut writer = Writer {
                text: String::new(),
                registers: 0,
            };
            writer.write(pieces);
            let names: Vec<String> = (0..writer.registers).map(|reg| format!("r{reg}")).collect();
            let local = match names.as_slice() {
                [] => String::new(),
                [_, ..] => format!("local {};", names.join(", ")),
            };
            registers.push(writer.registers);
            writeln!(text, "thread t{number} {{ {local}\n{}}}", writer.text)
                .expect("a text has room");
        }
        if let Some((thread, register, value)) = &self.end {
            let thread = thread.index(registers.len());
            if registers[thread] > 0 {
                let register = register.index(registers[thread]);
                writeln!(text, "final assert t{thread}.r{register} != {value};")
                    .expect("a text has room");
            }
        }
        text
    }

    fn build(&self) -> Program {
        let text = self.text();
        let parsed = parse(&text);
        parsed.program.unwrap_or_else(|| panic!("refused:\n{text}"))
    }
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![1 => Just(Model::Tso), 3 => Just(Model::Pso), 2 => Just(Model::Pgas)]
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn robust_means_no_computation_with_a_cycle(draft in drafts(), model in model()) {
        let program = draft.build();
        let defined = witnesses::robust(&program, model, LIMIT);
        prop_assume!(defined.is_some());
        let budget = Budget::default().with_work(1 << 24).with_states(200_000);
        let report = robust(&program, &RobustOptions::new(model), &budget);
        let report = report.map_err(|defect| TestCaseError::fail(defect.message))?;
        match report.verdict() {
            Verdict::Holds => prop_assert_eq!(defined, Some(true), "{}", draft.text()),
            Verdict::Violated(_) => prop_assert_eq!(defined, Some(false), "{}", draft.text()),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
        }
    }

    #[test]
    fn goals_in_blocks_have_the_answers_of_the_reference(
        draft in drafts(),
        model in prop_oneof![1 => Just(Model::Sc), 4 => model()],
    ) {
        let program = draft.build();
        let goals = program.goals();
        let budget = Budget::default().with_work(1 << 24).with_states(100_000);
        let reference = check_all(&program, model, &goals, &budget);
        for engine in [Engine::Auto, Engine::Ic3, Engine::Bmc, Engine::Lazy, Engine::Explicit] {
            if engine == Engine::Lazy && model != Model::Tso {
                continue;
            }
            let options = CheckOptions::new(model).engine(engine);
            let report = check_goals(&program, &goals, &options, &budget);
            let report = report.map_err(|defect| TestCaseError::fail(defect.message))?;
            for (goal, expected) in &reference.verdicts {
                let answer = report.answers().iter().find(|answer| answer.goal == *goal);
                let found = answer.expect("every goal has an answer").verdict.word();
                let undecided = matches!(found, "unknown" | "within")
                    || matches!(expected, Verdict::Unknown(_) | Verdict::HoldsWithin(_));
                prop_assert!(
                    undecided || found == expected.word(),
                    "{:?} of {:?}: {}, and not {}\n{}",
                    goal, engine, found, expected.word(), draft.text()
                );
            }
        }
    }
}
