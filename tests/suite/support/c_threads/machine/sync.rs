//! Locks, semaphores, barriers, conditions, what is done once, and threads.

use super::super::ast::{BARRIER, HEAP, Locks, NODE, ONCE, SEMAPHORE, Sharing};
use super::super::compile::Op;
use super::{Halt, Item, Kind, Machine, Model, Thread, World, pop};

impl Machine<'_> {
    /// The operation that comes next, which is shared.
    pub(super) fn shared(&self, world: &mut World, thread: usize) -> Result<(), Halt> {
        let (op, mark) = self.next(world, thread);
        let from = world.threads[thread].frames.len() - 1;
        world.threads[thread].frames[from].at += 1;
        if let Some(to) = self.perform(world, thread, &op, mark)? {
            world.threads[thread].frames[from].at = to;
        }
        Ok(())
    }

    /// Performs it; where it goes on, if not at the next operation.
    fn perform(
        &self,
        world: &mut World,
        thread: usize,
        op: &Op,
        mark: usize,
    ) -> Result<Option<usize>, Halt> {
        match op {
            Op::Lock(cell, sharing) => {
                self.is_drained(world, thread)?;
                self.take(world, thread, *cell, *sharing)
                    .then_some(())
                    .ok_or(Halt::Waits)?;
            }
            Op::TryLock(cell, sharing) => {
                let is_free = self.take(&mut world.clone(), thread, *cell, *sharing);
                if is_free || self.code.locks != Locks::ReadWrite {
                    // A lock for readers and a writer that is held is only loaded.
                    self.is_drained(world, thread)?;
                }
                let taken = self.take(world, thread, *cell, *sharing);
                world.threads[thread].stack.push(taken.into());
            }
            Op::Unlock(cell) => self.release(world, thread, *cell, mark)?,
            Op::Fence | Op::End => {
                self.is_drained(world, thread)?;
                world.alone = None;
            }
            Op::Begin => {
                self.is_drained(world, thread)?;
                world.alone = Some(thread);
            }
            Op::Post => {
                self.is_drained(world, thread)?;
                let value = number(world, SEMAPHORE);
                world.memory[SEMAPHORE] = Some(value + 1);
            }
            Op::Take | Op::TryWait => {
                let value = number(world, SEMAPHORE);
                let tries = matches!(op, Op::TryWait);
                if value > 0 {
                    self.is_drained(world, thread)?;
                    world.memory[SEMAPHORE] = Some(value - 1);
                } else if !tries {
                    return Err(Halt::Waits);
                }
                if tries {
                    world.threads[thread].stack.push((value > 0).into());
                }
            }
            Op::Barrier(last) => {
                self.is_drained(world, thread)?;
                let (come, round) = (number(world, BARRIER) + 1, number(world, BARRIER + 1));
                if come == self.code.waiting {
                    world.memory[BARRIER] = Some(0);
                    // A round has a number of its own: one that comes later lets none of this one wait.
                    world.memory[BARRIER + 1] = Some(round + 1);
                    world.threads[thread].stack.push(1);
                    return Ok(Some(*last));
                }
                world.memory[BARRIER] = Some(come);
                world.threads[thread].stack.push(round);
            }
            Op::BarrierWait => {
                let round = number(world, BARRIER + 1);
                let stack = &mut world.threads[thread].stack;
                if stack.last() == Some(&round) {
                    return Err(Halt::Waits);
                }
                pop(stack);
                stack.push(0);
            }
            Op::Choose(to) => return Ok((self.choice == 1).then_some(*to)),
            Op::Sleep(cell) => {
                self.is_drained(world, thread)?;
                if number(world, *cell) != thread as i32 + 1 {
                    return Err(Halt::Fault(Kind::Assert, mark));
                }
                world.memory[*cell] = Some(0);
                world.threads[thread].is_asleep = true;
            }
            Op::Woken => {
                if world.threads[thread].is_asleep {
                    return Err(Halt::Waits);
                }
            }
            Op::Wake(all) => {
                self.is_drained(world, thread)?;
                let mut asleep = world.threads.iter_mut().filter(|it| it.is_asleep);
                if *all {
                    asleep.for_each(|it| it.is_asleep = false);
                } else if let Some(woken) = asleep.nth(self.choice) {
                    woken.is_asleep = false;
                }
            }
            Op::Once(done) => match self.seen(world, thread, ONCE) {
                Some(2) => return Ok(Some(*done)),
                Some(0) => {
                    self.is_drained(world, thread)?;
                    world.memory[ONCE] = Some(1);
                }
                _ => return Err(Halt::Waits),
            },
            Op::Free => {
                let pointer = pop(&mut world.threads[thread].stack);
                let block = usize::try_from(pointer).unwrap_or_default();
                if block == 0 {
                    return Ok(None);
                }
                if block < HEAP || !(block - HEAP).is_multiple_of(NODE) {
                    return Err(Halt::Fault(Kind::NotAllocated, mark));
                }
                let freed = &mut world.freed[(block - HEAP) / NODE];
                if std::mem::replace(freed, true) {
                    return Err(Halt::Fault(Kind::FreedTwice, mark));
                }
            }
            Op::Create(slot, routine) => {
                self.is_drained(world, thread)?;
                let argument = pop(&mut world.threads[thread].stack);
                let number = world.threads.len();
                world.threads[thread].handles[*slot] = number;
                world.threads.push(Thread::default());
                self.enter(world, number, *routine, argument);
            }
            Op::Join(slot) => {
                let joined = &world.threads[world.threads[thread].handles[*slot]];
                let result = joined.result.ok_or(Halt::Waits)?;
                if !joined.buffer.is_empty() {
                    return Err(Halt::Waits);
                }
                world.threads[thread].stack.push(result);
            }
            op => self.access(world, thread, op, mark)?,
        }
        Ok(None)
    }

    fn take(&self, world: &mut World, thread: usize, cell: usize, sharing: Sharing) -> bool {
        let own = thread as i32 + 1;
        let held = number(world, cell);
        let now = match (self.code.locks, sharing) {
            (Locks::ReadWrite, Sharing::Reader) if held >= 0 => held + 1,
            (Locks::ReadWrite, Sharing::Writer) if held == 0 => -own,
            (Locks::Mutex | Locks::C11 | Locks::Spin, _) if held == 0 => own,
            (Locks::Mutex | Locks::C11 | Locks::Spin | Locks::ReadWrite, _) => return false,
        };
        world.memory[cell] = Some(now);
        true
    }

    fn release(
        &self,
        world: &mut World,
        thread: usize,
        cell: usize,
        mark: usize,
    ) -> Result<(), Halt> {
        let own = thread as i32 + 1;
        let wrong = Err(Halt::Fault(Kind::Assert, mark));
        match self.code.locks {
            // A plain store.
            Locks::Spin | Locks::C11 => {
                if self.seen(world, thread, cell) != Some(own) {
                    return wrong;
                }
                let buffer = &mut world.threads[thread].buffer;
                if self.model == Model::Pso && !buffer.is_empty() {
                    buffer.push(Item::Line);
                }
                self.put(world, thread, cell, 0);
            }
            Locks::Mutex | Locks::ReadWrite => {
                self.is_drained(world, thread)?;
                let held = number(world, cell);
                let shares = self.code.locks == Locks::ReadWrite;
                let left = if shares && held > 0 {
                    held - 1
                } else if held == if shares { -own } else { own } {
                    0
                } else {
                    if !shares {
                        // The exchange comes first.
                        world.memory[cell] = Some(0);
                    }
                    return wrong;
                };
                world.memory[cell] = Some(left);
            }
        }
        Ok(())
    }
}

fn number(world: &World, cell: usize) -> i32 {
    world.memory[cell].expect("it is initialised")
}
