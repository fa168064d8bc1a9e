//! The contents of the buffers, and which items must leave before others can.
//!
//! The solver's model fixes the position of each store in the memory order. Its way there depends
//! on the memory model: one queue for TSO, one queue per cell with fences across the queues for
//! PSO, two stages for PGAS, of which the second is one queue. Items that are ahead in a queue
//! leave first.

use super::Schedule;
use crate::model::Model;
use crate::program::{Addr, Fence, ThreadId};
use crate::reference::{Action, Step};
use crate::trace::Mismatch;

/// An item that a thread has issued and that has not left its buffer.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The position of the instruction on the path.
    at: usize,
    /// The cell of a store; `None` for a lightweight fence.
    store: Option<Addr>,
    /// The cells of a lightweight fence.
    fenced: Vec<Addr>,
    /// Where on the path the word access begins that the store is a part of.
    word: Option<usize>,
}

impl Schedule<'_, '_> {
    /// Makes every item leave that an instruction waits for.
    pub(super) fn flush_before(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
        let op = self.op(thread, at);
        match op.fence() {
            Some(Fence::All) => {
                for other in self.program.thread_ids() {
                    self.drain(other)?;
                }
            }
            Some(Fence::Store) => {
                let all: Vec<Addr> = self.program.cells().collect();
                self.advance_for_fence(thread, &all)?;
            }
            Some(Fence::Cells(cells)) => self.advance_for_fence(thread, cells)?,
            Some(Fence::Full) | None if op.drains() => self.drain(thread)?,
            Some(Fence::Full) | None => {}
        }
        Ok(())
    }

    /// Records that a passage has put an item into the buffer. A fence that no other item blocks
    /// leaves it again immediately.
    pub(super) fn enter(
        &mut self,
        thread: ThreadId,
        at: usize,
        action: &Action,
    ) -> Result<(), Mismatch> {
        let (store, fenced) = match *action {
            Action::Issue { addr, .. } => (Some(addr), Vec::new()),
            // The only other buffered items are fences.
            Action::Flush { .. }
            | Action::Load { .. }
            | Action::Rmw { .. }
            | Action::Fence
            | Action::Advance { .. }
            | Action::Retire
            | Action::Local => (None, self.fenced(thread, at)),
        };
        let word = self.begin_of_word(thread, at);
        let progress = &mut self.threads[thread.index()];
        let newest = progress.waiting.len();
        progress.waiting.push(Waiting {
            at,
            store,
            fenced,
            word,
        });
        if store.is_some() {
            return Ok(());
        }
        // Used only under PGAS: a fence enters the FIFO when it is issued.
        progress.fifo.push(at);
        let free = if self.model.has_two_stages() {
            progress.fifo.len() == 1
        } else {
            self.obstacle(thread, newest) == newest
        };
        if free {
            self.leave(thread, newest)?;
        }
        Ok(())
    }

    /// The cells on which a lightweight fence orders stores.
    fn fenced(&self, thread: ThreadId, at: usize) -> Vec<Addr> {
        if let Some(Fence::Cells(cells)) = self.op(thread, at).fence() {
            cells.clone()
        } else {
            self.program.cells().collect()
        }
    }

    /// The position of a store in the memory order; one that the encoding omitted may always come
    /// first.
    fn position(&self, thread: ThreadId, at: usize) -> usize {
        self.paths[thread.index()][at]
            .event
            .map_or(0, |event| self.positions[event.index()])
    }

    /// PGAS: moves the stores that a fence waits for into the FIFO, preceded by those that are
    /// earlier in the memory order.
    fn advance_for_fence(&mut self, thread: ThreadId, cells: &[Addr]) -> Result<(), Mismatch> {
        if !self.model.has_two_stages() {
            return Ok(());
        }
        let progress = &self.threads[thread.index()];
        let mut moving: Vec<(usize, usize, Addr)> = progress
            .waiting
            .iter()
            .filter(|waiting| !progress.fifo.contains(&waiting.at))
            .filter_map(|waiting| {
                waiting
                    .store
                    .map(|addr| (self.position(thread, waiting.at), waiting.at, addr))
            })
            .collect();
        moving.sort_unstable();
        let Some(last) = moving.iter().rposition(|(_, _, addr)| cells.contains(addr)) else {
            return Ok(());
        };
        for &(_, at, _) in &moving[..=last] {
            self.advance(thread, at)?;
        }
        Ok(())
    }

