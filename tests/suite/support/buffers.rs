//! A third implementation of store buffers: the final states of a program without branches, by trying
//! every order of steps.
//!
//! It shares nothing with the explicit engine and the encoding but the program and its arithmetic, so
//! the expectations of the corpus do not depend only on the engines that they test. It is as simple as
//! possible, without any reduction: each step of each thread, and each store that reaches memory, is a
//! separate successor.

use fencepost::internals::model::Model;
use fencepost::program::{Expr, Fence, LocId, Observable, Op, Program, RegId, Thread, ThreadId};
use std::collections::HashSet;

/// A buffered item.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Waiting {
    /// Cells, and what they receive at once.
    Store(Vec<(usize, i32)>),
    /// A store fence: later stores do not pass earlier ones.
    Line,
}

/// A configuration: threads, memory and buffers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct World {
    at: Vec<LocId>,
    registers: Vec<Vec<i32>>,
    memory: Vec<i32>,
    buffers: Vec<Vec<Waiting>>,
    /// The thread inside an atomic block.
    alone: Option<usize>,
}

impl World {
    /// The value of an observable of properties.
    pub fn value(&self, observable: Observable) -> i32 {
        match observable {
            Observable::Register(thread, reg) => self.registers[thread.index()][reg.index()],
            Observable::At(thread, loc) => (self.at[thread.index()] == loc).into(),
            Observable::Cell(cell) => self.memory[cell.index()],
        }
    }
}

/// Whether each thread is straight-line code, without branches, loops or choices. Grace periods of RCU bring choices:
/// `grace_periods` compares those.
pub fn is_straight(program: &Program) -> bool {
    let chooses = |op: &Op| matches!(op, Op::Havoc { .. });
    let mut all = program.sites();
    !all.any(|(_, instruction)| chooses(&instruction.op))
        && program.threads().iter().all(|thread| {
            let mut at = thread.entry();
            (0..=thread.locations().len()).any(|_| match thread.outgoing(at) {
                [] => true,
                [only] => {
                    at = thread.instruction(*only).to;
                    false
                }
                [_, _, ..] => false,
            })
        })
}

/// All final states of a program. Requires that it is straight.
pub fn ends(program: &Program, model: Model) -> HashSet<World> {
    let threads = program.threads();
    let start = World {
        at: threads.iter().map(Thread::entry).collect(),
        registers: threads
            .iter()
            .map(|thread| thread.registers().iter().map(|r| r.init).collect())
            .collect(),
        memory: program.initial_memory().to_vec(),
        buffers: vec![Vec::new(); threads.len()],
        alone: None,
    };
    let mut search = Search {
        program,
        model,
        seen: HashSet::new(),
        ends: HashSet::new(),
    };
    search.visit(start);
    search.ends
}

struct Search<'p> {
    program: &'p Program,
    model: Model,
    seen: HashSet<World>,
    ends: HashSet<World>,
}

