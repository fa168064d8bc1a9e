//! A partial computation that can be resumed at any point.
//!
//! [`Replay`] implements the rules, but its configuration is private and cannot be copied. So a
//! [`Partial`] records what the moments show, and every continuation replays its steps first: quadratic,
//! but simple.

use fencepost::internals::model::Model;
use fencepost::internals::reference::{Action, BufferChange, Buffered, Moment, Replay, Run, Step};
use fencepost::program::{Addr, Fence, LocId, Op, Program, Site, Thread, ThreadId};

/// The number of steps that a search may still take.
pub struct Allowance(usize);

impl Allowance {
    pub fn new(steps: usize) -> Self {
        Self(steps)
    }

    /// Uses one step; `None` if there was none left.
    pub fn spend(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }
}

/// A sequence of steps and the state that it leads to.
#[derive(Clone)]
pub struct Partial<'p> {
    pub program: &'p Program,
    pub model: Model,
    steps: Vec<Step>,
    locations: Vec<LocId>,
    /// What each thread has executed and read. With the program, this determines its local state.
    histories: Vec<Vec<i32>>,
    memory: Vec<i32>,
    buffers: Vec<Vec<Buffered>>,
    /// PGAS: the cells of the items in each thread's FIFO, oldest first; `None` for a fence.
    fifos: Vec<Vec<Option<Addr>>>,
}

/// A partial computation that is being continued.
pub struct Live<'p> {
    pub partial: Partial<'p>,
    /// The moments since it was resumed.
    pub fresh: Vec<Moment>,
    replay: Replay<'p>,
}

impl<'p> Partial<'p> {
    /// The empty computation.
    pub fn new(program: &'p Program, model: Model) -> Self {
        let threads = program.threads();
        Self {
            program,
            model,
            steps: Vec::new(),
            locations: threads.iter().map(Thread::entry).collect(),
            histories: vec![Vec::new(); threads.len()],
            memory: program.initial_memory().to_vec(),
            buffers: vec![Vec::new(); threads.len()],
            fifos: vec![Vec::new(); threads.len()],
        }
    }

