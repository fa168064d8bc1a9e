//! Which cells a thread may still read and write from each location on.
//!
//! Computed once per program and goals, by going backwards through each automaton. An access whose
//! address is computed may touch every cell. Only cells that matter to two threads have a number
//! here: a cell that a single thread accesses, and that no property observes, never causes a conflict.
//!
//! A property is treated as one more cell: each step that may change whether the property is true
//! where nothing is buffered writes it. That is a step from or to a location that the property
//! names, a step that sets a register that it reads, and a store to a cell that it reads, both when
//! it is issued and when it reaches memory.

use super::hopeless::needs;
use crate::facts::{Flow, Lattice};
use crate::program::{
    AccessKind, Addr, Expr, Goal, InstrId, LocId, Observable, Op, PropertyKind, ThreadId,
};
use crate::reference::machine::Machine;
use ahash::AHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};

/// A set of cells, one bit per number. The sets of most programs fit into two words, and searches make
/// several of them for each configuration.
pub(super) type Cells = SmallVec<[u64; 2]>;

/// Programs for which the sets would take more words than this have none.
const MOST_WORDS: usize = 1 << 24;

/// What an action, or the rest of a thread, may read and write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    pub(super) reads: Cells,
    pub(super) writes: Cells,
}

impl Touch {
    fn none(words: usize) -> Self {
        let empty: Cells = smallvec![0; words];
        Self {
            reads: empty.clone(),
            writes: empty,
        }
    }

    /// Adds all of another one; returns whether anything was new.
    pub(super) fn add(&mut self, other: &Touch) -> bool {
        let reads = unite(&mut self.reads, &other.reads);
        unite(&mut self.writes, &other.writes) || reads
    }

    /// Whether one of the two writes what the other reads or writes.
    pub(super) fn conflicts(&self, other: &Touch) -> bool {
        let words = self.reads.iter().zip(&self.writes);
        let others = other.reads.iter().zip(&other.writes);
        let mut pairs = words.zip(others);
        pairs.any(|((r, w), (or, ow))| (r & ow) | (w & (or | ow)) != 0)
    }

    /// Whether one of the two writes what the other reads or writes, and it is none of these.
    pub(super) fn conflicts_outside(&self, other: &Touch, of: &Cells) -> bool {
        let words = self.reads.iter().zip(&self.writes);
        let others = other.reads.iter().zip(&other.writes);
        let mut pairs = words.zip(others).zip(of);
        pairs.any(|(((r, w), (or, ow)), of)| ((r & ow) | (w & (or | ow))) & !of != 0)
    }

    /// Whether both write one of these.
    pub(super) fn both_write(&self, other: &Touch, of: &Cells) -> bool {
        let mut words = self.writes.iter().zip(&other.writes).zip(of);
        words.any(|((a, b), of)| a & b & of != 0)
    }
}

impl Lattice for Touch {
    fn join(&mut self, other: Self) -> bool {
        self.add(&other)
    }
}

fn unite(into: &mut Cells, from: &Cells) -> bool {
    let mut grew = false;
    for (into, from) in into.iter_mut().zip(from) {
        grew |= from & !*into != 0;
        *into |= from;
    }
    grew
}

/// The footprints of a program's threads.
pub(super) struct Footprint {
    words: usize,
    /// The numbers of properties.
    properties: Cells,
    /// By [`Addr::index`]: the cell's place in `touches`. All cells that nothing depends on share the first
    /// one, since programs may have many of them.
    places: Vec<u32>,
    touches: Vec<CellTouch>,
    /// By thread and location: everything from there on.
    future: Vec<Vec<Touch>>,
    /// By thread and instruction: the properties that it may change through the thread's own state.
    own: Vec<Vec<Touch>>,
    /// By thread and instruction that begins an atomic block: what the block may do.
    blocks: Vec<AHashMap<InstrId, Touch>>,
    /// By thread: where properties need it, each with its number. They are false while it is elsewhere.
    needed: Vec<Vec<(LocId, usize)>>,
    /// By property: the cells that it reads, by [`Addr::index`].
    observed: Vec<Vec<Addr>>,
}

/// What the accesses to a cell touch.
struct CellTouch {
    /// A store, when it reaches memory.
    stored: Touch,
    /// The same when it is issued: only the properties that read the cell.
    issued: Touch,
    loaded: Touch,
}

