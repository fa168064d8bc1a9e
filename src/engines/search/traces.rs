//! Is there a computation with a cyclic happens-before relation? Decided by definition, by
//! exploring all computations with their traces.
//!
//! A node of the search is a configuration together with the trace that led to it: each thread's
//! accesses, the store that each load read, and the order in which stores reached each cell.
//! Computations that differ only in the order of independent steps lead to the same node.
//! Happens-before only grows, so it is enough to check it when nothing is buffered.
//!
//! This needs no theorem about attacks, so it also decides programs with `barrier all`, for which
//! no such theorem is proved. **Incomplete:** each iteration of a loop adds accesses to the trace,
//! so only programs whose loops terminate have finitely many nodes. Traces that grow without end would
//! take all memory long before the nodes are too many, so long ones count as several.
//!
//! Reductions: (local), (retire), (advance) and (chains) of `reduce` change no trace.

use super::reduce::{Reduce, Reduction};
use crate::model::Model;
use crate::program::{Addr, Program, ThreadId};
use crate::reference::machine::{Config, Machine};
use crate::reference::pack::pack;
use crate::reference::{Action, Step, explore::wide_choice};
use crate::verdict::{Budget, Reason, Verdict};
use ahash::AHashSet;
use std::collections::VecDeque;

/// An access: its thread, and its index among the accesses of the thread.
type AccessId = (usize, usize);

/// The part of an access that matters to happens-before.
#[derive(Clone, Debug)]
struct Done {
    cell: Addr,
    reads: bool,
    /// The store that it reads; `None` for an initial value and for an access that does not read.
    source: Option<AccessId>,
    /// The atomic block that it belongs to, numbered from 1 in its thread; 0 outside blocks.
    block: usize,
}

/// The trace of a computation.
#[derive(Clone, Debug)]
struct Trace {
    threads: Vec<Vec<Done>>,
    /// By cell: the stores in the order in which they reached memory.
    coherence: Vec<Vec<AccessId>>,
    /// By thread: the stores that are still buffered, oldest first.
    buffered: Vec<VecDeque<usize>>,
    /// By thread: the number of atomic blocks that it has entered.
    blocks: Vec<usize>,
}

/// Searches for a computation of the program under the model with a cyclic happens-before relation.
/// Also returns the number of configurations with traces that were visited. The budget's number of states
/// limits the sum, in which one with a long trace counts as several.
pub fn cyclic(program: &Program, model: Model, budget: &Budget) -> (Verdict<Vec<Step>>, usize) {
    let machine = Machine::new(program, model);
    // The values of registers are not part of a trace, and dead registers do not affect later
    // steps.
    let reduce = Reduce::new(&machine, &[], Reduction::ALL);
    let mut config = machine.initial();
    reduce.normalise(&mut config);
    let mut seen: AHashSet<Vec<u8>> = AHashSet::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut open = vec![(config, Trace::new(program), Vec::<Step>::new())];
    let mut too_wide = None;
    let mut visited = 0;
    let mut spent = 0;
    while let Some((config, trace, path)) = open.pop() {
        if budget.is_stopped() {
            return (Verdict::Unknown(Reason::Stopped), seen.len());
        }
        visited += 1;
        budget.progress().visited(visited);
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
            let passes = reduce.passes(&machine, &next);
            let key = longer.key(&next);
            let size = key.len();
            if passes || seen.insert(key) {
                spent += weight(size);
                if spent > budget.states {
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

/// The number of bytes of a key that counts as one: more than programs without loops need, as a rule.
const USUAL: usize = 512;

/// How many configurations one with a key of so many bytes counts as.
fn weight(bytes: usize) -> usize {
    bytes.div_ceil(USUAL)
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

    /// Adds a step, given the configuration before it and its effect.
    fn extend(&mut self, machine: &Machine<'_>, before: &Config, step: Step, action: &Action) {
        let (thread, executes) = match step {
            Step::Execute { thread, instr, .. } => {
                let op = &machine.program.thread(thread).instruction(instr).op;
                if op.begins_block() {
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

    fn newest_buffered(&self, thread: ThreadId, cell: Addr) -> Option<AccessId> {
        let t = thread.index();
        let mut newest = self.buffered[t].iter().rev();
        let store = newest.find(|&&store| self.threads[t][store].cell == cell)?;
        Some((t, *store))
    }

    /// A key that is equal for equal configurations with equal traces.
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
        // The accesses of a block are adjacent, and the first one represents the node.
        let mut nodes: Vec<usize> = (0..count).collect();
        for (accesses, &first) in self.threads.iter().zip(&first) {
            for (n, pair) in accesses.windows(2).enumerate() {
                if pair[1].block != 0 && pair[0].block == pair[1].block {
                    nodes[first + n + 1] = nodes[first + n];
                }
            }
        }
        let node = |(t, n): AccessId| nodes[first[t] + n];
        // By access: its place among the stores to its cell.
        let mut places = vec![None; count];
        for stores in &self.coherence {
            for (place, &(t, n)) in stores.iter().enumerate() {
                places[first[t] + n] = Some(place);
            }
        }
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut edge = |a: AccessId, b: AccessId| {
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
                        places[first[source.0] + source.1].map_or(0, |place| place + 1)
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
