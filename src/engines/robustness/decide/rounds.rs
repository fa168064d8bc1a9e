//! The attacks of several threads: through the rounds of the race together, or one thread after the other.

use super::RobustOptions;
use crate::race::ROUNDS;
use crate::robustness::attack::Attack;
use crate::robustness::query::{Begun, is_race};
use crate::verdict::{Budget, Decided, Defect};
use crate::work::{BRIEF, Work};
use std::sync::{Mutex, PoisonError};

/// How many rounds of the race the threads go through before the first look at whether an attack is feasible. What is
/// decided in them is decided for every thread, unless all of them together take more work than this.
const QUICK: (u32, Work) = (4, BRIEF.times(3));

/// How many rounds the threads go through together. The searches of many threads, all of them stopped
/// half way, would take much memory after more of them.
const TOGETHER: u32 = 8;

/// Through how many rounds the threads have gone after each stage, and how much work that may take.
fn stages(options: &RobustOptions) -> Vec<(u32, Option<Work>)> {
    let (quick, work) = QUICK;
    let mut stages = Vec::new();
    if is_race(options) {
        stages.push((quick, Some(work)));
        stages.extend((quick..=TOGETHER).map(|rounds| (rounds, None)));
    }
    stages.push((ROUNDS, None));
    stages
}

/// The threads' answers. They go through the rounds of the race together; if an attack is feasible after one,
/// and not every one is to be decided, the others are left undecided. One procedure alone has one round.
pub(super) fn in_rounds(
    by_thread: &[&[Attack]],
    options: &RobustOptions,
    budget: &Budget,
    search: impl Fn(&[Attack], Option<Begun>, u32, &Budget) -> Result<Begun, Defect> + Sync,
) -> Result<Vec<Begun>, Defect> {
    let mut all: Vec<Option<Begun>> = by_thread.iter().map(|_| None).collect();
    for (rounds, work) in stages(options) {
        let is_decided = all.iter().flatten().any(|begun| begun.found.is_feasible());
        if is_decided && !options.every {
            let mut all: Vec<Begun> = all.into_iter().flatten().collect();
            for begun in &mut all {
                begun.found.leave(Decided::ByAttackSooner);
            }
            return Ok(all);
        }
        let stage = work.map_or_else(|| budget.clone(), |work| budget.with_work(work.0));
        let before: Vec<_> = by_thread
            .iter()
            .zip(all.into_iter().map(Mutex::new))
            .collect();
        let after = stage.share(&before, |(attacks, begun), budget| match take(begun) {
            Some(begun) if begun.found.left(options.until).is_empty() => Ok(begun),
            begun => search(attacks, begun, rounds, budget),
        });
        let after: Result<Vec<Begun>, Defect> = after.into_iter().collect();
        all = after?.into_iter().map(Some).collect();
    }
    Ok(all.into_iter().flatten().collect())
}

/// The threads' answers, one after the other, up to the first with a feasible attack. One is
/// enough, so the attacks of the remaining threads are left undecided.
pub(super) fn until_feasible(
    by_thread: &[&[Attack]],
    search: impl Fn(&[Attack], bool) -> Result<Begun, Defect>,
) -> Result<Vec<Begun>, Defect> {
    let mut all = Vec::new();
    let mut found = false;
    for &attacks in by_thread {
        let begun = search(attacks, found)?;
        found |= begun.found.is_feasible();
        all.push(begun);
    }
    Ok(all)
}

/// What is there, once.
pub(super) fn take<T>(of: &Mutex<Option<T>>) -> Option<T> {
    of.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests;
