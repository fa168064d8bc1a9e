//! Slicing: the part of a program that can influence given goals.
//!
//! Control is kept as it is (but for [`branches`], under SC only): all locations, all `assume`s, all fences, all ids. Data on which no
//! kept instruction depends is removed: loads, assignments and choices into irrelevant registers,
//! stores to irrelevant cells, and assertions that are not goals. A removed locked instruction is
//! replaced by a full fence, because it drained the buffers.
//!
//! A register is *relevant* if a kept `assume`, a goal, or a kept access reads it, or if an
//! assignment to a relevant register reads it; a cell is relevant if a goal observes it or a kept
//! load or locked instruction may read it. Instructions that write a relevant register or cell are
//! kept, and so is each access that may be outside shared memory, because it may block. Each store of an
//! access of several cells is kept, and its cell is relevant (but under SC). Hence:
//!
//! **Invariant.** A kept instruction computes the same result as in the original: it reads only
//! relevant registers and cells, and every instruction that may write those is kept, unless the
//! value it writes is dead.
//!
//! **Theorem.** Under every model, one of the given goals is reachable in the slice if and only if
//! it is reachable in the original. (⇐) Drop the steps of the removed instructions from a
//! computation of the original: issue, advance and flush of removed stores, loads, assignments; a
//! removed locked instruction becomes its fence. Each remaining step can still be taken: buffers
//! hold a subset of the items in the same order, so that fences, locked instructions and flushes
//! wait for fewer items, and loads of relevant cells, whose stores are all kept, read the same
//! values from the own buffer or from memory. (⇒) In a computation of the slice, insert the removed
//! steps where their instruction is skipped, and let each removed store advance and reach memory as
//! soon as the model allows it: immediately, or directly after the older store or fence before it
//! in the buffer has left, hence at a moment when its thread may act. Then all removed stores have
//! left the buffer when the older kept ones have, so no step that waits for an empty buffer waits
//! longer than in the slice. The removed stores write irrelevant cells, and removed loads write
//! irrelevant registers: the rest of the computation is the same. That a removed store waits for stores to its own
//! cell only would not be true of a part of an access of several cells: it waits for what the other parts wait for,
//! and a later access that has its cell waits for it, so that the slice without it would have more computations.
//!
//! **Differs from** slicing for robustness: happens-before involves all accesses. Slice only for
//! goals.

mod branches;

use super::liveness::Liveness;
use super::values::{Candidates, Values};
use crate::model::Model;
use crate::program::{
    Addr, Expr, Fence, Goal, LocId, Observable, Op, Program, RegId, Site, ThreadId,
};
use ahash::AHashMap;
use std::collections::BTreeMap;

/// A slice, with the same locations and ids as the original.
pub struct Sliced {
    /// The slice.
    pub program: Program,
    /// By thread and location: where the paths of the region meet again that contains it.
    ends: Vec<BTreeMap<LocId, LocId>>,
    /// By [`Addr::index`]: whether the cell is relevant.
    cells: Vec<bool>,
}

impl Sliced {
    /// The part of a program that can influence the goals under a model. Requires the values of this
    /// program.
    pub fn new(program: &Program, values: &Values, goals: &[Goal], model: Model) -> Self {
        if model == Model::Sc {
            return branches::slice_under_sc(program, values, goals);
        }
        let search = with_control(program, values, goals);
        Self {
            program: search.data_only(),
            ends: vec![BTreeMap::new(); program.threads().len()],
            cells: search.cells,
        }
    }

    /// Whether branches were omitted, so that the slice does not show what the original executes.
    pub fn omits_branches(&self) -> bool {
        self.ends.iter().any(|ends| !ends.is_empty())
    }

    /// Where the region ends that contains this location of a thread.
    pub fn end(&self, thread: ThreadId, loc: LocId) -> Option<LocId> {
        self.ends[thread.index()].get(&loc).copied()
    }

    /// Whether some goal depends on a cell.
    pub fn is_relevant(&self, cell: Addr) -> bool {
        self.cells[cell.index()]
    }

    /// The number of cells that some goal depends on.
    pub fn relevant_cells(&self) -> usize {
        self.cells.iter().filter(|&&relevant| relevant).count()
    }
}

/// The program with every instruction that cannot influence the goals replaced by [`Op::Skip`], or
/// by a full fence if it is a locked instruction. Locations and ids are the same.
///
/// Requires the values of this program. Where loads wait for stores that overlap them, it is the whole program.
pub fn slice(program: &Program, values: &Values, goals: &[Goal]) -> Program {
    // A cell that is loaded for nothing, and every store to it, may let a load wait.
    if program.has_waiting_loads() {
        return program.clone();
    }
    with_control(program, values, goals).data_only()
}

/// What the goals and the control of all threads depend on.
fn with_control<'a>(program: &'a Program, values: &Values, goals: &[Goal]) -> Slicer<'a> {
    let mut search = Slicer::new(program, values, goals);
    search.keep_goals(goals);
    for (site, instruction) in program.sites() {
        if matches!(instruction.op, Op::Assume(_)) {
            search.keep(site);
        }
    }
    search.keep_word_stores();
    search.close();
    search
}

