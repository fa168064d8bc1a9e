//! Pairs of a store and a later access that no attack can use, whatever the values are.
//!
//! * (fenced) on every path between them the buffer is emptied; if the later one is a store too, a light
//!   fence for the cell of the first is enough;
//! * (same cell) both access the same cell, by constant addresses;
//! * (no chain) from the later access no chain of conflicts and program order of the other threads leads
//!   back to the cell of the store. An access whose address is not constant may touch every cell.
//!
//! Of an access of several cells (`lock word`) each part is an access here. A cycle begins and ends at one part of each of
//! the two: the pair of these is open.

use super::machine::Model;
use super::program::{Op, Program, Thread};
use std::collections::HashMap;

/// A pair counts as open once the chains of a thread have taken this many looks at instructions.
const MOST_LOOKS: usize = 100_000_000;

/// The accesses of a thread that an attack may begin with, and those that it may end with.
#[derive(Debug)]
pub(super) struct Open {
    /// By instruction.
    pub(super) first: Vec<bool>,
    /// By instruction.
    pub(super) last: Vec<bool>,
}

/// The cell of an access; `None` for any.
type Cell = Option<usize>;

impl Open {
    /// Those of this thread under this model.
    pub(super) fn of(program: &Program, model: Model, attacker: usize) -> Self {
        let thread = &program.threads[attacker];
        let count = thread.instructions.len();
        let mut open = Open {
            first: vec![false; count],
            last: vec![false; count],
        };
        if model == Model::Sc {
            return open;
        }
        let plain = |number: usize| -> Option<(Cell, bool)> {
            let instruction = &thread.instructions[number];
            let is_plain = matches!(instruction.op, Op::Load(..) | Op::Store(..));
            let (address, writes) = instruction.op.access().filter(|_| is_plain)?;
            let from = instruction.from;
            let is_buffered = !thread.inside[from] || thread.words[from].is_some();
            is_buffered.then(|| (program.fixed_cell(address), writes))
        };
        let chains = Chains::new(program, attacker);
        let mut looks = 0;
        // The cells that chains from an access touch are the same for all with its cell and kind.
        let mut touched: HashMap<(Cell, bool), Touched> = HashMap::new();
        let plain: Vec<Option<(Cell, bool)>> = (0..count).map(plain).collect();
        for store in 0..count {
            let Some((of_store, true)) = plain[store] else {
                continue;
            };
            let to = thread.instructions[store].to;
            let undrained = walk(thread, to, |op| !op.drains());
            let overtaken = walk(thread, to, |op| {
                let ordered = matches!(op, Op::LightFence(cells)
                    if cells.is_empty() || of_store.is_some_and(|cell| cells.contains(&cell)));
                !op.drains() && !ordered
            });
            for (last, start) in plain.iter().enumerate() {
                let &Some((of_last, writes)) = start else {
                    continue;
                };
                let reached = if writes { &overtaken } else { &undrained };
                if writes && !model.reorders_stores()
                    || !reached[thread.instructions[last].from]
                    || of_store.is_some() && of_store == of_last
                    || open.first[store] && open.last[last]
                {
                    continue;
                }
                let start = (of_last, writes);
                let of_start = touched
                    .entry(start)
                    .or_insert_with(|| chains.from(start, &mut looks));
                if of_start.contains(of_store) {
                    open.first[store] = true;
                    open.last[last] = true;
                }
            }
        }
        open
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.first.contains(&true)
    }
}

/// The locations that are reached along instructions that satisfy the condition.
fn walk(thread: &Thread, from: usize, passes: impl Fn(&Op) -> bool) -> Vec<bool> {
    let mut reached = vec![false; thread.locations.len()];
    reached[from] = true;
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        for &number in &thread.leaving[at] {
            let instruction = &thread.instructions[number];
            if passes(&instruction.op) && !std::mem::replace(&mut reached[instruction.to], true) {
                work.push(instruction.to);
            }
        }
    }
    reached
}

struct Touched {
    cells: Vec<bool>,
    /// Whether there is one.
    some: bool,
    any: bool,
}

impl Touched {
    fn contains(&self, cell: Cell) -> bool {
        self.any || cell.map_or(self.some, |cell| self.cells[cell])
    }
}

/// The accesses of all threads but one.
struct Chains<'p> {
    program: &'p Program,
    attacker: usize,
}

impl<'p> Chains<'p> {
    fn new(program: &'p Program, attacker: usize) -> Self {
        Self { program, attacker }
    }

    /// The cells that are touched by what depends on an access. To be in the same thread after an access
    /// that depends on it is to be reachable; a thread that may have entered a block has all of it.
    fn from(&self, start: (Cell, bool), looks: &mut usize) -> Touched {
        let program = self.program;
        *looks += program.cells.len() + 1;
        if *looks > MOST_LOOKS {
            return Touched {
                cells: Vec::new(),
                some: true,
                any: true,
            };
        }
        let mut touched = Touched {
            cells: vec![false; program.cells.len()],
            some: false,
            any: false,
        };
        // What conflicts: per cell whether it is loaded or stored to, and the same for accesses to any.
        let mut met = vec![0_u8; program.cells.len() + 1];
        let any = program.cells.len();
        let mut highest = if start.1 { 2 } else { 1 };
        met[start.0.unwrap_or(any)] = if start.1 { 2 } else { 1 };
        let mut reached: Vec<Vec<bool>> = Vec::new();
        for thread in &program.threads {
            reached.push(vec![false; thread.locations.len()]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (t, thread) in program.threads.iter().enumerate() {
                if t == self.attacker {
                    continue;
                }
                *looks += thread.instructions.len();
                if *looks > MOST_LOOKS {
                    touched.any = true;
                    return touched;
                }
                for instruction in &thread.instructions {
                    let Some((address, writes)) = instruction.op.access() else {
                        continue;
                    };
                    let constant = address.constant();
                    let cell = constant.and_then(|address| program.cell_at(address));
                    // An access outside memory is never executed.
                    if constant.is_some() && cell.is_none() {
                        continue;
                    }
                    let least = if writes { 1 } else { 2 };
                    let conflicts = match cell {
                        Some(cell) => met[cell].max(met[any]) >= least,
                        None => highest >= least,
                    };
                    if !conflicts && !reached[t][instruction.from] {
                        continue;
                    }
                    let level = if writes { 2 } else { 1 };
                    let slot = &mut met[cell.unwrap_or(any)];
                    changed |= *slot < level;
                    *slot = level.max(*slot);
                    highest = highest.max(level);
                    match cell {
                        Some(cell) => (touched.cells[cell], touched.some) = (true, true),
                        None => touched.any = true,
                    }
                    changed |= follow(thread, instruction.from, instruction.to, &mut reached[t]);
                }
            }
        }
        touched
    }
}

/// Marks what is reachable from the end of an access, and all of its atomic block. Whether that is more
/// than before.
fn follow(thread: &Thread, from: usize, to: usize, reached: &mut [bool]) -> bool {
    let mut work = vec![to];
    if thread.inside[from] {
        // Connected locations inside are of one block, or of more: that only adds to it.
        work.extend((0..thread.inside.len()).filter(|&at| thread.inside[at]));
    }
    let mut more = false;
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            more = true;
            let next = thread.leaving[at].iter();
            work.extend(next.map(|&number| thread.instructions[number].to));
        }
    }
    more
}
