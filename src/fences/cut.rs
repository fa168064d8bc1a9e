//! Which fences would have made a computation impossible.
//!
//! A fence asks that, of one thread, what was executed before it takes effect before what is
//! executed after it; so one is violated by a computation where it would stand between two
//! accesses that took effect the other way round:
//!
//! ```text
//! full      a store before it reached memory after some access behind it took effect
//! store     the same, the access behind it being a store
//! exchange  the store counts as before and behind itself
//! ```
//!
//! What several fences ask is the conjunction of what each asks, and everything else of a
//! computation stays possible: a thread waits with its next access until its stores have left. So
//! **a set of fences that contains none of these places leaves the computation possible**, and
//! every set that excludes it contains one of them.
//!
//! A load that reads its thread's own buffer counts as one that took effect before the store that
//! it reads. Where only such a load is behind a place, the place may be named although the fence
//! would do no harm; that makes the set larger, and what was said remains true.

use super::place::Place;
use crate::explicit::{Event, HappensBefore, Run, Step};
use crate::program::{FenceKind, LocId, Program, ThreadId};

/// The places, by their numbers, that exclude the computation. It may be one of the program with
/// fences more or fewer, as [`Program::changed`] makes them. `seen`: the program without the
/// accesses that do not matter, or the program.
pub(super) fn cuts(program: &Program, seen: &Program, run: &Run, places: &[Place]) -> Vec<usize> {
    let before = run.happens_before();
    let threads: Vec<Course> = program
        .thread_ids()
        .map(|thread| Course::of(program, seen, run, &before, thread))
        .collect();
    let violated = |place: &Place| {
        let mut points = place.points.iter();
        points.any(|&(thread, loc)| threads[thread.index()].violates(loc, place.kind))
    };
    let numbers = 0..places.len();
    numbers.filter(|&n| violated(&places[n])).collect()
}

/// What one thread does in a computation.
struct Course {
    /// Its accesses, in the order of execution.
    accesses: Vec<Access>,
    /// The locations that it leaves, each with the moment.
    passages: Vec<(LocId, usize)>,
}

struct Access {
    executed: usize,
    effective: usize,
    is_store: bool,
}

impl Course {
    fn of(
        program: &Program,
        seen: &Program,
        run: &Run,
        before: &HappensBefore,
        thread: ThreadId,
    ) -> Self {
        let matters = |event: &&Event| {
            event.site.thread == thread && seen.instruction(event.site).op.address().is_some()
        };
        let own = before.events.iter().filter(matters);
        let access = |event: &Event| Access {
            executed: event.executed,
            effective: event.effective,
            is_store: event.stored.is_some(),
        };
        let known = program.thread(thread).instructions();
        let mut passages = Vec::new();
        for (at, moment) in run.moments.iter().enumerate() {
            let Step::Execute { instr, .. } = moment.step else {
                continue;
            };
            // Fences that a change has put are at a location that is left right behind them.
            if moment.site.thread == thread
                && let Some(instruction) = known.get(instr.index())
            {
                passages.push((instruction.from, at));
            }
        }
        Self {
            accesses: own.map(access).collect(),
            passages,
        }
    }

    fn violates(&self, loc: LocId, kind: FenceKind) -> bool {
        let mut passages = self.passages.iter().filter(|&&(from, _)| from == loc);
        passages.any(|&(_, at)| match kind {
            FenceKind::Full => self.overtaken(|a| a.executed < at, |b| b.executed >= at),
            FenceKind::Store => {
                self.overtaken(|a| a.executed < at, |b| b.executed >= at && b.is_store)
            }
            FenceKind::Exchange => {
                self.overtaken(|a| a.executed < at, |b| b.executed >= at)
                    || self.overtaken(|a| a.executed <= at, |b| b.executed > at)
            }
        })
    }

    /// Whether one of the first took effect after one of the second.
    fn overtaken(&self, first: impl Fn(&Access) -> bool, second: impl Fn(&Access) -> bool) -> bool {
        let of = |some: &dyn Fn(&Access) -> bool| -> Vec<usize> {
            let some = self.accesses.iter().filter(|access| some(access));
            some.map(|access| access.effective).collect()
        };
        let (last, next) = (of(&first).into_iter().max(), of(&second).into_iter().min());
        last.zip(next).is_some_and(|(last, next)| last > next)
    }
}