    /// Resumes the computation after its last step.
    pub fn resume(&self) -> Live<'p> {
        let mut replay = Replay::new(self.program, self.model);
        for &step in &self.steps {
            replay.step(step).expect("a partial is a computation");
        }
        Live {
            partial: self.clone(),
            fresh: Vec::new(),
            replay,
        }
    }

    /// The thread that is inside an atomic block.
    pub fn inside(&self) -> Option<ThreadId> {
        self.program.thread_ids().find(|&thread| {
            let loc = self.locations[thread.index()];
            self.program.thread(thread).location(loc).atomic
        })
    }

    /// Whether a computation may end here.
    pub fn is_halting(&self) -> bool {
        self.buffers.iter().all(Vec::is_empty) && self.inside().is_none()
    }

    /// Every way to execute an instruction that leaves the thread's location, legal or not.
    pub fn executions(&self, thread: ThreadId) -> Vec<Step> {
        let automaton = self.program.thread(thread);
        let mut steps = Vec::new();
        for &instr in automaton.outgoing(self.locations[thread.index()]) {
            let step = |choice| Step::Execute {
                thread,
                instr,
                choice,
            };
            if let Op::Havoc { low, high, .. } = automaton.instruction(instr).op {
                steps.extend((low..=high).map(|value| step(Some(value))));
            } else {
                steps.push(step(None));
            }
        }
        steps
    }

    /// Whether the thread can only take steps that affect no other thread: assignments, choices, tests,
    /// and fences that its model ignores. Requires that the thread is not inside a block.
    ///
    /// Such a step commutes with every step of the others and with every move of a buffer, so a
    /// search may take it at once. If all tests fail, the thread is stuck there.
    pub fn is_local(&self, thread: ThreadId) -> bool {
        let mut steps = self.executions(thread).into_iter().peekable();
        steps.peek().is_some()
            && steps.all(|step| match self.op(step) {
                Some(Op::Fence(Fence::Store | Fence::Cells(_))) => {
                    matches!(self.model, Model::Sc | Model::Tso)
                }
                Some(
                    Op::Skip | Op::Assign { .. } | Op::Havoc { .. } | Op::Assume(_) | Op::Assert(_),
                ) => true,
                Some(
                    Op::Load { .. }
                    | Op::Store { .. }
                    | Op::Rmw { .. }
                    | Op::Fence(Fence::Full | Fence::All)
                    | Op::AtomicBegin
                    | Op::WordBegin(_)
                    | Op::AtomicEnd,
                )
                | None => false,
            })
    }

    /// The computations after local steps of one of these threads: a search may continue with these
    /// alone. Empty if no thread has local steps; `None` if that takes more steps than are left.
    pub fn local_steps(
        &self,
        of: impl Fn(ThreadId) -> bool,
        allowance: &mut Allowance,
    ) -> Option<Vec<Live<'p>>> {
        let mut found = Vec::new();
        if self.inside().is_some() {
            return Some(found);
        }
        for thread in self.program.thread_ids() {
            if !of(thread) || !self.is_local(thread) {
                continue;
            }
            for step in self.executions(thread) {
                allowance.spend()?;
                let mut live = self.resume();
                if live.take(step).is_some() {
                    found.push(live);
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        Some(found)
    }

    /// The operation that a step executes; `None` for a move of a buffer.
    pub fn op(&self, step: Step) -> Option<&'p Op> {
        match step {
            Step::Execute { thread, instr, .. } => {
                Some(&self.program.instruction(Site { thread, instr }).op)
            }
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
        }
    }

    /// The cells of the stores that the thread has buffered, oldest first.
    pub fn stores(&self, thread: ThreadId) -> Vec<Addr> {
        let items = self.buffers[thread.index()].iter();
        items
            .filter_map(|item| match *item {
                Buffered::Store { addr, .. } => Some(addr),
                Buffered::Fence { .. } => None,
            })
            .collect()
    }

    /// Whether the thread has a lightweight fence that has not retired.
    pub fn has_fence(&self, thread: ThreadId) -> bool {
        self.buffers[thread.index()]
            .iter()
            .any(|item| matches!(item, Buffered::Fence { .. }))
    }

    /// PGAS: the cells of the items in the thread's FIFO, oldest first; `None` for a fence.
    pub fn fifo(&self, thread: ThreadId) -> &[Option<Addr>] {
        &self.fifos[thread.index()]
    }

    /// PGAS: the cells of the stores that have not advanced to the FIFO, oldest first.
    pub fn waiting(&self, thread: ThreadId) -> Vec<Addr> {
        let mut waiting = self.stores(thread);
        // The stores to one cell advance in issue order.
        for advanced in self.fifos[thread.index()].iter().flatten() {
            if let Some(oldest) = waiting.iter().position(|addr| addr == advanced) {
                waiting.remove(oldest);
            }
        }
        waiting
    }

    /// The moves that may remove an item from the thread's buffer now. An item that enters the FIFO of
    /// PGAS leaves it at once.
    ///
    /// Advancing a store earlier affects only its place in the FIFO and the fences that wait for it.
    /// Without such a fence, the store can as well advance when everything before it has left. With one,
    /// see [`Partial::fence_preludes`].
    pub fn releases(&self, thread: ThreadId) -> Vec<Vec<Step>> {
        let flush = |addr| Step::Flush { thread, addr };
        let mut cells = self.stores(thread);
        match self.model {
            Model::Sc => return Vec::new(),
            Model::Tso => cells.truncate(1),
            Model::Pso => {}
            Model::Pgas => match self.fifo(thread).first() {
                Some(Some(addr)) => return vec![vec![flush(*addr)]],
                Some(None) => return vec![vec![Step::Retire { thread }]],
                None => {}
            },
        }
        cells.sort();
        cells.dedup();
        let mut releases: Vec<Vec<Step>> = cells
            .into_iter()
            .map(|addr| match self.model {
                Model::Pgas => vec![Step::Advance { thread, addr }, flush(addr)],
                Model::Sc | Model::Tso | Model::Pso => vec![flush(addr)],
            })
            .collect();
        if self.has_fence(thread) {
            releases.push(vec![Step::Retire { thread }]);
        }
        releases
    }

    /// PGAS: the sequences of stores that may advance right before a lightweight fence is issued.
    /// Under other models only the empty one.
    pub fn fence_preludes(&self, thread: ThreadId) -> Vec<Vec<Step>> {
        let waiting = match self.model {
            Model::Pgas => self.waiting(thread),
            Model::Sc | Model::Tso | Model::Pso => Vec::new(),
        };
        let mut preludes = vec![Vec::new()];
        let mut open: Vec<(Vec<Step>, Vec<Addr>)> = vec![(Vec::new(), waiting)];
        while let Some((prelude, rest)) = open.pop() {
            let mut tried = Vec::new();
            for (at, &addr) in rest.iter().enumerate() {
                if tried.contains(&addr) {
                    continue;
                }
                tried.push(addr);
                let mut longer = prelude.clone();
                longer.push(Step::Advance { thread, addr });
                preludes.push(longer.clone());
                let mut left = rest.clone();
                left.remove(at);
                open.push((longer, left));
            }
        }
        preludes
    }

    /// Appends what continuations depend on: local states, memory and buffers. Equal for two
    /// computations only if they have the same continuations, with the same values.
    pub fn encode(&self, key: &mut Vec<i32>) {
        key.extend(&self.memory);
        for history in &self.histories {
            key.push(history.len() as i32);
            key.extend(history);
        }
        self.encode_buffers(key);
    }

    /// Appends the contents of the buffers.
    pub fn encode_buffers(&self, key: &mut Vec<i32>) {
        for (buffer, fifo) in self.buffers.iter().zip(&self.fifos) {
            key.push(buffer.len() as i32);
            for item in buffer {
                match item {
                    Buffered::Store { addr, value } => key.extend([addr.0, *value]),
                    Buffered::Fence { cells } => {
                        key.extend([-1, cells.len() as i32]);
                        key.extend(cells.iter().map(|cell| cell.0));
                    }
                }
            }
            key.push(fifo.len() as i32);
            key.extend(fifo.iter().map(|item| item.map_or(-1, |addr| addr.0)));
        }
    }
}

