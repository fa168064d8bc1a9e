//! Data races, in the sense of languages whose compilers may reorder plain accesses.
//!
//! Two accesses of one cell by different threads, a store among them and at least one of them plain,
//! race if neither happens before the other. Program order, and an acquiring access that reads from a
//! releasing one, make *happens before*; so do locks and the beginnings and ends of threads, which are
//! such accesses.
//!
//! A compare-exchange that fails is a load, with the order that the text asks for in that case.
//!
//! A search visits all executions under SC. Vectors of counters would make every configuration a new
//! one. Here the clocks are finite: at most the *last* access of each thread and kind to the cell can
//! matter, because an earlier one happens before everything that the last one happens before. So a clock
//! is a set of such accesses: those that happen before.
//!
//! ```text
//!   current   of a thread: what happens before its next step
//!   released  what happened before its last releasing fence, which its relaxed stores publish
//!   pending   what its relaxed loads have read, which its next acquiring fence takes
//!   published of a cell: what an acquiring load takes
//! ```
//!
//! **Incomplete:** of a choice among more than 256 values only those next to constants of the program are
//! followed.
//!
//! Cost: one search for each cell in question. Local steps are reduced as in `reduce`: they change no
//! clock but their own thread's.

use super::Action;
use super::Step;
use super::machine::{Config, Machine};
use super::pack::{pack, unpack};
use super::reduce::{Reduce, Reduction};
use super::rules::MOST_CHOICES;
use crate::model::Model;
use crate::program::{Addr, Op, Ordered, Ordering, Program, Site, ThreadId, Update};
use crate::verdict::Budget;
use ahash::AHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Races {
    /// These two accesses race in some execution, the first one before the second.
    Found([Site; 2]),
    /// There is no race.
    None,
    /// The search did not end.
    Open,
}

/// Searches for a data race on a cell; also the number of states.
pub fn data_race(ordered: &Ordered, cell: Addr, budget: &Budget) -> (Races, usize) {
    let program = &ordered.program;
    let threads = program.threads().len();
    if threads > MOST_THREADS {
        return (Races::Open, 0);
    }
    let machine = Machine::new(program, Model::Sc);
    let reduce = Reduce::new(&machine, &[], Reduction::ALL);
    let mut config = machine.initial();
    reduce.normalise(&mut config);
    let mut next = config.clone();
    let mut bytes = Vec::new();
    let first = Clocks::new(threads);
    first.pack(&config, &mut bytes);
    let mut seen = AHashSet::from([bytes.clone()]);
    pack(&config, &mut bytes);
    let mut stack = vec![(bytes.clone(), first)];
    let mut steps = Vec::new();
    let samples = samples(program);
    while let Some((packed, clocks)) = stack.pop() {
        if budget.is_stopped() {
            return (Races::Open, seen.len());
        }
        unpack(&packed, &mut config);
        steps.clear();
        if machine.propose(&config, &mut steps).is_some() {
            sample(&machine, &config, &samples, &mut steps);
        }
        reduce.choose(&machine, &config, &mut steps);
        for &step in &steps {
            next.clone_from(&config);
            let Ok(action) = machine.apply(&mut next, step) else {
                continue;
            };
            let mut clocks = clocks.clone();
            if let Some(site) = executed(step) {
                let fails = fails(&machine, &config, site, &action);
                if let Some(other) = clocks.step(ordered, cell, (site, fails), &action) {
                    return (Races::Found([other, site]), seen.len());
                }
            }
            reduce.normalise(&mut next);
            clocks.pack(&next, &mut bytes);
            if !seen.contains(&bytes) {
                if seen.len() >= budget.states {
                    return (Races::Open, seen.len());
                }
                seen.insert(bytes.clone());
                pack(&next, &mut bytes);
                stack.push((bytes.clone(), clocks));
            }
        }
    }
    (Races::None, seen.len())
}

/// The constants of a program and their neighbours.
fn samples(program: &Program) -> BTreeSet<i32> {
    let mut samples = BTreeSet::from([i32::MIN, -1, 0, 1, i32::MAX]);
    for (_, instruction) in program.sites() {
        for operand in instruction.op.operands() {
            for value in operand.constants() {
                let around = [value.wrapping_sub(1), value, value.wrapping_add(1)];
                samples.extend(around);
            }
        }
    }
    samples
}

