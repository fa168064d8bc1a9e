//! Goals: the literals that are true in a model if a goal is reached.
//!
//! ```text
//! (assert)  some copy of the assertion is passed with value 0
//! (outside) control halts before some copy of the access, whose address is not a cell
//! (halt)    control visits a copy and leaves it along no passage
//! (last)    last(w,c) → w executed, writes c, every other such store is before w
//! (final)   every thread visits an end; the predicate over halting registers and last stores
//! ```
//!
//! A goal inside a loop is over-approximated beyond the loop's bound: it counts as reached there,
//! so that a "no" without a frontier in its core is a proof.

use super::Encoding;
use super::paths::RegValue;
use crate::cnf::{Bits, Cnf, term};
use crate::facts::LoopId;
use crate::program::{
    Addr, Goal, InstrId, LocId, Observable, Program, PropertyKind, RegId, Site, Thread, ThreadId,
};
use ahash::{AHashMap, AHashSet};
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The observables of a halting configuration, as literals; created on demand, valid until the next
/// deepening.
#[derive(Debug, Default)]
pub(super) struct Observations {
    registers: BTreeMap<(ThreadId, RegId), Arc<Bits>>,
    cells: BTreeMap<Addr, Arc<Bits>>,
    goals: AHashMap<Goal, Lit>,
    halts: BTreeMap<ThreadId, Halts>,
    ended: Option<Lit>,
}

/// The copies at which a thread can halt, each with its literal.
type Halts = Arc<[(usize, Lit)]>;

/// The goals of a plan, and where control may halt because of them.
#[derive(Debug)]
pub(super) struct PlannedGoals {
    goals: AHashSet<Goal>,
    /// By thread and location.
    halts: Vec<Vec<bool>>,
}

impl PlannedGoals {
    pub(super) fn new(program: &Program, goals: &[Goal]) -> Self {
        let nowhere = |thread: &Thread| vec![false; thread.locations().len()];
        let mut halts: Vec<Vec<bool>> = program.threads().iter().map(nowhere).collect();
        let mut everywhere = false;
        for &goal in goals {
            match goal {
                Goal::Assert(site) | Goal::Outside(site) => {
                    let automaton = program.thread(site.thread);
                    let from = automaton.instruction(site.instr).from;
                    // A computation that ends inside an atomic block ends for all threads. And a
                    // thread that could execute the instruction of the goal next must not be forced
                    // to take another instruction.
                    everywhere |= automaton.location(from).atomic;
                    halts[site.thread.index()][from.index()] |= automaton.outgoing(from).len() > 1;
                }
                Goal::Property(index) => {
                    let property = &program.properties()[index];
                    if property.kind != PropertyKind::Forbid {
                        continue;
                    }
                    property.predicate.for_each_var(&mut |var| match var {
                        Observable::Cell(_) => everywhere = true,
                        Observable::Register(thread, _) => halts[thread.index()].fill(true),
                        Observable::At(thread, loc) => halts[thread.index()][loc.index()] = true,
                    });
                }
            }
        }
        if everywhere {
            for thread in &mut halts {
                thread.fill(true);
            }
        }
        Self {
            goals: goals.iter().copied().collect(),
            halts,
        }
    }
}

impl Encoding {
    /// Whether control may halt at a location, because a goal may depend on it.
    pub(super) fn may_halt(&self, thread: ThreadId, loc: LocId) -> bool {
        self.planned.halts[thread.index()][loc.index()] || self.may_pause(thread, loc)
    }

    /// Whether a goal is among those of the plan.
    pub(super) fn is_planned(&self, goal: Goal) -> bool {
        self.planned.goals.contains(&goal)
    }

    /// The assumptions of a query for a goal of the plan: the literal that requires it, and
    /// literals that forbid computations that end inside an atomic block for another goal.
    pub(crate) fn ask(&mut self, goal: Goal) -> Vec<Lit> {
        let mut assumptions = vec![self.goal(goal)];
        for &(site, lit) in &self.stops {
            if goal != Goal::Assert(site) && goal != Goal::Outside(site) {
                assumptions.push(!lit);
            }
        }
        assumptions
    }

    /// The assumptions of a query for any of these goals of the plan, and the literal of each goal.
    /// Computations that end inside an atomic block are forbidden: see
    /// [`is_groupable`](Self::is_groupable).
    pub(crate) fn ask_any(&mut self, goals: &[Goal]) -> (Vec<Lit>, Vec<Lit>) {
        let literals: Vec<Lit> = goals.iter().map(|&goal| self.goal(goal)).collect();
        let any = self.cnf.fresh();
        let mut clause = vec![!any];
        clause.extend(&literals);
        self.cnf.clause(&clause);
        let mut assumptions = self.no_stops();
        assumptions.push(any);
        (assumptions, literals)
    }