impl Search<'_> {
    fn visit(&mut self, world: World) {
        if !self.seen.insert(world.clone()) {
            return;
        }
        let mut is_end = true;
        for thread in self.program.thread_ids() {
            let own = thread.index();
            if world.alone.is_some_and(|alone| alone != own) {
                continue;
            }
            let arrivals =
                (0..world.buffers[own].len()).filter_map(|i| self.arrive(&world, own, i));
            let next: Vec<World> = arrivals.chain(self.step(&world, thread)).collect();
            for world in next {
                is_end = false;
                self.visit(world);
            }
        }
        if is_end {
            let mut threads = self.program.threads().iter().zip(&world.at);
            assert!(
                threads.all(|(thread, at)| thread.is_end(*at)),
                "a thread is stuck"
            );
            self.ends.insert(world);
        }
    }

    /// The item at this position of the buffer reaches memory, unless an earlier one holds it back.
    fn arrive(&self, world: &World, own: usize, position: usize) -> Option<World> {
        let (before, rest) = world.buffers[own].split_at(position);
        let mut next = world.clone();
        next.buffers[own].remove(position);
        let overlap = |a: &[(usize, i32)], b: &[(usize, i32)]| {
            a.iter()
                .any(|(cell, _)| b.iter().any(|(other, _)| cell == other))
        };
        let may_leave = match (&rest[0], self.model) {
            (Waiting::Line, _) | (_, Model::Sc | Model::Tso) => before.is_empty(),
            (Waiting::Store(own), Model::Pso) => before.iter().all(|other| match other {
                Waiting::Store(other) => !overlap(own, other),
                Waiting::Line => false,
            }),
            (Waiting::Store(_), Model::Pgas) => panic!("x86 is not PGAS"),
        };
        if let Waiting::Store(stored) = &rest[0] {
            for &(cell, value) in stored {
                next.memory[cell] = value;
            }
        }
        may_leave.then_some(next)
    }

    /// What a load of a cell finds.
    fn load(world: &World, own: usize, from: usize) -> i32 {
        let mut buffered = world.buffers[own].iter().rev();
        let newest = buffered.find_map(|waiting| match waiting {
            Waiting::Store(stored) => stored
                .iter()
                .find(|(cell, _)| *cell == from)
                .map(|(_, value)| *value),
            Waiting::Line => None,
        });
        newest.unwrap_or(world.memory[from])
    }

    /// Executes an access of several cells, up to its end.
    fn word(&self, mut next: World, id: ThreadId) -> World {
        let (own, thread) = (id.index(), self.program.thread(id));
        let mut stored = Vec::new();
        loop {
            let instruction = thread.instruction(thread.outgoing(next.at[own])[0]);
            next.at[own] = instruction.to;
            let value = |e: &Expr<RegId>| e.eval(|reg: RegId| next.registers[own][reg.index()]);
            let cell = |e: &Expr<RegId>| {
                let cell = self.program.cell_at(value(e));
                cell.expect("straight tests stay inside memory").index()
            };
            match &instruction.op {
                Op::Skip => {}
                Op::Assign { into, value: e } => {
                    next.registers[own][into.index()] = value(e);
                }
                Op::Load { into, addr } => {
                    next.registers[own][into.index()] = Self::load(&next, own, cell(addr));
                }
                Op::Store { addr, value: e } => stored.push((cell(addr), value(e))),
                Op::AtomicEnd => break,
                Op::Havoc { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Rmw { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::WordBegin(_) => panic!("no access consists of this"),
            }
        }
        if self.model == Model::Sc {
            for (cell, value) in stored {
                next.memory[cell] = value;
            }
        } else if !stored.is_empty() {
            next.buffers[own].push(Waiting::Store(stored));
        }
        next
    }

    /// Executes the next instruction of a thread, if there is one and it need not wait.
    fn step(&self, world: &World, id: ThreadId) -> Option<World> {
        let (own, thread) = (id.index(), self.program.thread(id));
        let instruction = thread.instruction(*thread.outgoing(world.at[own]).first()?);
        let register = |reg: RegId| world.registers[own][reg.index()];
        let value = |e: &Expr<RegId>| e.eval(register);
        let cell = |e: &Expr<RegId>| {
            let cell = self.program.cell_at(value(e));
            cell.expect("straight tests stay inside memory").index()
        };
        let is_drained = world.buffers[own].is_empty();
        let mut next = world.clone();
        next.at[own] = instruction.to;
        match &instruction.op {
            Op::Assign { into, value: e } => next.registers[own][into.index()] = value(e),
            Op::Assume(e) if value(e) == 0 => return None,
            Op::Skip | Op::Assert(_) | Op::Assume(_) => {}
            Op::Load { into, addr } => {
                next.registers[own][into.index()] = Self::load(world, own, cell(addr));
            }
            Op::Store { addr, value: e } if self.model == Model::Sc || world.alone.is_some() => {
                next.memory[cell(addr)] = value(e);
            }
            Op::Store { addr, value: e } => {
                next.buffers[own].push(Waiting::Store(vec![(cell(addr), value(e))]));
            }
            Op::Rmw { into, addr, update } if is_drained => {
                let cell = cell(addr);
                next.memory[cell] = update.apply(world.memory[cell], register);
                next.registers[own][into.index()] = world.memory[cell];
            }
            Op::Fence(Fence::Full | Fence::Store) if is_drained => {}
            Op::AtomicBegin if is_drained => next.alone = Some(own),
            Op::Rmw { .. } | Op::Fence(Fence::Full) | Op::AtomicBegin => return None,
            Op::WordBegin(_) => next = self.word(next, id),
            Op::AtomicEnd => next.alone = None,
            Op::Fence(Fence::Store) => next.buffers[own].push(Waiting::Line),
            Op::Fence(Fence::Cells(_) | Fence::All) | Op::Havoc { .. } => {
                panic!("x86 has no such instruction")
            }
        }
        Some(next)
    }
}
