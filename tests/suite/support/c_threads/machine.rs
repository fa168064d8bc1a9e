//! A machine with store buffers, which visits all states of a program.
//!
//! A step is one access of shared memory and what the thread computes after it, or the arrival of one
//! buffered store in memory. Under TSO a buffer is a queue; under PSO the stores to one cell stay in
//! order, and no store passes a line. A locked instruction needs an empty buffer.

mod access;
mod alone;
mod sync;

use super::ast::{Binary, HEAP, LOCALS, NODE, NODES, Shape};
use super::compile::{Compiled, Op};
use fencepost::internals::model::Model;
use std::collections::{BTreeSet, HashSet};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An assertion, or the release of a lock that is not held.
    Assert,
    /// An access through a null pointer, or outside of an object.
    Stray,
    Freed,
    FreedTwice,
    NotAllocated,
    /// A variable or memory without a value.
    Unset,
    NoValue,
    Division,
    /// What no generated program does.
    Never,
}

/// What there is to be seen of all executions.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    /// What goes wrong, each with its statement.
    pub faults: BTreeSet<(Kind, usize)>,
    pub finals: BTreeSet<Vec<i32>>,
    /// Whether all threads may wait forever.
    pub is_stuck: bool,
    pub states: usize,
}

/// What is in a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Item {
    Store(usize, i32),
    Line,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    function: usize,
    at: usize,
    locals: [Option<i32>; LOCALS],
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Thread {
    frames: Vec<Frame>,
    stack: Vec<i32>,
    buffer: Vec<Item>,
    own: i32,
    /// The result, once it has ended.
    result: Option<i32>,
    handles: [usize; 4],
    /// The last call ended without a value.
    lacks_value: bool,
    /// Something went wrong: it does nothing more, while the other threads go on.
    is_halted: bool,
    /// It waits for the condition.
    is_asleep: bool,
}

impl Thread {
    /// It does nothing more.
    fn stop(&mut self) {
        self.is_halted = true;
        self.frames.clear();
        self.stack.clear();
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    threads: Vec<Thread>,
    memory: Vec<Option<i32>>,
    freed: Vec<bool>,
    /// The thread that is in an atomic section.
    alone: Option<usize>,
    /// The process has ended. What the threads could still do, they could have done before.
    is_over: bool,
}

/// Why a thread goes no further.
enum Halt {
    Fault(Kind, usize),
    /// It waits for others.
    Waits,
}

/// Where a computation of a thread's own ends.
enum Pause {
    Shared,
    Ended,
}

struct Machine<'c> {
    code: &'c Compiled,
    model: Model,
    outcome: Outcome,
    /// Which of its choices a step makes.
    choice: usize,
}

/// All that executions may do; `None` if there are more states than this.
pub fn explore(code: &Compiled, model: Model, most: usize) -> Option<Outcome> {
    let mut memory = vec![Some(0); HEAP];
    memory[super::ast::SEMAPHORE] = Some(code.permits);
    let mut world = World {
        threads: vec![Thread::default()],
        memory,
        freed: Vec::new(),
        alone: None,
        is_over: false,
    };
    let mut machine = Machine {
        code,
        model,
        outcome: Outcome::default(),
        choice: 0,
    };
    machine.enter(&mut world, 0, code.functions.len() - 1, 0);
    machine.run(&mut world, 0);
    let mut seen = HashSet::new();
    let mut open = vec![world];
    while let Some(world) = open.pop() {
        if seen.contains(&world) {
            continue;
        }
        if seen.len() >= most {
            return None;
        }
        for thread in 0..world.threads.len() {
            if world.alone.is_some_and(|alone| alone != thread) {
                continue;
            }
            machine.arrivals(&world, thread, &mut open);
            let it = &world.threads[thread];
            if it.result.is_none() && !it.is_halted {
                open.extend(machine.successors(&world, thread));
            }
        }
        machine.outcome.is_stuck = machine.outcome.is_stuck || machine.is_stuck(&world);
        seen.insert(world);
    }
    machine.outcome.states = seen.len();
    Some(machine.outcome)
}

