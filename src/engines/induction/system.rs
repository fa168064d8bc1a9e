//! The transition system of a program under SC: state bits, inputs, and the next state as gates.
//!
//! The state holds the stop of each thread in binary, and the registers that are live at some stop and
//! the cells, each in the width that its values need. Inputs are the thread that moves, and the
//! choices that it makes.
//!
//! ```text
//! (move)   next(v) = what the chosen thread's macro-step leaves in v, if it can take one, else v
//! (dead)   a register that is dead at the stop that is reached gets one fixed value
//! (inside) while a thread stops inside an atomic block, no other thread moves
//! (goal)   the literal of a goal is true in a state, for some inputs, iff local instructions reach it
//! ```
//!
//! **Invariant.** The next state is a function of state and inputs: a thread that is chosen and cannot move
//! changes nothing. In states that the value analysis excludes, a value may be cut off at the width of
//! its variable; no reachable state is among them.
//!
//! **Absent.** Buffers, and properties about threads that wait.

use super::stops::{Stops, Stride};
use super::walk::{Arrival, Edge, Walker};
use super::{Refusal, Subject};
use crate::cnf::{Bits, Cnf, term};
use crate::facts::{Liveness, ValueSet, Values};
use crate::program::{Addr, Goal, Observable, Program, PropertyKind, RegId, Site, ThreadId};
use crate::verdict::Budget;
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A part of the state.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) subject: Subject,
    pub(super) value: Arc<Bits>,
    /// What a register gets where it is dead.
    dead: i32,
}

/// A bit of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateBit {
    pub(super) lit: Lit,
    pub(super) variable: usize,
    pub(super) position: usize,
    /// Bits of a thread and its registers have the same group, and so have those of one cell.
    pub(super) group: usize,
}

/// One thread in the system.
#[derive(Debug)]
pub(super) struct ThreadPart {
    pub(super) stops: Stops,
    /// By stop: true if the thread is there.
    pub(super) at: Vec<Lit>,
    /// By stop: the instructions of the walks from there.
    pub(super) edges: Vec<Vec<Edge>>,
    selected: Lit,
    registers: BTreeMap<RegId, usize>,
}

/// The transition system.
pub(super) struct System {
    pub(super) program: Arc<Program>,
    pub(super) cnf: Cnf,
    pub(super) variables: Vec<Variable>,
    pub(super) bits: Vec<StateBit>,
    /// By state bit.
    pub(super) next: Vec<Lit>,
    /// By state bit.
    pub(super) initial: Vec<bool>,
    pub(super) inputs: Vec<Lit>,
    pub(super) goals: Vec<(Goal, Lit)>,
    pub(super) threads: Vec<ThreadPart>,
    pub(super) liveness: Liveness,
}

/// A larger formula would take longer to load than it is worth.
const MOST_CLAUSES: usize = 2_000_000;

impl System {
    /// The system of a program, for these goals.
    ///
    /// # Errors
    ///
    /// If the program is not supported, or the stop flag was raised.
    pub(super) fn of(
        program: &Program,
        goals: &[Goal],
        stride: Stride,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let values = Values::of(program);
        let liveness = Liveness::for_goals(program, goals);
        let mut system = Self {
            program: Arc::new(program.clone()),
            cnf: Cnf::new(),
            variables: Vec::new(),
            bits: Vec::new(),
            next: Vec::new(),
            initial: Vec::new(),
            inputs: Vec::new(),
            goals: Vec::new(),
            threads: Vec::new(),
            liveness,
        };
        system.declare(&values, goals, stride);
        let cells = program.cells().map(|cell| system.cell(&values, cell));
        let cells: Vec<usize> = cells.collect();
        let (arrivals, failing) = system.walk(&values, &cells, goals, budget)?;
        system.connect(&arrivals);
        for &goal in goals {
            let reached = match goal {
                Goal::Assert(_) | Goal::Outside(_) => {
                    let found = failing.get(&goal).cloned().unwrap_or_default();
                    system.cnf.or_all(found)
                }
                Goal::Property(number) => system.property(number, &cells)?,
            };
            system.goals.push((goal, reached));
        }
        Ok(system)
    }

