//! Any number of copies: goals that no instance of a program with `[*]` threads reaches, under SC.
//!
//! Copies of a thread have no identity, so a configuration is a control (memory and the threads that
//! exist once) with a multiset of local states. What all configurations have in common is learnt from
//! their *views*: the control with any `k` of the local states.
//!
//! ```text
//! Program, goals ──▶ stepper (one thread, macro-steps) ──▶ search (views of size k) ──▶ goals not shown
//! ```
//!
//! A goal that no view of some size shows is reached with no number of copies (`Prover`); larger
//! sizes show fewer. For a goal that is shown, only a search of an
//! instance can tell whether it is reached, and with how many
//! copies. The two alternate in `check` and `robustness`.
//!
//! * `stepper`: macro-steps of one thread;
//! * `search`: the closed set of views;
//! * `counts`: the closed set of counts, for goals that depend on copies that must be there;
//! * `certificate`: views as data.
//!
//! **Invariant.** Views only prove that goals are not reached. They never claim that one is.
//!
//! **Absent.** Store buffers: what they add is decided on instrumented programs. What others do for a
//! thread that waits: views and counts only show that it would wait if it acted alone. That is what `forbid
//! stuck` is about, but `forbid stuck w.0` is about more.

mod certificate;
mod counts;
mod intern;
mod search;
mod stepper;

pub use certificate::{LocalState, ViewCertificate, ViewTable};

use crate::program::{Addr, Goal, Program, Site, ThreadId};
use crate::verdict::Budget;
use counts::Counting;
use search::{End, Search, named};
use std::collections::BTreeSet;
use stepper::{Stepper, Trouble};

/// A cell or register with this many values may be what makes the views too many.
const MANY_VALUES: usize = 48;

/// Looks for goals that no number of copies reaches.
pub(crate) struct Prover<'p> {
    program: &'p Program,
    goals: Vec<Goal>,
    stepper: Stepper<'p>,
    /// The cell with the most values in the last search that was not finished.
    widest: Option<(Addr, usize)>,
}

/// What the views of one size show, or counts.
pub(crate) struct Shown {
    /// By goal: whether some view may show it. If not, no configuration with at least this many copies
    /// reaches it.
    pub(crate) goals: Vec<bool>,
    /// The number of views, or of counts.
    pub(crate) views: usize,
    /// Whether the search was finished; if not, every goal counts as shown.
    pub(crate) finished: bool,
    /// The instructions that may be executed, if all views were found.
    pub(crate) executed: Option<BTreeSet<Site>>,
}

impl<'p> Prover<'p> {
    /// For these goals, none of them at a thread that has another one as its class.
    pub(crate) fn new(program: &'p Program, goals: &[Goal]) -> Self {
        Self {
            program,
            goals: goals.to_vec(),
            stepper: Stepper::new(program, goals),
            widest: None,
        }
    }

    /// What the views of this size show, if there are at most `most`.
    pub(crate) fn at(&mut self, size: usize, most: usize, budget: &Budget) -> Shown {
        let (views, end) = Search::new(&mut self.stepper, &self.goals, size).run(most, budget);
        let executed = &self.stepper.executed;
        if end == End::Unfinished {
            self.widest = views.widest;
        }
        Shown {
            views: views.count,
            finished: end != End::Unfinished,
            goals: match end {
                End::Closed | End::AllShown => views.shown,
                End::Unfinished => vec![true; self.goals.len()],
            },
            executed: (end == End::Closed).then(|| executed.clone()),
        }
    }

    /// What counts show, if there are at most `most`: goals that they do not show are reached by no number of
    /// copies.
    pub(crate) fn counted(&mut self, most: usize, budget: &Budget) -> Shown {
        let counting = Counting::new(&mut self.stepper, &self.goals);
        let (shown, count, end) = counting.run(most, budget);
        let executed = &self.stepper.executed;
        Shown {
            views: count,
            finished: end != End::Unfinished,
            goals: match end {
                End::Closed | End::AllShown => shown,
                End::Unfinished => vec![true; self.goals.len()],
            },
            executed: (end == End::Closed).then(|| executed.clone()),
        }
    }

    /// Why there are too many views, if one part of the program explains it: a sentence without a full
    /// stop.
    pub(crate) fn obstacle(&self) -> Option<String> {
        let program = self.program;
        let line = |site: Site| program.line_words(program.instruction(site).origin);
        match self.stepper.trouble {
            Some(Trouble::Nondet(site)) => {
                return Some(format!(
                    "the `nondet` in {} has too many values",
                    line(site)
                ));
            }
            Some(Trouble::Block(site)) => {
                return Some(format!("the atomic block in {} does too much", line(site)));
            }
            None => {}
        }
        let cell = self.widest;
        let register = self.stepper.widest_register();
        match (cell, register) {
            (Some((addr, count)), other)
                if count >= MANY_VALUES && other.is_none_or(|(_, _, most)| most <= count) =>
            {
                Some(format!(
                    "`{}` takes at least {count} values: it may grow with the number of copies or of \
                     iterations",
                    program.cell_name(addr)
                ))
            }
            (_, Some((thread, reg, count))) if count >= MANY_VALUES => {
                let thread = program.thread(thread);
                Some(format!(
                    "`{}.{}` takes at least {count} values",
                    thread.name(),
                    thread.registers()[reg.index()].name
                ))
            }
            (_, _) => None,
        }
    }
}

/// The views of this size as evidence that these goals are not reached; `None` if some view shows one
/// of them, or there are more than `most`.
///
/// The evidence is of single steps, so there are more of these views than of those that a `Prover`
/// counts.
pub fn view_certificate(
    program: &Program,
    goals: &[Goal],
    size: usize,
    most: usize,
    budget: &Budget,
) -> Option<ViewCertificate> {
    let mut stepper = Stepper::single_steps(program);
    let (views, end) = Search::new(&mut stepper, goals, size).run(most, budget);
    if end != End::Closed || views.shown.contains(&true) {
        return None;
    }
    let locals = stepper.locals.all().iter().map(|items| LocalState {
        thread: items[0] as u32,
        location: items[1] as u32,
        registers: items[2..].to_vec(),
    });
    let tables = views.controls.all().iter().zip(&views.tables);
    Some(ViewCertificate {
        size,
        locals: locals.collect(),
        tables: tables
            .map(|(control, table)| ViewTable {
                memory: stepper.memories.get(control[0]).to_vec(),
                singles: control[1..].to_vec(),
                views: table.list.iter().map(|view| view.to_vec()).collect(),
            })
            .collect(),
    })
}

/// The threads of classes that the predicate of a property names, ascending.
pub(crate) fn named_copies(program: &Program, property: usize) -> Vec<ThreadId> {
    named(program, property)
}
