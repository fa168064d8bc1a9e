//! Cheapest fences of automata against brute force over their texts: a fence at each set of labels and
//! ends of edges, in both formats for automata.

use crate::support::{automata, config};
use automata::{Mix, automata};
use config::config;
use fencepost::internals::check::Engine;
use fencepost::internals::fences::{Costs, FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse_as, rewrite_as};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Method, RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, BinaryOp, Expr, Fence, Op, Program, RegId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A position for one fence: a label of a thread, or the end of one of its edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Position {
    Label(usize, usize),
    Edge(usize, usize),
}

/// Threads as edges between numbered labels; the first label is the entry. An operation that the chosen
/// format cannot express becomes one without effect.
struct Draft {
    format: Format,
    threads: Vec<Vec<(usize, Op, usize)>>,
    /// The cost of a fence at the labels of each thread; `None` if no fence is allowed there.
    costs: Vec<Option<u32>>,
}

impl Draft {
    fn new(program: &Program, format: Format, costs: &[Option<u32>]) -> Self {
        let edges = |thread: &fencepost::program::Thread| {
            let instructions = thread.instructions().iter();
            let edge = instructions.map(|i| (i.from.index(), i.op.clone(), i.to.index()));
            edge.collect()
        };
        Self {
            format,
            threads: program.threads().iter().map(edges).collect(),
            costs: costs.to_vec(),
        }
    }

    /// In Trencher's format every place is allowed.
    fn cost(&self, thread: usize, label: usize) -> Option<u32> {
        let cost = self.costs[(5 * thread + label) % self.costs.len()];
        match self.format {
            Format::Trencher => Some(cost.unwrap_or(6)),
            Format::Fence | Format::Litmus | Format::LitmusC | Format::C | Format::Rust => cost,
        }
    }

    fn positions(&self) -> Vec<(Position, u32)> {
        let mut positions = Vec::new();
        for (t, edges) in self.threads.iter().enumerate() {
            let labels: BTreeSet<usize> = edges.iter().map(|edge| edge.0).collect();
            let labels = labels.into_iter();
            positions
                .extend(labels.filter_map(|l| Some((Position::Label(t, l), self.cost(t, l)?))));
            // If only one edge leads to a label, the end of that edge is the place of the label.
            let several = |to: usize| {
                let ways = edges.iter().filter(|edge| edge.2 == to).count();
                ways + usize::from(to == 0) > 1
            };
            let ends = (0..edges.len()).filter(|&e| several(edges[e].2));
            positions.extend(ends.map(|e| (Position::Edge(t, e), 1)));
        }
        positions
    }

    fn with(&self, fences: &[Position]) -> String {
        let mut text = String::new();
        if self.format == Format::Fence {
            text.push_str("shared c1, c2, c3, c4;\n");
        }
        for (t, edges) in self.threads.iter().enumerate() {
            let head = match self.format {
                Format::Trencher => format!("thread t{t}\ninitial q0\n"),
                Format::Fence | Format::Litmus | Format::LitmusC | Format::C | Format::Rust => {
                    format!("thread t{t} regs r0, r1 init q0 begin\n")
                }
            };
            text.push_str(&head);
            let fence = Op::Fence(Fence::Full);
            let mut fenced = BTreeSet::new();
            for (number, (from, op, to)) in edges.iter().enumerate() {
                let at_label = fences.contains(&Position::Label(t, *from));
                if at_label && fenced.insert(*from) {
                    self.edge(
                        &mut text,
                        (t, *from),
                        [&format!("q{from}"), &format!("l{from}")],
                        &fence,
                    );
                }
                let source = if at_label {
                    format!("l{from}")
                } else {
                    format!("q{from}")
                };
                let target = format!("q{to}");
                if fences.contains(&Position::Edge(t, number)) {
                    let end = format!("e{number}");
                    self.edge(&mut text, (t, *from), [&source, &end], op);
                    // The inserted edge has no annotation.
                    self.edge(&mut text, (t, usize::MAX), [&end, &target], &fence);
                } else {
                    self.edge(&mut text, (t, *from), [&source, &target], op);
                }
            }
            text.push_str("end\n");
        }
        text
    }

    fn edge(&self, text: &mut String, (t, label): (usize, usize), between: [&str; 2], op: &Op) {
        let [from, to] = between;
        let done = if self.format == Format::Trencher {
            writeln!(text, "transition {from} {to} {}", in_trencher(op))
        } else {
            let annotation = match self.cost(t, label.min(100)) {
                _ if label == usize::MAX => String::new(),
                Some(cost) => format!("@cost {cost} "),
                None => "@nofence ".to_owned(),
            };
            writeln!(text, "  {annotation}{from}: {}; goto {to};", in_fence(op))
        };
        assert!(done.is_ok());
    }
}

fn compared(e: &Expr<RegId>) -> Option<(&'static str, u32, i32)> {
    let Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = e else {
        return None;
    };
    let sign = if *op == BinaryOp::Eq { "==" } else { "!=" };
    match **a {
        Expr::Var(RegId(reg)) => Some((sign, reg, b.as_const()?)),
        Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => None,
    }
}

