//! Witnesses of attacks, step by step: if no state closes a cycle, the thread has no attack.
//!
//! A program that is not robust has an execution in which one thread, the attacker, delays stores, and all
//! others run under SC [BDM13, Theorem 1], [DMS17, Theorem 1]. This system does exactly that:
//!
//! ```text
//! Before   everything runs under SC                         ──the attacker delays a store──▶ Delaying
//! Delaying the attacker holds its stores, and reads them    ──its last access──────────────▶ Closing
//! Closing  the attacker has stopped; others only do what depends on its last access. Each cell has a
//!          level: not accessed by what depends on it, loaded (1), stored (2)
//! bad      the cell of the first delayed store has a level: that store comes after all of this
//! ```
//!
//! A thread depends on the last access as soon as it stores to a cell with a level, or loads from one that
//! was stored to [BDM13, Lemma 3]. An atomic block is one action: it depends on the last access if one of
//! its accesses does, by the levels before the block, and then all of them set levels. It counts when it
//! ends.
//!
//! An access of several cells (`lock word`) is one action, too. Those of the attacker are [steps of their own](word); for all
//! others they are atomic blocks. The theorem is stated for single cells. Its proof delays, and moves to the front, whole
//! actions, and asks of two of them only whether they conflict: whether they have a cell in common that one of them
//! stores to. For the stores of one access, which reach memory together, and for loads, which happen at one moment, the
//! same holds with several cells.
//!
//! Any store may be the first, and any later access the last. So there is no list of attacks that could be
//! incomplete; pairs that [`refuted`](super::refuted) excludes are left out.

mod coding;
mod word;

use super::Refusal;
use super::expr::{Expr, Var};
use super::machine::Model;
use super::program::{Op, Program};
use super::refuted::Open;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Before,
    Delaying,
    Closing,
}

/// How a thread stands to the last access, in the last phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Independent,
    Dependent,
    /// In an atomic block that has to access this cell, which had this level before; and whether it has.
    Entering {
        cell: usize,
        level: i32,
        entered: bool,
    },
}

const LOADED: i32 = 1;
const STORED: i32 = 2;

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    locations: Vec<usize>,
    registers: Vec<Vec<i32>>,
    cells: Vec<i32>,
    phase: Phase,
    /// The cell of the first delayed store.
    first: usize,
    /// By cell: the newest value that the attacker holds.
    held: Vec<Option<i32>>,
    /// Whether a light fence waits for held stores.
    fenced: bool,
    /// By cell.
    levels: Vec<i32>,
    /// By thread.
    modes: Vec<Mode>,
}

/// The system of one attacker.
#[derive(Debug)]
pub struct Witness<'p> {
    program: &'p Program,
    attacker: usize,
    reorders: bool,
    open: Open,
    live: Vec<Vec<Vec<bool>>>,
}

impl<'p> Witness<'p> {
    /// The attacks of a thread; `None` if it has none that a program text leaves open.
    ///
    /// # Errors
    ///
    /// If the theorem does not cover the program.
    pub fn new(
        program: &'p Program,
        model: Model,
        attacker: usize,
    ) -> Result<Option<Self>, Refusal> {
        if program.has_barrier() {
            return Err(Refusal::refuted(
                "attacks are not defined for programs with `barrier all`",
            ));
        }
        if program.has_waiting_loads() {
            return Err(Refusal::refuted(
                "attacks are not defined for programs with loads that wait for stores which overlap them",
            ));
        }
        if model.reorders_stores() && program.may_stay_in_block(2) {
            return Err(Refusal::refuted(
                "an atomic block may wait after two reads, so that several threads may have to delay stores",
            ));
        }
        let open = Open::of(program, model, attacker);
        let live = program.threads.iter();
        let live = live.map(|thread| thread.live(&vec![false; thread.registers.len()]));
        Ok((!open.is_empty()).then(|| Self {
            program,
            attacker,
            reorders: model.reorders_stores(),
            live: live.collect(),
            open,
        }))
    }