/// Appends steps for the choices that are too wide to be followed completely.
fn sample(machine: &Machine<'_>, config: &Config, samples: &BTreeSet<i32>, steps: &mut Vec<Step>) {
    for thread in machine.program.thread_ids() {
        let automaton = machine.program.thread(thread);
        for &instr in automaton.outgoing(config.locations[thread.index()]) {
            if let Op::Havoc { low, high, .. } = automaton.instruction(instr).op
                && i64::from(high) - i64::from(low) >= MOST_CHOICES
            {
                let chosen = samples.iter().filter(|&value| (low..=high).contains(value));
                let ends = [low, high];
                steps.extend(chosen.chain(&ends).map(|&value| Step::Execute {
                    thread,
                    instr,
                    choice: Some(value),
                }));
            }
        }
    }
}

/// Whether an instruction is a compare-exchange that fails: then it only loads.
fn fails(machine: &Machine<'_>, before: &Config, site: Site, action: &Action) -> bool {
    if let Op::Rmw { update, .. } = &machine.program.instruction(site).op
        && let Update::CompareExchange { expected, .. } = update
        && let Action::Rmw { old, .. } = action
    {
        machine.eval(before, site.thread, expected) != *old
    } else {
        false
    }
}

fn executed(step: Step) -> Option<Site> {
    match step {
        Step::Execute { thread, instr, .. } => Some(Site { thread, instr }),
        Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
    }
}

/// A set of accesses to the cell: for each thread and kind, its last one.
type Clock = u128;

/// The kinds of accesses.
const PLAIN_LOAD: usize = 0;
const PLAIN_STORE: usize = 1;
const LOAD: usize = 2;
const STORE: usize = 3;
const KINDS: usize = 4;

/// The number of threads for which a clock has room.
const MOST_THREADS: usize = 128 / KINDS;

#[derive(Clone)]
struct Clocks {
    current: Vec<Clock>,
    released: Vec<Clock>,
    pending: Vec<Clock>,
    /// What atomic blocks publish.
    blocks: Clock,
    /// By cell; those that publish nothing are not listed.
    published: BTreeMap<Addr, Clock>,
    /// The accesses that there were.
    all: Clock,
    /// The last access of each thread and kind.
    last: Vec<Option<Site>>,
}

fn bit(thread: ThreadId, kind: usize) -> Clock {
    1 << (thread.index() * KINDS + kind)
}

impl Clocks {
    fn new(threads: usize) -> Self {
        Self {
            current: vec![0; threads],
            released: vec![0; threads],
            pending: vec![0; threads],
            blocks: 0,
            published: BTreeMap::new(),
            all: 0,
            last: vec![None; threads * KINDS],
        }
    }

    /// Writes the configuration with its clocks. Which instructions were the last accesses makes no
    /// difference for what can follow.
    fn pack(&self, config: &Config, out: &mut Vec<u8>) {
        pack(config, out);
        let clocks = self.current.iter().chain(&self.released);
        for clock in clocks.chain(&self.pending).chain([&self.blocks, &self.all]) {
            out.extend(clock.to_le_bytes());
        }
        for (cell, clock) in &self.published {
            out.extend(cell.0.to_le_bytes());
            out.extend(clock.to_le_bytes());
        }
    }

