//! The steps of one thread, as the checker of certificates understands them.

use super::{Checker, LocalState, Rejection, reject};
use fencepost::program::{Expr, Goal, InstrId, LocId, Op, RegId, Site, ThreadId};
use std::collections::BTreeSet;

/// An atomic block with more configurations than this is not followed.
const MOST_INSIDE: usize = 50_000;
/// A `nondet` over more values than this is not followed.
const MOST_CHOICES: i64 = 256;

/// A thread with a memory, between two single steps.
type Point = (LocalState, Vec<i32>);

impl Checker<'_> {
    /// The single steps from a local state; a whole atomic block is one step.
    pub(super) fn steps(
        &self,
        local: u32,
        memory: &[i32],
        goals: &[Goal],
    ) -> Result<Vec<(u32, Vec<i32>)>, Rejection> {
        let state = &self.certificate.locals[local as usize];
        let thread = ThreadId(state.thread);
        let automaton = self.program.thread(thread);
        let mut work: Vec<Point> = vec![(state.clone(), memory.to_vec())];
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some((state, memory)) = work.pop() {
            for &instr in automaton.outgoing(LocId(state.location)) {
                for (after, memory) in self.after(&state, &memory, instr, goals)? {
                    if !automaton.location(LocId(after.location)).atomic {
                        found.push((self.number(&after)?, memory));
                    } else if seen.insert((after.clone(), memory.clone())) {
                        work.push((after, memory));
                    }
                }
            }
            if seen.len() > MOST_INSIDE {
                return reject("an atomic block has too many configurations");
            }
        }
        Ok(found)
    }

    /// What one instruction leads to.
    fn after(
        &self,
        state: &LocalState,
        memory: &[i32],
        instr: InstrId,
        goals: &[Goal],
    ) -> Result<Vec<Point>, Rejection> {
        let thread = ThreadId(state.thread);
        let site = Site { thread, instr };
        let instruction = self.program.instruction(site);
        let value = |e: &Expr<RegId>| e.eval(|reg| state.registers[reg.index()]);
        let (mut next, mut cells) = (state.clone(), memory.to_vec());
        next.location = instruction.to.0;
        let cell = match instruction
            .op
            .address()
            .map(|addr| self.program.cell_at(value(addr)))
        {
            None => 0,
            Some(Some(cell)) => cell.index(),
            Some(None) if goals.contains(&Goal::Outside(site)) => {
                return reject("a view shows an access outside shared memory");
            }
            Some(None) => return Ok(Vec::new()),
        };
        match &instruction.op {
            Op::Assume(e) if value(e) == 0 => return Ok(Vec::new()),
            Op::Assert(e) if value(e) == 0 && goals.contains(&Goal::Assert(site)) => {
                return reject("a view shows an assertion that fails");
            }
            Op::Assume(_)
            | Op::Assert(_)
            | Op::Skip
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => {}
            Op::Assign { into, value: e } => next.registers[into.index()] = value(e),
            Op::Havoc { low, high, .. } if i64::from(*high) - i64::from(*low) >= MOST_CHOICES => {
                return reject("a `nondet` has too many values");
            }
            Op::Havoc { into, low, high } => {
                let choices = (*low..=*high).map(|choice| {
                    let mut chosen = next.clone();
                    chosen.registers[into.index()] = choice;
                    (chosen, cells.clone())
                });
                return Ok(choices.collect());
            }
            Op::Load { into, .. } => next.registers[into.index()] = memory[cell],
            Op::Store { value: e, .. } => cells[cell] = value(e),
            Op::Rmw { into, update, .. } => {
                cells[cell] = update.apply(memory[cell], |reg| state.registers[reg.index()]);
                next.registers[into.index()] = memory[cell];
            }
        }
        Ok(vec![(next, cells)])
    }
}
