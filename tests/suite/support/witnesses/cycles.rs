//! All computations, and whether one has a cyclic happens-before relation.

use super::partial::{Allowance, Live, Partial};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Action, Moment, Run, Step};
use fencepost::program::{Addr, Fence, Op, Program};
use std::collections::HashSet;

/// Whether every computation has an acyclic happens-before relation; `None` if that takes more than
/// `limit` steps.
///
/// Of the partial computations that lead to the same configuration with the same happens-before
/// relation, only one is continued. Local steps and the retirement of a fence are taken as soon as they
/// are possible: they commute with everything, and a retired fence forbids nothing. A cycle persists in
/// every continuation, but not every continuation ends outside atomic blocks, so the check is done in
/// every halting configuration.
pub fn robust(program: &Program, model: Model, limit: usize) -> Option<bool> {
    let mut allowance = Allowance::new(limit);
    let mut seen = HashSet::new();
    let mut open = vec![(Partial::new(program, model), Trace::new(program))];
    while let Some((partial, trace)) = open.pop() {
        let mut next = partial.local_steps(|_| true, &mut allowance)?;
        if next.is_empty() {
            next = retirement(&partial, &mut allowance)?;
        }
        if next.is_empty() {
            for steps in branches(&partial) {
                allowance.spend()?;
                let mut live = partial.resume();
                if live.take_all(&steps).is_some() {
                    next.push(live);
                }
            }
        }
        for live in next {
            let mut trace = trace.clone();
            for moment in &live.fresh {
                trace.note(moment);
            }
            if !seen.insert(trace.key(&live.partial)) {
                continue;
            }
            let partial = live.partial.clone();
            if partial.is_halting() && live.finish().happens_before().is_cyclic() {
                return Some(false);
            }
            open.push((partial, trace));
        }
    }
    Some(true)
}

/// The computation after a lightweight fence has retired, if one can.
fn retirement<'p>(partial: &Partial<'p>, allowance: &mut Allowance) -> Option<Vec<Live<'p>>> {
    if partial.inside().is_some() {
        return Some(Vec::new());
    }
    for thread in partial.program.thread_ids() {
        if partial.has_fence(thread) {
            allowance.spend()?;
            let mut live = partial.resume();
            if live.take(Step::Retire { thread }).is_some() {
                return Some(vec![live]);
            }
        }
    }
    Some(Vec::new())
}

/// All possible next steps, legal or not.
fn branches(partial: &Partial<'_>) -> Vec<Vec<Step>> {
    if let Some(owner) = partial.inside() {
        let steps = partial.executions(owner).into_iter();
        return steps.map(|step| vec![step]).collect();
    }
    let mut branches = Vec::new();
    for thread in partial.program.thread_ids() {
        for step in partial.executions(thread) {
            if let Some(Op::Fence(Fence::Store | Fence::Cells(_))) = partial.op(step) {
                for mut steps in partial.fence_preludes(thread) {
                    steps.push(step);
                    branches.push(steps);
                }
            } else {
                branches.push(vec![step]);
            }
        }
        branches.extend(partial.releases(thread));
    }
    branches
}

/// The happens-before relation of a partial computation, with names that do not depend on the
/// interleaving: an access is the n-th of its thread.
#[derive(Clone)]
struct Trace {
    /// The number of accesses that each thread has executed.
    counts: Vec<i32>,
    /// Each thread's instructions, and what its loads read from.
    threads: Vec<Vec<i32>>,
    /// The stores to each cell, in the order in which they reached memory (coherence order).
    coherence: Vec<Vec<i32>>,
    /// Each thread's buffered stores, oldest first.
    pending: Vec<Vec<(Addr, i32)>>,
}

impl Trace {
    fn new(program: &Program) -> Self {
        let threads = program.threads().len();
        Self {
            counts: vec![0; threads],
            threads: vec![Vec::new(); threads],
            coherence: vec![Vec::new(); program.cell_count()],
            pending: vec![Vec::new(); threads],
        }
    }

    fn note(&mut self, moment: &Moment) {
        let t = moment.site.thread.index();
        let name = (t as i32 + 1) * 1000 + self.counts[t];
        let newest = |trace: &Self, addr: Addr| {
            let stores = &trace.coherence[addr.index()];
            stores.last().copied().unwrap_or(0)
        };
        let mut source = 0;
        match (&moment.action, moment.step) {
            (&Action::Issue { addr, .. }, _) => self.pending[t].push((addr, name)),
            (&Action::Flush { addr, .. }, Step::Execute { .. }) => {
                self.coherence[addr.index()].push(name);
            }
            (&Action::Flush { addr, .. }, _) => {
                let mut stores = self.pending[t].iter();
                let oldest = stores.position(|&(cell, _)| cell == addr);
                let (_, store) = self.pending[t].remove(oldest.expect("a store was issued"));
                self.coherence[addr.index()].push(store);
            }
            (&Action::Load { addr, early, .. }, _) => {
                let own = self.pending[t].iter().rev();
                let own = own
                    .filter(|&&(cell, _)| cell == addr)
                    .map(|&(_, name)| name);
                source = if early {
                    own.max().expect("an early load reads an own store")
                } else {
                    newest(self, addr)
                };
            }
            (&Action::Rmw { addr, .. }, _) => {
                source = newest(self, addr);
                self.coherence[addr.index()].push(name);
            }
            (Action::Fence | Action::Advance { .. } | Action::Retire | Action::Local, _) => {}
        }
        if let Step::Execute { instr, choice, .. } = moment.step {
            self.threads[t].extend([instr.0 as i32, source + choice.unwrap_or(0)]);
            let access = !matches!(moment.action, Action::Fence | Action::Local);
            self.counts[t] += i32::from(access);
        }
    }

    fn key(&self, partial: &Partial<'_>) -> Vec<i32> {
        let mut key = Vec::new();
        for part in self.threads.iter().chain(&self.coherence) {
            key.push(part.len() as i32);
            key.extend(part);
        }
        partial.encode_buffers(&mut key);
        key
    }
}

/// Visits every computation of the program, with steps in every order and no reduction at all. Returns
/// the number of computations, or `None`, after visiting some of them, if that takes more than `limit`
/// steps.
pub fn every_computation(
    program: &Program,
    model: Model,
    limit: usize,
    visit: &mut dyn FnMut(&Run),
) -> Option<usize> {
    let mut allowance = Allowance::new(limit);
    let mut count = 0;
    let mut open = vec![Partial::new(program, model)];
    while let Some(partial) = open.pop() {
        if partial.is_halting() {
            count += 1;
            visit(&partial.resume().finish());
        }
        for thread in program.thread_ids() {
            let mut steps = partial.executions(thread);
            let mut cells = partial.stores(thread);
            cells.sort();
            cells.dedup();
            for addr in cells {
                steps.extend([Step::Advance { thread, addr }, Step::Flush { thread, addr }]);
            }
            if partial.has_fence(thread) {
                steps.push(Step::Retire { thread });
            }
            for step in steps {
                allowance.spend()?;
                let mut live = partial.resume();
                if live.take(step).is_some() {
                    open.push(live.partial);
                }
            }
        }
    }
    Some(count)
}
