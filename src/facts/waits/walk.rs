//! What a thread does alone from a loop head, symbolically.
//!
//! A *state* is a location with the values of the live registers, and, inside an atomic block, of
//! the cells written there, all as expressions over the configuration at the head. An edge between
//! states has a condition, likewise. The configuration decides which conditions are true, once and
//! for all; what the thread can do from this configuration is the part of the graph whose conditions
//! are true. It waits if that part contains no end of the thread and no change of memory, and a
//! cycle.
//!
//! A state also records cells that have a known value on every path to it: otherwise a loop that
//! writes 1 and then 0 would be followed to its end, as if memory could have both.

use super::simplify::{is_true, simplified};
use super::{Head, Predicate, and, not, or};
use crate::liveness::Liveness;
use crate::program::{
    Addr, BinaryOp, Expr, InstrId, LocId, Observable, Op, Program, RegId, Site, ThreadId, UnaryOp,
};
use crate::values::Values;
use ahash::AHashMap;
use std::collections::BTreeMap;

/// The maximum number of states.
const MOST_STATES: usize = 400;
/// The maximum number of steps of the search for paths.
const MOST_STEPS: usize = 20_000;
/// The maximum depth of an expression, and the maximum number of variables in it: a value that is added
/// to itself in each iteration doubles, in a register or in a cell.
const DEEPEST: usize = 40;
const WIDEST: usize = 100;
/// The maximum size of the predicate, in variables.
const LARGEST: usize = 4_000;
/// The maximum number of values of a choice.
const MOST_CHOICES: i64 = 8;

/// A state; see above.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    loc: LocId,
    registers: Vec<Predicate>,
    /// Written in the atomic block that the thread is in.
    written: BTreeMap<Addr, Predicate>,
    /// Known values of cells.
    known: BTreeMap<Addr, i32>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    State(usize),
    /// To the end of the thread, or to another memory.
    Away,
}

/// The graph of states.
pub(super) struct Walk<'p> {
    program: &'p Program,
    values: &'p Values,
    liveness: &'p Liveness,
    thread: ThreadId,
    states: Vec<State>,
    numbers: AHashMap<State, usize>,
    edges: Vec<Vec<(Predicate, Target)>>,
    /// Whether each state has, in every configuration, an edge whose condition is true.
    always_continues: bool,
}

impl<'p> Walk<'p> {
    /// The configurations from which the thread, which is at this head, waits, if these registers have
    /// these values; `None` if the walk is too long.
    pub(super) fn from(head: Head<'p>, fixed: &BTreeMap<RegId, i32>) -> Option<Predicate> {
        let Head {
            program,
            values,
            liveness,
            thread,
            loc,
        } = head;
        let count = program.thread(thread).registers().len();
        let register = |reg: usize| match fixed.get(&RegId::from(reg)) {
            Some(&value) => Expr::Const(value),
            None => Expr::Var(Observable::Register(thread, RegId::from(reg))),
        };
        let mut walk = Self {
            program,
            values,
            liveness,
            thread,
            states: Vec::new(),
            numbers: AHashMap::new(),
            edges: Vec::new(),
            always_continues: true,
        };
        walk.state(State {
            loc,
            registers: (0..count).map(register).collect(),
            written: BTreeMap::new(),
            known: BTreeMap::new(),
        })?;
        while let Some(state) = walk.states.get(walk.edges.len()).cloned() {
            let edges = walk.edges_of(&state)?;
            walk.edges.push(edges);
        }
        walk.predicate()
    }

    /// The number of a state, without the values of dead registers.
    fn state(&mut self, mut state: State) -> Option<usize> {
        for (index, value) in state.registers.iter_mut().enumerate() {
            if !self.liveness.is_live(self.thread, state.loc, index.into()) {
                *value = Expr::Const(0);
            }
        }
        let mut values = state.registers.iter().chain(state.written.values());
        if values.any(|value| value.vars().len() > WIDEST || value.depth() > DEEPEST) {
            return None;
        }
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        let number = self.states.len();
        if number == MOST_STATES {
            return None;
        }
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        Some(number)
    }

    /// The edges from a state; `None` if they are too many.
    fn edges_of(&mut self, state: &State) -> Option<Vec<(Predicate, Target)>> {
        let automaton = self.program.thread(self.thread);
        let mut edges: Vec<(Predicate, Target)> = Vec::new();
        for &instr in automaton.outgoing(state.loc) {
            let to = automaton.instruction(instr).to;
            for (condition, after) in self.step(state, instr)? {
                let condition = simplified(&condition, &state.known);
                if condition.as_const() == Some(0) {
                    continue;
                }
                let target = match after {
                    Some(_) if automaton.is_end(to) => Target::Away,
                    Some(after) => {
                        let after = learned(after, &condition);
                        Target::State(self.state(State { loc: to, ..after })?)
                    }
                    None => Target::Away,
                };
                edges.push((condition, target));
            }
        }
        self.always_continues &= covers(&edges);
        Some(edges)
    }

