//! The least values: what each instruction adds, until nothing is added.
//!
//! A work list a thread holds the places in its weak topological order whose instructions are to
//! be redone; the first of them is always next, so that a loop settles before what follows it. A
//! change of a cell wakes the locations that load it.
//!
//! **Invariant.** The fixpoint is reached: lists grow at most 64 times, each interval is widened
//! at a loop head or in its cell a bounded number of times, and every cycle passes one of these.
//! Where that takes too long all the same, sets are widened as soon as they grow.

use super::super::liveness::Liveness;
use super::super::loops::Loops;
use super::super::set::ValueSet;
use super::{State, ThreadValues, Values, cells_of, members};
use crate::program::{Addr, BinaryOp, Expr, FetchOp, LocId, Op, Program, Site, ThreadId, Update};
use std::collections::BTreeSet;

/// Loads of more cells than this are woken by a change of any cell.
const WIDE: u64 = 16;

/// How often the intervals of one cell, or one register at one loop head, stop at constants.
const STOPS: u32 = 8;

/// The values of a program. Requires that the liveness is that of all its goals.
pub(super) fn solve(program: &Program, liveness: &Liveness) -> Values {
    let mut search = Search::new(program, liveness);
    search.run();
    search.values
}

/// What a locked instruction may write to a cell that holds one of `old`.
fn written(update: &Update, old: &ValueSet, before: &State) -> ValueSet {
    match update {
        Update::CompareExchange { expected, desired } => {
            if old.meet(&before.eval(expected)).is_empty() {
                ValueSet::EMPTY
            } else {
                before.eval(desired)
            }
        }
        Update::Exchange(value) => before.eval(value),
        Update::Fetch(op, operand) => old.binary(binary(*op), &before.eval(operand)),
    }
}

/// The operator that a fetch-and-op applies.
fn binary(op: FetchOp) -> BinaryOp {
    match op {
        FetchOp::Add => BinaryOp::Add,
        FetchOp::Sub => BinaryOp::Sub,
        FetchOp::And => BinaryOp::BitAnd,
        FetchOp::Or => BinaryOp::BitOr,
    }
}