    /// Declares the stops and registers of all threads.
    fn declare(&mut self, values: &Values, goals: &[Goal], stride: Stride) {
        let program = Arc::clone(&self.program);
        let last = program.threads().len().max(1) as i32 - 1;
        let select = Bits::fresh(&mut self.cnf, 0, last);
        self.inputs
            .extend(variable_bits(&select).map(|(_, lit)| lit));
        for thread in program.thread_ids() {
            let automaton = program.thread(thread);
            let stops = Stops::of(&program, thread, goals, stride);
            let count = stops.list.len() as i32;
            let entry = stops.code(automaton.entry()).unwrap_or(0) as i32;
            let group = thread.index();
            let pc = self.variable(Subject::Thread(thread), (0, count - 1), entry, group);
            let pc = Arc::clone(&self.variables[pc].value);
            let at = (0..count).map(|code| pc.equal(&Bits::constant(code), &mut self.cnf));
            let at = at.collect();
            let mut registers = BTreeMap::new();
            for (index, register) in automaton.registers().iter().enumerate() {
                let reg = RegId::from(index);
                let live = |&&loc: &&_| self.liveness.is_live(thread, loc, reg);
                let sets = stops.list.iter().filter(live);
                let sets = sets.map(|&loc| values.register_at(thread, loc, reg));
                let set = sets.fold(ValueSet::EMPTY, |all, set| all.join(set));
                if set.is_empty() {
                    continue;
                }
                let range = set.bounds().unwrap_or((0, 0));
                let subject = Subject::Register(thread, reg);
                let initial = if self.liveness.is_live(thread, automaton.entry(), reg) {
                    register.init
                } else {
                    dead_value(range)
                };
                registers.insert(reg, self.variable(subject, range, initial, group));
            }
            let chosen = Bits::constant(thread.index() as i32);
            self.threads.push(ThreadPart {
                edges: Vec::new(),
                stops,
                at,
                selected: select.equal(&chosen, &mut self.cnf),
                registers,
            });
        }
    }

    fn cell(&mut self, values: &Values, cell: Addr) -> usize {
        let program = Arc::clone(&self.program);
        let range = values.cell(cell).bounds().unwrap_or((0, 0));
        let initial = program.initial_memory()[cell.index()];
        let group = program.threads().len() + cell.index();
        self.variable(Subject::Cell(cell), range, initial, group)
    }

    /// Declares a variable with values in this range, and returns its number.
    fn variable(
        &mut self,
        subject: Subject,
        range: (i32, i32),
        initial: i32,
        group: usize,
    ) -> usize {
        let number = self.variables.len();
        let value = Bits::fresh(&mut self.cnf, range.0, range.1);
        for (position, lit) in variable_bits(&value) {
            self.bits.push(StateBit {
                lit,
                variable: number,
                position,
                group,
            });
            self.initial.push(initial >> position & 1 == 1);
        }
        self.variables.push(Variable {
            subject,
            value: Arc::new(value),
            dead: dead_value(range),
        });
        number
    }

