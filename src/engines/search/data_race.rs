//! Data races, in the sense of languages whose compilers may reorder plain accesses.
//!
//! Two accesses of one cell by different threads, a store among them and at least one of them plain,
//! race if neither happens before the other. Program order, and an acquiring access that reads from a
//! releasing one, make *happens before*; so do locks and the beginnings and ends of threads, which are
//! such accesses.
//!
//! A search visits the executions under SC, with clocks that say what happens before what:
//!
//! * `clocks`: the clocks, and how each step changes them;
//! * `dependencies`: what else the kernel's memory model orders;
//! * `future`: what threads may still do, and so which parts of the clocks matter;
//! * `quiet`: which steps need no interleaving, with the argument why no race is lost.
//!
//! What is found is a race of an execution. If nothing is found and the search ends, there is none.
//! Configurations after which no race is possible are left out.
//!
//! **Incomplete:** of a choice among more than 256 values only those next to constants of the program are
//! followed.
//!
//! Cost: a search for each cell in question, again for those without a race when one is found elsewhere.

mod clocks;
mod dependencies;
mod future;
mod quiet;

use super::reduce::{Reduce, Reduction};
use crate::model::Model;
use crate::program::{Op, Ordered, Program, Site, Suspect, ThreadId};
use crate::reference::Step;
use crate::reference::machine::{Config, Machine};
use crate::reference::pack::{pack, unpack};
use crate::reference::rules::MOST_CHOICES;
use crate::verdict::Budget;
use ahash::AHashSet;
use clocks::{Clocks, MOST_THREADS};
use future::Futures;
use quiet::Quiet;
use std::collections::BTreeSet;

/// The result of the searches for an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Races {
    /// These two accesses race in some execution, the first one before the second.
    Found([Site; 2]),
    /// There is no race.
    None,
    /// A search did not end: these two accesses may race.
    Open([Site; 2]),
}

/// Searches for data races. Each object is given by those of its cells on which there may be any; one
/// race of an object is enough. A search visits at most `most` states, and all of them together those of
/// the budget.
pub fn data_races(
    ordered: &Ordered,
    objects: &[Vec<Suspect>],
    most: usize,
    budget: &Budget,
) -> Vec<Races> {
    let machine = Machine::new(&ordered.program, Model::Sc);
    let mut searches = Searches {
        ordered,
        reduce: Reduce::new(&machine, &[], Reduction::ALL),
        samples: samples(&ordered.program),
        quiet: Quiet::new(ordered),
        machine,
    };
    let mut left = budget.states;
    let mut found = vec![Races::None; objects.len()];
    // For each object without a race, the number of others with one when it was searched.
    let mut others = vec![None; objects.len()];
    loop {
        let racing = found.iter().filter(|races| **races != Races::None).count();
        let next = others.iter().zip(&found);
        let next = next.zip(0..).find_map(|((others, races), object)| {
            let is_due = *races == Races::None && *others != Some(racing);
            is_due.then_some(object)
        });
        let Some(object) = next else {
            return found;
        };
        found[object] = searches.object(&objects[object], (most, &mut left), budget);
        others[object] = Some(racing);
        if found[object] != Races::None {
            for suspect in &objects[object] {
                searches.quiet.remove(suspect.cell);
            }
        }
    }
}

struct Searches<'a> {
    ordered: &'a Ordered,
    machine: Machine<'a>,
    reduce: Reduce,
    samples: BTreeSet<i32>,
    quiet: Quiet,
}

