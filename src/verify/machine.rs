//! The memory models as machines: what each thread, and each buffer, may do next.
//!
//! ```text
//!   SC     a store takes effect at once
//!   TSO    store ──▶ [ queue ] ──▶ memory
//!   PSO    store ──▶ [ waiting ] ──▶ memory             in any order that the rules below allow
//!   PGAS   store ──▶ [ waiting ] ──▶ [ queue ] ──▶ memory
//! ```
//!
//! What waits may leave unless something older keeps it: a store an older store to its cell, or a light
//! fence; a light fence another one, or a store to one of its cells. Under PGAS a light fence enters the
//! queue, when no store to one of its cells waits. A load reads the newest store of its own thread to the
//! cell, or memory. Full fences, locked instructions and the beginning of an atomic block need empty own
//! buffers. While a thread is inside a block nothing else moves, and its stores take effect at once.
//!
//! While a thread is inside an access of several cells (`lock word`) nothing else moves either, no buffer
//! does, and its stores are buffered as others are. They leave together: when one of them has left, the others
//! are the next steps. Loads that wait (`lock word wait`) begin only if none of their cells is buffered, or if the newest stores to
//! all of them are of one access.
//!
//! An access to an address that is not a cell is never executed.

mod buffer;
mod coding;
mod copies;
mod goals;

pub use buffer::{Buffer, Cells, Item, Leaving};

use super::expr::{Expr, Var};
use super::program::{Kind, Op, Overlap, Program};
use std::cell::Cell;

/// A memory model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Model {
    Sc,
    Tso,
    Pso,
    Pgas,
}

impl Model {
    /// The model with this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sc" => Model::Sc,
            "tso" => Model::Tso,
            "pso" => Model::Pso,
            "pgas" => Model::Pgas,
            _ => return None,
        })
    }

    /// Whether stores to different cells may change places.
    pub(super) fn reorders_stores(self) -> bool {
        match self {
            Model::Sc | Model::Tso => false,
            Model::Pso | Model::Pgas => true,
        }
    }
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Each thread's location.
    pub locations: Vec<usize>,
    /// Each thread's registers.
    pub registers: Vec<Vec<i32>>,
    /// The memory.
    pub cells: Vec<i32>,
    /// Each thread's buffer.
    pub buffers: Vec<Buffer>,
    /// The access whose stores are leaving a buffer.
    pub leaving: Option<Leaving>,
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Step {
    /// A thread executes an instruction; `choice` is the value of a `nondet`.
    Execute {
        thread: usize,
        instruction: usize,
        choice: Option<i32>,
    },
    /// PGAS: the oldest waiting store to the cell enters the queue.
    Advance { thread: usize, cell: usize },
    /// The oldest buffered store to the cell reaches memory.
    Flush { thread: usize, cell: usize },
    /// A light fence leaves the buffer.
    Retire { thread: usize },
}

/// A program under a memory model.
#[derive(Debug)]
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    model: Model,
    /// The sets of cells of light fences; an empty one means all.
    fences: Vec<&'p [usize]>,
    /// By thread and location: the registers that may still be read.
    pub(super) live: Vec<Vec<Vec<bool>>>,
    /// The observations that are claimed not to be made.
    pub(super) never: Vec<usize>,
    /// The same program under SC, for threads that run alone; if some property is about waiting.
    alone: Option<Box<Machine<'p>>>,
    /// How many states of threads that run alone were visited.
    alone_states: Cell<usize>,
}

impl<'p> Machine<'p> {
    /// The program under the model. These observations count as goals.
    pub fn new(program: &'p Program, model: Model, never: &[usize]) -> Self {
        let mut machine = Self::with_goals(program, model, never, &program.properties);
        let mut properties = program.properties.iter();
        if properties.any(|(kind, _)| *kind == Kind::Stuck) {
            machine.alone = Some(Box::new(Self::with_goals(program, Model::Sc, &[], &[])));
        }
        machine
    }