    /// What an instruction does: under each condition, the state after it without its location, or
    /// `None` if memory changes.
    fn step(&self, state: &State, instr: InstrId) -> Option<Vec<(Predicate, Option<State>)>> {
        let always = || Expr::Const(1);
        let op = &self.program.thread(self.thread).instruction(instr).op;
        let value = |e: &Expr<RegId>| simplified(&state.value(e), &state.known);
        Some(match op {
            // An assertion that fails is a violation of its own, and does not block.
            Op::Skip | Op::Assert(_) | Op::Fence(_) | Op::AtomicBegin | Op::WordBegin(_) => {
                vec![(always(), Some(state.clone()))]
            }
            Op::Assume(e) => vec![(value(e), Some(state.clone()))],
            Op::Assign { into, value: e } => {
                vec![(always(), Some(state.with(*into, value(e))))]
            }
            Op::Havoc { into, low, high } => {
                if i64::from(*high) - i64::from(*low) >= MOST_CHOICES {
                    return None;
                }
                let choices = (*low..=*high).map(Expr::Const);
                choices
                    .map(|choice| (always(), Some(state.with(*into, choice))))
                    .collect()
            }
            Op::Load { into, addr } => self
                .cells(state, instr, addr)?
                .into_iter()
                .map(|(condition, cell)| (condition, Some(state.with(*into, state.read(cell)))))
                .collect(),
            Op::Store { addr, value: e } => {
                let mut ways = Vec::new();
                for (condition, cell) in self.cells(state, instr, addr)? {
                    ways.extend(self.write(state, state, condition, cell, value(e)));
                }
                ways
            }
            Op::Rmw { into, addr, update } => {
                let mut ways = Vec::new();
                for (condition, cell) in self.cells(state, instr, addr)? {
                    let old = state.read(cell);
                    let new = update.stored(old.clone(), |e| state.value(e));
                    let new = simplified(&new, &state.known);
                    let after = state.with(*into, old);
                    ways.extend(self.write(state, &after, condition, cell, new));
                }
                ways
            }
            Op::AtomicEnd => {
                let same = state.written.iter().map(|(&cell, new)| {
                    let memory = Expr::Var(Observable::Cell(cell));
                    Expr::binary(BinaryOp::Eq, new.clone(), memory)
                });
                let same = same.fold(always(), |all, e| and(all, simplified(&e, &state.known)));
                let after = State {
                    written: BTreeMap::new(),
                    ..state.clone()
                };
                vec![(not(same.clone()), None), (same, Some(after))]
            }
        })
    }

    /// A store to a cell: inside an atomic block it counts when the block ends.
    fn write(
        &self,
        state: &State,
        after: &State,
        condition: Predicate,
        cell: Addr,
        new: Predicate,
    ) -> Vec<(Predicate, Option<State>)> {
        if self.program.thread(self.thread).location(state.loc).atomic {
            let mut after = after.clone();
            after.written.insert(cell, new);
            return vec![(condition, Some(after))];
        }
        let same = Expr::binary(BinaryOp::Eq, new, state.read(cell));
        let same = simplified(&same, &state.known);
        vec![
            (and(condition.clone(), not(same.clone())), None),
            (and(condition, same), Some(after.clone())),
        ]
    }

    /// The cells that an access may have, each with the condition for it. An access outside shared
    /// memory is not executed.
    fn cells(
        &self,
        state: &State,
        instr: InstrId,
        addr: &Expr<RegId>,
    ) -> Option<Vec<(Predicate, Addr)>> {
        let addr = simplified(&state.value(addr), &state.known);
        if let Some(value) = addr.as_const() {
            let cell = self.program.cell_at(value);
            return Some(
                cell.into_iter()
                    .map(|cell| (Expr::Const(1), cell))
                    .collect(),
            );
        }
        let site = Site {
            thread: self.thread,
            instr,
        };
        let candidates = self.values.addresses(self.program, site).cells;
        if candidates.len() > MOST_STATES {
            return None;
        }
        let is = |cell: Addr| {
            let e = Expr::binary(BinaryOp::Eq, addr.clone(), Expr::Const(cell.0));
            simplified(&e, &state.known)
        };
        Some(
            candidates
                .into_iter()
                .map(|cell| (is(cell), cell))
                .collect(),
        )
    }

    /// The configurations from which no path leads away, and some path goes on forever.
    fn predicate(&self) -> Option<Predicate> {
        let mut paths = Paths {
            walk: self,
            away: Vec::new(),
            forever: Vec::new(),
            steps: 0,
            size: 0,
            on_path: vec![false; self.states.len()],
            conditions: Vec::new(),
        };
        paths.follow(0)?;
        let any = |paths: Vec<Predicate>| paths.into_iter().fold(Expr::Const(0), or);
        let stays = not(any(paths.away));
        let forever = if self.always_continues {
            Expr::Const(1)
        } else {
            any(paths.forever)
        };
        Some(and(stays, forever))
    }
}

