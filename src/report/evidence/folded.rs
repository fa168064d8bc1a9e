//! Steps that are not worth a row, since they change nothing that anyone sees.

use super::waits;
use crate::program::{Addr, Fence, Goal, Observable, Op, Site, ThreadId};
use crate::reference::{BufferChange, Moment, Run, Step};
use crate::report::{ShownRun, Source};
use std::collections::BTreeMap;

/// Whether this step is a fence between stores that belongs to the access after it, such as to a release
/// store, and changed nothing.
pub(super) fn is_idle_part(source: &Source<'_>, run: &Run, at: usize) -> bool {
    let Some((moment, rest)) = run.moments[at..].split_first() else {
        return false;
    };
    let thread = moment.site.thread;
    let is_light = matches!(
        source.program.instruction(moment.site).op,
        Op::Fence(Fence::Store | Fence::Cells(_))
    );
    let executes =
        |next: &&Moment| next.site.thread == thread && matches!(next.step, Step::Execute { .. });
    let origin = |site: Site| source.program.instruction(site).origin;
    is_light
        && moment.buffer == BufferChange::Kept
        && rest
            .iter()
            .find(executes)
            .is_some_and(|next| origin(next.site) == origin(moment.site))
}

/// The buffer moves of stores whose arrival in memory matters to nothing: no other thread accesses the
/// cell afterwards, the goal is not about it, and the store is not on the cycle.
pub(super) fn unobserved(of: &ShownRun<'_>, on_cycle: &[usize]) -> Vec<usize> {
    let (program, run) = (of.source.program, of.run);
    let mut named: Vec<Addr> = waits(of)
        .into_iter()
        .flat_map(|wait| wait.sees.into_iter().map(|(addr, _)| addr))
        .collect();
    if let Some(Goal::Property(number)) = of.goal {
        let vars = program.properties()[number].predicate.vars().into_iter();
        named.extend(vars.filter_map(|observable| match observable {
            Observable::Cell(addr) => Some(addr),
            Observable::Register(..) | Observable::At(..) => None,
        }));
    }
    let before = run.happens_before();
    // By cell: when each thread accesses it for the last time.
    let mut last: BTreeMap<Addr, BTreeMap<ThreadId, usize>> = BTreeMap::new();
    for event in &before.events {
        let of_cell = last.entry(event.addr).or_default();
        let last = of_cell.entry(event.site.thread).or_default();
        *last = event.effective.max(*last);
    }
    let mut found = Vec::new();
    for event in &before.events {
        let later = last[&event.addr]
            .iter()
            .any(|(&thread, &last)| thread != event.site.thread && last > event.effective);
        let matters = later || named.contains(&event.addr) || on_cycle.contains(&event.executed);
        let is_move = event.effective > event.executed && event.effective < run.moments.len();
        if is_move && !matters {
            found.push(event.effective);
        }
    }
    found
}
