//! Is there a computation whose happens-before relation has a cycle? By the definition: all
//! computations, each with its trace.
//!
//! A node of the search is a configuration together with the trace that led to it: each thread's
//! accesses, the store that each load read, and the order in which stores reached each cell.
//! Computations that differ in the order of independent steps meet in one node. Happens-before only
//! grows, so it is looked at where nothing is buffered.
//!
//! This needs no theorem about attacks, and decides what none is proved for: programs with
//! `barrier all`. **Incomplete:** a thread that goes round a loop makes new accesses each time, so
//! that only programs whose loops end have finitely many nodes.
//!
//! Reductions: (local), (retire), (advance) and (chains) of `reduce` change no trace.

use super::machine::{Config, Machine};
use super::pack::pack;
use super::reduce::{Reduce, Reduction};
use super::{Action, Step, explore::wide_choice};
use crate::model::Model;
use crate::program::{Addr, Op, Program, ThreadId};
use crate::verdict::{Budget, Reason, Verdict};
use ahash::AHashSet;
use std::collections::VecDeque;

/// An access: its thread, and how many of the thread's accesses come before it.
type Access = (usize, usize);

/// What an access did, as far as happens-before is concerned.
#[derive(Clone, Debug)]
struct Done {
    cell: Addr,
    reads: bool,
    /// The store read; absent for an initial value and for what does not read.
    source: Option<Access>,
    /// The atomic block of the thread that it belongs to, by number from 1; 0 outside of blocks.
    block: usize,
}

/// The trace of a computation.
#[derive(Clone, Debug)]
struct Trace {
    threads: Vec<Vec<Done>>,
    /// By cell: the stores in the order in which they reached memory.
    coherence: Vec<Vec<Access>>,
    /// By thread: stores that are still buffered, oldest first.
    buffered: Vec<VecDeque<usize>>,
    /// By thread: how many atomic blocks it has entered.
    blocks: Vec<usize>,
}

/// Whether some computation of the program under the model has a cyclic happens-before relation:
/// such a computation, or none; and how many configurations with traces were visited.
pub fn cyclic(program: &Program, model: Model, budget: &Budget) -> (Verdict<Vec<Step>>, usize) {
    let machine = Machine::new(program, model);
    // What a register held is no part of a trace, and dead ones do not decide what comes.
    let reduce = Reduce::new(&machine, &[], Reduction::ALL);
    let mut config = machine.initial();
    reduce.normalise(&mut config);
    let mut seen: AHashSet<Vec<u8>> = AHashSet::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut open = vec![(config, Trace::new(program), Vec::<Step>::new())];
    let mut too_wide = None;
    while let Some((config, trace, path)) = open.pop() {
        if budget.is_stopped() {
            return (Verdict::Unknown(Reason::Stopped), seen.len());
        }
        steps.clear();
        too_wide = too_wide.or(machine.propose(&config, &mut steps));
        reduce.choose(&machine, &config, &mut steps);
        for &step in &steps {
            let mut next = config.clone();
            let Ok(action) = machine.apply(&mut next, step) else {
                continue;
            };
            let mut longer = trace.clone();
            longer.extend(&machine, &config, step, &action);
            let mut path = path.clone();
            path.push(step);
            reduce.normalise(&mut next);
            if machine.is_halting(&next) && longer.is_cyclic() {
                return (Verdict::Violated(path), seen.len());
            }
            if reduce.passes(&machine, &next) || seen.insert(longer.key(&next)) {
                if seen.len() > budget.states {
                    let reason = Reason::StateBudget(budget.states);
                    return (Verdict::Unknown(reason), seen.len());
                }
                open.push((next, longer, path));
            }
        }
    }
    let verdict = match too_wide {
        Some(site) => Verdict::Unknown(wide_choice(program, site)),
        None => Verdict::Holds,
    };
    (verdict, seen.len())
}

impl Trace {
    fn new(program: &Program) -> Self {
        let threads = program.threads().len();
        Self {
            threads: vec![Vec::new(); threads],
            coherence: vec![Vec::new(); program.cell_count()],
            buffered: vec![VecDeque::new(); threads],
            blocks: vec![0; threads],
        }
    }

