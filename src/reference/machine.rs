//! Configurations of a program under a model, and predicates on them.
//!
//! The predicates: whether it is halting, whether all threads have ended, which assertion a step
//! fails, which access has an address that is not a cell, and whether a property is decided. The
//! transitions are in `rules`.

use super::buffer::Buffer;
use super::rules::Refusal;
use super::wait::Alone;
use super::{Halt, Step};
use crate::model::Model;
use crate::program::{
    Addr, Expr, Fence, Instruction, LocId, Observable, Op, Overlap, Program, PropertyKind, RegId,
    Site, Thread, ThreadId,
};
use std::ops::Range;

/// A configuration.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// Each thread's location.
    pub locations: Vec<LocId>,
    /// The registers of all threads, thread by thread.
    pub registers: Vec<i32>,
    /// The memory, by [`Addr::index`].
    pub memory: Vec<i32>,
    /// Each thread's buffer.
    pub buffers: Vec<Buffer>,
}

impl Clone for Config {
    fn clone(&self) -> Self {
        Self {
            locations: self.locations.clone(),
            registers: self.registers.clone(),
            memory: self.memory.clone(),
            buffers: self.buffers.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.locations.clone_from(&source.locations);
        self.registers.clone_from(&source.registers);
        self.memory.clone_from(&source.memory);
        self.buffers.clone_from(&source.buffers);
    }
}

impl Config {
    /// [`Clone::clone_from`], if the two differ only in memory and in the parts of one thread, whose
    /// registers these are.
    fn restore(&mut self, source: &Self, thread: ThreadId, registers: Range<usize>) {
        let t = thread.index();
        self.locations[t] = source.locations[t];
        self.registers[registers.clone()].copy_from_slice(&source.registers[registers]);
        self.memory.copy_from_slice(&source.memory);
        self.buffers[t].clone_from(&source.buffers[t]);
    }
}

/// One program under one model.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// The memory model.
    pub model: Model,
    /// Where each thread's registers start in [`Config::registers`].
    offsets: Vec<usize>,
    /// The distinct cell sets of the program's lightweight fences; an empty one means all cells.
    fences: Vec<Vec<Addr>>,
    /// The threads with atomic blocks, each with its locations inside them.
    blocks: Vec<(ThreadId, Vec<bool>)>,
    /// Whether some thread stores words in parts.
    pub(super) has_words: bool,
    /// The loads of several cells that wait ([`Overlap::Wait`]), by where they begin, with the addresses of their cells: no
    /// register in an address is written on the way.
    waiting: Vec<(Site, Vec<Expr<RegId>>)>,
    /// If some property is about threads that wait.
    alone: Option<Box<Alone<'p>>>,
}

impl<'p> Machine<'p> {
    /// The program under the model, with what its properties need.
    pub fn with_properties(program: &'p Program, model: Model) -> Self {
        let mut properties = program.properties().iter();
        let waiting = properties.any(|property| property.kind.is_about_waiting());
        Self {
            alone: waiting.then(|| Box::new(Alone::new(program))),
            ..Self::new(program, model)
        }
    }

    /// The program under the model, for callers that decide no property.
    pub fn new(program: &'p Program, model: Model) -> Self {
        let mut offsets = Vec::with_capacity(program.threads().len());
        let mut offset = 0;
        for thread in program.threads() {
            offsets.push(offset);
            offset += thread.registers().len();
        }
        let mut fences: Vec<Vec<Addr>> = program
            .sites()
            .filter_map(|(_, instruction)| lightweight(&instruction.op).map(<[Addr]>::to_vec))
            .collect();
        fences.sort();
        fences.dedup();
        let atomic = |thread: &Thread| -> Vec<bool> {
            let locations = thread.locations().iter();
            locations.map(|location| location.atomic).collect()
        };
        let blocks = program
            .thread_ids()
            .zip(program.threads().iter().map(atomic));
        Self {
            program,
            model,
            offsets,
            fences,
            blocks: blocks
                .filter(|(_, atomic)| atomic.contains(&true))
                .collect(),
            has_words: program.has_words(),
            waiting: waiting_loads(program),
            alone: None,
        }
    }

