//! What is under way in the buffers, and what has to leave before something else can.
//!
//! The model fixes when a store is in memory, the buffers how it gets there: TSO by one queue, PSO
//! by a queue a cell with fences across, PGAS in two stages, of which the second is a queue again.
//! What stands in front goes first.

use super::Schedule;
use crate::explicit::{Action, Step};
use crate::model::Model;
use crate::program::{Addr, Fence, ThreadId};
use crate::trace::Mismatch;

/// Something a thread has issued that has not left its buffer.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// Where the instruction stands on the path.
    at: usize,
    /// The cell of a store; absent for a lightweight fence.
    store: Option<Addr>,
    /// The cells of a lightweight fence.
    fenced: Vec<Addr>,
}

impl Schedule<'_, '_> {
    /// Lets everything leave that an instruction waits for.
    pub(super) fn make_room(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
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

    /// Something that a passage issued is in the buffer now. A fence that nothing holds back leaves
    /// it again at once.
    pub(super) fn enter(
        &mut self,
        thread: ThreadId,
        at: usize,
        action: &Action,
    ) -> Result<(), Mismatch> {
        let (store, fenced) = match *action {
            Action::Issue { addr, .. } => (Some(addr), Vec::new()),
            // Only a fence waits in a buffer besides.
            Action::Flush { .. }
            | Action::Load { .. }
            | Action::Rmw { .. }
            | Action::Fence
            | Action::Advance { .. }
            | Action::Retire
            | Action::Local => (None, self.fenced(thread, at)),
        };
        let progress = &mut self.threads[thread.index()];
        let newest = progress.waiting.len();
        progress.waiting.push(Waiting { at, store, fenced });
        if store.is_some() {
            return Ok(());
        }
        // Only PGAS looks at it: a fence enters the FIFO when it is issued.
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

    /// When a store comes in memory; one that the encoding left out may always come first.
    fn position(&self, thread: ThreadId, at: usize) -> usize {
        self.paths[thread.index()][at]
            .event
            .map_or(0, |event| self.positions[event.index()])
    }

    /// PGAS: moves the stores that a fence waits for into the FIFO, and before them those that
    /// come earlier in memory.
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
        for &(_, at, addr) in &moving[..=last] {
            self.advance(thread, at, addr)?;
        }
        Ok(())
    }

    /// PGAS: the oldest store to a cell goes from its queue into the FIFO.
    fn advance(&mut self, thread: ThreadId, at: usize, addr: Addr) -> Result<(), Mismatch> {
        self.replay.step(Step::Advance { thread, addr })?;
        self.threads[thread.index()].fifo.push(at);
        Ok(())
    }

    /// Lets the store at this position of the path reach memory, if it has not yet.
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
                        // Older stores to the cell are on their way already, or left out with it.
                        let oldest = progress
                            .waiting
                            .iter()
                            .find(|w| {
                                w.store == progress.waiting[target].store && !fifo.contains(&w.at)
                            })
                            .map_or(at, |w| w.at);
                        if let Some(addr) = progress.waiting[target].store {
                            self.advance(thread, oldest, addr)?;
                        }
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

    /// PSO: an entry of the buffer that may leave now, and must before this one can.
    fn obstacle(&self, thread: ThreadId, target: usize) -> usize {
        let waiting = &self.threads[thread.index()].waiting;
        let mut target = target;
        while let Some(earlier) =
            waiting[..target]
                .iter()
                .position(|other| match (waiting[target].store, other.store) {
                    (Some(addr), Some(cell)) => addr == cell,
                    (_, None) => true,
                    (None, Some(cell)) => waiting[target].fenced.contains(&cell),
                })
        {
            target = earlier;
        }
        target
    }

    /// An entry of the buffer leaves it.
    fn leave(&mut self, thread: ThreadId, index: usize) -> Result<(), Mismatch> {
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
