//! Accesses of several cells by the attacker, each in one step.
//!
//! Such an access is a straight line that neither waits nor chooses, and nothing else moves before its end. So what is
//! after it is known where it begins.
//!
//! * Its stores are held, all of them or none. It can be the first that is held, and the cycle may come back to any of its
//!   cells: there is a state for each.
//! * It overtakes what is held if that has none of its cells.
//! * What follows the last access conflicts with one of its cells: of a load those that it reads from memory, of a store all.
//!   What is held is not among them: a store of another thread to such a cell is before the one that is held, and not after
//!   this access.

use super::{LOADED, Phase, STORED, State, Witness};
use crate::program::Op;

/// A part of an access: its instruction and its cell.
type Part = (usize, usize);

/// An access of several cells by the attacker.
struct Whole {
    /// After its end, with what it loads in registers, and nothing stored.
    after: State,
    /// The cells that it loads from memory.
    loaded: Vec<Part>,
    /// What it stores, with the values.
    stored: Vec<(Part, i32)>,
}

impl Whole {
    fn holds(&self) -> State {
        let mut next = self.after.clone();
        for &((_, cell), value) in &self.stored {
            next.held[cell] = Some(value);
        }
        next
    }
}

impl Witness<'_> {
    /// The attacker begins to delay with the access that this instruction begins.
    pub(super) fn begin_word(&self, state: &State, number: usize, see: &mut dyn FnMut(State)) {
        let Some(whole) = self.whole(state, number) else {
            return;
        };
        let parts = whole.stored.iter().map(|&(part, _)| part);
        for (_, cell) in parts.filter(|&(number, _)| self.open.first[number]) {
            let mut next = whole.holds();
            next.phase = Phase::Delaying;
            next.first = cell;
            see(next);
        }
    }

    /// The attacker goes on with such an access while it holds stores.
    pub(super) fn delaying_word(&self, state: &State, number: usize, see: &mut dyn FnMut(State)) {
        let Some(whole) = self.whole(state, number) else {
            return;
        };
        if whole.stored.is_empty() {
            self.stop(&whole.after, &whole.loaded, LOADED, see);
            see(whole.after);
            return;
        }
        let stored: Vec<Part> = whole.stored.iter().map(|&(part, _)| part).collect();
        let is_free = stored.iter().all(|&(_, cell)| state.held[cell].is_none());
        if self.reorders && is_free && !state.fenced {
            let mut overtakes = whole.after.clone();
            for &((_, cell), value) in &whole.stored {
                overtakes.cells[cell] = value;
            }
            self.stop(&overtakes, &stored, STORED, see);
            see(overtakes);
        }
        see(whole.holds());
    }

    /// The access that an instruction begins; `None` if one of its addresses is that of no cell, so that it never ends.
    fn whole(&self, state: &State, number: usize) -> Option<Whole> {
        let t = self.attacker;
        let thread = &self.program.threads[t];
        let mut at = thread.instructions[number].to;
        let mut after = state.clone();
        let (mut loaded, mut stored) = (Vec::new(), Vec::new());
        while thread.words[at].is_some() {
            let &number = thread.leaving[at].first()?;
            let instruction = &thread.instructions[number];
            match &instruction.op {
                Op::Skip | Op::Unlock => {}
                Op::Assign(into, e) => after.registers[t][*into] = Self::eval(&after, t, e),
                Op::Load(into, address) => {
                    let cell = self.cell(&after, t, address)?;
                    if state.held[cell].is_none() {
                        loaded.push((number, cell));
                    }
                    after.registers[t][*into] = state.held[cell].unwrap_or(state.cells[cell]);
                }
                Op::Store(address, value) => {
                    let cell = self.cell(&after, t, address)?;
                    stored.push(((number, cell), Self::eval(&after, t, value)));
                }
                // Not inside such an access.
                Op::Choose(..)
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Locked(..)
                | Op::Fence
                | Op::LightFence(_)
                | Op::Barrier
                | Op::Lock
                | Op::Word(_) => return None,
            }
            at = instruction.to;
        }
        after.locations[t] = at;
        Some(Whole {
            after,
            loaded,
            stored,
        })
    }
}