    fn inside(&self, state: &State) -> Option<usize> {
        let mut threads = self.program.threads.iter().zip(&state.locations);
        threads.position(|(thread, &at)| thread.inside[at])
    }

    fn eval(state: &State, thread: usize, e: &Expr) -> i32 {
        e.eval(&|var| match var {
            Var::Own(register) => state.registers[thread][register],
            Var::Of(..) | Var::At(..) | Var::Cell(_) => 0,
        })
    }

    fn cell(&self, state: &State, thread: usize, address: &Expr) -> Option<usize> {
        self.program.cell_at(Self::eval(state, thread, address))
    }

    /// The instruction under SC; `see` gets each state after it, or none if it is not possible.
    fn plain(&self, state: &State, t: usize, number: usize, see: &mut dyn FnMut(State)) {
        let instruction = &self.program.threads[t].instructions[number];
        let mut next = state.clone();
        next.locations[t] = instruction.to;
        match &instruction.op {
            Op::Assume(e) if Self::eval(state, t, e) == 0 => return,
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence
            | Op::LightFence(_)
            | Op::Barrier
            | Op::Lock
            | Op::Word(_)
            | Op::Unlock => {}
            Op::Assign(into, e) => next.registers[t][*into] = Self::eval(state, t, e),
            Op::Choose(into, low, high) => {
                for value in *low..=*high {
                    next.registers[t][*into] = value;
                    see(next.clone());
                }
                return;
            }
            Op::Load(into, address) => {
                let Some(cell) = self.cell(state, t, address) else {
                    return;
                };
                next.registers[t][*into] = state.cells[cell];
            }
            Op::Store(address, value) => {
                let Some(cell) = self.cell(state, t, address) else {
                    return;
                };
                next.cells[cell] = Self::eval(state, t, value);
            }
            Op::Locked(into, address, update) => {
                let Some(cell) = self.cell(state, t, address) else {
                    return;
                };
                let old = state.cells[cell];
                next.cells[cell] = update.apply(old, |e| Self::eval(state, t, e));
                next.registers[t][*into] = old;
            }
        }
        see(next);
    }

    /// The steps of one thread.
    fn steps_of(&self, state: &State, t: usize, see: &mut dyn FnMut(State)) {
        if self.inside(state).is_some_and(|other| other != t) {
            return;
        }
        let thread = &self.program.threads[t];
        let at = state.locations[t];
        for &number in &thread.leaving[at] {
            match (state.phase, t == self.attacker) {
                (Phase::Before, true) => {
                    if !thread.inside[at] {
                        self.begin(state, number, see);
                    }
                    self.plain(state, t, number, see);
                }
                (Phase::Before | Phase::Delaying, false) => self.plain(state, t, number, see),
                (Phase::Delaying, true) => self.delaying(state, number, see),
                (Phase::Closing, true) => {}
                (Phase::Closing, false) => self.closing(state, t, number, see),
            }
        }
    }

    /// The attacker begins to delay with this store.
    fn begin(&self, state: &State, number: usize, see: &mut dyn FnMut(State)) {
        let t = self.attacker;
        let instruction = &self.program.threads[t].instructions[number];
        if matches!(instruction.op, Op::Word(_)) {
            return self.begin_word(state, number, see);
        }
        let Op::Store(address, value) = &instruction.op else {
            return;
        };
        if let Some(cell) = self
            .cell(state, t, address)
            .filter(|_| self.open.first[number])
        {
            let mut next = state.clone();
            next.phase = Phase::Delaying;
            next.first = cell;
            next.held[cell] = Some(Self::eval(state, t, value));
            next.locations[t] = instruction.to;
            see(next);
        }
    }

