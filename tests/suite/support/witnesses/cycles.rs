//! All computations, and whether one has a cyclic happens-before relation.

use super::course::{Allowance, Course, Live};
use fencepost::explicit::{Action, Moment, Run, Step};
use fencepost::model::Model;
use fencepost::program::{Addr, Fence, Op, Program};
use std::collections::HashSet;

/// Whether every computation has an acyclic happens-before relation; nothing if that takes more
/// than so many steps.
///
/// Of the computations that lead to the same configuration with the same happens-before relation
/// so far, one is continued. Local steps and the retirement of a fence are taken as soon as they
/// are possible: they commute with everything, and a fence that is gone forbids nothing. A cycle
/// stays one in every continuation, but not every continuation ends outside atomic blocks:
/// therefore each halting configuration is looked at.
pub fn robust(program: &Program, model: Model, limit: usize) -> Option<bool> {
    let mut allowance = Allowance::new(limit);
    let mut seen = HashSet::new();
    let mut open = vec![(Course::new(program, model), Trace::new(program))];
    while let Some((course, trace)) = open.pop() {
        let mut next = course.local_steps(|_| true, &mut allowance)?;
        if next.is_empty() {
            next = retirement(&course, &mut allowance)?;
        }
        if next.is_empty() {
            for steps in branches(&course) {
                allowance.spend()?;
                let mut live = course.again();
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
            if !seen.insert(trace.key(&live.course)) {
                continue;
            }
            let course = live.course.clone();
            if course.is_halting() && live.finish().happens_before().is_cyclic() {
                return Some(false);
            }
            open.push((course, trace));
        }
    }
    Some(true)
}

/// The course in which a lightweight fence has retired, if one can.
fn retirement<'p>(course: &Course<'p>, allowance: &mut Allowance) -> Option<Vec<Live<'p>>> {
    if course.inside().is_some() {
        return Some(Vec::new());
    }
    for thread in course.program.thread_ids() {
        if course.has_fence(thread) {
            allowance.spend()?;
            let mut live = course.again();
            if live.take(Step::Retire { thread }).is_some() {
                return Some(vec![live]);
            }
        }
    }
    Some(Vec::new())
}

/// What might happen next, legal or not.
fn branches(course: &Course<'_>) -> Vec<Vec<Step>> {
    if let Some(owner) = course.inside() {
        let steps = course.executions(owner).into_iter();
        return steps.map(|step| vec![step]).collect();
    }
    let mut branches = Vec::new();
    for thread in course.program.thread_ids() {
        for step in course.executions(thread) {
            if let Some(Op::Fence(Fence::Store | Fence::Cells(_))) = course.op(step) {
                for mut steps in course.fence_preludes(thread) {
                    steps.push(step);
                    branches.push(steps);
                }
            } else {
                branches.push(vec![step]);
            }
        }
        branches.extend(course.releases(thread));
    }
    branches
}

/// What happens before what so far, in names that do not depend on the interleaving: an access is
/// the n-th of its thread.
#[derive(Clone)]
struct Trace {
    /// How many accesses each thread has executed.
    counts: Vec<i32>,
    /// Each thread's instructions, and what its loads read from.
    threads: Vec<Vec<i32>>,
    /// The stores to each cell, in the order in which they reached memory.
    coherence: Vec<Vec<i32>>,
    /// Each thread's stores under way, oldest first.
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

    fn key(&self, course: &Course<'_>) -> Vec<i32> {
        let mut key = Vec::new();
        for part in self.threads.iter().chain(&self.coherence) {
            key.push(part.len() as i32);
            key.extend(part);
        }
        course.encode_buffers(&mut key);
        key
    }
}

/// Visits every computation of the program, step by step in every order: no reduction at all. The
/// number of computations; nothing, after some of them, if that takes more than so many steps.
pub fn every_computation(
    program: &Program,
    model: Model,
    limit: usize,
    visit: &mut dyn FnMut(&Run),
) -> Option<usize> {
    let mut allowance = Allowance::new(limit);
    let mut count = 0;
    let mut open = vec![Course::new(program, model)];
    while let Some(course) = open.pop() {
        if course.is_halting() {
            count += 1;
            visit(&course.again().finish());
        }
        for thread in program.thread_ids() {
            let mut steps = course.executions(thread);
            let mut cells = course.stores(thread);
            cells.sort();
            cells.dedup();
            for addr in cells {
                steps.extend([Step::Advance { thread, addr }, Step::Flush { thread, addr }]);
            }
            if course.has_fence(thread) {
                steps.push(Step::Retire { thread });
            }
            for step in steps {
                allowance.spend()?;
                let mut live = course.again();
                if live.take(step).is_some() {
                    open.push(live.course);
                }
            }
        }
    }
    Some(count)
}
