//! A replayed run as rows and as a cycle, independent of the output format.

mod folded;
mod lifetimes;
mod waits;

use self::folded::{is_idle_part, unobserved};
#[cfg(feature = "cli")]
pub(super) use self::waits::Wait;
pub(super) use self::waits::{waiting, waits, waits_at_end};
use super::source::{Caller, called_at};
use super::table::Cell;
use super::{ShownRun, Source};
use crate::program::{Addr, Goal, Op, Program, RegId, Site, ThreadId};
use crate::reference::{Action, Buffered, Buffers, Moment, Relation, Run, Shape, Step};
use crate::visible::visible_line;
use std::fmt;

/// One step of a run, in words. Printed as `t0, line 4: r = y; (y is 0)`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunStep<'a> {
    /// The name of the thread.
    pub thread: &'a str,
    /// The line of the statement, from 1; `None` if the program was made without a text.
    pub line: Option<u32>,
    /// The file of that line, if it is not the one that the program was read from.
    pub file: Option<&'a str>,
    /// The calls through which control got there, the innermost first; empty if the thread gets to this
    /// line in one way only.
    pub callers: Vec<Caller<'a>>,
    /// The statement, as it was written or as an instruction of an automaton. Where a store leaves
    /// a buffer, the statement that issued it.
    pub text: String,
    /// What the step did, such as `y is 0` or `x = 1 reaches memory`; empty if the statement says
    /// all.
    pub effect: String,
    /// The value that was loaded, stored, or chosen by `nondet`; `None` if it was never written.
    pub value: Option<i32>,
}

impl fmt::Display for RunStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.thread)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
            if let Some(file) = self.file {
                write!(f, " of {file}")?;
            }
            f.write_str(&called_at(&self.callers))?;
        }
        write!(f, ": {}", self.text)?;
        if self.effect.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", self.effect)
    }
}

/// A step in words.
pub(super) fn step<'a>(source: &Source<'a>, moment: &Moment) -> RunStep<'a> {
    let program = source.program;
    let origin = program.instruction(moment.site).origin;
    RunStep {
        thread: source.thread(moment.site.thread),
        line: origin.known_line(),
        file: program.file(origin),
        callers: source.callers(moment.site),
        text: source.statement(moment.site),
        effect: effect(source, moment),
        value: value(moment).filter(|value| program.unwritten() != Some(*value)),
    }
}

fn value(moment: &Moment) -> Option<i32> {
    match moment.action {
        Action::Issue { value, .. }
        | Action::Flush { value, .. }
        | Action::Load { value, .. }
        | Action::Advance { value, .. }
        | Action::Rmw { new: value, .. } => Some(value),
        Action::Fence | Action::Retire => None,
        Action::Local => match moment.step {
            Step::Execute { choice, .. } => choice,
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
        },
    }
}

/// Which steps are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// All.
    All,
    /// Those that access memory, order accesses, choose a value, or state a property.
    Accesses,
    /// These without the stores that reach memory where that changes nothing for anyone.
    Observed,
}

/// One step worth showing.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its position in the run.
    pub(super) at: usize,
    /// Whether it is an access of the happens-before cycle.
    pub(super) on_cycle: bool,
    /// The calls through which the thread got there, if it was not there in its last row:
    /// `in set(), called at line 7:`.
    pub(super) calls: String,
    /// The thread that acts.
    pub(super) thread: ThreadId,
    /// The instruction that it executes or, where a store leaves a buffer, the one that issued it.
    pub(super) site: Site,
    /// The statement of that instruction, without its line.
    pub(super) text: String,
    /// The statement that the step executes, with its line; empty for buffer steps.
    pub(super) statement: String,
    /// The effect of the step.
    pub(super) effect: String,
    /// The buffer contents after the step: `t0: x=1 y=2; t1: z=1`. Empty if all buffers are empty.
    pub(super) buffers: String,
}

impl Row {
    /// The row's text in its thread's column.
    pub(super) fn cell(&self) -> Cell {
        if self.statement.is_empty() {
            return Cell::new(&self.effect);
        }
        Cell::with_effect(&self.statement, &self.effect).below(&self.calls)
    }
}

/// A run as rows, with its happens-before cycle.
pub(super) struct Evidence {
    /// The steps that are shown, oldest first.
    pub(super) rows: Vec<Row>,
    /// The cycle, if there is one.
    pub(super) cycle: Option<Cycle>,
}

