//! Threads that wait forever, by definition: a thread is run alone, while memory stays as it is.
//!
//! Only configurations in which nothing is buffered and no thread is inside an atomic block matter
//! here. From there the thread runs under SC: as long as each store writes the value that is in
//! memory, a buffer would change nothing. An atomic block is one action, so what it writes counts
//! when it ends.
//!
//! Memory does not change, so the thread has finitely many states here in practice, and each thread
//! is examined by itself. What is found depends only on its state and on the cells it accessed, and
//! is kept under these.

use super::Halt;
use super::machine::{Config, Machine};
use super::rules::MOST_CHOICES;
use super::{Action, Step};
use crate::model::Model;
use crate::program::{Addr, LocId, Op, Program, ThreadId};
use ahash::{AHashMap, AHashSet};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A thread that has more states than this while it runs alone is not said to wait.
pub(super) const MOST_STATES: usize = 100_000;

/// The values of the cells that a thread accessed while it ran alone, and whether it waits.
type Finding = (Vec<(Addr, i32)>, bool);

/// The examination of threads one by one, with what was found before.
pub(super) struct Alone<'p> {
    machine: Machine<'p>,
    /// By thread, location and registers.
    known: RefCell<AHashMap<(ThreadId, LocId, Vec<i32>), Vec<Finding>>>,
    gave_up: Cell<bool>,
}

/// What a thread that waits forever does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiter {
    /// The thread.
    pub thread: ThreadId,
    /// The locations that it visits again and again.
    pub around: BTreeSet<LocId>,
    /// The cells that it reads there, with their values.
    pub sees: BTreeMap<Addr, i32>,
}

/// The threads that wait forever in a halting configuration, if it is stuck, else none.
pub fn waiters(program: &Program, halt: &Halt) -> Vec<Waiter> {
    let alone = Alone::new(program);
    let config = alone.machine.halting(halt);
    if !alone.is_stuck(&config) {
        return Vec::new();
    }
    let waiter = |thread| match alone.run(&config, thread) {
        Walk::Waits(waiter) => Some(waiter),
        Walk::Moves(_) | Walk::TooLong => None,
    };
    program.thread_ids().filter_map(waiter).collect()
}

/// How a thread continues alone. Each time with the cells that decide it.
enum Walk {
    Waits(Waiter),
    /// It ends, changes memory, or has to stop.
    Moves(BTreeMap<Addr, i32>),
    TooLong,
}