    /// The cells of the load that waits and begins with this instruction; those outside memory are left out, as it never
    /// ends.
    pub(super) fn word_cells(&self, config: &Config, begin: Site) -> Vec<Addr> {
        let found = self.waiting.iter().find(|(site, _)| *site == begin);
        let addresses = found.into_iter().flat_map(|(_, addresses)| addresses);
        let cells = addresses.map(|address| self.cell(config, begin.thread, address));
        cells.filter_map(Result::ok).collect()
    }

    /// The initial configuration.
    pub fn initial(&self) -> Config {
        let threads = self.program.threads();
        Config {
            locations: threads.iter().map(Thread::entry).collect(),
            registers: threads
                .iter()
                .flat_map(|thread| thread.registers().iter().map(|register| register.init))
                .collect(),
            memory: self.program.initial_memory().to_vec(),
            buffers: vec![Buffer::default(); threads.len()],
        }
    }

    /// Takes a step back, given the configuration before it.
    pub fn undo(&self, config: &mut Config, before: &Config, step: Step) {
        let thread = step.thread();
        config.restore(before, thread, self.slots(thread));
        debug_assert!(config == before, "a step changed another thread");
    }

    /// The indices of a thread's registers in [`Config::registers`].
    pub fn slots(&self, thread: ThreadId) -> Range<usize> {
        let start = self.offsets[thread.index()];
        start..start + self.program.thread(thread).registers().len()
    }

    /// The index of a register in [`Config::registers`].
    pub fn slot(&self, thread: ThreadId, reg: RegId) -> usize {
        self.offsets[thread.index()] + reg.index()
    }

    /// The value of an expression in a thread.
    pub fn eval(&self, config: &Config, thread: ThreadId, e: &Expr<RegId>) -> i32 {
        e.eval(|reg| config.registers[self.slot(thread, reg)])
    }

    /// The thread that is inside an atomic block or a word access, or of which a word access is leaving the buffer. There
    /// is at most one.
    pub fn inside(&self, config: &Config) -> Option<ThreadId> {
        if self.has_words
            && let Some(thread) = self.leaving(config)
        {
            return Some(thread);
        }
        let mut blocks = self.blocks.iter();
        let found = blocks.find(|(thread, atomic)| {
            let loc = config.locations[thread.index()];
            atomic[loc.index()]
        });
        found.map(|&(thread, _)| thread)
    }

    /// The thread of which some stores of a word access have left a buffer, and others are next.
    pub(super) fn leaving(&self, config: &Config) -> Option<ThreadId> {
        let mut threads = self.program.thread_ids().zip(&config.buffers);
        let found = threads.find(|(_, buffer)| buffer.is_leaving());
        found.map(|(thread, _)| thread)
    }

    /// Whether nothing is buffered and no thread is inside an atomic block.
    pub fn is_halting(&self, config: &Config) -> bool {
        config.buffers.iter().all(Buffer::is_empty) && self.inside(config).is_none()
    }

    /// Whether every thread has ended.
    pub(super) fn all_ended(&self, config: &Config) -> bool {
        self.program
            .threads()
            .iter()
            .zip(&config.locations)
            .all(|(thread, &loc)| thread.is_end(loc))
    }

    /// The configuration without its buffers.
    pub fn halt(&self, config: &Config) -> Halt {
        Halt {
            locations: config.locations.clone(),
            registers: self
                .program
                .thread_ids()
                .zip(self.program.threads())
                .map(|(t, _)| self.registers_of(config, t).to_vec())
                .collect(),
            memory: config.memory.clone(),
        }
    }

