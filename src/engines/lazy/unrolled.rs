//! Unrolls the loops of a program up to a bound [BCDM15, Theorem 4].
//!
//! The copies are those of [`unroll`](crate::unroll), as a program. A thread that exceeds the bound
//! of a loop is *cut*: it stops forever at a location that is not an end. Whether some thread is
//! cut is an additional, last property of the program. If it is unreachable, unrolling has lost
//! nothing.

use super::emulation::{Act, Emulation};
use crate::facts::{LoopId, Loops};
use crate::program::{
    BinaryOp, Expr, Goal, LocId, Observable, Op, Origin, Program, ProgramBuilder, PropertyKind,
    Site, ThreadId,
};
use crate::unroll::{EdgeTarget, LocCopy, Unroller};
use crate::verdict::{Bounds, LoopBound};
use std::collections::{BTreeMap, BTreeSet};

/// A program without loops.
pub(super) struct Unrolled {
    pub(super) emulation: Emulation,
    /// Reached if some thread is cut; `None` if no property can express this, because a thread is
    /// cut inside an atomic block.
    pub(super) is_cut: Option<Goal>,
    /// The loops that are cut.
    pub(super) bounds: Bounds,
}

/// The program in which each loop returns to its head at most `times` times; `None` if it would
/// have more than `most` instructions.
pub(super) fn unrolled(program: &Program, times: u32, most: usize) -> Option<Unrolled> {
    let mut builder = ProgramBuilder::like(program);
    let mut acts = Vec::new();
    let mut copies_of: BTreeMap<(ThreadId, LocId), Vec<LocId>> = BTreeMap::new();
    let mut cuts: Vec<(ThreadId, LocId)> = Vec::new();
    let mut bounds = Bounds::default();
    let mut expressible = true;
    let mut size = 0;
    for thread in program.thread_ids() {
        let automaton = program.thread(thread);
        let never_dropped = vec![false; automaton.instructions().len()];
        let loops = Loops::of(automaton);
        let mut unrolling = Unrolling {
            program,
            thread,
            unroller: Unroller::new(automaton, loops, never_dropped, times),
            copies: BTreeMap::new(),
            builder: &mut builder,
            acts: Vec::new(),
            cuts: Vec::new(),
            spent: BTreeSet::new(),
        };
        unrolling.write(most.checked_sub(size)?)?;
        size += unrolling.acts.len();
        for (copy, &loc) in &unrolling.copies {
            copies_of.entry((thread, copy.loc)).or_default().push(loc);
        }
        for &(before, cut) in &unrolling.cuts {
            // A cut thread is at the location where the next iteration would begin.
            copies_of.entry((thread, before)).or_default().push(cut);
            expressible &= !automaton.location(before).atomic;
            cuts.push((thread, cut));
        }
        let loops = unrolling.unroller.loops();
        bounds
            .loops
            .extend(unrolling.spent.iter().map(|&id| LoopBound {
                thread,
                head: loops.head(id),
                origin: loops.origin(id),
                iterations: times,
            }));
        acts.push(unrolling.acts);
    }
    for property in program.properties() {
        let predicate = property.predicate.map(&mut |part| match part {
            Observable::At(thread, loc) => {
                let all = copies_of.get(&(thread, loc)).into_iter().flatten();
                any(all.map(|&loc| (thread, loc)))
            }
            Observable::Register(_, _) | Observable::Cell(_) => Expr::Var(part),
        });
        builder.property(property.kind, predicate, property.origin);
    }
    let is_cut = expressible.then(|| {
        let predicate = any(cuts.into_iter());
        builder.property(PropertyKind::Forbid, predicate, Origin::default());
        Goal::Property(program.properties().len())
    });
    let unrolled = builder.build().expect("unrolling preserves validity");
    Some(Unrolled {
        emulation: Emulation::new(unrolled, acts),
        is_cut,
        bounds,
    })
}

/// Whether some thread is at its location.
fn any(places: impl Iterator<Item = (ThreadId, LocId)>) -> Expr<Observable> {
    places
        .map(|(thread, loc)| Expr::Var(Observable::At(thread, loc)))
        .reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
        .unwrap_or(Expr::Const(0))
}

/// One thread under construction.
struct Unrolling<'u> {
    program: &'u Program,
    thread: ThreadId,
    unroller: Unroller,
    /// The location of each copy.
    copies: BTreeMap<LocCopy, LocId>,
    builder: &'u mut ProgramBuilder,
    acts: Vec<Act>,
    /// The location that a thread would reach next, with the location where it is cut instead.
    cuts: Vec<(LocId, LocId)>,
    /// The loops whose bound some path exceeds.
    spent: BTreeSet<LoopId>,
}

impl Unrolling<'_> {
    /// Writes all copies reachable from the entry; `None` if there are too many instructions.
    fn write(&mut self, most: usize) -> Option<()> {
        let thread = self.program.thread(self.thread);
        let entry = self.unroller.entry(thread);
        self.location(&entry);
        let mut work = vec![entry];
        while let Some(copy) = work.pop() {
            let from = self.location(&copy);
            for &instr in thread.outgoing(copy.loc) {
                let instruction = thread.instruction(instr);
                let to = match self.unroller.target(thread, &copy, instr) {
                    EdgeTarget::Copy(next) => {
                        // A location may be entered by several atomic blocks of a program.
                        let next = LocCopy {
                            block: None,
                            ..next
                        };
                        let known = self.copies.contains_key(&next);
                        let to = self.location(&next);
                        if !known {
                            work.push(next);
                        }
                        to
                    }
                    EdgeTarget::Cut(id) => {
                        self.spent.insert(id);
                        self.cut(instruction.to, instruction.origin)
                    }
                    EdgeTarget::Dropped => continue,
                };
                let site = Site {
                    thread: self.thread,
                    instr,
                };
                let op = instruction.op.clone();
                self.emit(from, op, to, Act::Execute(site), instruction.origin);
            }
            if self.acts.len() > most {
                return None;
            }
        }
        Some(())
    }

    fn emit(&mut self, from: LocId, op: Op, to: LocId, act: Act, origin: Origin) {
        self.builder.instruction(self.thread, from, op, to, origin);
        self.acts.push(act);
    }

    /// The first copy of a location is the location itself.
    fn location(&mut self, copy: &LocCopy) -> LocId {
        let origin = self.program.thread(self.thread).location(copy.loc).origin;
        let (builder, thread) = (&mut *self.builder, self.thread);
        let first = copy.counts.iter().all(|&count| count == 0);
        *self.copies.entry(copy.clone()).or_insert_with(|| {
            if first {
                copy.loc
            } else {
                builder.location(thread, origin)
            }
        })
    }

    /// A location that is not an end and that a thread cannot leave.
    fn cut(&mut self, instead_of: LocId, origin: Origin) -> LocId {
        let cut = self.builder.location(self.thread, origin);
        let dead = self.builder.location(self.thread, origin);
        self.emit(cut, Op::Assume(Expr::Const(0)), dead, Act::Nothing, origin);
        self.cuts.push((instead_of, cut));
        cut
    }
}
