//! The fences that would exclude a computation.
//!
//! A fence requires that what its thread executed before it takes effect before what the thread
//! executes after it. So a computation violates the fence if the fence would be between two
//! accesses that took effect in the opposite order:
//!
//! ```text
//! full      a store before it reached memory after some access after it took effect
//! store     the same, where the access after it is a store
//! exchange  the store counts as both before and after itself
//! ```
//!
//! Several fences require the conjunction of what each of them requires. Everything else in a
//! computation remains possible, because a thread can wait with its next access until its stores
//! have left the buffer. So **a set of fences that contains none of these places leaves the
//! computation possible**, and every set that excludes it contains one of them.
//!
//! A load that reads from its thread's own buffer counts as taking effect before the store that it
//! reads. If only such a load follows a place, the place may be listed although a fence there would
//! allow the computation. The list is then larger, and the statement above remains true.

use super::place::Place;
use crate::program::{FenceKind, LocId, Program, ThreadId};
use crate::reference::{Event, HappensBefore, Run, Step};

/// The places that exclude the computation, by number. The computation may be one of the program
/// with fences added or removed by [`Program::changed`]. `seen` is the program without the accesses
/// that do not matter, or the program itself.
pub(super) fn cuts(program: &Program, seen: &Program, run: &Run, places: &[Place]) -> Vec<usize> {
    let before = run.happens_before();
    let threads: Vec<ThreadHistory> = program
        .thread_ids()
        .map(|thread| ThreadHistory::of(program, seen, run, &before, thread))
        .collect();
    let violated = |place: &Place| {
        let mut points = place.points.iter();
        points.any(|&(thread, loc)| threads[thread.index()].violates(loc, place.kind))
    };
    let numbers = 0..places.len();
    numbers.filter(|&n| violated(&places[n])).collect()
}

/// The behaviour of one thread in a computation.
struct ThreadHistory {
    /// The thread's accesses, in the order of execution.
    accesses: Vec<Access>,
    /// The locations that the thread leaves, each with the position in the run.
    passages: Vec<(LocId, usize)>,
}

struct Access {
    executed: usize,
    effective: usize,
    is_store: bool,
}

impl ThreadHistory {
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
            // A fence inserted by a change is at a location that the thread leaves right after the
            // fence.
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

    /// Whether an access in `first` took effect after an access in `second`.
    fn overtaken(&self, first: impl Fn(&Access) -> bool, second: impl Fn(&Access) -> bool) -> bool {
        let of = |some: &dyn Fn(&Access) -> bool| -> Vec<usize> {
            let some = self.accesses.iter().filter(|access| some(access));
            some.map(|access| access.effective).collect()
        };
        let (last, next) = (of(&first).into_iter().max(), of(&second).into_iter().min());
        last.zip(next).is_some_and(|(last, next)| last > next)
    }
}
