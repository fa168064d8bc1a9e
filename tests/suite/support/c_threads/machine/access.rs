//! Accesses of memory.

use super::super::ast::{HEAP, NODE};
use super::super::compile::{Change, OWN, Op};
use super::{Halt, Item, Kind, Machine, Model, World, calculate, narrow, pop};

impl Machine<'_> {
    /// Whether an operation is one that other threads may observe, or wait for.
    pub(super) fn is_shared(&self, op: &Op, world: &World, thread: usize) -> bool {
        let stack = &world.threads[thread].stack;
        let is_own = |below: usize| stack[stack.len() - 1 - below] == OWN;
        match op {
            Op::Load => !is_own(0),
            Op::Store(_) | Op::Modify(..) => !is_own(1),
            Op::LockedStore(_)
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
            | Op::Join(_) => true,
            Op::Push(_)
            | Op::Pop
            | Op::Swap
            | Op::Again
            | Op::Int(_)
            | Op::SetInt(_)
            | Op::Binary(_)
            | Op::Not
            | Op::Jump(_)
            | Op::Unless(_)
            | Op::Element
            | Op::Field(_)
            | Op::Line
            | Op::Call
            | Op::Return
            | Op::NoValue
            | Op::Use
            | Op::Allocate(_)
            | Op::Assert
            | Op::Assume
            | Op::Exit
            | Op::EndProcess
            | Op::Finals(_) => false,
        }
    }

    /// An access of the thread-local variable.
    pub(super) fn own_access(&self, world: &mut World, thread: usize, op: &Op) {
        let it = &mut world.threads[thread];
        match op {
            Op::Load => {
                pop(&mut it.stack);
                it.stack.push(it.own);
            }
            Op::Store(_) => {
                it.own = pop(&mut it.stack);
                pop(&mut it.stack);
            }
            op => unreachable!("{op:?} of the thread-local variable"),
        }
    }

    /// The cell at an address.
    pub(super) fn cell(&self, world: &World, address: i32, mark: usize) -> Result<usize, Halt> {
        let Ok(cell @ 1..) = usize::try_from(address) else {
            return Err(Halt::Fault(Kind::Stray, mark));
        };
        if cell >= HEAP && world.freed[(cell - HEAP) / NODE] {
            return Err(Halt::Fault(Kind::Freed, mark));
        }
        Ok(cell)
    }

    /// What a thread sees in a cell.
    pub(super) fn seen(&self, world: &World, thread: usize, cell: usize) -> Option<i32> {
        let mut newest = world.threads[thread].buffer.iter().rev();
        let waiting = newest.find_map(|item| match item {
            Item::Store(other, value) if *other == cell => Some(*value),
            Item::Store(..) | Item::Line => None,
        });
        waiting.or(world.memory[cell])
    }

    pub(super) fn put(&self, world: &mut World, thread: usize, cell: usize, value: i32) {
        if self.model == Model::Sc || world.alone == Some(thread) {
            world.memory[cell] = Some(value);
        } else {
            let item = Item::Store(cell, value);
            world.threads[thread].buffer.push(item);
        }
    }

    pub(super) fn is_drained(&self, world: &World, thread: usize) -> Result<(), Halt> {
        if world.threads[thread].buffer.is_empty() {
            Ok(())
        } else {
            Err(Halt::Waits)
        }
    }

    /// A load, a store or a locked instruction.
    pub(super) fn access(
        &self,
        world: &mut World,
        thread: usize,
        op: &Op,
        mark: usize,
    ) -> Result<(), Halt> {
        if !matches!(op, Op::Load | Op::Store(_)) {
            self.is_drained(world, thread)?;
        }
        let operand = if matches!(op, Op::Load) {
            0
        } else {
            pop(&mut world.threads[thread].stack)
        };
        let address = pop(&mut world.threads[thread].stack);
        let cell = self.cell(world, address, mark)?;
        let old = self.seen(world, thread, cell);
        let unset = Halt::Fault(Kind::Unset, mark);
        match op {
            Op::Load => {
                let value = old.ok_or(unset)?;
                world.threads[thread].stack.push(value);
            }
            Op::Store(shape) => self.put(world, thread, cell, narrow(*shape, operand)),
            Op::LockedStore(shape) => world.memory[cell] = Some(narrow(*shape, operand)),
            Op::Modify(change, shape, yields_new) => {
                let old = old.ok_or(unset)?;
                let new = match change {
                    Change::Exchange => operand,
                    Change::Fetch(op) => calculate(*op, old, operand).unwrap_or_default(),
                };
                let new = narrow(*shape, new);
                world.memory[cell] = Some(new);
                let value = if *yields_new { new } else { old };
                world.threads[thread].stack.push(value);
            }
            Op::Compare(expected) => {
                let old = old.ok_or(unset)?;
                let it = &mut world.threads[thread];
                let frame = it.frames.last_mut().expect("it runs");
                let wanted = frame.locals[*expected];
                let succeeds = wanted == Some(old);
                if succeeds {
                    world.memory[cell] = Some(operand);
                } else {
                    frame.locals[*expected] = Some(old);
                }
                it.stack.push(succeeds.into());
            }
            op => unreachable!("{op:?} is no access"),
        }
        Ok(())
    }
}
