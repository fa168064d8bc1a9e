//! Fences that may be inserted into a program: the location, the kind and the purpose.

use super::{Change, Fence, LocId, Program, Site, ThreadId};

/// What fences are inserted for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// To exclude every behaviour that sequential consistency does not have.
    Robustness,
    /// To make the program's own properties hold.
    Assertions,
}

/// A fence that may be inserted: before every instruction that leaves the location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FencePoint {
    /// The thread.
    pub thread: ThreadId,
    /// The location.
    pub loc: LocId,
    /// Full, or store-store only.
    pub kind: FenceKind,
}

/// The kinds of fences that may be inserted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FenceKind {
    /// Orders everything before it before everything after it.
    Full,
    /// Orders stores before it before stores after it.
    Store,
    /// Makes each store that leaves the location a locked exchange: a full fence before and after
    /// it. Every instruction that leaves the location must be a store.
    Exchange,
}

impl FencePoint {
    /// The edits that insert this fence into the program.
    pub fn changes(&self, program: &Program) -> Vec<Change> {
        let &FencePoint { thread, loc, kind } = self;
        let fence = match kind {
            FenceKind::Full => Fence::Full,
            FenceKind::Store => Fence::Store,
            FenceKind::Exchange => {
                let leaving = program.thread(thread).outgoing(loc).iter();
                let sites = leaving.map(|&instr| Site { thread, instr });
                return sites.map(Change::Exchange).collect();
            }
        };
        vec![Change::Fence { thread, loc, fence }]
    }

    /// A full fence at every location that may have one, in ascending order: every location outside
    /// atomic blocks that some instruction leaves.
    pub fn everywhere(program: &Program) -> Vec<Self> {
        let mut points: Vec<Self> = program
            .sites()
            .map(|(site, instruction)| Self {
                thread: site.thread,
                loc: instruction.from,
                kind: FenceKind::Full,
            })
            .filter(|point| !program.thread(point.thread).location(point.loc).atomic)
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }
}