impl Slicer<'_> {
    /// The program without the data that no kept instruction needs.
    fn data_only(&self) -> Program {
        let keep = |site: Site| self.is_kept(site);
        self.program.map_ops(|site, op| match op {
            Op::Skip
            | Op::Assume(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => op.clone(),
            Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
                if keep(site) =>
            {
                op.clone()
            }
            Op::Rmw { .. } => Op::Fence(Fence::Full),
            Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. } => Op::Skip,
        })
    }
}

/// Information about one instruction.
struct InstrInfo {
    kept: bool,
    /// The cells that it may access.
    candidates: Candidates,
}

/// The closure computation: each relevant register or cell is processed once.
struct Slicer<'a> {
    program: &'a Program,
    sites: Vec<Vec<InstrInfo>>,
    registers: Vec<Vec<bool>>,
    cells: Vec<bool>,
    /// By thread and register: the instructions that write it.
    register_writers: Vec<Vec<Vec<Site>>>,
    /// By cell: the stores and locked instructions that touch only it.
    cell_writers: AHashMap<Addr, Vec<Site>>,
    /// Stores and locked instructions that may touch several cells.
    wide_writers: Vec<Site>,
    work: Vec<Relevant>,
}

enum Relevant {
    Register(ThreadId, RegId),
    Cell(Addr),
}

impl<'a> Slicer<'a> {
    fn new(program: &'a Program, values: &Values, goals: &[Goal]) -> Self {
        let threads = program.threads();
        let mut search = Self {
            program,
            sites: threads.iter().map(|_| Vec::new()).collect(),
            registers: threads
                .iter()
                .map(|thread| vec![false; thread.registers().len()])
                .collect(),
            cells: vec![false; program.cell_count()],
            register_writers: threads
                .iter()
                .map(|thread| vec![Vec::new(); thread.registers().len()])
                .collect(),
            cell_writers: AHashMap::new(),
            wide_writers: Vec::new(),
            work: Vec::new(),
        };
        let liveness = Liveness::for_goals(program, goals);
        for (site, instruction) in program.sites() {
            let candidates = values.addresses(program, site);
            let t = site.thread.index();
            // An instruction that is never executed writes nothing, and a dead value influences
            // nothing.
            if values.reachable(site.thread, instruction.from) {
                if let Some(into) = instruction.op.target()
                    && liveness.is_live(site.thread, instruction.to, into)
                {
                    search.register_writers[t][into.index()].push(site);
                }
                if let Op::Store { .. } | Op::Rmw { .. } = instruction.op {
                    match candidates.cells[..] {
                        [cell] => search.cell_writers.entry(cell).or_default().push(site),
                        _ => search.wide_writers.push(site),
                    }
                }
            }
            search.sites[t].push(InstrInfo {
                kept: false,
                candidates,
            });
        }
        search
    }

    fn is_kept(&self, site: Site) -> bool {
        self.sites[site.thread.index()][site.instr.index()].kept
    }

    /// Keeps the goals, and the accesses that may block.
    fn keep_goals(&mut self, goals: &[Goal]) {
        let program = self.program;
        for goal in goals {
            match goal {
                Goal::Assert(site) | Goal::Outside(site) => self.keep(*site),
                Goal::Property(property) => {
                    let predicate = &program.properties()[*property].predicate;
                    predicate.for_each_var(&mut |var| match var {
                        Observable::Register(thread, reg) => self.need_register(thread, reg),
                        Observable::Cell(addr) => self.need_cell(addr),
                        Observable::At(..) => {}
                    });
                }
            }
        }
        for (site, _) in program.sites() {
            if self.sites[site.thread.index()][site.instr.index()]
                .candidates
                .outside
            {
                self.keep(site);
            }
        }
    }

    /// Keeps the stores of accesses of several cells, and makes their cells relevant.
    fn keep_word_stores(&mut self) {
        let program = self.program;
        for (site, instruction) in program.sites() {
            let automaton = program.thread(site.thread);
            let is_store = matches!(instruction.op, Op::Store { .. });
            if is_store && automaton.location(instruction.from).word {
                self.keep(site);
                let entry = &self.sites[site.thread.index()][site.instr.index()];
                for cell in entry.candidates.cells.clone() {
                    self.need_cell(cell);
                }
            }
        }
    }

    /// Keeps what may write a relevant register or cell.
    fn close(&mut self) {
        while let Some(relevant) = self.work.pop() {
            match relevant {
                Relevant::Register(thread, reg) => {
                    let writers = &mut self.register_writers[thread.index()][reg.index()];
                    for site in std::mem::take(writers) {
                        self.keep(site);
                    }
                }
                Relevant::Cell(addr) => {
                    for site in self.cell_writers.remove(&addr).unwrap_or_default() {
                        self.keep(site);
                    }
                    let mut wide = std::mem::take(&mut self.wide_writers);
                    wide.retain(|&site| {
                        let entry = &self.sites[site.thread.index()][site.instr.index()];
                        let touches = entry.candidates.cells.binary_search(&addr).is_ok();
                        if touches {
                            self.keep(site);
                        }
                        !touches
                    });
                    self.wide_writers = wide;
                }
            }
        }
    }