    /// Encodes all macro-steps: where they end, by thread, and where goals inside threads are reached.
    #[expect(clippy::type_complexity, reason = "the two results of one pass")]
    fn walk(
        &mut self,
        values: &Values,
        cells: &[usize],
        goals: &[Goal],
        budget: &Budget,
    ) -> Result<(Vec<Vec<Arrival>>, BTreeMap<Goal, Vec<Lit>>), Refusal> {
        let memory: Vec<Arc<Bits>> = cells
            .iter()
            .map(|&cell| Arc::clone(&self.variables[cell].value))
            .collect();
        let inside: Vec<Lit> = self
            .program
            .thread_ids()
            .map(|thread| self.inside(thread))
            .collect();
        let mut picks = Vec::new();
        let mut failing: BTreeMap<Goal, Vec<Lit>> = BTreeMap::new();
        let mut all = Vec::new();
        for thread in self.program.thread_ids() {
            let others = inside.iter().enumerate();
            let others = others.filter(|&(other, _)| other != thread.index());
            let others: Vec<Lit> = others.map(|(_, &lit)| !lit).collect();
            let part = &self.threads[thread.index()];
            let may = self.cnf.and_all(others.into_iter().chain([part.selected]));
            let (mut arrivals, mut edges) = (Vec::new(), Vec::new());
            for (code, &stop) in part.stops.list.iter().enumerate() {
                let live = self.liveness.at(thread, stop).iter();
                let registers = live.filter_map(|reg| {
                    let number = part.registers.get(reg)?;
                    Some((*reg, Arc::clone(&self.variables[*number].value)))
                });
                let mut walker = Walker {
                    program: &self.program,
                    thread,
                    values,
                    liveness: &self.liveness,
                    stops: &part.stops,
                    memory: &memory,
                    goals,
                    cnf: &mut self.cnf,
                    picks: &mut picks,
                    picked: 0,
                    inputs: &mut self.inputs,
                    failing: &mut failing,
                    edges: Vec::new(),
                    arrivals: &mut arrivals,
                };
                let guard = walker.cnf.and(may, part.at[code]);
                walker.walk(stop, guard, registers.collect());
                edges.push(walker.edges);
                if budget.is_stopped() {
                    return Err(Refusal::Stopped);
                }
                if self.cnf.clauses() > MOST_CLAUSES {
                    return Err(Refusal::Unsupported(
                        "the program is too large for the inductive engine: its steps need more \
                         than two million clauses"
                            .to_owned(),
                    ));
                }
            }
            self.threads[thread.index()].edges = edges;
            all.push(arrivals);
        }
        Ok((all, failing))
    }

    /// (move), (dead)
    fn connect(&mut self, arrivals: &[Vec<Arrival>]) {
        let mut after: Vec<Arc<Bits>> = Vec::new();
        for variable in &self.variables {
            let mut value = Arc::clone(&variable.value);
            let dead = Arc::new(Bits::constant(variable.dead));
            let movers = match variable.subject {
                Subject::Thread(thread) | Subject::Register(thread, _) => {
                    &arrivals[thread.index()..=thread.index()]
                }
                Subject::Cell(_) => arrivals,
            };
            for arrival in movers.iter().flatten() {
                let new = match variable.subject {
                    Subject::Thread(_) => Arc::new(Bits::constant(arrival.code as i32)),
                    Subject::Register(thread, reg) => {
                        let stop = self.threads[thread.index()].stops.list[arrival.code];
                        let live = self.liveness.is_live(thread, stop, reg);
                        let value = arrival.registers.get(&reg).filter(|_| live);
                        Arc::clone(value.unwrap_or(&dead))
                    }
                    Subject::Cell(cell) => match arrival.written.get(&cell) {
                        Some(value) => Arc::clone(value),
                        None => continue,
                    },
                };
                value = Arc::new(new.mux(arrival.taken, &value, &mut self.cnf));
            }
            after.push(value);
        }
        let next = self.bits.iter();
        self.next = next
            .map(|bit| after[bit.variable].bit(bit.position))
            .collect();
    }

    /// True if the thread stops inside an atomic block.
    fn inside(&mut self, thread: ThreadId) -> Lit {
        let automaton = self.program.thread(thread);
        let part = &self.threads[thread.index()];
        let stops = part.stops.list.iter().zip(&part.at);
        let atomic = stops.filter(|(loc, _)| automaton.location(**loc).atomic);
        let atomic: Vec<Lit> = atomic.map(|(_, &at)| at).collect();
        self.cnf.or_all(atomic)
    }