fn in_fence(op: &Op) -> String {
    let found = match op {
        Op::Load { into, addr } => addr.as_const().map(|x| format!("r{} <- mem[c{x}]", into.0)),
        Op::Store { addr, value } => addr
            .as_const()
            .zip(value.as_const())
            .map(|(x, v)| format!("mem[c{x}] <- {v}")),
        Op::Assume(e) => compared(e).map(|(sign, r, v)| format!("assume r{r} {sign} {v}")),
        Op::Fence(Fence::Full) => Some("mfence".to_owned()),
        Op::AtomicBegin => Some("lock".to_owned()),
        Op::WordBegin(_) => Some("lock word".to_owned()),
        Op::AtomicEnd => Some("unlock".to_owned()),
        Op::Skip
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Assert(_)
        | Op::Rmw { .. }
        | Op::Fence(_) => None,
    };
    found.unwrap_or_else(|| "noop".to_owned())
}

fn in_trencher(op: &Op) -> String {
    let found = match op {
        Op::Load { into, addr } => addr.as_const().map(|x| format!("read r{} {x}", into.0)),
        Op::Store { addr, value } => addr
            .as_const()
            .zip(value.as_const())
            .map(|(x, v)| format!("write {v} {x}")),
        Op::Assume(e) => compared(e).map(|(sign, r, v)| format!("check {sign} r{r} {v}")),
        Op::Fence(Fence::Full) => Some("mfence".to_owned()),
        Op::AtomicBegin => Some("lock".to_owned()),
        Op::AtomicEnd => Some("unlock".to_owned()),
        Op::Skip
        | Op::WordBegin(_)
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Assert(_)
        | Op::Rmw { .. }
        | Op::Fence(_) => None,
    };
    found.unwrap_or_else(|| "noop".to_owned())
}

/// Whether the text is robust, according to the explicit engine on the instrumented programs.
fn is_robust(format: Format, text: &str, model: Model) -> Result<Option<bool>, TestCaseError> {
    let options = RobustOptions::new(model)
        .method(Method::Locality)
        .engine(Engine::Explicit);
    let budget = Budget::default().with_states(5_000);
    let parsed = parse_as(format, text);
    let Some(program) = parsed.program else {
        let diagnostics = parsed.diagnostics;
        return Err(TestCaseError::fail(format!("{diagnostics:?}\n{text}")));
    };
    let report = robust(&program, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    Ok(match report.verdict() {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

/// The sets of at most two positions that cost less than this.
fn cheaper(positions: &[(Position, u32)], than: u64) -> Vec<Vec<Position>> {
    let mut sets = vec![(0, Vec::new())];
    for (at, (first, cost)) in positions.iter().enumerate() {
        sets.push((u64::from(*cost), vec![*first]));
        let more = positions[at + 1..].iter();
        sets.extend(more.map(|(second, more)| (u64::from(cost + more), vec![*first, *second])));
    }
    sets.retain(|(cost, _)| *cost < than);
    sets.into_iter().map(|(_, set)| set).collect()
}

fn nothing_cheaper_can_be_written(draft: &Draft, model: Model) -> Result<(), TestCaseError> {
    let text = draft.with(&[]);
    let parsed = parse_as(draft.format, &text);
    let Some(program) = parsed.positions() else {
        let diagnostics = parsed.diagnostics;
        return Err(TestCaseError::fail(format!("{diagnostics:?}\n{text}")));
    };
    let mut stated = BTreeMap::new();
    for (position, cost) in draft.positions() {
        if let Position::Label(t, label) = position {
            stated.insert((format!("t{t}"), format!("q{label}")), cost);
        }
    }
    let options = FenceOptions::new(model, Aim::Robustness).costs(Costs::Stated(stated));
    let budget = Budget::default().with_states(5_000);
    let report = cheapest_fences(program, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    let cost = match report.outcome() {
        Outcome::Found(found) if found.optimal => {
            let places = found.sets[0].iter();
            let changes: Vec<_> = places.flat_map(|place| place.changes(program)).collect();
            match rewrite_as(draft.format, &text, program, &changes) {
                Ok(repaired) => {
                    let answer = is_robust(draft.format, &repaired, model)?;
                    prop_assert_ne!(answer, Some(false), "{}\n{}", model, repaired);
                }
                // A state that is also reached with the lock held.
                Err(why) => prop_assert_eq!(draft.format, Format::Trencher, "{}\n{}", why, text),
            }
            found.cost
        }
        Outcome::Impossible { .. } => u64::MAX,
        Outcome::Found(_) | Outcome::Undecided(_) => return Ok(()),
    };
    for set in cheaper(&draft.positions(), cost) {
        let fenced = draft.with(&set);
        let answer = is_robust(draft.format, &fenced, model)?;
        prop_assert_ne!(
            answer,
            Some(true),
            "{}: cost {} found for\n{}\nbut less suffices:\n{}",
            model,
            cost,
            text,
            fenced
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn nothing_cheaper_can_be_written_into_automata(
        automata in automata(4, Mix::Races),
        costs in prop::collection::vec(
            prop_oneof![2 => Just(Some(1)), 3 => (2..6u32).prop_map(Some), 2 => Just(None)],
            3..9,
        ),
        format in prop_oneof![Just(Format::Fence), Just(Format::Trencher)],
        model in prop_oneof![3 => Just(Model::Tso), 1 => Just(Model::Pso)],
    ) {
        let draft = Draft::new(&automata.build(), format, &costs);
        nothing_cheaper_can_be_written(&draft, model)?;
    }
}