    /// Keeps an instruction, and makes the registers and cells that it reads relevant.
    fn keep(&mut self, site: Site) {
        let entry = &mut self.sites[site.thread.index()][site.instr.index()];
        if std::mem::replace(&mut entry.kept, true) {
            return;
        }
        let op = &self.program.instruction(site).op;
        for operand in op.operands() {
            self.need_registers(site.thread, operand);
        }
        if let Op::Load { .. } | Op::Rmw { .. } = op {
            let entry = &self.sites[site.thread.index()][site.instr.index()];
            for cell in entry.candidates.cells.clone() {
                self.need_cell(cell);
            }
        }
    }

    fn need_registers(&mut self, thread: ThreadId, e: &Expr<RegId>) {
        e.for_each_var(&mut |reg| self.need_register(thread, reg));
    }

    fn need_register(&mut self, thread: ThreadId, reg: RegId) {
        let relevant = &mut self.registers[thread.index()][reg.index()];
        if !std::mem::replace(relevant, true) {
            self.work.push(Relevant::Register(thread, reg));
        }
    }

    fn need_cell(&mut self, addr: Addr) {
        if !std::mem::replace(&mut self.cells[addr.index()], true) {
            self.work.push(Relevant::Cell(addr));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Origin, PropertyKind};
    use crate::sample::{Sketch, c, eq, exchange, ne, plus, r};

    /// The operations of thread 0, without skips, in the slice for all goals.
    fn kept(program: &Program) -> Vec<Op> {
        let slice = slice(program, &Values::of(program), &program.goals());
        let operations = slice.thread(ThreadId(0)).instructions().iter();
        let operations = operations.map(|instruction| instruction.op.clone());
        operations.filter(|op| *op != Op::Skip).collect()
    }

    fn forbid(sketch: Sketch, observable: Observable) -> Program {
        let add = |builder: &mut crate::program::ProgramBuilder| {
            let predicate = Expr::Var(observable);
            builder.property(PropertyKind::Forbid, predicate, Origin::default());
        };
        sketch.with(add).build()
    }

    #[test]
    fn only_what_the_property_depends_on_is_kept() {
        // r0 := x1; x2 := r0 + 1; x3 := 5; r1 := x3; forbid x2
        let sketch = Sketch::new(3).thread(2, |t| {
            t.load(0, 1)
                .store(2, plus(r(0), 1))
                .store(3, c(5))
                .load(1, 3);
        });
        let program = forbid(sketch, Observable::Cell(Addr(2)));
        let expected: Vec<Op> = program.thread(ThreadId(0)).instructions()[..2]
            .iter()
            .map(|instruction| instruction.op.clone())
            .collect();
        assert_eq!(kept(&program), expected);
    }

    #[test]
    fn control_is_kept_with_what_it_depends_on() {
        let sketch = Sketch::new(3).thread(2, |t| {
            t.load(0, 1).assume(eq(r(0), 0)).load(1, 2).store(3, r(1));
        });
        let program = sketch.build();
        assert_eq!(kept(&program).len(), 2);
    }

    #[test]
    fn a_removed_locked_instruction_becomes_a_fence() {
        let sketch = Sketch::new(2).thread(1, |t| {
            t.store(1, c(1)).op(exchange(0, 2, 1));
        });
        let program = forbid(sketch, Observable::Cell(Addr(1)));
        assert_eq!(kept(&program)[1..], [Op::Fence(Fence::Full)]);
    }

    #[test]
    fn an_assertion_that_is_not_a_goal_is_removed() {
        let program = Sketch::new(1)
            .thread(1, |t| {
                t.load(0, 1).op(Op::Assert(ne(r(0), 1)));
            })
            .build();
        assert_eq!(kept(&program).len(), 2);
        let unasked = slice(&program, &Values::of(&program), &[]);
        assert!(
            unasked
                .sites()
                .all(|(_, instruction)| instruction.op == Op::Skip)
        );
    }

    #[test]
    fn the_stores_of_an_access_of_several_cells_are_kept_together() {
        let sketch = Sketch::new(3).thread(1, |t| {
            t.op(Op::WordBegin(crate::program::Overlap::Combine))
                .store(1, c(1))
                .store(2, c(1));
            t.op(Op::AtomicEnd).store(3, c(1));
        });
        let program = forbid(sketch, Observable::Cell(Addr(1)));
        assert_eq!(kept(&program).len(), 4);
    }

    #[test]
    fn an_access_that_may_be_outside_shared_memory_is_kept() {
        let program = Sketch::new(2)
            .thread(2, |t| {
                t.load(0, 1).load_at(1, r(0));
            })
            .build();
        assert_eq!(kept(&program).len(), 2);
    }
}
