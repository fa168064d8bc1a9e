//! Programs with fences more or fewer.
//!
//! Everything keeps its id: what is new comes behind what was there. So the instructions of a
//! computation of the changed program name those of the first one, or are new.

use super::{
    Fence, FencePlace, Instruction, LocId, Location, Op, Program, Register, Site, Thread, ThreadId,
    Update,
};

/// One change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// A fence before every instruction that leaves the location, which must not be inside an
    /// atomic block. Whoever stands at the location stands before the fence.
    Fence {
        /// The thread.
        thread: ThreadId,
        /// The location.
        loc: LocId,
        /// The fence.
        fence: Fence,
    },
    /// The store becomes an exchange whose old value nobody looks at.
    Exchange(Site),
    /// The fence goes: its instruction does nothing.
    Remove(Site),
}

impl Program {
    /// The program with these changes. Of two fences at one location the one named last comes
    /// first.
    #[must_use]
    pub fn changed(&self, changes: &[Change]) -> Program {
        let mut program = self.clone();
        for change in changes {
            match change {
                Change::Fence { thread, loc, fence } => {
                    program.threads[thread.index()].put_fence(*loc, fence.clone());
                }
                Change::Exchange(site) => program.threads[site.thread.index()].lock_store(*site),
                Change::Remove(site) => {
                    let thread = &mut program.threads[site.thread.index()];
                    thread.instructions[site.instr.index()].op = Op::Skip;
                }
            }
        }
        program.made()
    }
}

impl Thread {
    fn put_fence(&mut self, loc: LocId, fence: Fence) {
        let origin = self.location(loc).origin;
        // Among one number more than there are locations, one is free.
        let count = self.locations.len();
        let number = (count..=2 * count)
            .find(|n| self.locations.iter().all(|l| l.name != format!("q{n}")))
            .unwrap_or_default();
        let behind = LocId::from(self.locations.len());
        self.locations.push(Location {
            name: format!("q{number}"),
            labelled: false,
            atomic: self.location(loc).atomic,
            origin,
        });
        let leaving = std::mem::take(&mut self.outgoing[loc.index()]);
        for instr in &leaving {
            self.instructions[instr.index()].from = behind;
        }
        self.outgoing.push(leaving);
        self.outgoing[loc.index()].push(self.instructions.len().into());
        self.instructions.push(Instruction {
            from: loc,
            op: Op::Fence(fence),
            to: behind,
            place: FencePlace::Default,
            origin,
        });
    }

    fn lock_store(&mut self, site: Site) {
        let into = self.registers.len().into();
        let Op::Store { addr, value } = self.instruction(site.instr).op.clone() else {
            return;
        };
        self.registers.push(Register {
            name: format!("$was{}", self.registers.len()),
            init: 0,
        });
        self.instructions[site.instr.index()].op = Op::Rmw {
            into,
            addr,
            update: Update::Exchange(value),
        };
    }
}
