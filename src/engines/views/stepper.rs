//! What one thread may do from its local state and the memory, under SC, in one *macro-step*.
//!
//! A local state is a thread's class, its location, and its live registers; a dead register counts
//! as 0. A macro-step executes one instruction that accesses memory, or one whole atomic block, and
//! then local instructions up to the next *stop*:
//!
//! * a location with an instruction that accesses memory, the first location, and every end;
//! * a location that a goal observes, and every location of a thread whose registers a goal observes;
//! * the head of a loop, so that each macro-step is finite.
//!
//! Local instructions commute with everything that other threads do, and no goal looks at what lies
//! between two stops, so the same goals are reached as step by step. A thread that can go nowhere
//! keeps the state in which it is stuck: what it stored before matters to others. One that is stuck
//! in an atomic block needs no state, because then no thread moves, and no predicate is evaluated.
//!
//! **Bounded:** a `nondet` over many values and an atomic block with very many configurations are not
//! enumerated; [`Trouble`] names them.

use super::intern::Interner;
use crate::facts::{Flow, Liveness};
use crate::program::{
    Expr, Goal, Instruction, LocId, Observable, Op, Program, RegId, Site, ThreadId,
};
use ahash::{AHashMap, AHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A `nondet` over more values than this is not enumerated.
const MOST_CHOICES: i64 = 256;
/// A macro-step with more configurations than this is not enumerated.
const MOST_INSIDE: usize = 50_000;

/// What is not enumerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// This `nondet` has too many values.
    Nondet(Site),
    /// A macro-step from this instruction has too many configurations.
    Block(Site),
}

/// The macro-steps from a local state with a memory.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// The memories and local states after them, without repetition.
    pub(super) to: Vec<(u32, u32)>,
    /// The assertions that fail and the accesses outside memory on the way, in the thread of the
    /// class.
    pub(super) goals: Vec<Goal>,
}

/// Enumerates macro-steps, each once.
pub(super) struct Stepper<'p> {
    pub(super) program: &'p Program,
    /// By thread: the thread that stands for its class, or the thread itself.
    pub(super) classes: Vec<ThreadId>,
    stops: Vec<Vec<bool>>,
    /// By thread and location: the registers that are kept.
    live: Vec<Vec<Vec<RegId>>>,
    /// Local states: thread, location, registers.
    pub(super) locals: Interner<i32>,
    pub(super) memories: Interner<i32>,
    known: AHashMap<(u32, u32), Rc<Moves>>,
    waiting: AHashMap<(u32, u32), bool>,
    pub(super) executed: BTreeSet<Site>,
    pub(super) trouble: Option<Trouble>,
}

/// A thread in the middle of a macro-step.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Moment {
    loc: LocId,
    registers: Vec<i32>,
    memory: Vec<i32>,
}

impl<'p> Stepper<'p> {
    /// For these goals of the program.
    pub(super) fn new(program: &'p Program, goals: &[Goal]) -> Self {
        let classes: Vec<ThreadId> = program
            .thread_ids()
            .map(|thread| program.class_of(thread).unwrap_or(thread))
            .collect();
        let mut stepper = Self {
            program,
            stops: Vec::new(),
            live: Vec::new(),
            locals: Interner::default(),
            memories: Interner::default(),
            known: AHashMap::new(),
            waiting: AHashMap::new(),
            executed: BTreeSet::new(),
            trouble: None,
            classes,
        };
        stepper.find_stops(goals);
        stepper.find_live(goals);
        stepper
    }

    /// For certificates: every location is a stop, and all registers are kept. Goals do not matter.
    pub(super) fn single_steps(program: &'p Program) -> Self {
        let mut stepper = Self::new(program, &[]);
        for (thread, automaton) in program.threads().iter().enumerate() {
            stepper.stops[thread].fill(true);
            let all = (0..automaton.registers().len()).map(RegId::from);
            stepper.live[thread].fill(all.collect());
        }
        stepper
    }

    fn find_stops(&mut self, goals: &[Goal]) {
        let program = self.program;
        self.stops = program.thread_ids().map(|t| stops(program, t)).collect();
        for &goal in goals {
            let Goal::Property(number) = goal else {
                continue;
            };
            program.properties()[number]
                .predicate
                .for_each_var(&mut |var| match var {
                    Observable::At(thread, loc) => {
                        self.stops[self.classes[thread.index()].index()][loc.index()] = true;
                    }
                    Observable::Register(thread, _) => {
                        self.stops[self.classes[thread.index()].index()].fill(true);
                    }
                    Observable::Cell(_) => {}
                });
        }
    }

