//! A thread that waits forever while others may act (`forbid stuck t0`).
//!
//! The graph of all configurations is built without reductions. An execution that goes on forever
//! and ignores no thread forever ends up in a *bottom* component of it: a strongly connected one
//! that no step leaves. The thread starves if it waits in each halting configuration of such a
//! component, always in the same loop: the locations to which it keeps returning meet those in one
//! of them. (A thread that goes back and forth between two waits is served.) A configuration in which some thread has to stop at a false
//! `assume`, or at an address that is not a cell, belongs to no such execution and is left out, and
//! so is a component in which some thread could act only by getting there.

use super::machine::{Config, Machine};
use super::pack::{pack, unpack};
use super::store::Store;
use super::wait::{self, Alone};
use super::{Halt, Step, explore::wide_choice};
use crate::model::Model;
use crate::program::{LocId, Op, Program, ThreadId};
use crate::verdict::{Budget, Reason, Verdict};
use std::collections::BTreeSet;

/// Whether a thread starves in some configuration with the property's predicate; with the steps to
/// it. Also returns the number of configurations visited.
pub fn starved(
    program: &Program,
    model: Model,
    property: usize,
    thread: ThreadId,
    budget: &Budget,
) -> (Verdict<Vec<Step>>, usize) {
    let machine = Machine::new(program, model);
    let graph = Graph::from(&machine, machine.initial(), budget);
    let states = graph.configs.len();
    let alone = Alone::new(program);
    let found = graph.starving(&alone, property, thread);
    let too_long = alone.gave_up().then_some(wait::MOST_STATES);
    let verdict = match (found, graph.unfinished.clone(), too_long) {
        (Some(found), _, _) => Verdict::Violated(graph.path(found)),
        (None, Some(reason), _) => Verdict::Unknown(reason),
        (None, None, Some(states)) => Verdict::Unknown(Reason::StateBudget(states)),
        (None, None, None) => Verdict::Holds,
    };
    (verdict, states)
}

/// Whether a thread waits forever from this halting configuration, whatever the others do. The
/// budget limits the search from there.
pub fn starves(
    program: &Program,
    model: Model,
    property: usize,
    thread: ThreadId,
    halt: &Halt,
    budget: &Budget,
) -> bool {
    let machine = Machine::new(program, model);
    let graph = Graph::from(&machine, machine.halting(halt), budget);
    // In a bottom component every configuration is reachable from every other.
    let alone = Alone::new(program);
    graph.unfinished.is_none() && graph.starving(&alone, property, thread) == Some(0)
}

/// Configurations and the steps between them.
struct Graph<'m, 'p> {
    machine: &'m Machine<'p>,
    configs: Store,
    /// By configuration whose steps were all taken: the thread that executes an instruction, if the
    /// step is one, and the configuration after it.
    edges: Vec<Vec<(Option<ThreadId>, u32)>>,
    /// By configuration: the one before it on the first path to it, with the step.
    parents: Vec<Option<(u32, Step)>>,
    /// Whether some thread has to stop.
    dead: Vec<bool>,
    unfinished: Option<Reason>,
}

impl<'m, 'p> Graph<'m, 'p> {
    fn from(machine: &'m Machine<'p>, first: Config, budget: &Budget) -> Self {
        let mut graph = Self {
            machine,
            configs: Store::default(),
            edges: Vec::new(),
            parents: Vec::new(),
            dead: Vec::new(),
            unfinished: None,
        };
        let mut bytes = Vec::new();
        graph.add(&first, None, &mut bytes);
        let (mut config, mut next) = (first.clone(), first);
        let mut steps = Vec::new();
        while graph.edges.len() < graph.configs.len() {
            if budget.is_stopped() {
                graph.unfinished = Some(Reason::Stopped);
                break;
            }
            budget.progress().visited(graph.edges.len());
            let from = graph.edges.len() as u32;
            unpack(graph.configs.packed(from), &mut config);
            steps.clear();
            if let Some(site) = machine.propose(&config, &mut steps) {
                graph.unfinished = Some(wide_choice(machine.program, site));
                break;
            }
            let mut edges = Vec::new();
            for &step in &steps {
                next.clone_from(&config);
                if machine.apply(&mut next, step).is_err() {
                    continue;
                }
                let id = graph.add(&next, Some((from, step)), &mut bytes);
                let executes = match step {
                    Step::Execute { thread, .. } => Some(thread),
                    Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
                };
                edges.push((executes, id));
            }
            graph.edges.push(edges);
            if graph.configs.len() > budget.states {
                graph.unfinished = Some(Reason::StateBudget(budget.states));
                break;
            }
        }
        graph
    }

