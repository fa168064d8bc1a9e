//! Configurations that differ only in which of several symmetric threads is where are the same.
//!
//! The search stores one configuration for all that the [symmetries](crate::facts::symmetry) of the program with
//! its goals map to each other: the one in which the local parts of the
//! threads of each class (location, registers, buffer) are sorted. That is up to n! fewer for n
//! threads [Ip, Dill 1996]. The threads of a class with cells and values of their own are sorted by
//! [`Belongings::colours`].
//!
//! Goals that symmetries map to each other form an *orbit*. If one is reached, all are, by the same
//! computation with its threads exchanged. If a goal has no counterpart for some thread, that thread is
//! in another class.
//!
//! Evidence is composed along the path of the search. Its steps refer to the threads of sorted
//! configurations; [`Names`] keeps track of which thread of the computation each of them is.
//!
//! The other reductions are unaffected: what they skip depends on a thread's automaton and on what
//! the goals observe of it, and both are alike in a class. Their arguments are about the length of a
//! computation and the numbers of local steps in a row, which no exchange of threads changes.

mod belongings;
mod names;

pub(super) use names::Names;

use crate::facts::symmetry::{self, Exchange, Goals, Images, MOST_OWNERS};
use crate::program::{Goal, LocId, ThreadId};
use crate::reference::Step;
use crate::reference::buffer::Buffer;
use crate::reference::machine::{Config, Machine};
use ahash::{AHashMap, AHashSet};
use belongings::{Belongings, move_each};
use smallvec::SmallVec;
use std::ops::Range;

/// The symmetries of a program with the goals of a search.
pub(super) struct Symmetry {
    classes: Vec<Class>,
    /// By thread: its registers, as indices into [`Config::registers`].
    registers: Vec<Range<usize>>,
    /// The number of cells.
    cells: usize,
    /// The exchanges that all others are composed of: of neighbours in a class, class by class.
    exchanges: Vec<Exchange>,
    /// By exchange: what it maps goals to.
    images: Vec<Images>,
    /// By goal: the first goal that is the same.
    firsts: Vec<usize>,
    /// By goal: the first goal of its orbit.
    orbits: Vec<usize>,
}

/// At least two threads of which any two may be exchanged. Classes are disjoint.
struct Class {
    /// Ascending.
    threads: Vec<ThreadId>,
    /// What is exchanged with them; `None` if they are identical.
    belongings: Option<Belongings>,
}

impl Symmetry {
    /// The symmetries of the machine's program with these goals.
    pub(super) fn new(machine: &Machine<'_>, goals: &[Goal]) -> Self {
        let program = machine.program;
        let known = Goals::new(program, goals);
        let classes = symmetry::classes(program, &known);
        let mut symmetry = Self {
            firsts: known.firsts.clone(),
            orbits: known.firsts.clone(),
            ..Self::none(machine, known.list.len())
        };
        for class in &classes {
            for second in 1..class.threads.len() {
                let exchange = Exchange::new(class, (second - 1, second));
                let images = known.images(&exchange);
                debug_assert!(images.is_some(), "exchanges are not an equivalence");
                symmetry.exchanges.push(exchange);
                symmetry.images.push(images.unwrap_or_default());
            }
        }
        let classes = classes.into_iter().map(|class| Class {
            threads: class.threads,
            belongings: class
                .kinds
                .map(|kinds| Belongings::new(machine, kinds, goals)),
        });
        symmetry.classes = classes.collect();
        symmetry.find_orbits();
        symmetry
    }

    /// No symmetry, for a search for this number of goals.
    pub(super) fn none(machine: &Machine<'_>, goals: usize) -> Self {
        let threads = machine.program.thread_ids();
        Self {
            classes: Vec::new(),
            registers: threads.map(|thread| machine.slots(thread)).collect(),
            cells: machine.program.cell_count(),
            exchanges: Vec::new(),
            images: Vec::new(),
            firsts: (0..goals).collect(),
            orbits: (0..goals).collect(),
        }
    }

    /// Replaces the configuration by the one that is stored for it, and returns whether that is
    /// another one. Calls `exchanged` for each exchange that this is composed of, in order, with its index.
    pub(super) fn sort(
        &self,
        machine: &Machine<'_>,
        config: &mut Config,
        mut exchanged: impl FnMut(usize),
    ) -> bool {
        let mut any = false;
        let mut before = 0;
        for class in &self.classes {
            let exchanged = |at| exchanged(before + at);
            any |= match &class.belongings {
                Some(belongings) => {
                    self.sort_owners(machine, config, &class.threads, belongings, exchanged)
                }
                None => self.sort_identical(config, &class.threads, exchanged),
            };
            before += class.threads.len() - 1;
        }
        any
    }

    /// [`sort`](Self::sort) for one class of identical threads.
    fn sort_identical(
        &self,
        config: &mut Config,
        threads: &[ThreadId],
        mut exchanged: impl FnMut(usize),
    ) -> bool {
        let mut any = false;
        // Little has changed since the last time: insertion sort makes few comparisons.
        for end in 1..threads.len() {
            for at in (1..=end).rev() {
                let (a, b) = (threads[at - 1], threads[at]);
                if self.local(config, a) <= self.local(config, b) {
                    break;
                }
                self.exchange(config, a, b);
                exchanged(at - 1);
                any = true;
            }
        }
        any
    }