impl<'p> Alone<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            machine: Machine::new(program, Model::Sc),
            known: RefCell::default(),
            gave_up: Cell::new(false),
        }
    }

    /// Whether some thread had too many states to be examined.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Whether a halting configuration is stuck.
    pub(super) fn is_stuck(&self, config: &Config) -> bool {
        let program = self.machine.program;
        let ended = |thread: ThreadId| {
            let loc = config.locations[thread.index()];
            program.thread(thread).is_end(loc)
        };
        let mut open = program.thread_ids().filter(|&t| !ended(t)).peekable();
        open.peek().is_some() && open.all(|thread| self.waits(config, thread))
    }

    /// Whether a thread waits in a halting configuration.
    pub(super) fn waits(&self, config: &Config, thread: ThreadId) -> bool {
        let key = (
            thread,
            config.locations[thread.index()],
            self.machine.registers_of(config, thread).to_vec(),
        );
        if let Some(findings) = self.known.borrow().get(&key) {
            let same = |&(addr, value): &(Addr, i32)| config.memory[addr.index()] == value;
            if let Some((_, waits)) = findings.iter().find(|(cells, _)| cells.iter().all(same)) {
                return *waits;
            }
        }
        let (cells, waits) = match self.run(config, thread) {
            Walk::Waits(waiter) => (waiter.sees, true),
            Walk::Moves(cells) => (cells, false),
            Walk::TooLong => {
                self.gave_up.set(true);
                return false;
            }
        };
        let finding = (cells.into_iter().collect(), waits);
        self.known
            .borrow_mut()
            .entry(key)
            .or_default()
            .push(finding);
        waits
    }

    /// The loop in which a thread waits in a halting configuration: the locations to which it keeps
    /// returning. `None` if it does not wait.
    pub(super) fn waits_around(&self, config: &Config, thread: ThreadId) -> Option<Waiter> {
        match self.run(config, thread) {
            Walk::Waits(waiter) => Some(waiter),
            Walk::Moves(_) | Walk::TooLong => None,
        }
    }

    /// Runs a thread alone.
    fn run(&self, config: &Config, thread: ThreadId) -> Walk {
        let machine = &self.machine;
        let mut sees: BTreeMap<Addr, i32> = BTreeMap::new();
        let mut states: Vec<Config> = vec![config.clone()];
        let mut numbers = AHashMap::from([(self.key(config, thread), 0_usize)]);
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while let Some(state) = states.get(edges.len()).cloned() {
            let mut next = Vec::new();
            let loc = state.locations[thread.index()];
            let automaton = machine.program.thread(thread);
            if automaton.is_end(loc) {
                return Walk::Moves(sees);
            }
            for step in self.steps(thread, loc) {
                let mut after = state.clone();
                let Ok(action) = machine.apply(&mut after, step) else {
                    continue;
                };
                if let Action::Load { addr, .. }
                | Action::Rmw { addr, .. }
                | Action::Flush { addr, .. } = action
                {
                    sees.insert(addr, config.memory[addr.index()]);
                }
                let inside = automaton.location(after.locations[thread.index()]).atomic;
                if !inside && after.memory != config.memory {
                    return Walk::Moves(sees);
                }
                let number = numbers.len();
                let number = *numbers.entry(self.key(&after, thread)).or_insert(number);
                if number == states.len() {
                    states.push(after);
                }
                next.push(number);
            }
            edges.push(next);
            if states.len() > MOST_STATES {
                return Walk::TooLong;
            }
        }
        let around: BTreeSet<LocId> = repeated(&edges)
            .into_iter()
            .map(|number| states[number].locations[thread.index()])
            .collect();
        if around.is_empty() {
            return Walk::Moves(sees);
        }
        Walk::Waits(Waiter {
            thread,
            around,
            sees,
        })
    }

    /// The steps that a thread may take at a location. Of a `nondet` over too many values only the
    /// first are tried: a search that gets here reports it.
    fn steps(&self, thread: ThreadId, loc: LocId) -> Vec<Step> {
        let automaton = self.machine.program.thread(thread);
        let mut steps = Vec::new();
        for &instr in automaton.outgoing(loc) {
            let mut push = |choice| {
                steps.push(Step::Execute {
                    thread,
                    instr,
                    choice,
                });
            };
            if let Op::Havoc { low, high, .. } = automaton.instruction(instr).op {
                let last = i64::from(high).min(i64::from(low) + MOST_CHOICES - 1);
                (low..=last as i32).for_each(|value| push(Some(value)));
            } else {
                push(None);
            }
        }
        steps
    }

    /// What distinguishes the states of one thread that runs alone: memory differs only inside a
    /// block.
    fn key(&self, config: &Config, thread: ThreadId) -> Vec<i32> {
        let loc = config.locations[thread.index()];
        let mut key = vec![loc.index() as i32];
        key.extend(self.machine.registers_of(config, thread));
        if self.machine.program.thread(thread).location(loc).atomic {
            key.extend(&config.memory);
        }
        key
    }
}

/// The nodes of a graph that are on cycles, or on a way from one cycle to another.
fn repeated(edges: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut kept: AHashSet<usize> = (0..edges.len()).collect();
    loop {
        let before = kept.len();
        let entered: AHashSet<usize> = kept
            .iter()
            .flat_map(|&from| edges[from].iter().copied())
            .filter(|to| kept.contains(to))
            .collect();
        let left: AHashSet<usize> = kept
            .iter()
            .copied()
            .filter(|&from| edges[from].iter().any(|to| kept.contains(to)))
            .collect();
        kept.retain(|node| entered.contains(node) && left.contains(node));
        if kept.len() == before {
            return kept.into_iter().collect();
        }
    }
}