impl CellTouch {
    fn none(words: usize) -> Self {
        Self {
            stored: Touch::none(words),
            issued: Touch::none(words),
            loaded: Touch::none(words),
        }
    }
}

impl Footprint {
    /// `None` if the sets would be too large.
    pub(super) fn new(machine: &Machine<'_>, goals: &[Goal]) -> Option<Self> {
        let program = machine.program;
        let numbers = shared_cells(machine);
        let shared = numbers.len();
        let mut observed = vec![Vec::new(); program.properties().len()];
        let mut seen: AHashMap<Observable, Vec<usize>> = AHashMap::new();
        let mut needed = vec![Vec::new(); program.threads().len()];
        let mut properties = 0;
        for &goal in goals {
            let Goal::Property(index) = goal else {
                continue;
            };
            let property = &program.properties()[index];
            let mut vars = property.predicate.vars();
            vars.sort();
            vars.dedup();
            for &var in &vars {
                if let Observable::Cell(addr) = var {
                    observed[index].push(addr);
                }
            }
            // What is decided where all threads have ended does not depend on what comes before.
            if property.kind == PropertyKind::Forbid {
                for var in vars {
                    seen.entry(var).or_default().push(shared + properties);
                }
                for (thread, loc) in needs(program, goal) {
                    needed[thread.index()].push((loc, shared + properties));
                }
                properties += 1;
            }
        }
        let bits = shared + properties;
        let words = bits.div_ceil(64);
        let locations: usize = program.threads().iter().map(|t| t.locations().len()).sum();
        let instructions = program.sites().count();
        let rows = 2 * (locations + instructions + 3 * (numbers.len() + seen.len()));
        if rows.saturating_mul(words) > MOST_WORDS {
            return None;
        }
        let mark = |cells: &mut Cells, bit: usize| cells[bit / 64] |= 1 << (bit % 64);
        let properties_of = |var: Observable, cells: &mut Cells| {
            for &bit in seen.get(&var).into_iter().flatten() {
                mark(cells, bit);
            }
        };
        let mut touches = vec![CellTouch::none(words)];
        let mut places = vec![0; program.cell_count()];
        let read = seen.keys().filter_map(|var| match var {
            Observable::Cell(addr) => Some(*addr),
            Observable::At(..) | Observable::Register(..) => None,
        });
        let mattering: BTreeSet<Addr> = read.chain(numbers.keys().copied()).collect();
        for addr in mattering {
            let mut touch = CellTouch::none(words);
            properties_of(Observable::Cell(addr), &mut touch.issued.writes);
            touch.stored = touch.issued.clone();
            if let Some(&bit) = numbers.get(&addr) {
                mark(&mut touch.stored.writes, bit);
                mark(&mut touch.loaded.reads, bit);
            }
            places[addr.index()] = touches.len() as u32;
            touches.push(touch);
        }
        let mut all_properties: Cells = smallvec![0; words];
        for bit in shared..bits {
            mark(&mut all_properties, bit);
        }
        let mut footprint = Self {
            words,
            properties: all_properties,
            places,
            touches,
            future: Vec::new(),
            own: Vec::new(),
            blocks: Vec::new(),
            needed,
            observed,
        };
        let mut any = Touch::none(words);
        for touch in &footprint.touches {
            any.add(&touch.stored);
            any.add(&touch.loaded);
        }
        for (t, thread) in program.thread_ids().zip(program.threads()) {
            let own = thread.instructions().iter().map(|instruction| {
                let mut own = Touch::none(words);
                for loc in [instruction.from, instruction.to] {
                    properties_of(Observable::At(t, loc), &mut own.writes);
                }
                if let Some(reg) = instruction.op.target() {
                    properties_of(Observable::Register(t, reg), &mut own.writes);
                }
                own
            });
            let own: Vec<Touch> = own.collect();
            let mut all = own.clone();
            for (instruction, all) in thread.instructions().iter().zip(&mut all) {
                footprint.add_access(machine, &instruction.op, &any, all);
            }
            let nothing = vec![Touch::none(words); thread.locations().len()];
            let future = Flow::backward(thread).solve(nothing, |instr, _, after: &Touch| {
                let mut future = after.clone();
                future.add(&all[instr]);
                future
            });
            footprint.future.push(future);
            let begins = thread.instructions().iter().enumerate();
            let begins = begins.filter(|(_, i)| i.op.begins_block());
            let blocks = begins.map(|(index, begin)| {
                let mut block = own[index].clone();
                for instr in thread.block(begin.to) {
                    block.add(&all[instr.index()]);
                }
                (InstrId::from(index), block)
            });
            footprint.blocks.push(blocks.collect());
            footprint.own.push(own);
        }
        Some(footprint)
    }

