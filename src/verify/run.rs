//! One computation, step by step: what it reaches, which fences would exclude it, and whether its
//! happens-before relation has a cycle.
//!
//! A full fence at a location excludes a computation if and only if some instruction leaves the location
//! in it while the thread's own buffers are not empty. Otherwise the fence can be passed each time, and
//! everything else stays as it is. So the *cut* of a computation is the set of these locations: a set of
//! fences that has none of them does not exclude it.

use super::closed::System as _;
use super::expr::Expr;
use super::machine::{Config, Machine, Step};
use super::program::Op;
use std::collections::BTreeSet;

/// A computation with more steps than this is not followed: comparing its accesses takes the square of it.
const MOST_STEPS: usize = 10_000;

/// A computation that is possible.
#[derive(Debug)]
pub struct Replayed {
    /// The configuration after it.
    pub end: Config,
    /// The threads and locations where a full fence excludes it.
    pub cut: BTreeSet<(usize, usize)>,
    /// Whether nothing is buffered at the end.
    pub is_drained: bool,
    /// The goal that is reached at the end, in words.
    pub reached: Option<String>,
    /// Whether happens-before has a cycle, each atomic block taken as one action, and so each access of several
    /// cells.
    pub is_cyclic: bool,
}

/// An access of a computation.
struct Event {
    thread: usize,
    cell: usize,
    reads: bool,
    /// For one that reads: the store that it reads; `None` for the initial value.
    source: Option<usize>,
    /// The atomic block, or access of several cells, that it is in, numbered from 1 in its thread; or 0.
    block: usize,
}

/// The accesses so far.
struct Trace {
    events: Vec<Event>,
    /// By cell: the stores in the order in which they reached memory.
    order: Vec<Vec<usize>>,
    /// By thread: the stores that have not reached memory, the oldest first.
    pending: Vec<Vec<usize>>,
    /// By thread: how many blocks it has entered.
    blocks: Vec<usize>,
}

impl Replayed {
    /// Takes the steps; `None` if one of them is not possible, or they are too many.
    pub fn of(machine: &Machine<'_>, steps: &[Step]) -> Option<Self> {
        if steps.len() > MOST_STEPS {
            return None;
        }
        let program = machine.program;
        let mut config = machine.initial();
        let mut trace = Trace {
            events: Vec::new(),
            order: vec![Vec::new(); program.cells.len()],
            pending: vec![Vec::new(); program.threads.len()],
            blocks: vec![0; program.threads.len()],
        };
        let mut cut = BTreeSet::new();
        for &step in steps {
            let next = machine.after(&config, step)?;
            match step {
                Step::Execute {
                    thread,
                    instruction,
                    ..
                } => {
                    if !trace.pending[thread].is_empty() || !is_empty(&config, thread) {
                        cut.insert((thread, config.locations[thread]));
                    }
                    trace.execute(machine, &config, &next, thread, instruction);
                }
                Step::Flush { thread, cell } => trace.flush(thread, cell),
                Step::Advance { .. } | Step::Retire { .. } => {}
            }
            config = next;
        }
        Some(Self {
            cut,
            is_drained: (0..program.threads.len()).all(|thread| is_empty(&config, thread)),
            reached: machine.reached(&config),
            is_cyclic: machine.is_halting(&config) && trace.is_cyclic(),
            end: config,
        })
    }
}

fn is_empty(config: &Config, thread: usize) -> bool {
    let buffer = &config.buffers[thread];
    buffer.waiting.is_empty() && buffer.queue.is_empty()
}

impl Trace {
    fn execute(
        &mut self,
        machine: &Machine<'_>,
        before: &Config,
        after: &Config,
        t: usize,
        number: usize,
    ) {
        let op = &machine.program.threads[t].instructions[number].op;
        let is_inside = machine.program.threads[t].inside[before.locations[t]];
        if matches!(op, Op::Lock | Op::Word(_)) {
            self.blocks[t] += 1;
        }
        let block = if is_inside { self.blocks[t] } else { 0 };
        let Some((address, _)) = op.access() else {
            return;
        };
        let address: &Expr = address;
        let Some(cell) = machine.program.cell_at(Machine::eval(before, t, address)) else {
            return;
        };
        let this = self.events.len();
        let in_memory = self.order[cell].last().copied();
        let mut own = self.pending[t].iter().rev().copied();
        let (is_load, is_locked) = (matches!(op, Op::Load(..)), matches!(op, Op::Locked(..)));
        let source = if is_load {
            own.find(|&store| self.events[store].cell == cell)
                .or(in_memory)
        } else {
            in_memory
        };
        self.events.push(Event {
            thread: t,
            cell,
            reads: is_load || is_locked,
            source,
            block,
        });
        // A store that is not buffered afterwards was not buffered at all.
        if is_locked || !is_load && is_empty(after, t) {
            self.order[cell].push(this);
        } else if !is_load {
            self.pending[t].push(this);
        }
    }

    fn flush(&mut self, thread: usize, cell: usize) {
        let pending = &mut self.pending[thread];
        if let Some(at) = pending
            .iter()
            .position(|&store| self.events[store].cell == cell)
        {
            self.order[cell].push(pending.remove(at));
        }
    }

    /// Whether program order, reads-from, coherence and from-reads have a cycle. Requires that nothing is
    /// buffered.
    fn is_cyclic(&self) -> bool {
        // The first access of a block stands for all of it, also if its stores are buffered: they reach memory
        // together.
        let node = |event: usize| {
            let Event { thread, block, .. } = self.events[event];
            let same = |other: &Event| other.thread == thread && other.block == block;
            let first = self.events.iter().position(same);
            if block == 0 {
                event
            } else {
                first.unwrap_or(event)
            }
        };
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); self.events.len()];
        let mut edge = |a: usize, b: usize| {
            let (a, b) = (node(a), node(b));
            if a != b {
                after[a].push(b);
            }
        };
        for (number, event) in self.events.iter().enumerate() {
            let mut later = self.events.iter().skip(number + 1);
            if let Some(next) = later.position(|other| other.thread == event.thread) {
                edge(number, number + 1 + next);
            }
            if event.reads {
                let stores = &self.order[event.cell];
                let from = event.source.and_then(|source| {
                    edge(source, number);
                    stores.iter().position(|&store| store == source)
                });
                let mut newer = stores.iter().skip(from.map_or(0, |at| at + 1));
                if let Some(&store) = newer.find(|&&store| store != number) {
                    edge(number, store);
                }
            }
        }
        for stores in &self.order {
            for pair in stores.windows(2) {
                edge(pair[0], pair[1]);
            }
        }
        is_cyclic(&after)
    }
}

/// Whether a graph has a cycle, given what comes after each node.
pub(super) fn is_cyclic(after: &[Vec<usize>]) -> bool {
    let mut before = vec![0_usize; after.len()];
    for &next in after.iter().flatten() {
        before[next] += 1;
    }
    let mut free: Vec<usize> = (0..before.len())
        .filter(|&node| before[node] == 0)
        .collect();
    let mut done = 0;
    while let Some(node) = free.pop() {
        done += 1;
        for &next in &after[node] {
            before[next] -= 1;
            if before[next] == 0 {
                free.push(next);
            }
        }
    }
    done < before.len()
}