    /// What is live in any thread of a class is kept in all of them.
    fn find_live(&mut self, goals: &[Goal]) {
        let program = self.program;
        let liveness = Liveness::for_goals(program, goals);
        self.live = program
            .threads()
            .iter()
            .map(|thread| vec![Vec::new(); thread.locations().len()])
            .collect();
        for thread in program.thread_ids() {
            let class = self.classes[thread.index()];
            for (loc, kept) in self.live[class.index()].iter_mut().enumerate() {
                kept.extend(liveness.at(thread, loc.into()));
                kept.sort_unstable();
                kept.dedup();
            }
        }
    }

    /// The number of the initial memory.
    pub(super) fn initial_memory(&mut self) -> u32 {
        let memory = self.program.initial_memory();
        self.memory(memory)
    }

    /// The number of a thread's initial local state.
    pub(super) fn initial_local(&mut self, thread: ThreadId) -> u32 {
        let automaton = self.program.thread(thread);
        let registers = automaton.registers().iter();
        let registers: Vec<i32> = registers.map(|register| register.init).collect();
        self.local(thread, automaton.entry(), &registers)
    }

    fn memory(&mut self, memory: &[i32]) -> u32 {
        self.memories.add(memory).0
    }

    fn local(&mut self, thread: ThreadId, loc: LocId, registers: &[i32]) -> u32 {
        let class = self.classes[thread.index()];
        let mut items = vec![0; registers.len() + 2];
        items[0] = class.0 as i32;
        items[1] = loc.0 as i32;
        for reg in &self.live[class.index()][loc.index()] {
            items[reg.index() + 2] = registers[reg.index()];
        }
        self.locals.add(&items).0
    }

    /// The thread that stands for the class of a local state, and its location and registers.
    pub(super) fn parts(&self, local: u32) -> (ThreadId, LocId, &[i32]) {
        let items = self.locals.get(local);
        (
            ThreadId(items[0] as u32),
            LocId(items[1] as u32),
            &items[2..],
        )
    }

    /// Whether the thread has ended in a local state.
    pub(super) fn has_ended(&self, local: u32) -> bool {
        let (thread, loc, _) = self.parts(local);
        self.program.thread(thread).is_end(loc)
    }

    /// The macro-steps from a local state.
    pub(super) fn moves(&mut self, memory: u32, local: u32) -> Rc<Moves> {
        if let Some(known) = self.known.get(&(memory, local)) {
            return Rc::clone(known);
        }
        let moves = Rc::new(self.enumerate(memory, local));
        self.known.insert((memory, local), Rc::clone(&moves));
        moves
    }

    /// Whether a thread may wait forever from a local state: alone, it neither changes memory nor ends,
    /// and perhaps it can go on.
    ///
    /// **Incomplete:** it may also be false that it can go on: where two paths meet, or in a block.
    pub(super) fn may_wait(&mut self, memory: u32, local: u32) -> bool {
        if let Some(&known) = self.waiting.get(&(memory, local)) {
            return known;
        }
        let waits = self.goes_on_alone(memory, local);
        self.waiting.insert((memory, local), waits);
        waits
    }

    fn goes_on_alone(&mut self, memory: u32, local: u32) -> bool {
        let (mut seen, mut next, mut goes_on) = (vec![local], 0, false);
        while let Some(&here) = seen.get(next) {
            next += 1;
            let (thread, loc, _) = self.parts(here);
            let automaton = self.program.thread(thread);
            if automaton.is_end(loc) {
                return false;
            }
            let mut leaving = automaton.outgoing(loc).iter();
            goes_on |=
                leaving.any(|&instr| matches!(automaton.instruction(instr).op, Op::AtomicBegin));
            for &(changed, after) in &self.moves(memory, here).to {
                if changed != memory {
                    return false;
                }
                if seen.contains(&after) {
                    goes_on = true;
                } else {
                    seen.push(after);
                }
            }
        }
        goes_on
    }

    fn enumerate(&mut self, memory: u32, local: u32) -> Moves {
        let (thread, loc, registers) = self.parts(local);
        let start = Moment {
            loc,
            registers: registers.to_vec(),
            memory: self.memories.get(memory).to_vec(),
        };
        let mut moves = Moves::default();
        let mut next = Vec::new();
        self.execute_all(thread, &start, &mut next, &mut moves.goals);
        let mut seen: AHashSet<Moment> = AHashSet::new();
        let automaton = self.program.thread(thread);
        while let Some(moment) = next.pop() {
            if !seen.insert(moment.clone()) {
                continue;
            }
            if seen.len() > MOST_INSIDE {
                let instr = automaton.outgoing(loc).first().copied();
                if let Some(instr) = instr {
                    self.trouble
                        .get_or_insert(Trouble::Block(Site { thread, instr }));
                }
                break;
            }
            let inside = automaton.location(moment.loc).atomic;
            let before = next.len();
            if inside || !self.stops[thread.index()][moment.loc.index()] {
                self.execute_all(thread, &moment, &mut next, &mut moves.goals);
            }
            if !inside && next.len() == before {
                let memory = self.memory(&moment.memory);
                let local = self.local(thread, moment.loc, &moment.registers);
                moves.to.push((memory, local));
            }
        }
        moves.to.sort_unstable();
        moves.to.dedup();
        moves.goals.sort_unstable();
        moves.goals.dedup();
        moves
    }