    /// The registers of one thread.
    pub fn registers_of<'c>(&self, config: &'c Config, thread: ThreadId) -> &'c [i32] {
        &config.registers[self.slots(thread)]
    }

    /// The configuration with these parts and nothing buffered.
    pub(super) fn halting(&self, halt: &Halt) -> Config {
        Config {
            locations: halt.locations.clone(),
            registers: halt.registers.concat(),
            memory: halt.memory.clone(),
            ..self.initial()
        }
    }

    /// The examination of threads that wait; `None` if no property needs it.
    pub fn alone(&self) -> Option<&Alone<'p>> {
        self.alone.as_deref()
    }

    /// Whether the predicate of the property at this index is true.
    pub(super) fn observes(&self, config: &Config, property: usize) -> bool {
        let property = &self.program.properties()[property];
        property.predicate.eval(|observable| match observable {
            Observable::Register(thread, reg) => config.registers[self.slot(thread, reg)],
            Observable::At(thread, loc) => i32::from(config.locations[thread.index()] == loc),
            Observable::Cell(addr) => config.memory[addr.index()],
        }) != 0
    }

    /// Whether the property at this index is violated (for `exists`: observed) in this halting
    /// configuration.
    pub fn decides(&self, config: &Config, property: usize) -> bool {
        let holds = || self.observes(config, property);
        match self.program.properties()[property].kind {
            PropertyKind::Forbid => holds(),
            PropertyKind::FinalAssert => self.all_ended(config) && !holds(),
            PropertyKind::Exists => self.all_ended(config) && holds(),
            PropertyKind::Stuck => {
                holds() && self.alone().is_some_and(|alone| alone.is_stuck(config))
            }
            // Not decided by one configuration: see `starve`.
            PropertyKind::Starved(_) => false,
        }
    }

    /// The assertion that fails if the step is taken in this configuration.
    pub fn failed_assert(&self, config: &Config, step: Step) -> Option<Site> {
        let Step::Execute { thread, instr, .. } = step else {
            return None;
        };
        let site = Site { thread, instr };
        let Op::Assert(e) = &self.program.instruction(site).op else {
            return None;
        };
        (self.eval(config, thread, e) == 0).then_some(site)
    }

    /// The accesses that the thread could execute next and whose address is not a cell.
    pub fn outside(&self, config: &Config, thread: ThreadId) -> impl Iterator<Item = Site> {
        let automaton = self.program.thread(thread);
        let loc = config.locations[thread.index()];
        automaton
            .outgoing(loc)
            .iter()
            .filter(move |&&instr| {
                automaton
                    .instruction(instr)
                    .op
                    .address()
                    .is_some_and(|addr| self.cell(config, thread, addr).is_err())
            })
            .map(move |&instr| Site { thread, instr })
    }

    /// The index in the table of fences of the fence that this instruction puts into the buffer, if
    /// it is a fence that is buffered.
    pub fn buffered_fence(&self, thread: ThreadId, instruction: &Instruction) -> Option<usize> {
        let buffered = match self.model {
            Model::Sc | Model::Tso => false,
            Model::Pso | Model::Pgas => {
                let from = self.program.thread(thread).location(instruction.from);
                !from.is_locked()
            }
        };
        let cells = lightweight(&instruction.op)?;
        buffered
            .then(|| self.fences.iter().position(|fence| fence == cells))
            .flatten()
    }

    /// The cells of a fence in the table; empty means all cells.
    pub(super) fn fence_cells(&self, fence: usize) -> &[Addr] {
        &self.fences[fence]
    }

    /// Whether a fence in the table orders the stores to a cell.
    pub(super) fn covers(&self, fence: usize, addr: Addr) -> bool {
        let cells = &self.fences[fence];
        cells.is_empty() || cells.contains(&addr)
    }

    /// The cell that an address expression denotes.
    ///
    /// # Errors
    ///
    /// If it denotes none.
    pub fn cell(
        &self,
        config: &Config,
        thread: ThreadId,
        e: &Expr<RegId>,
    ) -> Result<Addr, Refusal> {
        let value = self.eval(config, thread, e);
        self.program.cell_at(value).ok_or(Refusal::Outside(value))
    }
}

fn waiting_loads(program: &Program) -> Vec<(Site, Vec<Expr<RegId>>)> {
    let begins = program.sites();
    let begins = begins.filter(|(_, i)| i.op == Op::WordBegin(Overlap::Wait));
    let load = |begin: Site| {
        let automaton = program.thread(begin.thread);
        let word = automaton.word(begin.instr).unwrap_or_default();
        let loads = word
            .into_iter()
            .filter_map(|part| match &automaton.instruction(part).op {
                Op::Load { addr, .. } => Some(addr.clone()),
                Op::Skip
                | Op::Assign { .. }
                | Op::Havoc { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => None,
            });
        (begin, loads.collect())
    };
    begins.map(|(begin, _)| load(begin)).collect()
}

/// The cells of a lightweight fence; empty means all cells.
fn lightweight(op: &Op) -> Option<&[Addr]> {
    match op.fence()? {
        Fence::Store => Some(&[]),
        Fence::Cells(cells) => Some(cells),
        Fence::Full | Fence::All => None,
    }
}
