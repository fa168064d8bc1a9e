//! Cheapest fences against brute force over what a person can write: `fence;` at each set of
//! positions between statements of the text, read and decided anew.
//!
//! The tool knows no texts but locations; the brute force knows no locations. It counts what a
//! position costs by the text alone: the annotation of the statement behind it, or the loops around.

#[path = "support/config.rs"]
#[allow(unreachable_pub, reason = "shared between test binaries")]
mod config;

use config::config;
use fencepost::check::Engine;
use fencepost::fences::{Costs, FenceOptions, Outcome, cheapest_fences};
use fencepost::model::Model;
use fencepost::parse;
use fencepost::program::Program;
use fencepost::robustness::{Method, RobustOptions, robust};
use fencepost::syntax::{Aim, rewrite};
use fencepost::verdict::{Budget, Verdict};
use proptest::prelude::*;

/// What stands in front of a statement.
#[derive(Clone, Copy, Debug)]
enum Annotation {
    None,
    Cost(u64),
    NoFence,
}

#[derive(Clone, Debug)]
enum Stmt {
    Store(usize, i32),
    Load(usize),
    Skip,
    If(i32, Vec<Line>),
    IfElse(i32, Vec<Line>, Vec<Line>),
    Choose(Vec<Line>, Vec<Line>),
    While(i32, Vec<Line>),
    WhileCell(usize, i32),
    DoWhile(Vec<Line>, i32),
    Loop(Vec<Line>, i32),
}

type Line = (Annotation, Stmt);

const CELLS: [&str; 3] = ["x", "y", "z"];

fn plain() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        4 => (0..3usize, 1..3).prop_map(|(x, v)| Stmt::Store(x, v)),
        4 => (0..3usize).prop_map(Stmt::Load),
        1 => Just(Stmt::Skip),
        1 => (0..3usize, 0..2).prop_map(|(x, v)| Stmt::WhileCell(x, v)),
    ]
}

fn annotated(stmt: impl Strategy<Value = Stmt>) -> impl Strategy<Value = Line> {
    let annotation = prop_oneof![
        6 => Just(Annotation::None),
        1 => (1..6u64).prop_map(Annotation::Cost),
        1 => Just(Annotation::NoFence),
    ];
    (annotation, stmt)
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let inner = || prop::collection::vec(annotated(plain()), 0..3);
    let nested = move || {
        let within = prop_oneof![
            3 => plain(),
            1 => (0..2, inner()).prop_map(|(v, body)| Stmt::While(v, body)),
            1 => (inner(), 0..2).prop_map(|(body, v)| Stmt::DoWhile(body, v)),
        ];
        prop::collection::vec(annotated(within), 0..3)
    };
    let stmt = prop_oneof![
        6 => plain(),
        1 => (0..2, nested()).prop_map(|(v, body)| Stmt::If(v, body)),
        1 => (0..2, nested(), nested()).prop_map(|(v, a, b)| Stmt::IfElse(v, a, b)),
        1 => (nested(), nested()).prop_map(|(a, b)| Stmt::Choose(a, b)),
        1 => (0..2, nested()).prop_map(|(v, body)| Stmt::While(v, body)),
        1 => (nested(), 0..2).prop_map(|(body, v)| Stmt::DoWhile(body, v)),
        1 => (nested(), 0..2).prop_map(|(body, v)| Stmt::Loop(body, v)),
    ];
    prop::collection::vec(annotated(stmt), 1..4)
}

/// A text in pieces: what is always there, and positions with what a fence costs there, if one may
/// stand there.
#[derive(Clone, Debug, Default)]
struct Draft {
    pieces: Vec<Result<String, Option<u64>>>,
    loops: u32,
    by_loops: bool,
}

impl Draft {
    fn text(&mut self, text: impl Into<String>) {
        self.pieces.push(Ok(text.into()));
    }

    fn position(&mut self, annotation: Annotation) {
        let usual = if self.by_loops {
            10u64.pow(self.loops)
        } else {
            1
        };
        self.pieces.push(Err(match annotation {
            Annotation::None => Some(usual),
            Annotation::Cost(cost) => Some(cost),
            Annotation::NoFence => None,
        }));
    }

    fn block(&mut self, lines: &[Line]) {
        for line in lines {
            self.line(line);
        }
        self.position(Annotation::None);
    }

    fn line(&mut self, (annotation, stmt): &Line) {
        self.position(*annotation);
        match annotation {
            Annotation::None => {}
            Annotation::Cost(cost) => self.text(format!("@cost {cost} ")),
            Annotation::NoFence => self.text("@nofence "),
        }
        self.stmt(stmt);
    }

