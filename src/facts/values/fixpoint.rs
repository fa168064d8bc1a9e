//! The fixpoint of the value analysis: instructions are applied until no set grows.
//!
//! Each thread has a work list of positions in its weak topological order whose instructions must
//! be applied again. The first of them is always next, so that a loop stabilizes before the code
//! after it. When a cell changes, the locations that load it are added.
//!
//! **Invariant.** The iteration terminates: lists grow at most 64 times, each interval is widened
//! at a loop head or in its cell a bounded number of times, and every cycle contains one of these.
//! If that still takes too long, sets are widened as soon as they grow.

use super::super::liveness::Liveness;
use super::super::loops::Loops;
use super::super::set::ValueSet;
use super::{RegisterSets, ThreadValues, Values, cells_of, members};
use crate::program::{AccessKind, Addr, Expr, LocId, Op, Program, Site, ThreadId, Update};
use ahash::AHashMap;
use std::collections::BTreeSet;

/// A load that may touch more cells than this is applied again after a change of any cell.
const WIDE: u64 = 16;

/// How many times the intervals of one cell, or of one register at one loop head, are widened to a
/// constant.
const STOPS: u32 = 8;

/// The values of a program. Requires the liveness with respect to all its goals.
pub(super) fn solve(program: &Program, liveness: &Liveness) -> Values {
    let mut search = Fixpoint::new(program, liveness);
    search.run();
    search.values
}

/// What a locked instruction may write to a cell that holds one of `old`.
fn written(update: &Update, old: &ValueSet, before: &RegisterSets) -> ValueSet {
    match update {
        Update::CompareExchange { expected, desired } => {
            if old.meet(&before.eval(expected)).is_empty() {
                ValueSet::EMPTY
            } else {
                before.eval(desired)
            }
        }
        Update::Exchange(value) => before.eval(value),
        Update::Fetch(op, operand) => old.binary(op.operator(), &before.eval(operand)),
    }
}

/// The fixpoint iteration in progress.
struct Fixpoint<'p> {
    program: &'p Program,
    liveness: &'p Liveness,
    values: Values,
    loops: Vec<Loops>,
    /// By thread: the positions in its order of the locations whose instructions must be applied
    /// again.
    work: Vec<BTreeSet<usize>>,
    /// By cell: the locations with loads of it. Those of wide loads are in `wide_readers`.
    readers: AHashMap<Addr, Vec<(ThreadId, LocId)>>,
    wide_readers: Vec<(ThreadId, LocId)>,
    /// By thread and instruction: the cells for which it is registered as a reader.
    registered: Vec<Vec<ValueSet>>,
    /// How many times intervals were widened: by cell, and by thread and location.
    cell_stops: Vec<u32>,
    loc_stops: Vec<Vec<u32>>,
    /// Where widening stops: the program's constants and their neighbours, sorted.
    stops: Vec<i32>,
    /// How many more instructions may be applied before every growing set is widened immediately.
    patience: usize,
}

impl<'p> Fixpoint<'p> {
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
            readers: AHashMap::new(),
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
            let state = RegisterSets(
                entry
                    .map(|&reg| (reg, ValueSet::one(registers[reg.index()].init)))
                    .collect(),
            );
            self.arrive(t, thread.entry(), state);
        }
        // Thread by thread: later threads see the writes of earlier ones in the same round.
        while self.work.iter().any(|work| !work.is_empty()) {
            for t in self.program.thread_ids() {
                while let Some(place) = self.work[t.index()].pop_first() {
                    self.leave(t, self.loops[t.index()].order()[place]);
                }
            }
        }
    }

    /// Applies the instructions that leave a location.
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
                let only = if live.contains(&into) {
                    None
                } else {
                    self.values
                        .after(program, &instruction.op, &before, &[into])
                };
                if let Some(set) = only.as_ref().unwrap_or(&after).find(into) {
                    let ever = &mut self.values.threads[t.index()].ever[into.index()];
                    *ever = ever.join(set);
                }
            }
            self.arrive(t, instruction.to, after);
        }
    }

    /// Joins the register sets of one more path into a location.
    fn arrive(&mut self, t: ThreadId, loc: LocId, state: RegisterSets) {
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

    /// Applies the effects of an access on shared cells: registers it as a reader, and adds the
    /// values that it may write.
    fn access(&mut self, site: Site, loc: LocId, op: &Op, before: &RegisterSets) {
        let Some((addr, access)) = op.access() else {
            return;
        };
        let cells = before.eval(addr).meet(&cells_of(self.program));
        match access {
            AccessKind::Load { .. } => self.register_reader(site, loc, &cells),
            AccessKind::Store { value } => {
                let value = before.eval(value);
                self.write(&cells, |_| value.clone());
            }
            AccessKind::Rmw { update, .. } => {
                self.register_reader(site, loc, &cells);
                self.write(&cells, |old| written(update, old, before));
            }
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
                self.readers.entry(Addr(addr)).or_default().push(reader);
            }
        }
    }

    /// Adds to each of these cells the values that may be written to it, given its present set.
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
            for &(t, loc) in self.readers.get(&Addr(addr)).into_iter().flatten() {
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

/// The join of two sets, widened if it is an interval that grew, or immediately if in a hurry.
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
