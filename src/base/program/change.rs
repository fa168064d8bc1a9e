//! Edits to a program: fences inserted, removed, or replaced by locked exchanges.
//!
//! Every part keeps its id, and new parts come last. So each instruction in a computation of the
//! changed program either has the id that it has in the original program, or is new.

use super::{
    Fence, FencePlace, Instruction, LocId, Location, Op, Program, Register, Role, Site, Thread,
    ThreadId, Update,
};

/// One edit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// A fence before every instruction that leaves the location, which must not be inside an
    /// atomic block. A thread at the location has not yet executed the fence.
    Fence {
        /// The thread.
        thread: ThreadId,
        /// The location.
        loc: LocId,
        /// The fence.
        fence: Fence,
    },
    /// The store becomes an exchange whose old value is never used.
    Exchange(Site),
    /// The fence is removed: its instruction becomes a `skip`.
    Remove(Site),
}

impl Program {
    /// The program with these edits. If two fences are inserted at one location, the one listed
    /// last is executed first.
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
        // There are `count` locations and `count + 1` candidate numbers, so one is free.
        let count = self.locations.len();
        let number = (count..=2 * count)
            .find(|n| self.locations.iter().all(|l| l.name != format!("q{n}")))
            .unwrap_or_default();
        let after = LocId::from(self.locations.len());
        self.locations.push(Location {
            name: format!("q{number}"),
            labelled: false,
            atomic: self.location(loc).atomic,
            word: self.location(loc).word,
            origin,
        });
        let leaving = std::mem::take(&mut self.outgoing[loc.index()]);
        for instr in &leaving {
            self.instructions[instr.index()].from = after;
        }
        self.outgoing.push(leaving);
        self.outgoing[loc.index()].push(self.instructions.len().into());
        self.instructions.push(Instruction {
            from: loc,
            op: Op::Fence(fence),
            to: after,
            place: FencePlace::Default,
            origin,
            call: None,
            role: Role::default(),
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
        let instruction = &mut self.instructions[site.instr.index()];
        instruction.op = Op::Rmw {
            into,
            addr,
            update: Update::Exchange(value),
        };
        instruction.place = instruction.place.before(&instruction.op);
    }
}