impl Searches<'_> {
    /// The first race of an object that is found, or else the first search that does not end.
    fn object(
        &self,
        suspects: &[Suspect],
        (most, left): (usize, &mut usize),
        budget: &Budget,
    ) -> Races {
        let mut open = Races::None;
        for suspect in suspects {
            let (races, states) = self.cell(suspect, &budget.with_states(most.min(*left)));
            *left -= states.min(*left);
            match races {
                Races::Found(_) => return races,
                Races::Open(_) if open == Races::None => open = races,
                Races::None | Races::Open(_) => {}
            }
        }
        open
    }

    /// A race on a cell; also the number of states.
    fn cell(&self, suspect: &Suspect, budget: &Budget) -> (Races, usize) {
        let threads = self.ordered.program.threads().len();
        if threads > MOST_THREADS {
            return (Races::Open(suspect.pair), 0);
        }
        let futures = Futures::new(self.ordered, &suspect.sites);
        let mut config = self.machine.initial();
        self.reduce.normalise(&mut config);
        let mut seen = AHashSet::new();
        let mut stack = Vec::new();
        let mut bytes = Vec::new();
        let mut next = vec![(config.clone(), Clocks::new(threads))];
        loop {
            for (mut config, mut clocks) in next.drain(..) {
                if let Some(pair) = self.settle(suspect, &mut config, &mut clocks) {
                    return (Races::Found(pair), seen.len());
                }
                if !clocks.forget((&self.machine, &self.reduce), &futures, &config) {
                    continue;
                }
                pack(&config, &mut bytes);
                let length = bytes.len();
                clocks.pack(&mut bytes);
                if !seen.contains(&bytes) {
                    if seen.len() >= budget.states {
                        return (Races::Open(suspect.pair), seen.len());
                    }
                    seen.insert(bytes.clone());
                    bytes.truncate(length);
                    stack.push((bytes.clone(), clocks));
                }
            }
            if budget.is_stopped() {
                return (Races::Open(suspect.pair), seen.len());
            }
            let Some((packed, clocks)) = stack.pop() else {
                return (Races::None, seen.len());
            };
            unpack(&packed, &mut config);
            for step in self.steps(&config) {
                match self.take(suspect, (&config, &clocks), step) {
                    Some((_, _, Some(pair))) => return (Races::Found(pair), seen.len()),
                    Some((config, clocks, None)) => next.push((config, clocks)),
                    None => {}
                }
            }
        }
    }

    /// Goes on as long as there is one step that needs to be taken; a race on the way.
    fn settle(
        &self,
        suspect: &Suspect,
        config: &mut Config,
        clocks: &mut Clocks,
    ) -> Option<[Site; 2]> {
        while self.only(config).is_some() {
            let steps = self.steps(config).into_iter();
            let mut taken = steps.filter_map(|step| self.take(suspect, (config, clocks), step));
            let (Some((next, known, race)), None) = (taken.next(), taken.next()) else {
                return None;
            };
            drop(taken);
            if race.is_some() {
                return race;
            }
            (*config, *clocks) = (next, known);
        }
        None
    }

    fn only(&self, config: &Config) -> Option<ThreadId> {
        let registers = (&self.machine, &self.reduce);
        self.quiet.thread(registers, self.ordered, config)
    }

    /// The steps that need to be taken, of which some may not be possible.
    fn steps(&self, config: &Config) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.machine.propose(config, &mut steps).is_some() {
            sample(&self.machine, config, &self.samples, &mut steps);
        }
        if let Some(only) = self.only(config) {
            steps.retain(|step| step.thread() == only);
        }
        steps
    }

    /// Takes a step; an access that races with an earlier one.
    fn take(
        &self,
        suspect: &Suspect,
        (config, clocks): (&Config, &Clocks),
        step: Step,
    ) -> Option<(Config, Clocks, Option<[Site; 2]>)> {
        let mut next = config.clone();
        let action = self.machine.apply(&mut next, step).ok()?;
        let mut clocks = clocks.clone();
        let race = executed(step).and_then(|site| {
            let step = (config, site, &action);
            let other = clocks.step(&self.machine, self.ordered, suspect.cell, step)?;
            Some([other, site])
        });
        self.reduce.normalise(&mut next);
        Some((next, clocks, race))
    }
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

fn executed(step: Step) -> Option<Site> {
    match step {
        Step::Execute { thread, instr, .. } => Some(Site { thread, instr }),
        Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
    }
}