    /// PGAS: moves the store at this position of the path from its queue into the FIFO, together with those that
    /// belong to it, after all that are older in their queues.
    fn advance(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
        while let Some(target) = self.in_queue(thread, at) {
            let progress = &self.threads[thread.index()];
            let cells = cells_with(&progress.waiting, target);
            let word = progress.waiting[target].word;
            let older = progress.waiting[..target].iter().find(|other| {
                other.store.is_some_and(|cell| cells.contains(&cell))
                    && (word.is_none() || other.word != word)
                    && !progress.fifo.contains(&other.at)
            });
            if let Some(older) = older {
                let older = older.at;
                self.advance(thread, older)?;
                continue;
            }
            let together = together(&progress.waiting, target);
            let moving: Vec<(usize, Option<Addr>)> = together
                .iter()
                .map(|&index| (progress.waiting[index].at, progress.waiting[index].store))
                .collect();
            for (at, store) in moving {
                if let Some(addr) = store {
                    self.replay.step(Step::Advance { thread, addr })?;
                    self.threads[thread.index()].fifo.push(at);
                }
            }
        }
        Ok(())
    }

    /// Where a store is among the buffered items, if it is not in the FIFO.
    fn in_queue(&self, thread: ThreadId, at: usize) -> Option<usize> {
        let progress = &self.threads[thread.index()];
        let target = progress.waiting.iter().position(|w| w.at == at)?;
        (!progress.fifo.contains(&at)).then_some(target)
    }

    /// Makes the store at this position of the path reach memory, if it has not already.
    pub(super) fn flush(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
        while let Some(target) = self.threads[thread.index()]
            .waiting
            .iter()
            .position(|waiting| waiting.at == at)
        {
            match self.model {
                Model::Sc => {
                    return Err(Mismatch {
                        message: "a store is buffered under SC".to_owned(),
                    });
                }
                Model::Tso => self.leave(thread, 0)?,
                Model::Pso => {
                    let next = self.obstacle(thread, target);
                    self.leave(thread, next)?;
                }
                Model::Pgas => {
                    let progress = &self.threads[thread.index()];
                    let fifo = &progress.fifo;
                    if !fifo.contains(&at) {
                        // Older stores to the cell are in the FIFO already, or were omitted from
                        // the encoding.
                        self.advance(thread, at)?;
                        continue;
                    }
                    let head = fifo[0];
                    let index = progress
                        .waiting
                        .iter()
                        .position(|w| w.at == head)
                        .unwrap_or(0);
                    self.leave(thread, index)?;
                }
            }
        }
        Ok(())
    }

    /// PSO: an item that can leave now and must leave before this one.
    fn obstacle(&self, thread: ThreadId, target: usize) -> usize {
        let waiting = &self.threads[thread.index()].waiting;
        let mut target = target;
        while let Some(earlier) = {
            let cells = cells_with(waiting, target);
            let word = waiting[target].word;
            let is_other = |other: &Waiting| word.is_none() || other.word != word;
            waiting[..target].iter().position(|other| {
                is_other(other)
                    && match (waiting[target].store, other.store) {
                        (Some(_), Some(cell)) => cells.contains(&cell),
                        (_, None) => true,
                        (None, Some(cell)) => waiting[target].fenced.contains(&cell),
                    }
            })
        } {
            target = earlier;
        }
        target
    }

    /// Makes an item leave the buffer, and those that belong to it.
    fn leave(&mut self, thread: ThreadId, index: usize) -> Result<(), Mismatch> {
        let waiting = &self.threads[thread.index()].waiting;
        // Each is at the index of the one before, or nearer to the beginning than those that are left.
        for (gone, index) in together(waiting, index).into_iter().enumerate() {
            self.leave_alone(thread, index - gone)?;
        }
        Ok(())
    }

    fn leave_alone(&mut self, thread: ThreadId, index: usize) -> Result<(), Mismatch> {
        let entry = self.threads[thread.index()].waiting[index].clone();
        self.replay.step(match entry.store {
            Some(addr) => Step::Flush { thread, addr },
            None => Step::Retire { thread },
        })?;
        let progress = &mut self.threads[thread.index()];
        progress.waiting.remove(index);
        progress.fifo.retain(|&at| at != entry.at);
        Ok(())
    }

    /// Empties a thread's buffer.
    pub(super) fn drain(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        while let Some(first) = self.threads[thread.index()].waiting.first() {
            let (at, is_store) = (first.at, first.store.is_some());
            if is_store {
                self.flush(thread, at)?;
            } else if self.model.has_two_stages() {
                let head = self.threads[thread.index()]
                    .fifo
                    .first()
                    .copied()
                    .unwrap_or(at);
                let waiting = &self.threads[thread.index()].waiting;
                let index = waiting.iter().position(|w| w.at == head).unwrap_or(0);
                self.leave(thread, index)?;
            } else {
                self.leave(thread, 0)?;
            }
        }
        Ok(())
    }
}

/// The buffered items that leave together with this one, in their order.
fn together(waiting: &[Waiting], target: usize) -> Vec<usize> {
    match waiting[target].word {
        None => vec![target],
        word @ Some(_) => (0..waiting.len())
            .filter(|&index| waiting[index].word == word)
            .collect(),
    }
}

/// The cells of the stores that leave together with this one.
fn cells_with(waiting: &[Waiting], target: usize) -> Vec<Addr> {
    let stores = together(waiting, target);
    stores.iter().filter_map(|&at| waiting[at].store).collect()
}
