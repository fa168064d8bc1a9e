//! A program as one formula, in which every aspect that a query may vary is a switch.
//!
//! ```text
//!   copies of locations ──paths──▶ guards, register values ──▶ events
//!                                     events ──program_order──▶ edges   } order: acyclic
//!                                     events ──memory─────────▶ rf co fr }
//!                                     guards, values, final memory ──goals──▶ one literal per goal
//! ```
//!
//! A model is one execution: which edges each thread takes, what each access reads, and an order of
//! the accesses in memory. The memory model is defined axiomatically, by the program-order pairs
//! that stay in that order; `reference` defines it a second time, as buffers.
//!
//! * *coherence and global order*: one graph over all events has no cycle. Its edges are preserved
//!   program order, fences, external reads-from, coherence and from-reads. One clause family of
//!   coherence does not follow from this graph: (own), see `memory`.
//! * *no guards on order*: an event that is not executed may be anywhere in the order; its edges
//!   are guarded where they would otherwise compose to an order that the executed events need not
//!   have.
//! * *extension*: a loop that is cut leaves literals for "some later iteration": a further arrival
//!   at a copy, or a further store that a load may read. They can be true only if a `Frontier`
//!   switch is off, and are defined when the loop's bound is raised. Nothing is encoded twice.
//!
//! **Invariant.** With the frontier switches off, every execution of the program under the model,
//! with any number of iterations, satisfies the formula (over-approximation); with all of them on,
//! exactly the executions within the bounds do. So a core without a frontier is a proof for all
//! bounds.
//!
//! * *delays*: a plan may instead select the executions in which one thread delays stores and
//!   happens-before has a cycle through the first of them. `delay` and `cycle` encode attacks: they
//!   are here because their clauses are over the same events, guards and order, and because
//!   deepening rebuilds them with everything else. All they know of an attack is a thread and pairs
//!   of its accesses.
//!
//! **Absent.** Solvers; which pairs are attacks, and that a program without any is robust: see
//! `robustness`.

mod cycle;
mod delay;
mod event;
mod goals;
mod memory;
mod paths;
mod program_order;
mod statement_pairs;
mod switch;
mod waiting;

pub use delay::Delay;
pub(crate) use event::{Event, EventId, EventKind};
pub(crate) use paths::Passage;
pub use switch::Switch;

use crate::cnf::{Acyclicity, Cnf, NodeId, Order};
use crate::facts::{Liveness, LoopId, Loops, Spins, Values};
use crate::model::Model;
use crate::program::{FencePoint, Goal, Program, Site, ThreadId};
use crate::unroll::Unroller;
use crate::verdict::Budget;
use ahash::AHashMap;
use cycle::CycleLiterals;
use delay::Delaying;
use goals::{Observations, PlannedGoals};
use memory::MemoryConstraints;
use paths::Paths;
use rustsat::types::Lit;
use statement_pairs::StatementPairs;
use std::collections::BTreeMap;
use std::sync::Arc;
use waiting::WaitingLoads;

/// The queries that an encoding must support.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The goals that may be queried.
    pub goals: Vec<Goal>,
    /// The memory models that may be queried; more than one costs switches.
    pub models: Vec<Model>,
    /// The statement pairs that may be kept in order.
    pub pairs: Vec<(Site, Site)>,
    /// The fences that may be switched on.
    pub fences: Vec<FencePoint>,
    /// The initial bound of each loop: the number of returns to its head.
    pub returns: u32,
    /// Whether loops that no iteration within their bounds can leave are unrolled until one can. It
    /// adds executions, so that fewer results are bounded.
    pub counting: bool,
    /// If set, the executions are those in which only one thread delays stores, under the only
    /// model of the plan, and queries are for a cycle of happens-before.
    pub delay: Option<Delay>,
}

impl Plan {
    /// These goals under one model.
    pub fn new(goals: Vec<Goal>, model: Model) -> Self {
        Self {
            goals,
            models: vec![model],
            pairs: Vec::new(),
            fences: Vec::new(),
            returns: 1,
            counting: false,
            delay: None,
        }
    }
}

/// How far a program is encoded at first, beyond its plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopBounds {
    /// The loops with an initial bound of their own.
    pub(crate) loops: BTreeMap<(ThreadId, LoopId), u32>,
    /// The size at which encoding stops: the number of clauses and of pairs of accesses that are
    /// compared; `None` if it is not limited.
    pub(crate) largest: Option<usize>,
}

/// What a clause counts for where work is limited: encoding it takes as long as a solver needs for so many
/// bytes of proof.
const CLAUSE: u64 = 4;

/// The same for an event, whose place in the order takes time even without clauses.
const EVENT: u64 = 100;

/// So many comparisons of stores count for one byte.
const COMPARED: u64 = 4;