    /// Follows a step, which may be a compare-exchange that fails; an earlier access that races with
    /// it.
    fn step(
        &mut self,
        ordered: &Ordered,
        cell: Addr,
        (site, fails): (Site, bool),
        action: &Action,
    ) -> Option<Site> {
        let (ordering, thread) = (ordered.ordering(site), site.thread);
        let t = thread.index();
        let automaton = ordered.program.thread(thread);
        let instruction = automaton.instruction(site.instr);
        match *action {
            Action::Load { addr, .. } => {
                self.acquire(t, addr, ordering);
                self.access(cell, addr, site, ordering, [true, false])
            }
            Action::Flush { addr, .. } | Action::Issue { addr, .. } => {
                let race = self.access(cell, addr, site, ordering, [false, true]);
                let clock = self.publishes(t, ordering);
                // In an atomic block it is the second half of a read-modify-write.
                let keeps = automaton.location(instruction.from).atomic;
                let before = self.published.remove(&addr).unwrap_or_default();
                let after = if keeps { before | clock } else { clock };
                if after != 0 {
                    self.published.insert(addr, after);
                }
                race
            }
            Action::Rmw { addr, .. } if fails => {
                let ordering = ordered.failures.get(&site).copied().unwrap_or(ordering);
                self.acquire(t, addr, ordering);
                self.access(cell, addr, site, ordering, [true, false])
            }
            Action::Rmw { addr, .. } => {
                self.acquire(t, addr, ordering);
                let race = self.access(cell, addr, site, ordering, [true, true]);
                let clock = self.publishes(t, ordering);
                if clock != 0 {
                    *self.published.entry(addr).or_default() |= clock;
                }
                race
            }
            Action::Fence | Action::Local => {
                match instruction.op {
                    Op::AtomicBegin if ordering.acquires() => self.current[t] |= self.blocks,
                    Op::AtomicEnd if ordering.releases() => self.blocks |= self.current[t],
                    Op::Fence(_) | Op::Skip => {
                        if ordering.acquires() {
                            self.current[t] |= self.pending[t];
                        }
                        if ordering.releases() {
                            self.released[t] = self.current[t];
                        }
                    }
                    Op::AtomicBegin
                    | Op::AtomicEnd
                    | Op::Assign { .. }
                    | Op::Havoc { .. }
                    | Op::Assume(_)
                    | Op::Assert(_)
                    | Op::Load { .. }
                    | Op::Store { .. }
                    | Op::Rmw { .. } => {}
                }
                None
            }
            Action::Advance { .. } | Action::Retire => None,
        }
    }

    /// What a store of this thread publishes.
    fn publishes(&self, t: usize, ordering: Ordering) -> Clock {
        match ordering {
            Ordering::Plain => 0,
            Ordering::Relaxed | Ordering::Acquire => self.released[t],
            Ordering::Release | Ordering::AcqRel => self.current[t],
        }
    }

    fn acquire(&mut self, t: usize, addr: Addr, ordering: Ordering) {
        let clock = self.published.get(&addr).copied().unwrap_or_default();
        match ordering {
            Ordering::Plain => {}
            Ordering::Relaxed | Ordering::Release => self.pending[t] |= clock,
            Ordering::Acquire | Ordering::AcqRel => self.current[t] |= clock,
        }
    }

    /// Follows an access, which may load and store.
    fn access(
        &mut self,
        cell: Addr,
        addr: Addr,
        site: Site,
        ordering: Ordering,
        [loads, stores]: [bool; 2],
    ) -> Option<Site> {
        if addr != cell {
            return None;
        }
        let (t, plain) = (site.thread, ordering == Ordering::Plain);
        let racing = |kind: usize| {
            (stores || kind == PLAIN_STORE || kind == STORE)
                && (plain || kind == PLAIN_LOAD || kind == PLAIN_STORE)
        };
        let unordered = self.all & !self.current[t.index()];
        let race = self.last.iter().enumerate().find(|(at, _)| {
            let (other, kind) = (at / KINDS, at % KINDS);
            other != t.index() && racing(kind) && unordered & (1 << at) != 0
        });
        let race = race.and_then(|(_, last)| *last);
        let kinds = match (plain, loads) {
            (true, true) => [Some(PLAIN_LOAD), None],
            (true, false) => [Some(PLAIN_STORE), None],
            (false, _) => [loads.then_some(LOAD), stores.then_some(STORE)],
        };
        for kind in kinds.into_iter().flatten() {
            let own = bit(t, kind);
            let clocks = self.current.iter_mut().chain(&mut self.released);
            let clocks = clocks.chain(&mut self.pending);
            for clock in clocks.chain(self.published.values_mut()) {
                *clock &= !own;
            }
            self.blocks &= !own;
            self.published.retain(|_, clock| *clock != 0);
            self.current[t.index()] |= own;
            self.all |= own;
            self.last[t.index() * KINDS + kind] = Some(site);
        }
        race
    }
}