/// The fixpoint under way.
struct Search<'p> {
    program: &'p Program,
    liveness: &'p Liveness,
    values: Values,
    loops: Vec<Loops>,
    /// By thread: the places in its order of the locations whose instructions are to be redone.
    work: Vec<BTreeSet<usize>>,
    /// By cell: the locations with loads of it. Those with wide loads are in `wide_readers`.
    readers: Vec<Vec<(ThreadId, LocId)>>,
    wide_readers: Vec<(ThreadId, LocId)>,
    /// By thread and instruction: the cells that it is registered for as a reader.
    registered: Vec<Vec<ValueSet>>,
    /// How often intervals were widened: by cell; by thread and location.
    cell_stops: Vec<u32>,
    loc_stops: Vec<Vec<u32>>,
    /// Where widening stops: the program's constants and their neighbours, sorted.
    stops: Vec<i32>,
    /// How many instructions may still be looked at before every growing set is widened at once.
    patience: usize,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, liveness: &'p Liveness) -> Self {
        let threads = program.threads();
        let instructions: usize = threads.iter().map(|t| t.instructions().len()).sum();
        let cells = program.initial_memory();
        let values = Values {
            threads: threads
                .iter()
                .map(|thread| {
                    let registers = thread.registers().iter();
                    ThreadValues {
                        at: vec![None; thread.locations().len()],
                        ever: registers.map(|reg| ValueSet::one(reg.init)).collect(),
                    }
                })
                .collect(),
            cells: cells.iter().map(|&value| ValueSet::one(value)).collect(),
        };
        Self {
            program,
            liveness,
            values,
            loops: threads.iter().map(Loops::of).collect(),
            work: vec![BTreeSet::new(); threads.len()],
            readers: vec![Vec::new(); cells.len()],
            wide_readers: Vec::new(),
            registered: threads
                .iter()
                .map(|thread| vec![ValueSet::EMPTY; thread.instructions().len()])
                .collect(),
            cell_stops: vec![0; cells.len()],
            loc_stops: threads
                .iter()
                .map(|thread| vec![0; thread.locations().len()])
                .collect(),
            stops: constants(program),
            patience: 20_000 + 40 * instructions,
        }
    }

    fn run(&mut self) {
        for t in self.program.thread_ids() {
            let thread = self.program.thread(t);
            let registers = thread.registers();
            let entry = self.liveness.at(t, thread.entry()).iter();
            let state = State(
                entry
                    .map(|&reg| (reg, ValueSet::one(registers[reg.index()].init)))
                    .collect(),
            );
            self.arrive(t, thread.entry(), state);
        }
        // Thread after thread: what one writes, all later ones see in the same round.
        while self.work.iter().any(|work| !work.is_empty()) {
            for t in self.program.thread_ids() {
                while let Some(place) = self.work[t.index()].pop_first() {
                    self.leave(t, self.loops[t.index()].order()[place]);
                }
            }
        }
    }

    /// Redoes the instructions that leave a location.
    fn leave(&mut self, t: ThreadId, loc: LocId) {
        let program = self.program;
        let thread = program.thread(t);
        for &instr in thread.outgoing(loc) {
            self.patience = self.patience.saturating_sub(1);
            let Some(before) = self.values.state_at(t, loc).cloned() else {
                return;
            };
            let instruction = thread.instruction(instr);
            let site = Site { thread: t, instr };
            self.access(site, loc, &instruction.op, &before);
            let live = self.liveness.at(t, instruction.to);
            let Some(after) = self.values.after(program, &instruction.op, &before, live) else {
                continue;
            };
            if let Some(into) = instruction.op.target() {
                // What is dead at once is not in `after`.
                let only = self
                    .values
                    .after(program, &instruction.op, &before, &[into]);
                if let Some(set) = only.as_ref().and_then(|only| only.find(into)) {
                    let ever = &mut self.values.threads[t.index()].ever[into.index()];
                    *ever = ever.join(set);
                }
            }
            self.arrive(t, instruction.to, after);
        }
    }

    /// Joins what is known along one more path to a location.
    fn arrive(&mut self, t: ThreadId, loc: LocId, state: State) {
        let loops = &self.loops[t.index()];
        let known = &mut self.values.threads[t.index()].at[loc.index()];
        let changed = match known {
            None => {
                *known = Some(state);
                true
            }
            Some(known) if loops.is_head(loc) => {
                let stops = &mut self.loc_stops[t.index()][loc.index()];
                let most = STOPS * (1 + known.0.len() as u32);
                let (constants, hurry) = (&self.stops, self.patience == 0);
                known.absorb(&state, |old, new| {
                    widen(old, new, constants, hurry, stops, most)
                })
            }
            Some(known) => known.absorb(&state, ValueSet::join),
        };
        if changed {
            self.work[t.index()].insert(self.loops[t.index()].position(loc));
        }
    }

    /// Does the shared side of an access: registers it as a reader, writes what it may write.
    fn access(&mut self, site: Site, loc: LocId, op: &Op, before: &State) {
        let Some(addr) = op.address() else {
            return;
        };
        let cells = before.eval(addr).meet(&cells_of(self.program));
        match op {
            Op::Load { .. } => self.register_reader(site, loc, &cells),
            Op::Store { value, .. } => {
                let value = before.eval(value);
                self.write(&cells, |_| value.clone());
            }
            Op::Rmw { update, .. } => {
                self.register_reader(site, loc, &cells);
                self.write(&cells, |old| written(update, old, before));
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => {}
        }
    }

    fn register_reader(&mut self, site: Site, loc: LocId, cells: &ValueSet) {
        let registered = &mut self.registered[site.thread.index()][site.instr.index()];
        if cells.is_subset(registered) {
            return;
        }
        let reader = (site.thread, loc);
        let all = cells.join(registered);
        if all.count() > WIDE {
            *registered = ValueSet::FULL;
            self.wide_readers.push(reader);
        } else {
            let before = std::mem::replace(registered, all);
            for addr in members(cells).filter(|&addr| !before.contains(addr)) {
                self.readers[Addr(addr).index()].push(reader);
            }
        }
    }

    /// Adds to each of some cells what may be written to it, given what it holds.
    fn write(&mut self, cells: &ValueSet, mut value: impl FnMut(&ValueSet) -> ValueSet) {
        let mut any = false;
        for addr in members(cells) {
            let index = Addr(addr).index();
            let old = &self.values.cells[index];
            let new = value(old);
            if new.is_subset(old) {
                continue;
            }
            let stops = &mut self.cell_stops[index];
            let hurry = self.patience == 0;
            self.values.cells[index] = widen(old, &new, &self.stops, hurry, stops, STOPS);
            any = true;
            for &(t, loc) in &self.readers[index] {
                self.work[t.index()].insert(self.loops[t.index()].position(loc));
            }
        }
        if any {
            for &(t, loc) in &self.wide_readers {
                self.work[t.index()].insert(self.loops[t.index()].position(loc));
            }
        }
    }
}

/// The join of two sets, widened if it is an interval that grew, or at once if in a hurry.
fn widen(
    old: &ValueSet,
    new: &ValueSet,
    constants: &[i32],
    hurry: bool,
    stops: &mut u32,
    most: u32,
) -> ValueSet {
    let joined = old.join(new);
    if hurry {
        return old.widen(&joined, &[]);
    }
    if joined.values().is_some() {
        return joined;
    }
    *stops += 1;
    old.widen(&joined, if *stops > most { &[] } else { constants })
}

/// The constants that a program mentions and their neighbours, sorted.
fn constants(program: &Program) -> Vec<i32> {
    let mut constants = vec![0];
    constants.extend(program.initial_memory());
    for (_, instruction) in program.sites() {
        let operands = instruction.op.operands().into_iter();
        constants.extend(operands.flat_map(Expr::constants));
        if let Op::Havoc { low, high, .. } = instruction.op {
            constants.extend([low, high]);
        }
    }
    ValueSet::stops(constants)
}