    fn add_access(&self, machine: &Machine<'_>, op: &Op, any: &Touch, into: &mut Touch) {
        let Some((addr, kind)) = op.access() else {
            return;
        };
        let cell = addr.as_const().map(|value| machine.program.cell_at(value));
        let (reads, writes) = match kind {
            AccessKind::Load { .. } => (true, false),
            AccessKind::Store { .. } => (false, true),
            AccessKind::Rmw { .. } => (true, true),
        };
        match cell {
            // Outside shared memory: never executed.
            Some(None) => {}
            Some(Some(addr)) => {
                if reads {
                    into.add(self.loaded(addr));
                }
                if writes {
                    into.add(self.stored(addr));
                }
            }
            None => {
                if reads {
                    unite(&mut into.reads, &any.reads);
                }
                if writes {
                    unite(&mut into.writes, &any.writes);
                }
            }
        }
    }

    /// Nothing.
    pub(super) fn nothing(&self) -> Touch {
        Touch::none(self.words)
    }

    /// All properties.
    pub(super) fn properties(&self) -> &Cells {
        &self.properties
    }

    /// Everything that a thread's control may do from a location on.
    pub(super) fn future(&self, thread: ThreadId, loc: LocId) -> &Touch {
        &self.future[thread.index()][loc.index()]
    }

    /// The properties that an instruction may change through the thread's own state.
    pub(super) fn own(&self, thread: ThreadId, instr: InstrId) -> &Touch {
        &self.own[thread.index()][instr.index()]
    }

    /// Removes the properties that need the thread elsewhere than where it is.
    pub(super) fn leave_needed_elsewhere(&self, thread: ThreadId, loc: LocId, touch: &mut Touch) {
        for &(needed, bit) in &self.needed[thread.index()] {
            if needed != loc {
                touch.writes[bit / 64] &= !(1 << (bit % 64));
            }
        }
    }

    /// What the atomic block may do that this instruction enters.
    pub(super) fn block(&self, thread: ThreadId, begin: InstrId) -> &Touch {
        &self.blocks[thread.index()][&begin]
    }

    fn cell(&self, addr: Addr) -> &CellTouch {
        &self.touches[self.places[addr.index()] as usize]
    }

    /// A store to the cell that reaches memory.
    pub(super) fn stored(&self, addr: Addr) -> &Touch {
        &self.cell(addr).stored
    }

    /// A store to the cell that enters a buffer.
    pub(super) fn issued(&self, addr: Addr) -> &Touch {
        &self.cell(addr).issued
    }

    /// A load from the cell.
    pub(super) fn loaded(&self, addr: Addr) -> &Touch {
        &self.cell(addr).loaded
    }

    /// The cells that a property among the goals reads.
    pub(super) fn observed(&self, property: usize) -> &[Addr] {
        &self.observed[property]
    }
}

/// The cells that two threads may access, numbered.
fn shared_cells(machine: &Machine<'_>) -> BTreeMap<Addr, usize> {
    let program = machine.program;
    let mut owners: BTreeMap<Addr, BTreeSet<ThreadId>> = BTreeMap::new();
    let mut anywhere: BTreeSet<ThreadId> = BTreeSet::new();
    for (site, instruction) in program.sites() {
        match instruction.op.address().map(Expr::as_const) {
            None => {}
            Some(None) => {
                anywhere.insert(site.thread);
            }
            Some(Some(value)) => {
                if let Some(addr) = program.cell_at(value) {
                    owners.entry(addr).or_default().insert(site.thread);
                }
            }
        }
    }
    if anywhere.len() > 1 {
        return (0..program.cell_count())
            .map(Addr::from_index)
            .zip(0..)
            .collect();
    }
    let is_shared = |owners: &BTreeSet<ThreadId>| owners.union(&anywhere).count() > 1;
    let shared = owners.iter().filter(|(_, owners)| is_shared(owners));
    shared.map(|(&addr, _)| addr).zip(0..).collect()
}