    /// Adds a step, given the configuration before it and what it did.
    fn extend(&mut self, machine: &Machine<'_>, before: &Config, step: Step, action: &Action) {
        let (thread, executes) = match step {
            Step::Execute { thread, instr, .. } => {
                let op = &machine.program.thread(thread).instruction(instr).op;
                if let Op::AtomicBegin = op {
                    self.blocks[thread.index()] += 1;
                }
                (thread, true)
            }
            Step::Advance { thread, .. } | Step::Flush { thread, .. } | Step::Retire { thread } => {
                (thread, false)
            }
        };
        let t = thread.index();
        let block = match machine.inside(before) {
            Some(_) => self.blocks[t],
            None => 0,
        };
        let this = (t, self.threads[t].len());
        let done = |cell, reads, source| Done {
            cell,
            reads,
            source,
            block,
        };
        match *action {
            Action::Issue { addr, .. } => {
                self.buffered[t].push_back(this.1);
                self.threads[t].push(done(addr, false, None));
            }
            Action::Flush { addr, .. } if executes => {
                self.threads[t].push(done(addr, false, None));
                self.coherence[addr.index()].push(this);
            }
            Action::Flush { addr, .. } => {
                let accesses = &self.threads[t];
                let oldest = self.buffered[t]
                    .iter()
                    .position(|&store| accesses[store].cell == addr);
                if let Some(store) = oldest.and_then(|oldest| self.buffered[t].remove(oldest)) {
                    self.coherence[addr.index()].push((t, store));
                }
            }
            Action::Load { addr, early, .. } => {
                let source = if early {
                    self.newest_buffered(thread, addr)
                } else {
                    self.coherence[addr.index()].last().copied()
                };
                self.threads[t].push(done(addr, true, source));
            }
            Action::Rmw { addr, .. } => {
                let source = self.coherence[addr.index()].last().copied();
                self.threads[t].push(done(addr, true, source));
                self.coherence[addr.index()].push(this);
            }
            Action::Fence | Action::Advance { .. } | Action::Retire | Action::Local => {}
        }
    }

    fn newest_buffered(&self, thread: ThreadId, cell: Addr) -> Option<Access> {
        let t = thread.index();
        let mut newest = self.buffered[t].iter().rev();
        let store = newest.find(|&&store| self.threads[t][store].cell == cell)?;
        Some((t, *store))
    }

    /// Equal for equal configurations with equal traces.
    fn key(&self, config: &Config) -> Vec<u8> {
        let mut key = Vec::new();
        pack(config, &mut key);
        let mut number = |n: usize| key.extend((n as u32).to_le_bytes());
        for accesses in &self.threads {
            number(accesses.len());
            for done in accesses {
                number(done.cell.index());
                let (thread, position) = done.source.map_or((0, 0), |(t, n)| (t + 1, n));
                number(thread);
                number(position);
            }
        }
        for stores in &self.coherence {
            number(stores.len());
            for &(thread, position) in stores {
                number(thread);
                number(position);
            }
        }
        key
    }

    /// Whether happens-before, with each atomic block as one node, has a cycle. Requires that
    /// nothing is buffered.
    fn is_cyclic(&self) -> bool {
        let mut first = Vec::new();
        let mut count = 0;
        for accesses in &self.threads {
            first.push(count);
            count += accesses.len();
        }
        // A block's accesses stand next to each other: its first one is the node.
        let node = |(t, n): Access| {
            let block = self.threads[t][n].block;
            let same = |&m: &usize| block != 0 && self.threads[t][m].block == block;
            first[t] + (0..n).find(same).unwrap_or(n)
        };
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut edge = |a: Access, b: Access| {
            let (a, b) = (node(a), node(b));
            if a != b {
                out[a].push(b);
            }
        };
        for (t, accesses) in self.threads.iter().enumerate() {
            for n in 1..accesses.len() {
                edge((t, n - 1), (t, n));
            }
            for (n, done) in accesses.iter().enumerate().filter(|(_, done)| done.reads) {
                let stores = &self.coherence[done.cell.index()];
                let next = match done.source {
                    Some(source) => {
                        edge(source, (t, n));
                        stores
                            .iter()
                            .position(|&s| s == source)
                            .map_or(0, |p| p + 1)
                    }
                    None => 0,
                };
                // A locked instruction does not come before itself.
                if let Some(&store) = stores[next..].iter().find(|&&store| store != (t, n)) {
                    edge((t, n), store);
                }
            }
        }
        for stores in &self.coherence {
            for pair in stores.windows(2) {
                edge(pair[0], pair[1]);
            }
        }
        let mut indegree = vec![0; count];
        for &to in out.iter().flatten() {
            indegree[to] += 1;
        }
        let mut free: Vec<usize> = (0..count).filter(|&n| indegree[n] == 0).collect();
        let mut sorted = 0;
        while let Some(node) = free.pop() {
            sorted += 1;
            for &to in &out[node] {
                indegree[to] -= 1;
                if indegree[to] == 0 {
                    free.push(to);
                }
            }
        }
        sorted < count
    }
}
