//! One iteration of a loop: the paths from its head to one of its back edges.
//!
//! A locked instruction is judged by cases of the value that it read: either it certainly wrote
//! that value back, or the thread, in the state after it, cannot reach the back edge. The latter is
//! decided by a small analysis that starts at that instruction with the sets of `values`.

use super::super::liveness::Liveness;
use super::super::loops::{LoopId, Loops};
use super::super::set::ValueSet;
use super::super::values::{RegisterSets, Values, cells_of};
use super::locked::{Equal, cases, unchanged};
use crate::program::{
    AccessKind, Expr, InstrId, Instruction, LocId, Op, Program, RegId, Thread, ThreadId, Update,
};
use std::collections::{BTreeMap, BTreeSet};

/// After this many visits to a location with an inner loop, growing sets become full.
const VISITS: u32 = 8;

/// The paths from the head of a loop to one of its back edges, that edge included.
pub(super) struct Iteration<'a> {
    program: &'a Program,
    id: ThreadId,
    thread: &'a Thread,
    loops: &'a Loops,
    values: &'a Values,
    liveness: &'a Liveness,
    edge: InstrId,
    head: LocId,
    /// The locations on the paths.
    inside: BTreeSet<LocId>,
}

impl<'a> Iteration<'a> {
    /// The paths of one loop of a thread. Requires that the edge is one of its back edges.
    pub(super) fn new(
        program: &'a Program,
        id: ThreadId,
        loops: &'a Loops,
        values: &'a Values,
        liveness: &'a Liveness,
        around: LoopId,
        edge: InstrId,
    ) -> Self {
        let thread = program.thread(id);
        let head = loops.head(around);
        let mut before: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
        for &loc in loops.body(around) {
            for &instr in thread.outgoing(loc) {
                before
                    .entry(thread.instruction(instr).to)
                    .or_default()
                    .push(loc);
            }
        }
        // Backwards from the edge. Everything in a loop is reachable from its head.
        let last = thread.instruction(edge).from;
        let mut inside = BTreeSet::from([last]);
        let mut work = vec![last];
        while let Some(loc) = work.pop() {
            if loc == head {
                continue;
            }
            for &from in before.get(&loc).into_iter().flatten() {
                if inside.insert(from) {
                    work.push(from);
                }
            }
        }
        Self {
            program,
            id,
            thread,
            loops,
            values,
            liveness,
            edge,
            head,
            inside,
        }
    }

    /// The instructions that leave a location and stay on the paths.
    fn steps(&self, loc: LocId) -> impl Iterator<Item = (InstrId, &'a Instruction)> {
        let thread = self.thread;
        let outgoing = thread.outgoing(loc).iter();
        outgoing
            .map(|&instr| (instr, thread.instruction(instr)))
            .filter(|(instr, instruction)| {
                let stays = instruction.to != self.head && self.inside.contains(&instruction.to);
                stays || *instr == self.edge
            })
    }

    /// The register sets after an instruction; `None` if it cannot be passed.
    fn after(
        &self,
        instruction: &Instruction,
        op: &Op,
        before: &RegisterSets,
    ) -> Option<RegisterSets> {
        let live = self.liveness.at(self.id, instruction.to);
        self.values.after(self.program, op, before, live)
    }

    /// Whether each instruction on the paths is silent, or never followed by the edge.
    pub(super) fn has_no_effect(&self) -> bool {
        self.inside.iter().all(|&loc| {
            let Some(before) = self.values.state_at(self.id, loc) else {
                return true;
            };
            self.steps(loc).all(|(instr, instruction)| {
                self.after(instruction, &instruction.op, before).is_none()
                    || self.is_dead(instruction) && self.is_silent(instr, instruction, before)
            })
        })
    }

    /// Whether the register that the instruction writes is dead at the head.
    fn is_dead(&self, instruction: &Instruction) -> bool {
        let target = instruction.op.target();
        target.is_none_or(|reg| !self.liveness.is_live(self.id, self.head, reg))
    }

    /// Whether memory is unchanged if the edge is taken after the instruction.
    fn is_silent(&self, instr: InstrId, instruction: &Instruction, before: &RegisterSets) -> bool {
        match instruction.op.access() {
            None | Some((_, AccessKind::Load { .. })) => true,
            Some((_, AccessKind::Store { .. })) => false,
            Some((addr, AccessKind::Rmw { into, update })) => {
                let cells = before.eval(addr).meet(&cells_of(self.program));
                let old = self.values.contents(&cells);
                cases(&old, update, before).into_iter().all(|old| {
                    unchanged(update, &old, before)
                        || !self.returns(instr, instruction, into, (update, &old), before)
                })
            }
        }
    }

    /// Whether the back edge may be taken after a locked instruction read one of `old` and, if it
    /// is a compare-and-swap, succeeded.
    fn returns(
        &self,
        instr: InstrId,
        instruction: &Instruction,
        into: RegId,
        (update, old): (&Update, &ValueSet),
        before: &RegisterSets,
    ) -> bool {
        if instr == self.edge {
            return true;
        }
        let Some(mut state) = self.after(instruction, &instruction.op, before) else {
            return false;
        };
        let mut equal = Equal::default();
        match update {
            Update::CompareExchange { expected, .. } => {
                let found = old.meet(&before.eval(expected));
                if let Expr::Var(reg) = expected
                    && *reg != into
                {
                    state.set(*reg, found.clone());
                    equal.0 = BTreeSet::from([*reg, into]);
                }
                state.set(into, found);
            }
            Update::Exchange(_) | Update::Fetch(..) => state.set(into, old.clone()),
        }
        self.reaches_edge(instruction.to, state, equal)
    }

    /// Whether the back edge may be taken by a thread that is at a location with this state.
    fn reaches_edge(&self, start: LocId, state: RegisterSets, equal: Equal) -> bool {
        let mut known = BTreeMap::from([(start, (state, equal, 0))]);
        let mut work = BTreeSet::from([(self.loops.position(start), start)]);
        while let Some((_, loc)) = work.pop_first() {
            for (instr, instruction) in self.steps(loc) {
                let (before, equal, _) = &known[&loc];
                let op = equal.substituted(&instruction.op);
                let Some(after) = self.after(instruction, &op, before) else {
                    continue;
                };
                if instr == self.edge {
                    return true;
                }
                let equal = equal.after(&instruction.op);
                let changed = match known.get_mut(&instruction.to) {
                    None => {
                        known.insert(instruction.to, (after, equal, 0));
                        true
                    }
                    Some((state, old, visits)) => {
                        *visits += 1;
                        let grow = |old: &ValueSet, new: &ValueSet| {
                            if *visits > VISITS {
                                ValueSet::FULL
                            } else {
                                old.join(new)
                            }
                        };
                        state.absorb(&after, grow) | old.intersect(&equal)
                    }
                };
                if changed {
                    work.insert((self.loops.position(instruction.to), instruction.to));
                }
            }
        }
        false
    }
}