    /// The program under the model, in which only these properties read registers.
    fn with_goals(
        program: &'p Program,
        model: Model,
        never: &[usize],
        goals: &[(Kind, Expr)],
    ) -> Self {
        let mut kept: Vec<Vec<bool>> = Vec::new();
        for thread in &program.threads {
            kept.push(vec![false; thread.registers.len()]);
        }
        for (_, predicate) in goals {
            predicate.each_var(&mut |var| {
                if let Var::Of(thread, register) = var {
                    kept[thread][register] = true;
                }
            });
        }
        // What matters in one copy matters in all of its class.
        for class in program.classes() {
            for register in 0..kept[class.thread].len() {
                let matters = class.members.iter().any(|&member| kept[member][register]);
                for &member in &class.members {
                    kept[member][register] = matters;
                }
            }
        }
        let threads = program.threads.iter();
        let mut fences: Vec<&[usize]> = Vec::new();
        for instruction in threads.clone().flat_map(|thread| &thread.instructions) {
            if let Op::LightFence(cells) = &instruction.op {
                fences.push(cells);
            }
        }
        fences.sort_unstable();
        fences.dedup();
        Self {
            program,
            model,
            fences,
            live: threads
                .zip(&kept)
                .map(|(thread, kept)| thread.live(kept))
                .collect(),
            never: never.to_vec(),
            alone: None,
            alone_states: Cell::new(0),
        }
    }

    /// The same without a difference between registers that are read and others.
    #[must_use]
    pub fn with_all_registers(mut self) -> Self {
        for register in self.live.iter_mut().flatten().flatten() {
            *register = true;
        }
        self
    }

    /// How many threads are inside atomic blocks or accesses of several cells: at most one in what is
    /// reachable.
    pub fn are_inside(&self, config: &Config) -> usize {
        let threads = self.program.threads.iter().zip(&config.locations);
        threads.filter(|(thread, at)| thread.inside[**at]).count()
    }

    /// The only thread that may take a step: one that is inside an atomic block or an access of several cells, or of
    /// which the stores of one access are leaving its buffer.
    pub(super) fn inside(&self, config: &Config) -> Option<usize> {
        if let Some(leaving) = config.leaving {
            return Some(leaving.thread);
        }
        let mut threads = self.program.threads.iter().zip(&config.locations);
        threads.position(|(thread, &at)| thread.inside[at])
    }

    pub(super) fn eval(config: &Config, thread: usize, e: &Expr) -> i32 {
        e.eval(&|var| match var {
            Var::Own(register) => config.registers[thread][register],
            Var::Of(..) | Var::At(..) | Var::Cell(_) => 0,
        })
    }

    /// The cell of an access; `None` if the address is that of no cell.
    fn cell(&self, config: &Config, thread: usize, address: &Expr) -> Option<usize> {
        self.program.cell_at(Self::eval(config, thread, address))
    }

    /// Whether nothing is buffered and no thread is inside a block.
    pub fn is_halting(&self, config: &Config) -> bool {
        config.buffers.iter().all(Buffer::is_empty) && self.inside(config).is_none()
    }

    /// Appends every step that may be possible.
    pub fn proposals(&self, config: &Config, steps: &mut Vec<Step>) {
        let inside = self.inside(config);
        for thread in 0..self.program.threads.len() {
            if inside.is_some_and(|other| other != thread) {
                continue;
            }
            self.instructions_of(config, thread, steps);
            let Buffer { waiting, queue } = &config.buffers[thread];
            for item in waiting.iter().chain(queue.first()) {
                match *item {
                    Item::Store { cell, .. } => {
                        let flush = Step::Flush { thread, cell };
                        let advance = Step::Advance { thread, cell };
                        let new = [advance, flush]
                            .into_iter()
                            .filter(|step| !steps.contains(step));
                        let new: Vec<Step> = new.collect();
                        steps.extend(new);
                    }
                    Item::Fence(_) => {
                        steps.push(Step::Retire { thread });
                        break;
                    }
                }
            }
        }
    }