/// A program's formula, with the mapping from its parts to literals.
#[derive(Debug)]
pub(crate) struct Encoding {
    program: Program,
    plan: Plan,
    planned: PlannedGoals,
    values: Arc<Values>,
    liveness: Liveness,
    pub(crate) cnf: Cnf,
    pub(crate) order: Order,
    paths: Vec<Paths>,
    events: Vec<Event>,
    /// The number of events encoded before any bound was raised; `usize::MAX` until that is done.
    at_first: usize,
    /// The number of events that have their memory constraints.
    placed: usize,
    memory: MemoryConstraints,
    waiting: WaitingLoads,
    keep_store_load: Lit,
    keep_store_store: Lit,
    pairs: StatementPairs,
    fences: Vec<(FencePoint, Lit)>,
    /// For goals inside atomic blocks: the literal under which a computation may end there.
    stops: Vec<(Site, Lit)>,
    /// Conditional edges between events of one thread, until the unconditional ones are closed.
    deferred: Vec<(Lit, NodeId, NodeId)>,
    same: AHashMap<(EventId, EventId), Lit>,
    observations: Observations,
    /// For plans with a delay: which stores are delayed.
    delaying: Option<Delaying>,
    cycles: Option<CycleLiterals>,
    budget: Budget,
    /// The size at which encoding stops.
    largest: usize,
    /// The number of pairs of accesses that were compared: most leave no clause.
    compared: usize,
    /// The work counted so far.
    spent: u64,
    /// Whether the stop flag was seen, or the formula was too large, before everything was encoded.
    cut_short: bool,
}

impl Encoding {
    /// Encodes the part of the program that the plan needs. The program must have no thread that
    /// represents any number of copies. Loops in `bounds` have these initial bounds if they exceed
    /// the plan's. Stops early if the stop flag is raised or the formula is too large: see
    /// [`is_cut_short`](Self::is_cut_short).
    pub(crate) fn new(
        program: Program,
        values: Arc<Values>,
        plan: Plan,
        bounds: &LoopBounds,
        acyclicity: Acyclicity,
        budget: &Budget,
    ) -> Self {
        let mut cnf = Cnf::new();
        let mut kept = |relaxes: fn(Model) -> bool| {
            let relaxing = plan.models.iter().filter(|&&model| relaxes(model)).count();
            if relaxing == 0 {
                Cnf::TRUE
            } else if relaxing == plan.models.len() {
                Cnf::FALSE
            } else {
                cnf.fresh()
            }
        };
        let keep_store_load = kept(Model::relaxes_store_load);
        let keep_store_store = kept(Model::relaxes_store_store);
        let pairs = StatementPairs::new(&plan.pairs, &mut cnf);
        let fences = plan
            .fences
            .iter()
            .map(|point| (point.clone(), cnf.fresh()))
            .collect();
        let liveness = Liveness::for_goals(&program, &plan.goals);
        let paths = program
            .thread_ids()
            .map(|id| {
                let thread = program.thread(id);
                let loops = Loops::of(thread);
                let spins = Spins::of(&program, id, &loops, &values, &liveness);
                // Happens-before involves the loads of every iteration.
                let cutting = plan.delay.is_none();
                let dropped = (0..thread.instructions().len())
                    .map(|i| cutting && spins.is_spin_edge(i.into()))
                    .collect();
                let mut unroller = Unroller::new(thread, loops, dropped, plan.returns);
                for (&(_, loop_id), &bound) in bounds.loops.iter().filter(|((of, _), _)| *of == id)
                {
                    unroller.raise(loop_id, bound.saturating_sub(plan.returns));
                }
                Paths::new(&program, thread, unroller)
            })
            .collect();
        let mut order = Order::new(acyclicity);
        let delaying = plan
            .delay
            .as_ref()
            .map(|delay| Delaying::new(delay.thread, plan.models[0], &mut order));
        let mut encoding = Self {
            order,
            liveness,
            cnf,
            paths,
            events: Vec::new(),
            at_first: usize::MAX,
            placed: 0,
            memory: MemoryConstraints::default(),
            waiting: WaitingLoads::of(&program),
            keep_store_load,
            keep_store_store,
            pairs,
            fences,
            stops: Vec::new(),
            deferred: Vec::new(),
            same: AHashMap::new(),
            observations: Observations::default(),
            delaying,
            cycles: None,
            budget: budget.clone(),
            largest: bounds.largest.unwrap_or(usize::MAX),
            compared: 0,
            spent: 0,
            cut_short: false,
            planned: PlannedGoals::new(&program, &plan.goals),
            program,
            plan,
            values,
        };
        encoding.encode_new();
        encoding.at_first = encoding.events.len();
        encoding
    }

    /// Raises the bounds of loops and encodes the additional copies.
    pub(crate) fn deepen(&mut self, loops: &[(ThreadId, LoopId)], by: u32) {
        if self.cut_short {
            return;
        }
        for &(thread, id) in loops {
            self.paths[thread.index()].unroller.raise(id, by);
        }
        self.encode_new();
    }

    fn encode_new(&mut self) {
        self.observations = Observations::default();
        self.cycles = None;
        for thread in self.program.thread_ids() {
            self.follow_paths(thread);
        }
        let rest = [
            Self::order_own_events,
            Self::propagate_delays,
            Self::place_events,
            |encoding: &mut Self| encoding.order.emit(&mut encoding.cnf),
        ];
        for step in rest {
            if self.is_to_stop() {
                return;
            }
            step(self);
        }
    }