    /// Whether a goal can be queried together with others: whether no computation that reaches it
    /// ends inside an atomic block.
    pub(crate) fn is_groupable(&self, goal: Goal) -> bool {
        let mut stops = self.stops.iter();
        stops.all(|&(site, _)| goal != Goal::Assert(site) && goal != Goal::Outside(site))
    }

    fn goal(&mut self, goal: Goal) -> Lit {
        if let Some(&lit) = self.observations.goals.get(&goal) {
            return lit;
        }
        let reached = match goal {
            Goal::Assert(site) | Goal::Outside(site) => self.reached(site),
            Goal::Property(index) => self.property(index),
        };
        self.observations.goals.insert(goal, reached);
        reached
    }

    /// (assert), (outside)
    fn reached(&mut self, site: Site) -> Lit {
        let automaton = self.program.thread(site.thread);
        let mut lits = Vec::new();
        for node in &self.paths[site.thread.index()].nodes {
            let here = |found: &[(InstrId, Lit)]| -> Vec<Lit> {
                let mine = found.iter().filter(|(instr, _)| *instr == site.instr);
                mine.map(|&(_, lit)| lit).collect()
            };
            lits.extend(here(&node.failing));
            lits.extend(here(&node.stops));
            // Inside an atomic block a goal counts only if the computation ends there.
            if !automaton.location(node.copy.loc).atomic {
                for reached in here(&node.halt_goals) {
                    let stays = node.out.iter().map(|p| !p.taken).chain([reached]);
                    lits.push(self.cnf.and_all(stays));
                }
            }
        }
        let from = self.program.instruction(site).from;
        lits.extend(self.beyond_around(site.thread, from));
        self.cnf.or_all(lits)
    }

    /// The literals of "exceeds the bound" of the loops around a location.
    pub(super) fn beyond_around(&self, thread: ThreadId, loc: LocId) -> Vec<Lit> {
        let paths = &self.paths[thread.index()];
        let around = self.loops(thread).around(loc);
        let around: Vec<LoopId> = around
            .iter()
            .flat_map(|&id| paths.unroller.beyond_with(id))
            .copied()
            .collect();
        paths
            .cuts()
            .into_iter()
            .filter(|(id, _)| around.contains(id))
            .map(|(_, lit)| lit)
            .collect()
    }

    fn property(&mut self, index: usize) -> Lit {
        let property = self.program.properties()[index].clone();
        let mut values: BTreeMap<Observable, Arc<Bits>> = BTreeMap::new();
        for observable in property.predicate.vars() {
            values
                .entry(observable)
                .or_insert_with(|| self.observe(observable));
        }
        let value = term(&property.predicate, &mut self.cnf, &|observable| {
            Arc::clone(&values[&observable])
        });
        let holds = value.nonzero(&mut self.cnf);
        match property.kind {
            PropertyKind::Forbid => holds,
            PropertyKind::Exists => {
                let ended = self.all_ended();
                self.cnf.and(ended, holds)
            }
            PropertyKind::FinalAssert => {
                let ended = self.all_ended();
                self.cnf.and(ended, !holds)
            }
            // Not a predicate: callers state it as one first. Anything is possible here.
            PropertyKind::Stuck | PropertyKind::Starved(_) => self.cnf.fresh(),
        }
    }

    /// The literal of "every thread has ended".
    fn all_ended(&mut self) -> Lit {
        if let Some(lit) = self.observations.ended {
            return lit;
        }
        let mut all = Vec::new();
        for thread in self.program.thread_ids() {
            let automaton = self.program.thread(thread);
            let ends: Vec<Lit> = self.paths[thread.index()]
                .nodes
                .iter()
                .filter(|node| automaton.is_end(node.copy.loc))
                .map(|node| node.guard)
                .collect();
            all.push(self.cnf.or_all(ends));
        }
        let ended = self.cnf.and_all(all);
        self.observations.ended = Some(ended);
        ended
    }

    /// The bits of an observable in the halting configuration.
    pub(crate) fn observe(&mut self, observable: Observable) -> Arc<Bits> {
        match observable {
            Observable::At(thread, loc) => Arc::new(Bits::boolean(self.halts_at(thread, loc))),
            Observable::Register(thread, reg) => self.halting_register(thread, reg),
            Observable::Cell(cell) => self.last_value(cell),
        }
    }