    /// Appends the instructions that a thread may execute next.
    fn instructions_of(&self, config: &Config, thread: usize, steps: &mut Vec<Step>) {
        let automaton = &self.program.threads[thread];
        for &instruction in &automaton.leaving[config.locations[thread]] {
            let execute = |choice| Step::Execute {
                thread,
                instruction,
                choice,
            };
            if let Op::Choose(_, low, high) = automaton.instructions[instruction].op {
                steps.extend((low..=high).map(|value| execute(Some(value))));
            } else {
                steps.push(execute(None));
            }
        }
    }

    /// The configuration after a step; `None` if it is not possible.
    pub fn after(&self, config: &Config, step: Step) -> Option<Config> {
        let (Step::Execute { thread, .. }
        | Step::Advance { thread, .. }
        | Step::Flush { thread, .. }
        | Step::Retire { thread }) = step;
        if thread >= config.locations.len()
            || self.inside(config).is_some_and(|other| other != thread)
        {
            return None;
        }
        let may_move = match config.leaving {
            // Nothing leaves a buffer while its thread is inside.
            None => !self.program.threads[thread].inside[config.locations[thread]],
            Some(Leaving { advances, rest, .. }) => match step {
                Step::Advance { cell, .. } => advances && rest.contains(cell),
                Step::Flush { cell, .. } => !advances && rest.contains(cell),
                Step::Execute { .. } | Step::Retire { .. } => return None,
            },
        };
        match step {
            Step::Execute {
                instruction,
                choice,
                ..
            } => {
                return self.execute(config, thread, instruction, choice);
            }
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => {}
        }
        if !may_move {
            return None;
        }
        let mut next = config.clone();
        let buffer = &mut next.buffers[thread];
        match (step, self.model) {
            (Step::Advance { cell, .. }, Model::Pgas) => {
                let item = buffer.take_waiting(cell, config.leaving)?;
                buffer.queue.push(item);
                next.leaving = Self::left(config, (thread, true), item);
            }
            (Step::Flush { cell, .. }, Model::Tso | Model::Pso | Model::Pgas) => {
                let item = if self.model == Model::Pso {
                    buffer.take_waiting(cell, config.leaving)?
                } else {
                    buffer.take_queued(cell)?
                };
                if let Item::Store { value, .. } = item {
                    next.cells[cell] = value;
                }
                next.leaving = Self::left(config, (thread, false), item);
            }
            (Step::Retire { .. }, Model::Pgas) => {
                let head = buffer.queue.first();
                head.filter(|item| matches!(item, Item::Fence(_)))?;
                buffer.queue.remove(0);
            }
            (Step::Retire { .. }, Model::Pso) => {
                let free = buffer.free();
                let Item::Fence(number) = *buffer.waiting.get(free)? else {
                    return None;
                };
                let mut older = buffer.waiting[..free].iter();
                if older.any(|&item| self.covers(number, item)) {
                    return None;
                }
                buffer.waiting.remove(free);
                buffer.sort();
            }
            (Step::Advance { .. }, Model::Sc | Model::Tso | Model::Pso)
            | (Step::Flush { .. }, Model::Sc)
            | (Step::Retire { .. }, Model::Sc | Model::Tso)
            | (Step::Execute { .. }, _) => return None,
        }
        Some(next)
    }

    /// Whether what a load of several cells, which has its first location here, finds in the own buffer is of one access, or
    /// nothing. No register in its addresses is written on the way.
    fn is_served(&self, config: &Config, t: usize, begin: usize) -> bool {
        let thread = &self.program.threads[t];
        let (mut at, mut cells) = (begin, Vec::new());
        while thread.words[at].is_some() {
            let Some(&number) = thread.leaving[at].first() else {
                break;
            };
            let instruction = &thread.instructions[number];
            if let Op::Load(_, address) = &instruction.op {
                cells.extend(self.cell(config, t, address));
            }
            at = instruction.to;
        }
        // The newest access to a cell has that cell: if it is the same for all of them, it has them all.
        let newest = |&cell: &usize| config.buffers[t].newest_access(cell);
        let first = cells.first().map(newest);
        cells.iter().all(|cell| Some(newest(cell)) == first)
    }