/// The steps of a run, and its cycle.
pub(super) fn evidence(of: &ShownRun<'_>, shown: Shown) -> Evidence {
    let ShownRun { source, goal, run } = of;
    let goal = *goal;
    let cycle = cycle(run);
    // Where a value may leave 32 bits, only a step at which one does is of interest.
    let is_kept = |site: Site| {
        source.program.limits().binary_search(&site).is_err()
            || run.reached.contains(&Goal::Assert(site))
    };
    let accesses = |moment: &Moment| match moment.step {
        Step::Execute { .. } => source.is_relevant(moment.site) && is_kept(moment.site),
        Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => true,
    };
    let on_cycle: Vec<usize> = cycle
        .iter()
        .flat_map(|c| c.edges.iter().map(|e| e.at))
        .collect();
    let last_failing = run.moments.iter().rposition(|moment| {
        goal == Some(Goal::Assert(moment.site)) && matches!(moment.step, Step::Execute { .. })
    });
    // Where an execution is not covered any further.
    let limit = run.moments.iter().rposition(|moment| {
        source.program.fault(moment.site).is_some()
            && source.program.limits().binary_search(&moment.site).is_ok()
            && run.reached.contains(&Goal::Assert(moment.site))
            && matches!(moment.step, Step::Execute { .. })
    });
    let unobserved = match shown {
        Shown::All | Shown::Accesses => Vec::new(),
        Shown::Observed => unobserved(of, &on_cycle),
    };
    // The calls in which each thread was in its last row.
    let mut calls: Vec<String> = vec![String::new(); source.program.threads().len()];
    let mut buffered = Buffers::default();
    let mut rows = Vec::new();
    for (at, moment) in run.moments.iter().enumerate() {
        buffered.advance(moment);
        let fails = last_failing == Some(at);
        let is_shown = shown == Shown::All || fails || limit == Some(at) || accesses(moment);
        let is_part = shown == Shown::Observed && is_idle_part(source, run, at);
        if !is_shown || is_part || unobserved.contains(&at) {
            continue;
        }
        let mut row = row(source, moment, &buffered, fails);
        row.at = at;
        if limit == Some(at) {
            "→ is not followed further".clone_into(&mut row.effect);
        }
        row.on_cycle = on_cycle.contains(&at);
        if matches!(moment.step, Step::Execute { .. }) {
            let own = source.calls(moment.site);
            let known = &mut calls[moment.site.thread.index()];
            if *known != own {
                row.calls.clone_from(&own);
                *known = own;
            }
        }
        rows.push(row);
    }
    Evidence { rows, cycle }
}

/// The threads that act in some row, ordered by number.
pub(super) fn acting_threads(rows: &[Row]) -> Vec<ThreadId> {
    let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

/// A happens-before cycle between source statements.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// What kind of cycle it is.
    pub(super) shape: Option<Shape>,
    /// Its edges; each ends where the next begins.
    pub(super) edges: Vec<Edge>,
}

/// A happens-before edge.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The earlier access.
    pub(super) from: Site,
    /// The position in the run at which the earlier access is executed.
    pub(super) at: usize,
    /// The later access.
    pub(super) to: Site,
    /// The relation that orders them.
    pub(super) relation: Relation,
    /// The cell that both access; `None` for `po` and atomic blocks.
    pub(super) addr: Option<Addr>,
}

impl Edge {
    /// Its relation with its cell: `fr on x`.
    pub(super) fn label(&self, source: &Source<'_>) -> String {
        match self.addr {
            Some(addr) => format!("{} on {}", self.relation, source.program.cell_name(addr)),
            None => self.relation.to_string(),
        }
    }
}

/// A cycle of the run's happens-before relation. There is one if and only if the run is impossible
/// under sequential consistency [BDM13, Lemma 1].
pub(super) fn cycle(run: &Run) -> Option<Cycle> {
    let before = run.happens_before();
    let nodes = before.cycle()?;
    let next = nodes.iter().cycle().skip(1);
    let edges = nodes
        .iter()
        .zip(next)
        .map(|(&(from, relation), &(to, _))| {
            let (from, to) = (before.event(from), before.event(to));
            Edge {
                from: from.site,
                at: from.executed,
                to: to.site,
                relation,
                addr: match relation {
                    Relation::Rf | Relation::Co | Relation::Fr => Some(from.addr),
                    Relation::Po | Relation::Block => None,
                },
            }
        })
        .collect();
    let shape = before.shape();
    Some(Cycle { shape, edges })
}

