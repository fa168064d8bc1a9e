//! A computation under way that can be taken up again at any point.
//!
//! [`Replay`] knows the rules but keeps its configuration to itself and cannot be copied. So a
//! [`Course`] notes down what the moments tell, and whoever goes on from it replays its steps
//! first: quadratic, and nothing to get wrong.

use fencepost::explicit::{Action, Buffered, Moment, Replay, Run, Step};
use fencepost::model::Model;
use fencepost::program::{Addr, Fence, LocId, Op, Program, Site, Thread, ThreadId};

/// How many steps a search may still take.
pub struct Allowance(usize);

impl Allowance {
    pub fn new(steps: usize) -> Self {
        Self(steps)
    }

    /// One step less; nothing if there was none left.
    pub fn spend(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }
}

/// The steps so far and what they have led to.
#[derive(Clone)]
pub struct Course<'p> {
    pub program: &'p Program,
    pub model: Model,
    steps: Vec<Step>,
    locations: Vec<LocId>,
    /// What each thread has executed and read: with the program, this is its local state.
    histories: Vec<Vec<i32>>,
    memory: Vec<i32>,
    buffers: Vec<Vec<Buffered>>,
    /// PGAS: what of each thread's buffer is in the FIFO, oldest first; absent for a fence.
    fifos: Vec<Vec<Option<Addr>>>,
}

/// A course that is being continued.
pub struct Live<'p> {
    pub course: Course<'p>,
    /// The moments since it was taken up.
    pub fresh: Vec<Moment>,
    replay: Replay<'p>,
}

impl<'p> Course<'p> {
    /// The computation without steps.
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

    /// Takes the computation up where it stands.
    pub fn again(&self) -> Live<'p> {
        let mut replay = Replay::new(self.program, self.model);
        for &step in &self.steps {
            replay.step(step).expect("a course is a computation");
        }
        Live {
            course: self.clone(),
            fresh: Vec::new(),
            replay,
        }
    }

    /// The thread that stands inside an atomic block.
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

    /// Whether the thread can only do what concerns nobody else: assignments, choices, tests, and
    /// fences that its model ignores. Inside a block this is not asked.
    ///
    /// Such a step commutes with every step of the others and with every move of a buffer, so that
    /// a search may take it at once. Where all tests fail the thread stays there for good.
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
                    | Op::AtomicEnd,
                )
                | None => false,
            })
    }

    /// The courses that local steps of one of these threads lead to: a search may go on with these
    /// alone. None if no thread has any; nothing if that takes more steps than are left.
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
                let mut live = self.again();
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

    /// What a step executes; nothing for a move of a buffer.
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

    /// Whether the thread has a lightweight fence under way.
    pub fn has_fence(&self, thread: ThreadId) -> bool {
        self.buffers[thread.index()]
            .iter()
            .any(|item| matches!(item, Buffered::Fence { .. }))
    }

    /// PGAS: what the thread has in its FIFO, oldest first; absent for a fence.
    pub fn fifo(&self, thread: ThreadId) -> &[Option<Addr>] {
        &self.fifos[thread.index()]
    }

    /// PGAS: the cells of the stores that have not advanced to the FIFO, oldest first.
    pub fn waiting(&self, thread: ThreadId) -> Vec<Addr> {
        let mut waiting = self.stores(thread);
        // The stores to one cell advance in the order of their issue.
        for advanced in self.fifos[thread.index()].iter().flatten() {
            if let Some(oldest) = waiting.iter().position(|addr| addr == advanced) {
                waiting.remove(oldest);
            }
        }
        waiting
    }

    /// The moves that might bring something out of the thread's buffer now. The FIFO of PGAS is
    /// entered by what then leaves it at once.
    ///
    /// A store that advances earlier has no effect but on its place in the FIFO and on fences that
    /// wait for it. Unless there is such a fence it can advance as well when everything before it
    /// has left; see [`Course::fence_preludes`] for where there is one.
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
    /// Elsewhere only the empty one.
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

    /// Appends what the future depends on: local states, memory and buffers. Equal for two courses
    /// only if every continuation of one is a continuation of the other, with the same values.
    pub fn encode(&self, key: &mut Vec<i32>) {
        key.extend(&self.memory);
        for history in &self.histories {
            key.push(history.len() as i32);
            key.extend(history);
        }
        self.encode_buffers(key);
    }

    /// Appends what is buffered.
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
    /// Takes a step. Where it is not legal the computation must not be continued.
    pub fn take(&mut self, step: Step) -> Option<Action> {
        let moment = self.replay.step(step).ok()?.clone();
        let course = &mut self.course;
        course.steps.push(step);
        match step {
            Step::Execute {
                thread,
                instr,
                choice,
            } => {
                let instruction = course.program.thread(thread).instruction(instr);
                course.locations[thread.index()] = instruction.to;
                let read = match moment.action {
                    Action::Load { value, .. } | Action::Rmw { old: value, .. } => value,
                    Action::Issue { .. }
                    | Action::Flush { .. }
                    | Action::Fence
                    | Action::Advance { .. }
                    | Action::Retire
                    | Action::Local => choice.unwrap_or(0),
                };
                course.histories[thread.index()].extend([instr.0 as i32, read]);
                let issued = moment.buffers[thread.index()].len();
                let fence = matches!(moment.action, Action::Fence)
                    && issued > course.buffers[thread.index()].len();
                if fence && course.model == Model::Pgas {
                    course.fifos[thread.index()].push(None);
                }
            }
            Step::Advance { thread, addr } => course.fifos[thread.index()].push(Some(addr)),
            Step::Flush { thread, .. } | Step::Retire { thread } => {
                if course.model == Model::Pgas {
                    course.fifos[thread.index()].remove(0);
                }
            }
        }
        match moment.action {
            Action::Flush { addr, value }
            | Action::Rmw {
                addr, new: value, ..
            } => course.memory[addr.index()] = value,
            Action::Issue { .. }
            | Action::Load { .. }
            | Action::Fence
            | Action::Advance { .. }
            | Action::Retire
            | Action::Local => {}
        }
        course.buffers.clone_from(&moment.buffers);
        let action = moment.action.clone();
        self.fresh.push(moment);
        Some(action)
    }

    /// Takes steps one after the other.
    pub fn take_all(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|&step| self.take(step).map(drop))
    }

    /// The store to the cell, the only one that the thread has buffered there, goes to memory. In
    /// PGAS it goes through the FIFO.
    pub fn release(&mut self, thread: ThreadId, addr: Addr) -> Option<()> {
        let advanced = self.course.fifo(thread).contains(&Some(addr));
        if self.course.model == Model::Pgas && !advanced {
            self.take(Step::Advance { thread, addr })?;
        }
        self.take(Step::Flush { thread, addr }).map(drop)
    }

    /// Ends the computation.
    pub fn finish(self) -> Run {
        self.replay.finish().expect("the course is halting")
    }
}