    /// [`sort`](Self::sort) for one class of threads with belongings. These are moved once, whatever the
    /// number of exchanges.
    fn sort_owners(
        &self,
        machine: &Machine<'_>,
        config: &mut Config,
        threads: &[ThreadId],
        belongings: &Belongings,
        mut exchanged: impl FnMut(usize),
    ) -> bool {
        let has_forgotten = belongings.forget(config);
        let mut colours = belongings.colours(machine, config, threads);
        // By place: the owner that comes there.
        let mut owners: SmallVec<[usize; MOST_OWNERS]> = (0..threads.len()).collect();
        let mut is_sorted = true;
        for end in 1..threads.len() {
            for at in (1..=end).rev() {
                if colours[at - 1] <= colours[at] {
                    break;
                }
                colours.swap(at - 1, at);
                owners.swap(at - 1, at);
                exchanged(at - 1);
                is_sorted = false;
            }
        }
        if is_sorted {
            return has_forgotten;
        }
        let mut to = owners.clone();
        for (place, &owner) in owners.iter().enumerate() {
            to[owner] = place;
        }
        let thread = |owner: usize| threads[owner].index();
        move_each(&to, &mut config.locations, thread);
        move_each(&to, &mut config.buffers, thread);
        for index in 0..self.registers[thread(0)].len() {
            let slot = |owner| self.registers[thread(owner)].start + index;
            move_each(&to, &mut config.registers, slot);
        }
        belongings.rename(config, &to);
        true
    }

    /// Removes the steps of a thread in a sorted configuration that an identical thread in the same state
    /// takes as well: they lead to where these lead, with the two threads exchanged.
    pub(super) fn leave_same(&self, config: &Config, steps: &mut Vec<Step>) {
        // By thread: the first of its class that is in the same state.
        let mut firsts: AHashMap<ThreadId, ThreadId> = AHashMap::new();
        for Class { threads, .. } in self
            .classes
            .iter()
            .filter(|class| class.belongings.is_none())
        {
            let mut first = threads[0];
            for &thread in &threads[1..] {
                if self.local(config, first) == self.local(config, thread) {
                    firsts.insert(thread, first);
                } else {
                    first = thread;
                }
            }
        }
        if firsts.is_empty() {
            return;
        }
        let taken: AHashSet<Step> = steps.iter().copied().collect();
        let first = |thread| firsts.get(&thread).copied().unwrap_or(thread);
        steps.retain(|&step| {
            let same = step.renamed(first, |cell| cell);
            same == step || !taken.contains(&same)
        });
    }

    /// The goals that are reached if this one is, by index: its orbit.
    pub(super) fn orbit(&self, goal: usize) -> impl Iterator<Item = usize> + use<'_> {
        let first = self.orbits[goal];
        let orbits = self.orbits.iter().enumerate();
        orbits
            .filter(move |&(_, &other)| other == first)
            .map(|(goal, _)| goal)
    }

    /// Marks what a thread has executed for all threads of its class.
    pub(super) fn share(&self, executed: &mut [Vec<bool>]) {
        for Class { threads, .. } in &self.classes {
            for instr in 0..executed[threads[0].index()].len() {
                let any = threads.iter().any(|thread| executed[thread.index()][instr]);
                for thread in threads {
                    executed[thread.index()][instr] = any;
                }
            }
        }
    }

    /// Exchanges the threads of a computation that reaches one goal, so that it reaches another of
    /// the same orbit.
    pub(super) fn redirect(&self, steps: &mut [Step], reached: usize, wanted: usize) {
        let (reached, wanted) = (self.firsts[reached], self.firsts[wanted]);
        // Breadth first over the orbit: for each goal found, the exchange that leads to it.
        let mut from: Vec<Option<usize>> = vec![None; self.orbits.len()];
        let mut found = vec![reached];
        let mut next = 0;
        while let Some(&goal) = found.get(next) {
            next += 1;
            for exchange in 0..self.images.len() {
                let image = self.image(exchange, goal);
                if image != reached && from[image].is_none() {
                    from[image] = Some(exchange);
                    found.push(image);
                }
            }
        }
        let mut path = Vec::new();
        let mut goal = wanted;
        while goal != reached {
            let Some(exchange) = from[goal] else {
                debug_assert!(false, "the goals are not in one orbit");
                return;
            };
            path.push(&self.exchanges[exchange]);
            goal = self.image(exchange, goal);
        }
        for step in steps {
            for exchange in path.iter().rev() {
                let thread = |thread| exchange.thread(thread);
                *step = step.renamed(thread, |cell| exchange.cell(cell));
            }
        }
    }

    fn find_orbits(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for images in &self.images {
                for &(goal, image) in images {
                    let first = self.orbits[goal].min(self.orbits[image]);
                    changed |= self.orbits[goal] != first || self.orbits[image] != first;
                    self.orbits[goal] = first;
                    self.orbits[image] = first;
                }
            }
        }
    }

    fn image(&self, exchange: usize, goal: usize) -> usize {
        let images = &self.images[exchange];
        let found = images.binary_search_by_key(&goal, |&(goal, _)| goal);
        found.map_or(goal, |index| images[index].1)
    }

    /// What sorting compares.
    fn local<'c>(&self, config: &'c Config, thread: ThreadId) -> (LocId, &'c [i32], &'c Buffer) {
        let t = thread.index();
        let registers = &config.registers[self.registers[t].clone()];
        (config.locations[t], registers, &config.buffers[t])
    }

    fn exchange(&self, config: &mut Config, a: ThreadId, b: ThreadId) {
        config.locations.swap(a.index(), b.index());
        config.buffers.swap(a.index(), b.index());
        let [a, b] = [a, b].map(|thread| self.registers[thread.index()].clone());
        for (a, b) in a.zip(b) {
            config.registers.swap(a, b);
        }
    }
}