    fn looped(&mut self, lines: &[Line]) {
        self.loops += 1;
        self.block(lines);
        self.loops -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Store(x, v) => self.text(format!("{} = {v}; ", CELLS[*x])),
            Stmt::Load(x) => self.text(format!("r = {}; ", CELLS[*x])),
            Stmt::Skip => self.text("skip; "),
            Stmt::If(v, body) => {
                self.text(format!("if (r == {v}) {{ "));
                self.block(body);
                self.text("} ");
            }
            Stmt::IfElse(v, a, b) => {
                self.text(format!("if (r == {v}) {{ "));
                self.block(a);
                self.text("} else { ");
                self.block(b);
                self.text("} ");
            }
            Stmt::Choose(a, b) => {
                self.text("choose { ");
                self.block(a);
                self.text("} or { ");
                self.block(b);
                self.text("} ");
            }
            Stmt::While(v, body) => {
                self.text(format!("while (r == {v}) {{ "));
                self.looped(body);
                self.text("} ");
            }
            Stmt::WhileCell(x, v) => {
                self.text(format!("while ({} == {v}) {{ ", CELLS[*x]));
                self.looped(&[]);
                self.text("} ");
            }
            Stmt::DoWhile(body, v) => {
                self.text("do { ");
                self.looped(body);
                self.text(format!("}} while (r == {v}); "));
            }
            Stmt::Loop(body, v) => {
                self.text("loop { ");
                self.loops += 1;
                for line in body {
                    self.line(line);
                }
                self.position(Annotation::None);
                self.text(format!("if (r == {v}) {{ "));
                self.position(Annotation::None);
                self.text("break; } ");
                self.loops -= 1;
                self.text("} ");
            }
        }
    }

    /// The positions where a fence may stand, with what it costs there.
    fn positions(&self) -> Vec<(usize, u64)> {
        let pieces = self.pieces.iter().enumerate();
        pieces
            .filter_map(|(at, piece)| Some((at, piece.clone().err()??)))
            .collect()
    }

    /// The text with fences at these positions.
    fn with(&self, fences: &[usize]) -> String {
        let pieces = self.pieces.iter().enumerate();
        let written = pieces.map(|(at, piece)| match piece {
            Ok(text) => text.as_str(),
            Err(_) if fences.contains(&at) => "fence; ",
            Err(_) => "",
        });
        written.collect()
    }
}

fn draft(first: &[Line], second: &[Line], by_loops: bool) -> Draft {
    let mut draft = Draft {
        by_loops,
        ..Draft::default()
    };
    draft.text("shared x, y, z;\nthread a { local r; ");
    draft.block(first);
    draft.text("}\nthread b { local r; ");
    draft.block(second);
    draft.text("}\n");
    draft
}

fn read(text: &str) -> Result<Program, TestCaseError> {
    let parsed = parse(text);
    let program = parsed.program;
    program.ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", parsed.diagnostics)))
}

/// Whether the text is robust, as the derived programs say that the explicit engine visits.
fn is_robust(text: &str, model: Model) -> Result<Option<bool>, TestCaseError> {
    let options = RobustOptions {
        method: Method::Locality,
        engine: Engine::Explicit,
        ..RobustOptions::new(model)
    };
    let budget = Budget::default().with_states(20_000);
    let report = robust(&read(text)?, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    Ok(match report.verdict() {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

/// The sets of at most three positions that cost less, the cheapest first.
fn cheaper(positions: &[(usize, u64)], than: u64) -> Vec<Vec<usize>> {
    let mut sets: Vec<(u64, Vec<usize>)> = vec![(0, Vec::new())];
    let mut grown = sets.clone();
    for _ in 0..3 {
        let mut next = Vec::new();
        for (cost, set) in &grown {
            for &(at, price) in positions
                .iter()
                .filter(|(at, _)| set.last().is_none_or(|l| at > l))
            {
                next.push((cost + price, [set.as_slice(), &[at]].concat()));
            }
        }
        sets.extend(next.iter().cloned());
        grown = next;
    }
    sets.retain(|(cost, _)| *cost < than);
    sets.sort();
    sets.into_iter().map(|(_, set)| set).collect()
}

fn nothing_cheaper_can_be_written(draft: &Draft, model: Model) -> Result<(), TestCaseError> {
    let text = draft.with(&[]);
    let parsed = parse(&text);
    let Some(program) = parsed.positions() else {
        return Err(TestCaseError::fail(format!(
            "{:?}\n{text}",
            parsed.diagnostics
        )));
    };
    let costs = if draft.by_loops {
        Costs::Loops
    } else {
        Costs::Unit
    };
    let options = FenceOptions {
        costs,
        ..FenceOptions::new(model, Aim::Robustness)
    };
    let report = cheapest_fences(program, &options, &Budget::default());
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    let cost = match &report.outcome {
        Outcome::Found(found) => {
            prop_assert!(found.optimal, "{}", text);
            let changes: Vec<_> = found.sets[0]
                .iter()
                .flat_map(|place| place.changes(program))
                .collect();
            // What cannot be written is inside of an expression.
            if let Ok(repaired) = rewrite(&text, program, &changes) {
                prop_assert_ne!(
                    is_robust(&repaired, model)?,
                    Some(false),
                    "{}\n{}",
                    model,
                    repaired
                );
            }
            found.cost
        }
        Outcome::Impossible { .. } => u64::MAX,
        Outcome::Undecided(reason) => return Err(TestCaseError::fail(format!("{reason}\n{text}"))),
    };
    for set in cheaper(&draft.positions(), cost) {
        let fenced = draft.with(&set);
        prop_assert_ne!(
            is_robust(&fenced, model)?,
            Some(true),
            "{}: cost {} said of\n{}\nbut less suffices:\n{}",
            model,
            cost,
            text,
            fenced
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn nothing_cheaper_can_be_written_between_statements(
        first in lines(),
        second in prop::collection::vec(annotated(plain()), 1..4),
        by_loops in any::<bool>(),
        model in prop_oneof![Just(Model::Tso), Just(Model::Pso)],
    ) {
        nothing_cheaper_can_be_written(&draft(&first, &second, by_loops), model)?;
    }
}