impl Live<'_> {
    /// Takes a step; `None` if it is illegal. Then the computation must not be continued.
    pub fn take(&mut self, step: Step) -> Option<Action> {
        let moment = self.replay.step(step).ok()?.clone();
        let partial = &mut self.partial;
        partial.steps.push(step);
        match step {
            Step::Execute {
                thread,
                instr,
                choice,
            } => {
                let instruction = partial.program.thread(thread).instruction(instr);
                partial.locations[thread.index()] = instruction.to;
                let read = match moment.action {
                    Action::Load { value, .. } | Action::Rmw { old: value, .. } => value,
                    Action::Issue { .. }
                    | Action::Flush { .. }
                    | Action::Fence
                    | Action::Advance { .. }
                    | Action::Retire
                    | Action::Local => choice.unwrap_or(0),
                };
                partial.histories[thread.index()].extend([instr.0 as i32, read]);
                let fence = matches!(moment.buffer, BufferChange::Entered(Buffered::Fence { .. }));
                if fence && partial.model == Model::Pgas {
                    partial.fifos[thread.index()].push(None);
                }
            }
            Step::Advance { thread, addr } => partial.fifos[thread.index()].push(Some(addr)),
            Step::Flush { thread, .. } | Step::Retire { thread } => {
                if partial.model == Model::Pgas {
                    partial.fifos[thread.index()].remove(0);
                }
            }
        }
        match moment.action {
            Action::Flush { addr, value }
            | Action::Rmw {
                addr, new: value, ..
            } => partial.memory[addr.index()] = value,
            Action::Issue { .. }
            | Action::Load { .. }
            | Action::Fence
            | Action::Advance { .. }
            | Action::Retire
            | Action::Local => {}
        }
        let buffer = &mut partial.buffers[moment.site.thread.index()];
        match &moment.buffer {
            BufferChange::Kept => {}
            BufferChange::Entered(item) => buffer.push(item.clone()),
            BufferChange::Left(place) => drop(buffer.remove(*place)),
        }
        let action = moment.action.clone();
        self.fresh.push(moment);
        Some(action)
    }

    /// Takes several steps in order.
    pub fn take_all(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|&step| self.take(step).map(drop))
    }

    /// Moves the store to this cell, the only one that the thread has buffered, to memory; under PGAS
    /// through the FIFO.
    pub fn release(&mut self, thread: ThreadId, addr: Addr) -> Option<()> {
        let advanced = self.partial.fifo(thread).contains(&Some(addr));
        if self.partial.model == Model::Pgas && !advanced {
            self.take(Step::Advance { thread, addr })?;
        }
        self.take(Step::Flush { thread, addr }).map(drop)
    }

    /// Ends the computation.
    pub fn finish(self) -> Run {
        self.replay.finish().expect("the partial is halting")
    }
}
