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
use super::liveness::dead_registers;
use super::machine::{Config, Machine};
use super::rules::MOST_CHOICES;
use super::{Action, Step};
use crate::model::Model;
use crate::program::{Addr, LocId, Op, Program, RegId, ThreadId};
use ahash::{AHashMap, AHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A thread that has more states than this while it runs alone, or a choice among too many values, is
/// not said to wait.
pub const MOST_STATES: usize = 20_000;

/// A thread's own state: its location and registers.
type Local = (ThreadId, LocId, Vec<i32>);

/// The values of the cells that a thread accessed while it ran alone, and whether it waits.
type Finding = (Vec<(Addr, i32)>, bool);

/// The examination of threads one by one, with what was found before.
pub struct Alone<'p> {
    machine: Machine<'p>,
    /// By thread and location: the registers whose values do not matter.
    dead: Vec<Vec<Vec<RegId>>>,
    known: RefCell<AHashMap<Local, Vec<Finding>>>,
    /// Where a thread had too many states, or choices. It is not examined there again.
    too_long: RefCell<AHashSet<(ThreadId, LocId)>>,
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

/// The threads that wait in a halting configuration: run alone from there, they would wait forever.
pub fn waiters(program: &Program, halt: &Halt) -> Vec<Waiter> {
    let alone = Alone::new(program);
    let config = alone.machine.halting(halt);
    let threads = program.thread_ids();
    threads
        .filter_map(|thread| alone.waiter(&config, thread))
        .collect()
}

/// Whether each thread that waits in a halting configuration has arrived where it waits: there, it only
/// repeats itself.
pub fn have_arrived(program: &Program, halt: &Halt) -> bool {
    let mut waiters = waiters(program, halt).into_iter();
    waiters.all(|waiter| {
        waiter
            .around
            .contains(&halt.locations[waiter.thread.index()])
    })
}

/// The steps by which the threads that wait in a halting configuration arrive where they wait. They
/// change nothing but these threads; a store on the way stores what is there.
pub fn arrival(program: &Program, halt: &Halt) -> Vec<Step> {
    let alone = Alone::new(program);
    let mut config = alone.machine.halting(halt);
    let mut steps = Vec::new();
    for thread in program.thread_ids() {
        steps.extend(alone.way(&mut config, thread));
    }
    steps
}

/// How a thread continues alone.
enum Walk {
    Waits(Waiter),
    /// It ends, changes memory, or has to stop.
    Moves,
    TooLong,
}

impl<'p> Alone<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            machine: Machine::new(program, Model::Sc),
            dead: program
                .threads()
                .iter()
                .map(|thread| dead_registers(thread, |_| false))
                .collect(),
            known: RefCell::default(),
            too_long: RefCell::default(),
        }
    }

    /// Whether some thread had too many states, or choices, to be examined.
    pub fn gave_up(&self) -> bool {
        !self.too_long.borrow().is_empty()
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
        let mut accessed = BTreeSet::new();
        let waits = match self.run(config, thread, &mut accessed) {
            Walk::Waits(_) => true,
            Walk::Moves => false,
            Walk::TooLong => return false,
        };
        let cells = accessed.into_iter();
        let cells = cells.map(|addr| (addr, config.memory[addr.index()]));
        let finding = (cells.collect(), waits);
        self.known
            .borrow_mut()
            .entry(key)
            .or_default()
            .push(finding);
        waits
    }

    /// Whether each thread that waits has arrived where it waits, as in [`have_arrived`].
    pub fn have_arrived(&self, config: &Config) -> bool {
        self.machine.program.thread_ids().all(|thread| {
            let waiter = self.waiter(config, thread);
            waiter.is_none_or(|waiter| waiter.around.contains(&config.locations[thread.index()]))
        })
    }

    /// What a thread does that waits in a halting configuration; `None` if it does not wait.
    pub(super) fn waiter(&self, config: &Config, thread: ThreadId) -> Option<Waiter> {
        match self.run(config, thread, &mut BTreeSet::new()) {
            Walk::Waits(waiter) => Some(waiter),
            Walk::Moves | Walk::TooLong => None,
        }
    }

    /// The shortest way of a thread that waits to where it has arrived, and the configuration there; no
    /// steps if it does not wait. A way can also lead to where an assumption fails, and the thread stops
    /// for good without waiting.
    fn way(&self, config: &mut Config, thread: ThreadId) -> Vec<Step> {
        if self.waiter(config, thread).is_none() {
            return Vec::new();
        }
        let has_arrived = |config: &Config| {
            let waiter = self.waiter(config, thread);
            waiter.is_some_and(|waiter| waiter.around.contains(&config.locations[thread.index()]))
        };
        let mut seen = AHashSet::from([self.key(config, thread)]);
        let mut states = VecDeque::from([(config.clone(), Vec::new())]);
        while let Some((state, way)) = states.pop_front() {
            if self.machine.inside(&state).is_none() && has_arrived(&state) {
                *config = state;
                return way;
            }
            let loc = state.locations[thread.index()];
            for step in self.steps(thread, loc).unwrap_or_default() {
                let mut after = state.clone();
                if self.machine.apply(&mut after, step).is_ok()
                    && seen.insert(self.key(&after, thread))
                {
                    states.push_back((after, [&way[..], &[step]].concat()));
                }
            }
        }
        Vec::new()
    }

    /// Runs a thread alone, and collects the cells that it accesses.
    fn run(&self, config: &Config, thread: ThreadId, accessed: &mut BTreeSet<Addr>) -> Walk {
        let here = (thread, config.locations[thread.index()]);
        if self.too_long.borrow().contains(&here) {
            return Walk::TooLong;
        }
        let walk = self.walk(config, thread, accessed);
        if let Walk::TooLong = walk {
            self.too_long.borrow_mut().insert(here);
        }
        walk
    }

    fn walk(&self, config: &Config, thread: ThreadId, accessed: &mut BTreeSet<Addr>) -> Walk {
        let machine = &self.machine;
        let automaton = machine.program.thread(thread);
        let mut first = config.clone();
        self.forget(&mut first, thread);
        let mut numbers = AHashMap::from([(self.key(&first, thread), 0_usize)]);
        let mut states: Vec<Config> = vec![first];
        // By state: the states after it, each with the cell that is read on the way.
        let mut edges: Vec<Vec<(usize, Option<Addr>)>> = Vec::new();
        while let Some(state) = states.get(edges.len()).cloned() {
            let mut next = Vec::new();
            let loc = state.locations[thread.index()];
            if automaton.is_end(loc) {
                return Walk::Moves;
            }
            let Some(steps) = self.steps(thread, loc) else {
                return Walk::TooLong;
            };
            for step in steps {
                let mut after = state.clone();
                let Ok(action) = machine.apply(&mut after, step) else {
                    continue;
                };
                let read = match action {
                    Action::Load { addr, .. } | Action::Rmw { addr, .. } => Some(addr),
                    Action::Issue { .. }
                    | Action::Flush { .. }
                    | Action::Fence
                    | Action::Advance { .. }
                    | Action::Retire
                    | Action::Local => None,
                };
                accessed.extend(read);
                if let Action::Flush { addr, .. } = action {
                    accessed.insert(addr);
                }
                let inside = automaton.location(after.locations[thread.index()]).atomic;
                if !inside && after.memory != config.memory {
                    return Walk::Moves;
                }
                self.forget(&mut after, thread);
                let number = numbers.len();
                let number = *numbers.entry(self.key(&after, thread)).or_insert(number);
                if number == states.len() {
                    states.push(after);
                }
                next.push((number, read));
            }
            edges.push(next);
            if states.len() > MOST_STATES {
                return Walk::TooLong;
            }
        }
        let repeated = repeated(&edges);
        if repeated.is_empty() {
            return Walk::Moves;
        }
        let around = repeated.iter();
        let around = around.map(|&number| states[number].locations[thread.index()]);
        let read = repeated.iter().flat_map(|&number| &edges[number]);
        let read = read.filter(|(to, _)| repeated.contains(to));
        let read = read.filter_map(|&(_, cell)| cell);
        Walk::Waits(Waiter {
            thread,
            around: around.collect(),
            sees: read
                .map(|cell| (cell, config.memory[cell.index()]))
                .collect(),
        })
    }

    /// The steps that a thread may take at a location; `None` if a `nondet` has too many values.
    fn steps(&self, thread: ThreadId, loc: LocId) -> Option<Vec<Step>> {
        let automaton = self.machine.program.thread(thread);
        let mut steps = Vec::new();
        for &instr in automaton.outgoing(loc) {
            let execute = |choice| Step::Execute {
                thread,
                instr,
                choice,
            };
            if let Op::Havoc { low, high, .. } = automaton.instruction(instr).op {
                if i64::from(high) - i64::from(low) >= MOST_CHOICES {
                    return None;
                }
                steps.extend((low..=high).map(|value| execute(Some(value))));
            } else {
                steps.push(execute(None));
            }
        }
        Some(steps)
    }

    /// Sets the registers of a thread to 0 whose values do not matter.
    fn forget(&self, config: &mut Config, thread: ThreadId) {
        let loc = config.locations[thread.index()];
        for &reg in &self.dead[thread.index()][loc.index()] {
            config.registers[self.machine.slot(thread, reg)] = 0;
        }
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
fn repeated(edges: &[Vec<(usize, Option<Addr>)>]) -> BTreeSet<usize> {
    let mut kept: AHashSet<usize> = (0..edges.len()).collect();
    loop {
        let before = kept.len();
        let entered: AHashSet<usize> = kept
            .iter()
            .flat_map(|&from| edges[from].iter().map(|&(to, _)| to))
            .filter(|to| kept.contains(to))
            .collect();
        let left: AHashSet<usize> = kept
            .iter()
            .copied()
            .filter(|&from| edges[from].iter().any(|(to, _)| kept.contains(to)))
            .collect();
        kept.retain(|node| entered.contains(node) && left.contains(node));
        if kept.len() == before {
            return kept.into_iter().collect();
        }
    }
}
