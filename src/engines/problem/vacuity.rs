//! Vacuity: instructions and thread ends that no execution reaches, and that a verdict therefore
//! does not cover.
//!
//! There are published examples whose verdict is good only because most of the program is dead. So
//! every verdict comes with the list of dead code, if it is known.
//!
//! One instruction of the source may have several copies, such as one with the lock and one
//! without. It is dead only if all copies are, and it is listed once.

use crate::program::{Expr, InstrId, Instruction, LocId, Op, Origin, Program, Site, ThreadId};
use std::collections::BTreeSet;

/// The parts of a program that no execution reaches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vacuity {
    /// Instructions that are never executed, in the order of [`Program::sites`].
    pub never_executed: Vec<Site>,
    /// Threads that have an end and never reach it.
    pub never_end: Vec<ThreadId>,
}

impl Vacuity {
    /// The dead parts, given everything that is executed.
    pub(crate) fn new(program: &Program, executed: &BTreeSet<Site>) -> Self {
        let mut never_executed: Vec<Site> = Vec::new();
        for (site, _) in program.sites() {
            let is_copy = |other: &&Site| are_copies(program, site, **other);
            let dead = never_executed.iter().rev();
            let mut dead = dead.take_while(|dead| dead.thread == site.thread);
            let is_known = executed.contains(&site)
                || of_thread(executed, site.thread).any(|other| is_copy(&other))
                || dead.any(|other| is_copy(&other));
            if !is_known {
                never_executed.push(site);
            }
        }
        let never_end = program
            .thread_ids()
            .filter(|&thread| {
                let automaton = program.thread(thread);
                let mut locations = (0..automaton.locations().len()).map(LocId::from);
                let ends = |site: &Site| automaton.is_end(program.instruction(*site).to);
                locations.any(|loc| automaton.is_end(loc))
                    && !automaton.is_end(automaton.entry())
                    && !of_thread(executed, thread).any(ends)
            })
            .collect();
        Self {
            never_executed,
            never_end,
        }
    }

    /// Whether no execution reaches an instruction.
    pub fn is_dead(&self, program: &Program, site: Site) -> bool {
        let mut listed = self.never_executed.iter();
        listed.any(|&dead| dead == site || are_copies(program, dead, site))
    }
}

/// The instructions of one thread.
fn of_thread(sites: &BTreeSet<Site>, thread: ThreadId) -> impl Iterator<Item = &Site> {
    let [first, last] = [0, u32::MAX].map(|instr| Site {
        thread,
        instr: InstrId(instr),
    });
    sites.range(first..=last)
}

/// Whether two instructions are copies of the same source text: they have the same operation, or at
/// least one of them blocks forever, and the source range of one contains that of the other.
fn are_copies(program: &Program, a: Site, b: Site) -> bool {
    let (one, other) = (program.instruction(a), program.instruction(b));
    let (at, there) = (one.origin, other.origin);
    let within =
        |small: Origin, large: Origin| large.start <= small.start && small.end <= large.end;
    a.thread == b.thread
        && at.line > 0
        && program.is_same_line(at, there)
        && (within(at, there) || within(there, at))
        && (one.op == other.op || blocks(one) || blocks(other))
}

/// Whether an instruction marks a location that no thread ever leaves.
fn blocks(instruction: &Instruction) -> bool {
    instruction.from == instruction.to && instruction.op == Op::Assume(Expr::Const(0))
}