fn row(source: &Source<'_>, moment: &Moment, buffered: &Buffers, fails: bool) -> Row {
    let executed = matches!(moment.step, Step::Execute { .. });
    let step = step(source, moment);
    let origin = source.program.instruction(moment.site).origin;
    let file = source.program.short_file(origin);
    let file = file.map_or_else(String::new, |file| format!("{}:", visible_line(file)));
    let statement = match (executed, step.line) {
        (true, Some(line)) => format!("{file}{line}: {}", step.text),
        (true, None) => step.text.clone(),
        (false, _) => String::new(),
    };
    let effect = match (executed, step.effect.as_str()) {
        (true, _) if fails => "→ fails".to_owned(),
        (true, "") => String::new(),
        (true, effect) => format!("→ {effect}"),
        (false, effect) => format!("… {effect}"),
    };
    Row {
        at: 0,
        on_cycle: false,
        calls: String::new(),
        thread: moment.site.thread,
        site: moment.site,
        text: step.text,
        statement,
        effect,
        buffers: buffers(source.program, buffered),
    }
}

/// What a step did, where its statement does not say that.
fn effect(source: &Source<'_>, moment: &Moment) -> String {
    let program = source.program;
    if let Some(meaning) = lifetimes::meaning(program, &moment.action) {
        return meaning;
    }
    let name = |addr: Addr| program.cell_name(addr);
    let words = |value: i32| value_words(program, value);
    let executed = match moment.step {
        Step::Execute { choice, .. } => Some(choice),
        Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
    };
    match &moment.action {
        // The buffer column shows what was issued.
        Action::Issue { .. } | Action::Fence => String::new(),
        Action::Flush { addr, value } if executed.is_some() => {
            format!("{} = {}", name(*addr), words(*value))
        }
        Action::Flush { addr, value } => {
            format!("{} = {} reaches memory", name(*addr), words(*value))
        }
        Action::Load { addr, value, early } => {
            let from = if *early { ", own buffer" } else { "" };
            if program.unwritten() == Some(*value) {
                format!("{} was never written{from}", name(*addr))
            } else {
                format!("{} is {value}{from}", name(*addr))
            }
        }
        Action::Rmw { addr, old, new } => {
            format!("{}: {} becomes {}", name(*addr), words(*old), words(*new))
        }
        Action::Advance { addr, value } => {
            format!("{} = {} enters the FIFO", name(*addr), words(*value))
        }
        Action::Retire => "the fence leaves the buffer".to_owned(),
        Action::Local => match (executed.flatten(), &program.instruction(moment.site).op) {
            (Some(choice), Op::Havoc { into, .. }) => {
                let chosen = chosen(program, moment.site, *into, choice);
                // What is written may go several ways, and does not say that it chooses a number.
                let its = if source.statement(moment.site).contains("nondet") {
                    ""
                } else {
                    "its model "
                };
                format!("{its}chooses {chosen}")
            }
            (_, _) => String::new(),
        },
    }
}

/// The value that a choice stands for: front ends may choose the number of one, which the next instruction looks up.
fn chosen(program: &Program, site: Site, register: RegId, choice: i32) -> i32 {
    let thread = program.thread(site.thread);
    let target = program.instruction(site).to;
    let next = thread.instructions().iter();
    let next = next.filter(|instruction| instruction.from == target);
    let looked_up = next.map(|instruction| {
        let Op::Assign { into, value } = &instruction.op else {
            return None;
        };
        let mut others = *into != register;
        let value = value.eval(|variable| {
            others |= variable != register;
            choice
        });
        (!others).then_some(value)
    });
    let looked_up: Vec<Option<i32>> = looked_up.collect();
    match looked_up[..] {
        [Some(value)] => value,
        _ => choice,
    }
}

/// The number, or that nothing was ever written where it comes from.
fn value_words(program: &Program, value: i32) -> String {
    if program.unwritten() == Some(value) {
        "(never written)".to_owned()
    } else {
        value.to_string()
    }
}

/// How many of the items of a full buffer are shown at its beginning, and at its end.
const SHOWN: usize = 4;

fn buffers(program: &Program, buffers: &Buffers) -> String {
    let item = |item: &Buffered| match item {
        Buffered::Store { addr, value } => {
            let value = value_words(program, *value);
            format!("{}={value}", program.cell_name(*addr))
        }
        Buffered::Fence { .. } => "fence".to_owned(),
    };
    let parts: Vec<String> = buffers
        .occupied()
        .map(|(thread, items)| {
            let hidden = items.len().saturating_sub(2 * SHOWN);
            let mut words: Vec<String> = if hidden > 1 {
                let ends = items[..SHOWN].iter().chain(&items[SHOWN + hidden..]);
                ends.map(item).collect()
            } else {
                items.iter().map(item).collect()
            };
            if hidden > 1 {
                words.insert(SHOWN, format!("({hidden} more)"));
            }
            let name = program.thread(thread).name();
            format!("{name}: {}", words.join(" "))
        })
        .collect();
    parts.join("; ")
}