    /// (halt), for each copy: its literal, if control can halt there.
    fn halts(&mut self, thread: ThreadId) -> Halts {
        if let Some(halts) = self.observations.halts.get(&thread) {
            return Arc::clone(halts);
        }
        let mut halts = Vec::new();
        for number in 0..self.paths[thread.index()].nodes.len() {
            let node = &self.paths[thread.index()].nodes[number];
            let lits: Vec<Lit> = node
                .out
                .iter()
                .map(|p| !p.taken)
                .chain([node.guard])
                .collect();
            let halt = self.cnf.and_all(lits);
            if halt != Cnf::FALSE {
                halts.push((number, halt));
            }
        }
        let halts = Halts::from(halts);
        self.observations.halts.insert(thread, Arc::clone(&halts));
        halts
    }

    fn halts_at(&mut self, thread: ThreadId, loc: LocId) -> Lit {
        let mut lits = Vec::new();
        for &(number, halt) in self.halts(thread).iter() {
            if self.paths[thread.index()].nodes[number].copy.loc == loc {
                lits.push(halt);
            }
        }
        let beyond = self.beyond_around(thread, loc);
        if !beyond.is_empty() {
            let there = self.cnf.fresh();
            let beyond = self.cnf.or_all(beyond);
            lits.push(self.cnf.and(there, beyond));
        }
        self.cnf.or_all(lits)
    }

    /// The value of a register where its thread halts; unconstrained if the thread exceeds a bound.
    fn halting_register(&mut self, thread: ThreadId, reg: RegId) -> Arc<Bits> {
        if let Some(bits) = self.observations.registers.get(&(thread, reg)) {
            return Arc::clone(bits);
        }
        let halts: Vec<(Lit, RegValue)> = self
            .halts(thread)
            .iter()
            .map(|&(number, halt)| {
                (
                    halt,
                    self.paths[thread.index()].nodes[number].env[&reg].clone(),
                )
            })
            .collect();
        let bits = if let [(Cnf::TRUE, value)] = &halts[..] {
            Arc::clone(&value.bits)
        } else {
            let (low, high) = if self.paths[thread.index()].cuts().is_empty() {
                let bounds = halts.iter().filter_map(|(_, value)| value.set.bounds());
                bounds
                    .reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
                    .unwrap_or((0, 0))
            } else {
                (i32::MIN, i32::MAX)
            };
            let bits = Bits::fresh(&mut self.cnf, low, high);
            for (halt, value) in &halts {
                bits.equal_if(*halt, &value.bits, &mut self.cnf);
            }
            Arc::new(bits)
        };
        self.observations
            .registers
            .insert((thread, reg), Arc::clone(&bits));
        bits
    }

    /// (last): the value of a cell when all buffers are drained.
    fn last_value(&mut self, cell: Addr) -> Arc<Bits> {
        if let Some(bits) = self.observations.cells.get(&cell) {
            return Arc::clone(bits);
        }
        let writers: Vec<_> = self
            .writes()
            .iter()
            .copied()
            .filter(|w| {
                self.events[w.index()]
                    .address
                    .as_ref()
                    .is_some_and(|a| a.at(cell) != Cnf::FALSE)
            })
            .collect();
        let set = self.values.cell(cell).clone();
        let (low, high) = set.bounds().unwrap_or((0, 0));
        let bits = Bits::fresh(&mut self.cnf, low, high);
        let initial = self.cnf.fresh();
        let start = Bits::constant(self.program.initial_memory()[cell.index()]);
        bits.equal_if(initial, &start, &mut self.cnf);
        let mut some = vec![initial];
        let lasts: Vec<Lit> = writers.iter().map(|_| self.cnf.fresh()).collect();
        for (&w, &last) in writers.iter().zip(&lasts) {
            let event = self.events[w.index()].clone();
            let here = event.address.as_ref().map_or(Cnf::FALSE, |a| a.at(cell));
            self.cnf.implies(last, event.guard);
            self.cnf.implies(last, here);
            self.cnf.clause(&[!initial, !event.guard, !here]);
            if let Some(write) = &event.write {
                bits.equal_if(last, write, &mut self.cnf);
            }
            for (&v, _) in writers.iter().zip(&lasts).filter(|(v, _)| **v != w) {
                let other = &self.events[v.index()];
                let (guard, there) = (
                    other.guard,
                    other.address.as_ref().map_or(Cnf::FALSE, |a| a.at(cell)),
                );
                let before = self.stores_before(v, w);
                self.cnf.clause(&[!last, !guard, !there, before]);
            }
            some.push(last);
        }
        let open = self.beyond_anywhere();
        some.extend(self.open(&open));
        self.cnf.clause(&some);
        let bits = Arc::new(bits);
        self.observations.cells.insert(cell, Arc::clone(&bits));
        bits
    }
}