impl State {
    /// The value of an expression of the thread.
    fn value(&self, e: &Expr<RegId>) -> Predicate {
        e.map(&mut |reg: RegId| self.registers[reg.index()].clone())
    }

    fn with(&self, into: RegId, value: Predicate) -> State {
        let mut state = self.clone();
        state.registers[into.index()] = value;
        state
    }

    /// The value of a cell.
    fn read(&self, cell: Addr) -> Predicate {
        match (self.written.get(&cell), self.known.get(&cell)) {
            (Some(written), _) => written.clone(),
            (None, Some(&value)) => Expr::Const(value),
            (None, None) => Expr::Var(Observable::Cell(cell)),
        }
    }
}

/// The search for the paths without repeated states.
struct Paths<'w, 'p> {
    walk: &'w Walk<'p>,
    /// The conditions of the paths that lead away.
    away: Vec<Predicate>,
    /// The conditions of the paths that get back to one of their states.
    forever: Vec<Predicate>,
    steps: usize,
    /// The size of all of these, in variables.
    size: usize,
    on_path: Vec<bool>,
    conditions: Vec<Predicate>,
}

impl Paths<'_, '_> {
    fn follow(&mut self, state: usize) -> Option<()> {
        self.on_path[state] = true;
        let walk = self.walk;
        for (condition, target) in &walk.edges[state] {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            if self.conditions.iter().any(|e| excludes(e, condition)) {
                continue;
            }
            let known = self.conditions.len();
            for part in parts(condition) {
                if part.as_const().is_none() && !self.conditions.contains(part) {
                    self.conditions.push(part.clone());
                }
            }
            match *target {
                Target::Away => {
                    let path = self.path();
                    self.size += path.vars().len();
                    self.away.push(path);
                }
                Target::State(next) if self.on_path[next] => {
                    if !walk.always_continues {
                        let path = self.path();
                        self.size += path.vars().len();
                        self.forever.push(path);
                    }
                }
                Target::State(next) => self.follow(next)?,
            }
            self.conditions.truncate(known);
            if self.size > LARGEST {
                return None;
            }
        }
        self.on_path[state] = false;
        Some(())
    }

    fn path(&self) -> Predicate {
        let conditions = self.conditions.iter().cloned();
        conditions.fold(Expr::Const(1), and)
    }
}

/// The conditions that a conjunction joins.
fn parts(e: &Predicate) -> Vec<&Predicate> {
    match e {
        Expr::Binary(BinaryOp::And, a, b) => [parts(a), parts(b)].concat(),
        Expr::Const(_)
        | Expr::Var(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(_) => {
            vec![e]
        }
    }
}

/// Whether two conditions exclude each other, as far as their form shows it.
fn excludes(a: &Predicate, b: &Predicate) -> bool {
    let negates = |e: &Predicate, of: &Predicate| matches!(e, Expr::Unary(UnaryOp::Not, inner) if **inner == *of);
    parts(a)
        .iter()
        .any(|a| parts(b).iter().any(|b| negates(a, b) || negates(b, a)))
        || negates(a, b)
        || negates(b, a)
}

/// Whether, in every configuration, one of the conditions is true, as far as their form shows it.
fn covers(edges: &[(Predicate, Target)]) -> bool {
    let conditions = || edges.iter().map(|(condition, _)| condition);
    let opposite = |a: &Predicate| conditions().any(|b| *b == not(a.clone()));
    conditions().any(is_true) || conditions().any(opposite)
}

/// What a condition that is true says about memory.
fn learned(state: State, condition: &Predicate) -> State {
    match condition {
        Expr::Binary(BinaryOp::And, a, b) => learned(learned(state, a), b),
        Expr::Binary(BinaryOp::Eq, a, b) => match (&**a, &**b) {
            (Expr::Var(Observable::Cell(cell)), Expr::Const(value))
            | (Expr::Const(value), Expr::Var(Observable::Cell(cell))) => {
                knowing(state, *cell, *value)
            }
            _ => state,
        },
        Expr::Unary(UnaryOp::Not, e) => {
            if let Expr::Var(Observable::Cell(cell)) = **e {
                knowing(state, cell, 0)
            } else {
                state
            }
        }
        Expr::Const(_)
        | Expr::Var(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(_) => state,
    }
}

fn knowing(mut state: State, cell: Addr, value: i32) -> State {
    state.known.insert(cell, value);
    let known = &state.known;
    for register in &mut state.registers {
        *register = simplified(register, known);
    }
    for written in state.written.values_mut() {
        *written = simplified(written, known);
    }
    state
}
