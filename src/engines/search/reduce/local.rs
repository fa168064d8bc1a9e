//! Where a thread has only local steps: by location of one thread.

use crate::facts::Flow;
use crate::model::Model;
use crate::program::{Fence, LocId, Op, RegId, Thread};
use crate::reference::rules::MOST_CHOICES;

/// Whether a thread at a location has only local steps, of which at most assumptions are visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locality {
    Never,
    /// Only if its own buffer is empty: a full fence leaves the location.
    WhenDrained,
    Always,
}

/// For each location, whether only local instructions leave it. One that leads to a named location is
/// visible: only an assumption may do so, because it shows by itself whether it can be executed.
pub(super) fn local_locations(
    thread: &Thread,
    model: Model,
    observed: impl Fn(RegId) -> bool,
    named: impl Fn(LocId) -> bool,
) -> Vec<Locality> {
    let classify = |loc: LocId| {
        let mut local = Locality::Always;
        for &instr in thread.outgoing(loc) {
            let instruction = thread.instruction(instr);
            if matches!(instruction.op, Op::Assume(_)) {
                continue;
            }
            if named(instruction.to) || instruction.op.target().is_some_and(&observed) {
                return Locality::Never;
            }
            match &instruction.op {
                Op::Skip | Op::Assign { .. } | Op::Assume(_) | Op::Assert(_) => {}
                Op::Havoc { low, high, .. } => {
                    if i64::from(*high) - i64::from(*low) >= MOST_CHOICES {
                        return Locality::Never;
                    }
                }
                Op::Fence(fence) => match (fence, model) {
                    (_, Model::Sc) | (Fence::Store | Fence::Cells(_), Model::Tso) => {}
                    (Fence::Full, Model::Tso | Model::Pso | Model::Pgas) => {
                        local = Locality::WhenDrained;
                    }
                    (Fence::Store | Fence::Cells(_), Model::Pso | Model::Pgas)
                    | (Fence::All, Model::Tso | Model::Pso | Model::Pgas) => {
                        return Locality::Never;
                    }
                },
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => return Locality::Never,
            }
        }
        local
    };
    (0..thread.locations().len())
        .map(LocId::from)
        .map(|loc| {
            // Inside a block only its own thread can take steps, so locality does not matter there.
            let excluded = thread.is_end(loc) || named(loc) || thread.location(loc).atomic;
            if excluded {
                Locality::Never
            } else {
                classify(loc)
            }
        })
        .collect()
}

/// Marks the targets of back edges as not local, so that each cycle of local instructions
/// contains a location that is not local.
pub(super) fn cut(thread: &Thread, local: &mut [Locality]) {
    let targets = back_edges(thread, |loc| local[loc.index()] != Locality::Never);
    for (local, _) in local.iter_mut().zip(targets).filter(|(_, target)| *target) {
        *local = Locality::Never;
    }
}

/// Whether each location is the target of a back edge, if only edges from these locations are followed.
pub(in crate::search) fn back_edges(
    thread: &Thread,
    is_followed: impl Fn(LocId) -> bool,
) -> Vec<bool> {
    let all = 0..thread.locations().len();
    let search = Flow::forward(thread).search(all, |_, instruction| is_followed(instruction.from));
    search.closes
}

/// For each location, whether several paths meet there: several instructions lead to it, or to one from
/// which local `skip`s lead only there. So configurations are stored once for both, and positions between
/// statements cost nothing.
pub(super) fn meetings(thread: &Thread, local: &[Locality]) -> Vec<bool> {
    let mut ways = vec![0_usize; local.len()];
    for instruction in thread.instructions() {
        ways[instruction.to.index()] += 1;
    }
    let mut meet: Vec<bool> = ways.into_iter().map(|ways| ways > 1).collect();
    let past = |loc: LocId| match *thread.outgoing(loc) {
        [instr] if local[loc.index()] == Locality::Always => {
            let instruction = thread.instruction(instr);
            matches!(instruction.op, Op::Skip).then_some(instruction.to)
        }
        _ => None,
    };
    for first in 0..meet.len() {
        // No cycle is local throughout, so this ends.
        let mut loc = LocId::from(first);
        while let Some(to) = past(loc).filter(|_| meet[loc.index()]) {
            meet[loc.index()] = false;
            meet[to.index()] = true;
            loc = to;
        }
    }
    meet
}