    fn property(&mut self, number: usize, cells: &[usize]) -> Result<Lit, Refusal> {
        let program = Arc::clone(&self.program);
        let property = &program.properties()[number];
        let predicate = &property.predicate;
        let mut observed: BTreeMap<Observable, Arc<Bits>> = BTreeMap::new();
        for observable in predicate.vars() {
            observed.insert(observable, self.observe(observable, cells));
        }
        let value = term(predicate, &mut self.cnf, &|observable| {
            Arc::clone(&observed[&observable])
        });
        let holds = value.nonzero(&mut self.cnf);
        let mut all = Vec::new();
        for thread in self.program.thread_ids() {
            all.push(!self.inside(thread));
        }
        let ended = |system: &mut Self, all: &mut Vec<Lit>| {
            for (thread, part) in system.program.threads().iter().zip(&system.threads) {
                let ends = part.stops.list.iter().zip(&part.at);
                let ends = ends.filter(|(loc, _)| thread.is_end(**loc));
                let ends: Vec<Lit> = ends.map(|(_, &at)| at).collect();
                all.push(system.cnf.or_all(ends));
            }
        };
        match property.kind {
            PropertyKind::Forbid => all.push(holds),
            PropertyKind::FinalAssert => {
                ended(self, &mut all);
                all.push(!holds);
            }
            PropertyKind::Exists => {
                ended(self, &mut all);
                all.push(holds);
            }
            PropertyKind::Stuck | PropertyKind::Starved(_) => {
                return Err(Refusal::Unsupported(
                    "the inductive engine does not decide whether threads wait forever: use \
                     `--engine explicit`"
                        .to_owned(),
                ));
            }
        }
        Ok(self.cnf.and_all(all))
    }

    fn observe(&mut self, observable: Observable, cells: &[usize]) -> Arc<Bits> {
        match observable {
            Observable::Register(thread, reg) => {
                let number = self.threads[thread.index()].registers.get(&reg);
                number.map_or_else(
                    || Arc::new(Bits::constant(0)),
                    |&number| Arc::clone(&self.variables[number].value),
                )
            }
            Observable::At(thread, loc) => {
                let part = &self.threads[thread.index()];
                let at = part
                    .stops
                    .code(loc)
                    .map_or(Cnf::FALSE, |code| part.at[code]);
                Arc::new(Bits::boolean(at))
            }
            Observable::Cell(addr) => Arc::clone(&self.variables[cells[addr.index()]].value),
        }
    }

    /// The registers of a thread that matter at a stop.
    pub(super) fn live_at(&self, thread: ThreadId, code: usize) -> Vec<RegId> {
        let part = &self.threads[thread.index()];
        let live = self.liveness.at(thread, part.stops.list[code]).iter();
        live.filter(|reg| part.registers.contains_key(reg))
            .copied()
            .collect()
    }

    /// What each register of a thread counts as where it does not matter.
    pub(super) fn dead_values(&self, thread: ThreadId) -> Vec<(RegId, i32)> {
        let registers = self.threads[thread.index()].registers.iter();
        registers
            .map(|(&reg, &number)| (reg, self.variables[number].dead))
            .collect()
    }
}

/// The bits of a number that are not constant, with their positions.
fn variable_bits(value: &Bits) -> impl Iterator<Item = (usize, Lit)> {
    let all = (0..value.width()).map(|position| (position, value.bit(position)));
    all.filter(|(_, lit)| lit.var() != Cnf::TRUE.var())
}

/// The value of registers that are dead.
fn dead_value((low, high): (i32, i32)) -> i32 {
    0.clamp(low, high)
}

/// The goal of an instruction, if it is among these.
pub(super) fn goal_at(goals: &[Goal], goal: impl Fn(Site) -> Goal, site: Site) -> Option<Goal> {
    let goal = goal(site);
    goals.contains(&goal).then_some(goal)
}