    /// Appends what every instruction that leaves the location leads to.
    fn execute_all(
        &mut self,
        thread: ThreadId,
        moment: &Moment,
        next: &mut Vec<Moment>,
        goals: &mut Vec<Goal>,
    ) {
        for &instr in self.program.thread(thread).outgoing(moment.loc) {
            let site = Site { thread, instr };
            let before = next.len();
            self.execute(site, moment, next, goals);
            if next.len() > before {
                self.executed.insert(site);
            }
        }
    }

    fn execute(
        &mut self,
        site: Site,
        moment: &Moment,
        next: &mut Vec<Moment>,
        goals: &mut Vec<Goal>,
    ) {
        let Instruction { op, to, .. } = self.program.instruction(site);
        let value = |e: &Expr<RegId>| e.eval(|reg| moment.registers[reg.index()]);
        let mut after = Moment {
            loc: *to,
            ..moment.clone()
        };
        let cell = match op.address() {
            None => 0,
            Some(addr) => {
                let Some(cell) = self.program.cell_at(value(addr)) else {
                    goals.push(Goal::Outside(site));
                    return;
                };
                cell.index()
            }
        };
        match op {
            Op::Skip | Op::Fence(_) | Op::AtomicBegin | Op::WordBegin(_) | Op::AtomicEnd => {}
            Op::Assume(e) => {
                if value(e) == 0 {
                    return;
                }
            }
            Op::Assert(e) => {
                if value(e) == 0 {
                    goals.push(Goal::Assert(site));
                }
            }
            Op::Assign { into, value: e } => after.registers[into.index()] = value(e),
            Op::Havoc { into, low, high } => {
                if i64::from(*high) - i64::from(*low) >= MOST_CHOICES {
                    self.trouble.get_or_insert(Trouble::Nondet(site));
                    return;
                }
                for choice in *low..=*high {
                    let mut chosen = after.clone();
                    chosen.registers[into.index()] = choice;
                    next.push(chosen);
                }
                return;
            }
            Op::Load { into, .. } => after.registers[into.index()] = moment.memory[cell],
            Op::Store { value: e, .. } => after.memory[cell] = value(e),
            Op::Rmw { into, update, .. } => {
                let old = moment.memory[cell];
                after.memory[cell] = update.apply(old, |reg| moment.registers[reg.index()]);
                after.registers[into.index()] = old;
            }
        }
        next.push(after);
    }

    /// The register with the most values, and how many they are.
    pub(super) fn widest_register(&self) -> Option<(ThreadId, RegId, usize)> {
        let mut values: AHashMap<(i32, usize), AHashSet<i32>> = AHashMap::new();
        for local in self.locals.all() {
            for (reg, &value) in local[2..].iter().enumerate() {
                values.entry((local[0], reg)).or_default().insert(value);
            }
        }
        let mut counts: Vec<_> = Vec::new();
        for thread in self.program.thread_ids() {
            for reg in 0..self.program.thread(thread).registers().len() {
                if let Some(values) = values.get(&(thread.0 as i32, reg)) {
                    counts.push((thread, RegId::from(reg), values.len()));
                }
            }
        }
        counts.into_iter().max_by_key(|&(_, _, count)| count)
    }
}

/// The stops of a thread, apart from what goals observe.
fn stops(program: &Program, thread: ThreadId) -> Vec<bool> {
    let automaton = program.thread(thread);
    let accesses = |loc: LocId| {
        let mut outgoing = automaton.outgoing(loc).iter();
        outgoing.any(|&instr| {
            let op = &automaton.instruction(instr).op;
            op.address().is_some() || matches!(op, Op::AtomicBegin)
        })
    };
    // Where a path comes back to itself, a loop is closed.
    let entry = automaton.entry();
    let search = Flow::forward(automaton).search([entry.index()], |_, _| true);
    let locations = (0..automaton.locations().len()).map(LocId::from);
    locations
        .zip(search.closes)
        .map(|(loc, closes)| loc == entry || closes || automaton.is_end(loc) || accesses(loc))
        .collect()
}