impl Machine<'_> {
    /// Starts a function in a thread.
    fn enter(&self, world: &mut World, thread: usize, function: usize, argument: i32) {
        let mut locals = [Some(0); LOCALS];
        locals[super::ast::UNSET] = None;
        locals[super::ast::POINTERS] = Some(NODES as i32);
        if let Some(parameter) = self.code.functions[function].parameter {
            locals[parameter] = Some(argument);
        }
        world.threads[thread].frames.push(Frame {
            function,
            at: 0,
            locals,
        });
    }

    /// Stores that may reach memory.
    fn arrivals(&self, world: &World, thread: usize, open: &mut Vec<World>) {
        let buffer = &world.threads[thread].buffer;
        for (at, item) in buffer.iter().enumerate() {
            let Item::Store(cell, value) = *item else {
                // Lines at the front are dropped at once.
                break;
            };
            let same = |item: &&Item| matches!(item, Item::Store(other, _) if *other == cell);
            let is_first = if self.model == Model::Pso {
                !buffer[..at].iter().any(|item| same(&item))
            } else {
                at == 0
            };
            if is_first {
                let mut next = world.clone();
                next.memory[cell] = Some(value);
                let buffer = &mut next.threads[thread].buffer;
                buffer.remove(at);
                while buffer.first() == Some(&Item::Line) {
                    buffer.remove(0);
                }
                open.push(next);
            }
        }
    }

    /// What a thread may do next: one world for each choice that it has.
    fn successors(&mut self, world: &World, thread: usize) -> Vec<World> {
        let choices = match self.next(world, thread).0 {
            Op::Choose(_) => 2,
            Op::Wake(false) => {
                let asleep = world.threads.iter().filter(|it| it.is_asleep);
                asleep.count().max(1)
            }
            _ => 1,
        };
        let mut all = Vec::new();
        for choice in 0..choices {
            self.choice = choice;
            let mut next = world.clone();
            if self.step(&mut next, thread) {
                all.push(next);
            }
        }
        all
    }

    /// One shared access of a thread, and what follows; whether it was possible.
    fn step(&mut self, world: &mut World, thread: usize) -> bool {
        let (op, _) = self.next(world, thread);
        if !self.is_shared(&op, world, thread) {
            // It has just been created.
            return self.run(world, thread);
        }
        match self.shared(world, thread) {
            Ok(()) => self.run(world, thread),
            Err(Halt::Waits) => false,
            Err(Halt::Fault(kind, mark)) => self.halt(world, thread, kind, mark),
        }
    }

    /// What goes wrong ends the thread; yields that this is a step.
    fn halt(&mut self, world: &mut World, thread: usize, kind: Kind, mark: usize) -> bool {
        self.outcome.faults.insert((kind, mark));
        world.threads[thread].stop();
        true
    }

    /// Computes up to the next shared access; whether nothing goes wrong.
    fn run(&mut self, world: &mut World, thread: usize) -> bool {
        loop {
            match self.compute(world, thread) {
                Ok(Some(Pause::Shared | Pause::Ended)) => return true,
                Ok(None) => {}
                Err(Halt::Waits) => return false,
                Err(Halt::Fault(kind, mark)) => return self.halt(world, thread, kind, mark),
            }
        }
    }

    /// The operation that comes next, and its statement. Statements of main's end have none.
    fn next(&self, world: &World, thread: usize) -> (Op, usize) {
        let frame = world.threads[thread].frames.last().expect("it runs");
        let code = &self.code.functions[frame.function];
        (code.ops[frame.at].clone(), code.marks[frame.at])
    }

    /// One operation of the thread's own.
    fn compute(&mut self, world: &mut World, thread: usize) -> Result<Option<Pause>, Halt> {
        if world.threads[thread].result.is_some() || world.threads[thread].is_halted {
            return Ok(Some(Pause::Ended));
        }
        let (op, mark) = self.next(world, thread);
        if self.is_shared(&op, world, thread) {
            return Ok(Some(Pause::Shared));
        }
        let it = &mut world.threads[thread];
        let frame = it.frames.last_mut().expect("it runs");
        frame.at += 1;
        let stack = &mut it.stack;
        let fault = |kind| Err(Halt::Fault(kind, mark));
        match op {
            Op::Push(value) => stack.push(value),
            Op::Pop => drop(pop(stack)),
            Op::Swap => {
                let (b, a) = (pop(stack), pop(stack));
                stack.extend([b, a]);
            }
            Op::Again => stack.extend_from_within(stack.len() - 1..),
            Op::Int(local) => match frame.locals[local] {
                Some(value) => stack.push(value),
                None => return fault(Kind::Unset),
            },
            Op::SetInt(local) => frame.locals[local] = Some(pop(stack)),
            Op::Binary(op) => {
                let (b, a) = (pop(stack), pop(stack));
                match calculate(op, a, b) {
                    Some(value) => stack.push(value),
                    None => return fault(Kind::Division),
                }
            }
            Op::Not => {
                let value = pop(stack);
                stack.push((value == 0).into());
            }
            Op::Jump(to) => frame.at = to,
            Op::Unless(to) => {
                if pop(stack) == 0 {
                    frame.at = to;
                }
            }
            Op::Element => {
                let index = pop(stack);
                if !(0..2).contains(&index) {
                    return fault(Kind::Stray);
                }
                stack.push(super::ast::ARRAY as i32 + index);
            }
            Op::Field(offset) => {
                let pointer = pop(stack);
                stack.push(if pointer == 0 {
                    super::compile::STRAY
                } else {
                    pointer + offset
                });
            }
            Op::Line => {
                if self.model == Model::Pso && !it.buffer.is_empty() {
                    it.buffer.push(Item::Line);
                }
            }
            Op::Call => {
                let (argument, function) = (pop(stack), pop(stack));
                it.lacks_value = false;
                self.enter(world, thread, function as usize, argument);
            }
            Op::Return => drop(it.frames.pop()),
            Op::NoValue => {
                it.frames.pop();
                it.stack.push(0);
                it.lacks_value = true;
            }
            Op::Use => {
                if std::mem::take(&mut it.lacks_value) {
                    return fault(Kind::NoValue);
                }
            }
            Op::Allocate(cleared) => {
                let start = world.memory.len() as i32;
                stack.push(start);
                let first = cleared.then_some(0);
                world.memory.extend([first; NODE]);
                world.freed.push(false);
            }
            Op::Assert => {
                if pop(stack) == 0 {
                    return fault(Kind::Assert);
                }
            }
            Op::Assume => {
                if pop(stack) == 0 {
                    it.stop();
                    return Ok(Some(Pause::Ended));
                }
            }
            Op::EndProcess => {
                it.stop();
                world.is_over = true;
                return Ok(Some(Pause::Ended));
            }
            Op::Exit => {
                it.result = Some(pop(stack));
                it.frames.clear();
                it.stack.clear();
                it.own = 0;
                return Ok(Some(Pause::Ended));
            }
            Op::Finals(count) => {
                let finals = stack.split_off(stack.len() - count);
                self.outcome.finals.insert(finals);
            }
            Op::Load
            | Op::Store(_)
            | Op::LockedStore(_)
            | Op::Modify(..)
            | Op::Compare(_)
            | Op::Fence
            | Op::Lock(..)
            | Op::TryLock(..)
            | Op::Unlock(_)
            | Op::Post
            | Op::Take
            | Op::TryWait
            | Op::Barrier(_)
            | Op::BarrierWait
            | Op::Choose(_)
            | Op::Sleep(_)
            | Op::Woken
            | Op::Wake(_)
            | Op::Once(_)
            | Op::Free
            | Op::Begin
            | Op::End
            | Op::Create(..)
            | Op::Join(_) => self.own_access(world, thread, &op),
        }
        Ok(None)
    }
}

fn pop(stack: &mut Vec<i32>) -> i32 {
    stack.pop().expect("the code is balanced")
}

fn narrow(shape: Shape, value: i32) -> i32 {
    match shape {
        Shape::Byte => value & 255,
        Shape::Atomic | Shape::Plain | Shape::Volatile => value,
    }
}

fn calculate(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Eq => (a == b).into(),
        Binary::Ne => (a != b).into(),
        Binary::Lt => (a < b).into(),
        Binary::And => a & b,
        Binary::Xor => a ^ b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => a.checked_div(b)?,
    })
}