    /// The attacker goes on while it holds stores.
    fn delaying(&self, state: &State, number: usize, see: &mut dyn FnMut(State)) {
        let t = self.attacker;
        let instruction = &self.program.threads[t].instructions[number];
        // What waits for an empty buffer is not possible.
        if instruction.op.drains() {
            return;
        }
        let mut next = state.clone();
        next.locations[t] = instruction.to;
        match &instruction.op {
            Op::Store(address, value) => {
                let Some(cell) = self.cell(state, t, address) else {
                    return;
                };
                let value = Self::eval(state, t, value);
                if self.reorders && state.held[cell].is_none() && !state.fenced {
                    let mut overtakes = next.clone();
                    overtakes.cells[cell] = value;
                    self.stop(&overtakes, &[(number, cell)], STORED, see);
                    see(overtakes);
                }
                next.held[cell] = Some(value);
            }
            Op::Load(into, address) => {
                let Some(cell) = self.cell(state, t, address) else {
                    return;
                };
                if state.held[cell].is_none() {
                    self.stop(&next, &[(number, cell)], LOADED, see);
                }
                next.registers[t][*into] = state.held[cell].unwrap_or(state.cells[cell]);
            }
            Op::LightFence(cells) => {
                let mut held = state
                    .held
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| value.is_some());
                let waits = held.any(|(cell, _)| cells.is_empty() || cells.contains(&cell));
                next.fenced |= self.reorders && waits;
            }
            Op::Word(_) => return self.delaying_word(state, number, see),
            Op::Skip
            | Op::Assign(..)
            | Op::Choose(..)
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Locked(..)
            | Op::Fence
            | Op::Barrier
            | Op::Lock
            | Op::Unlock => return self.plain(state, t, number, see),
        }
        see(next);
    }

    /// This access of the attacker is its last, given the instruction and the cell of each part of it. What it holds, and its
    /// registers, no longer matter.
    fn stop(
        &self,
        state: &State,
        parts: &[(usize, usize)],
        level: i32,
        see: &mut dyn FnMut(State),
    ) {
        // What leads back to the first store begins at one of the parts; what is needed for it may begin at another.
        if !parts.iter().any(|&(number, _)| self.open.last[number]) {
            return;
        }
        let mut next = state.clone();
        next.phase = Phase::Closing;
        next.held.fill(None);
        next.fenced = false;
        next.locations[self.attacker] = self.program.threads[self.attacker].entry;
        next.registers[self.attacker].fill(0);
        for &(_, cell) in parts {
            next.levels[cell] = level;
        }
        see(next);
    }

    /// Another thread goes on after the last access of the attacker.
    fn closing(&self, state: &State, t: usize, number: usize, see: &mut dyn FnMut(State)) {
        let thread = &self.program.threads[t];
        let instruction = &thread.instructions[number];
        let mut raised = state.clone();
        let Some((address, writes)) = instruction.op.access() else {
            match (&instruction.op, state.modes[t]) {
                (Op::Lock | Op::Word(_), Mode::Independent) => {
                    for (cell, &level) in state.levels.iter().enumerate() {
                        if level > 0 {
                            raised.modes[t] = Mode::Entering {
                                cell,
                                level,
                                entered: false,
                            };
                            self.plain(&raised, t, number, see);
                        }
                    }
                    return;
                }
                (Op::Unlock, Mode::Entering { entered: false, .. }) => return,
                (Op::Unlock, Mode::Entering { .. }) => raised.modes[t] = Mode::Dependent,
                (_, Mode::Independent | Mode::Dependent | Mode::Entering { .. }) => {}
            }
            return self.plain(&raised, t, number, see);
        };
        let Some(of) = self.cell(state, t, address) else {
            return;
        };
        let needed = if writes { LOADED } else { STORED };
        raised.levels[of] = if writes {
            STORED
        } else {
            state.levels[of].max(LOADED)
        };
        match state.modes[t] {
            Mode::Dependent => {}
            Mode::Independent if state.levels[of] >= needed => raised.modes[t] = Mode::Dependent,
            Mode::Independent => return,
            Mode::Entering {
                cell,
                level,
                entered,
            } => {
                let entered = entered || of == cell && level >= needed;
                raised.modes[t] = Mode::Entering {
                    cell,
                    level,
                    entered,
                };
            }
        }
        self.plain(&raised, t, number, see);
    }
}