    /// The number of a configuration, which is added if it is new.
    fn add(&mut self, config: &Config, parent: Option<(u32, Step)>, bytes: &mut Vec<u8>) -> u32 {
        pack(config, bytes);
        let (id, new) = self.configs.insert(bytes, |_| {});
        if new {
            self.parents.push(parent);
            let stops = |thread| self.stops(config, thread);
            let dead = self.machine.program.thread_ids().any(stops);
            self.dead.push(dead);
        }
        id
    }

    /// Whether a thread can never take a step again although it has not ended.
    fn stops(&self, config: &Config, thread: ThreadId) -> bool {
        let machine = self.machine;
        let automaton = machine.program.thread(thread);
        let loc = config.locations[thread.index()];
        automaton.is_end(loc) && automaton.location(loc).atomic
            || !automaton.is_end(loc)
                && automaton.outgoing(loc).iter().all(|&instr| {
                    let op = &automaton.instruction(instr).op;
                    if let Op::Assume(e) = op {
                        return machine.eval(config, thread, e) == 0;
                    }
                    let stray = |addr| machine.cell(config, thread, addr).is_err();
                    op.address().is_some_and(stray)
                })
    }

    fn config(&self, id: u32) -> Config {
        let mut config = self.machine.initial();
        unpack(self.configs.packed(id), &mut config);
        config
    }

    /// A configuration in which the thread starves, the first of those with the predicate.
    fn starving(&self, alone: &Alone<'p>, property: usize, thread: ThreadId) -> Option<u32> {
        let mut found: Option<u32> = None;
        for component in self.bottom() {
            if let Some(id) = self.starves_in(&component, alone, property, thread) {
                found = Some(found.map_or(id, |other| other.min(id)));
            }
        }
        found
    }

    fn starves_in(
        &self,
        component: &[u32],
        alone: &Alone<'p>,
        property: usize,
        thread: ThreadId,
    ) -> Option<u32> {
        let program = self.machine.program;
        let inside: BTreeSet<u32> = component.iter().copied().collect();
        let first = self.config(component[0]);
        let mut threads = program.thread_ids();
        let acts = |thread: ThreadId| {
            component.iter().any(|&id| {
                let mut edges = self.edges[id as usize].iter();
                edges.any(|&(by, to)| by == Some(thread) && inside.contains(&to))
            })
        };
        let ended = |thread: ThreadId| {
            program
                .thread(thread)
                .is_end(first.locations[thread.index()])
        };
        if ended(thread) || !threads.all(|other| ended(other) || acts(other)) {
            return None;
        }
        // The loops in which it waits, as the locations to which it keeps returning.
        let mut loops: BTreeSet<BTreeSet<LocId>> = BTreeSet::new();
        let mut found: Option<u32> = None;
        for &id in component {
            let config = self.config(id);
            if !self.machine.is_halting(&config) {
                continue;
            }
            loops.insert(alone.waiter(&config, thread)?.around);
            if self.machine.observes(&config, property) {
                found = Some(found.map_or(id, |other: u32| other.min(id)));
            }
        }
        let meets_all = |around: &BTreeSet<LocId>| {
            let mut others = loops.iter();
            others.all(|other| !around.is_disjoint(other))
        };
        loops.iter().any(meets_all).then_some(found)?
    }

    /// The bottom components among the configurations in which no thread has to stop.
    fn bottom(&self) -> Vec<Vec<u32>> {
        let known = self.edges.len();
        let next = |id: usize| {
            let edges = self.edges[id].iter();
            edges
                .map(|&(_, to)| to as usize)
                .filter(|&to| !self.dead[to])
        };
        let alive = (0..known).filter(|&id| !self.dead[id]);
        let components = components(known, alive, |id| {
            next(id).filter(|&to| to < known).collect()
        });
        let mut number = vec![usize::MAX; known];
        for (index, component) in components.iter().enumerate() {
            for &id in component {
                number[id] = index;
            }
        }
        let closed = components.iter().enumerate().filter(|(index, component)| {
            let stays = |to: usize| to < known && number[to] == *index;
            component.iter().all(|&id| next(id).all(stays))
        });
        closed
            .map(|(_, component)| component.iter().map(|&id| id as u32).collect())
            .collect()
    }

    /// The steps to a configuration.
    fn path(&self, mut id: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some((before, step)) = self.parents[id as usize] {
            steps.push(step);
            id = before;
        }
        steps.reverse();
        steps
    }
}

/// The strongly connected components of a graph, from these nodes [Tarjan 1972].
fn components(
    size: usize,
    nodes: impl Iterator<Item = usize>,
    next: impl Fn(usize) -> Vec<usize>,
) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; size];
    let mut low = vec![NEW; size];
    let mut open = vec![false; size];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for root in nodes {
        if index[root] != NEW {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                (index[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
                open[node] = true;
                path.push((node, next(node)));
            }
            let Some((node, rest)) = path.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(to) = rest.pop() {
                if index[to] == NEW {
                    enter = Some(to);
                } else if open[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[node]);
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    open[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}