    /// Whether the stop flag is raised, or the formula is too large. From then on this is not a formula
    /// of the program, and encoding must stop.
    fn is_to_stop(&mut self) -> bool {
        let size = self.cnf.clauses() + self.same.len() + self.deferred.len();
        let work = CLAUSE * size as u64
            + EVENT * self.events.len() as u64
            + self.compared as u64 / COMPARED;
        self.budget.spend(work.saturating_sub(self.spent));
        self.spent = self.spent.max(work);
        self.cut_short |= size > self.largest || self.budget.is_stopped();
        self.cut_short
    }

    /// The same, for later work with another budget.
    pub(crate) fn with_budget(self, budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            ..self
        }
    }

    /// The same, with no limit for what is encoded later.
    pub(crate) fn unlimited(self) -> Self {
        Self {
            largest: usize::MAX,
            ..self
        }
    }

    /// Whether encoding stopped before everything was encoded. Then no query may be made: the missing
    /// parts would look unreachable.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// The events, by [`EventId`].
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The model of a plan with exactly one.
    pub(crate) fn model(&self) -> Model {
        self.plan.models[0]
    }

    /// The switches that select a memory model.
    pub(crate) fn model_switches(&self, model: Model) -> Vec<(Switch, Lit)> {
        let mut switches = Vec::new();
        for (switch, lit, relaxed) in [
            (
                Switch::KeepStoreLoad,
                self.keep_store_load,
                model.relaxes_store_load(),
            ),
            (
                Switch::KeepStoreStore,
                self.keep_store_store,
                model.relaxes_store_store(),
            ),
        ] {
            // The switch of a class that the model relaxes is left free: it only adds constraints,
            // so a free switch loses no execution.
            if lit != Cnf::TRUE && lit != Cnf::FALSE && !relaxed {
                switches.push((switch, lit));
            }
        }
        switches
    }

    /// The switch of a statement pair of the plan.
    pub(crate) fn pair_switch(&self, pair: (Site, Site)) -> Option<Lit> {
        self.pairs.switch(pair)
    }

    /// The switch that leaves at most `most` pairs of the plan free; `None` if that forbids
    /// nothing.
    pub(crate) fn at_most(&mut self, most: usize) -> Option<Lit> {
        self.pairs.at_most(most, &mut self.cnf)
    }

    /// The switch of a fence of the plan.
    pub(crate) fn fence_switch(&self, point: &FencePoint) -> Option<Lit> {
        self.fences
            .iter()
            .find(|(other, _)| other == point)
            .map(|&(_, lit)| lit)
    }

    /// For each cut edge, the switch that forbids exceeding its loop's bound there.
    pub(crate) fn frontier(&self) -> Vec<(Switch, Lit)> {
        let mut switches = Vec::new();
        for (t, paths) in self.paths.iter().enumerate() {
            for (id, lit) in paths.cuts() {
                switches.push((Switch::Frontier(t.into(), id), !lit));
            }
        }
        switches
    }

    /// The present bound of a loop.
    pub(crate) fn returns(&self, thread: ThreadId, id: LoopId) -> u32 {
        self.paths[thread.index()].unroller.bound(id)
    }

    /// The loops that are cut but that no encoded iteration can leave, although some edge does: the
    /// executions that pass them are all beyond their bounds.
    pub(crate) fn counted(&self) -> Vec<(ThreadId, LoopId)> {
        let mut counted = Vec::new();
        for (t, paths) in self.paths.iter().enumerate() {
            let loops = paths.counted();
            counted.extend(loops.into_iter().map(|id| (ThreadId::from(t), id)));
        }
        counted
    }

    /// The number of copies of locations.
    pub(crate) fn copies(&self) -> usize {
        self.paths.iter().map(|paths| paths.nodes.len()).sum()
    }

    /// The loops of a thread.
    pub(crate) fn loops(&self, thread: ThreadId) -> &Loops {
        self.paths[thread.index()].unroller.loops()
    }

    /// The passages that a thread takes in a model, from its entry on.
    pub(crate) fn path(&self, thread: ThreadId, value: impl Fn(Lit) -> bool) -> Vec<&Passage> {
        self.paths[thread.index()].taken(value)
    }

    /// For each of these instructions, the literal of "it is executed, or may be in an iteration
    /// that is not encoded".
    pub(crate) fn executed(&mut self, sites: &[Site]) -> Vec<(Site, Lit)> {
        let executions: Vec<_> = self.paths.iter().map(Paths::executions).collect();
        let mut executed = Vec::with_capacity(sites.len());
        for &site in sites {
            let copies = executions[site.thread.index()].get(&site.instr);
            let mut copies = copies.cloned().unwrap_or_default();
            copies.extend(self.beyond_around(site.thread, self.program.instruction(site).from));
            executed.push((site, self.cnf.or_all(copies)));
        }
        executed
    }

    /// The assumptions under which no computation ends inside an atomic block.
    pub(crate) fn no_stops(&self) -> Vec<Lit> {
        self.stops.iter().map(|&(_, lit)| !lit).collect()
    }
}