    /// What is left of an access after one of its stores has left.
    fn left(config: &Config, to: (usize, bool), item: Item) -> Option<Leaving> {
        match item {
            Item::Store { cell, cells, .. } => Leaving::after(config.leaving, to, (cell, cells)),
            Item::Fence(_) => None,
        }
    }

    fn execute(
        &self,
        config: &Config,
        t: usize,
        number: usize,
        choice: Option<i32>,
    ) -> Option<Config> {
        let thread = &self.program.threads[t];
        let instruction = thread.instructions.get(number)?;
        if instruction.from != config.locations[t] {
            return None;
        }
        let inside = thread.inside[instruction.from];
        if instruction.op.drains() && !config.buffers[t].is_empty() {
            return None;
        }
        let mut next = config.clone();
        let mut chosen = None;
        match &instruction.op {
            Op::Assume(e) if Self::eval(config, t, e) == 0 => return None,
            Op::Word(Overlap::Wait) if !self.is_served(config, t, instruction.to) => return None,
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence
            | Op::Lock
            | Op::Word(_)
            | Op::Unlock => {}
            Op::Assign(into, e) => next.registers[t][*into] = Self::eval(config, t, e),
            Op::Choose(into, low, high) => {
                chosen = choice.filter(|value| (*low..=*high).contains(value));
                next.registers[t][*into] = chosen?;
            }
            Op::Load(into, address) => {
                let cell = self.cell(config, t, address)?;
                let own = config.buffers[t].newest(cell);
                next.registers[t][*into] = own.unwrap_or(config.cells[cell]);
            }
            Op::Store(address, value) => {
                let cell = self.cell(config, t, address)?;
                let value = Self::eval(config, t, value);
                let word = thread.words[instruction.from];
                let cells = match word {
                    None => Cells::one(cell),
                    Some(word) => Cells {
                        first: cell.checked_sub(word.distance)?,
                        bits: word.bits,
                    },
                };
                let item = Item::Store { cell, value, cells };
                let buffer = &mut next.buffers[t];
                match self.model {
                    Model::Tso | Model::Pso | Model::Pgas if inside && word.is_none() => {
                        next.cells[cell] = value;
                    }
                    Model::Sc => next.cells[cell] = value,
                    Model::Tso => buffer.queue.push(item),
                    Model::Pso | Model::Pgas => {
                        buffer.waiting.push(item);
                        buffer.sort();
                    }
                }
            }
            Op::Locked(into, address, update) => {
                let cell = self.cell(config, t, address)?;
                let old = config.cells[cell];
                next.cells[cell] = update.apply(old, |e| Self::eval(config, t, e));
                next.registers[t][*into] = old;
            }
            Op::Barrier => {
                if !config.buffers.iter().all(Buffer::is_empty) {
                    return None;
                }
            }
            Op::LightFence(cells) => {
                let fence = self.fences.iter().position(|fence| fence == cells)?;
                let Buffer { waiting, queue } = &mut next.buffers[t];
                match self.model {
                    Model::Sc | Model::Tso => {}
                    Model::Pso | Model::Pgas if inside => {}
                    Model::Pso => waiting.push(Item::Fence(fence)),
                    Model::Pgas if waiting.iter().any(|&item| self.covers(fence, item)) => {
                        return None;
                    }
                    Model::Pgas => queue.push(Item::Fence(fence)),
                }
            }
        }
        if chosen != choice {
            return None;
        }
        next.locations[t] = instruction.to;
        Some(next)
    }
}
