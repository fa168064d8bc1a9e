//! A program whose threads go round their loops so many times and no further [BCDM15, Theorem 4].
//!
//! A location is there once for each number of times that its thread has been round a loop so far.
//! Where once more would be too often the thread is *cut*: it stops for good, in a place that is no
//! end. Whether it comes to such a place is a property of its own, the last one: if it never does,
//! nothing was left out.

use super::emulation::{Act, Emulation};
use crate::analysis::Loops;
use crate::program::{
    BinaryOp, Expr, Fence, Goal, LocId, Observable, Op, Origin, Program, ProgramBuilder,
    PropertyKind, Site, ThreadId,
};
use crate::verdict::{Bounds, LoopBound};

/// A program without loops.
pub(super) struct Unrolled {
    pub(super) emulation: Emulation,
    /// Whether some thread is cut; absent if that cannot be asked, because it happens inside an
    /// atomic block.
    pub(super) is_cut: Option<Goal>,
    /// How often loops are followed.
    pub(super) bounds: Bounds,
}

/// The program with each thread's loops followed `times` times in all.
pub(super) fn unrolled(program: &Program, times: usize) -> Unrolled {
    let mut builder = ProgramBuilder::like(program);
    let mut acts = Vec::new();
    let mut copies = Vec::new();
    let mut cuts: Vec<(ThreadId, LocId)> = Vec::new();
    let mut bounds = Bounds::default();
    let mut askable = true;
    for thread in program.thread_ids() {
        let loops = Loops::of(program.thread(thread));
        bounds.loops.extend(loops.ids().map(|id| LoopBound {
            thread,
            head: loops.head(id),
            origin: loops.origin(id),
            iterations: times as u32,
        }));
        let mut unrolling = Unrolling {
            program,
            thread,
            loops,
            times,
            copies: Vec::new(),
            builder: &mut builder,
            acts: Vec::new(),
            cuts: Vec::new(),
        };
        unrolling.write();
        let atomic = |&(loc, _): &(LocId, LocId)| program.thread(thread).location(loc).atomic;
        askable &= !unrolling.cuts.iter().any(atomic);
        cuts.extend(unrolling.cuts.iter().map(|&(_, cut)| (thread, cut)));
        copies.push(unrolling.copies);
        acts.push(unrolling.acts);
    }
    for property in program.properties() {
        let predicate = property.predicate.map(&mut |part| match part {
            Observable::At(thread, loc) => {
                let all = copies[thread.index()]
                    .iter()
                    .filter_map(|copy| copy[loc.index()]);
                any(all.map(|copy| (thread, copy)))
            }
            Observable::Register(_, _) | Observable::Cell(_) => Expr::Var(part),
        });
        builder.property(property.kind, predicate, property.origin);
    }
    let is_cut = askable.then(|| {
        builder.property(
            PropertyKind::Forbid,
            any(cuts.into_iter()),
            Origin::default(),
        );
        Goal::Property(program.properties().len())
    });
    let unrolled = builder
        .build()
        .expect("a program without its loops is a program");
    let sites = unrolled.sites();
    let barriers = sites.filter(|(_, instruction)| instruction.op == Op::Fence(Fence::All));
    let barriers = barriers.map(|(site, _)| site).collect();
    Unrolled {
        emulation: Emulation {
            program: unrolled,
            acts,
            extensions: 0,
            barriers,
        },
        is_cut,
        bounds,
    }
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
    loops: Loops,
    times: usize,
    /// By how often a loop was continued so far, and location.
    copies: Vec<Vec<Option<LocId>>>,
    builder: &'u mut ProgramBuilder,
    acts: Vec<Act>,
    /// Where threads are cut, and what was there before.
    cuts: Vec<(LocId, LocId)>,
}

impl Unrolling<'_> {
    fn write(&mut self) {
        let thread = self.program.thread(self.thread);
        let count = thread.locations().len();
        self.copies = vec![vec![None; count]; self.times + 1];
        // The first copies are the locations themselves.
        self.copies[0] = (0..count).map(|loc| Some(loc.into())).collect();
        let mut work = vec![(thread.entry(), 0)];
        let mut seen = vec![vec![false; count]; self.times + 1];
        seen[0][thread.entry().index()] = true;
        while let Some((loc, round)) = work.pop() {
            let from = self.copy(loc, round);
            for &instr in thread.outgoing(loc) {
                let instruction = thread.instruction(instr);
                let next = round + usize::from(self.loops.is_back_edge(instr).is_some());
                let to = if next > self.times {
                    self.cut(instruction.to, instruction.origin)
                } else {
                    if !std::mem::replace(&mut seen[next][instruction.to.index()], true) {
                        work.push((instruction.to, next));
                    }
                    self.copy(instruction.to, next)
                };
                let site = Site {
                    thread: self.thread,
                    instr,
                };
                let op = instruction.op.clone();
                self.emit(from, op, to, Act::Execute(site), instruction.origin);
            }
        }
    }

    fn emit(&mut self, from: LocId, op: Op, to: LocId, act: Act, origin: Origin) {
        self.builder.instruction(self.thread, from, op, to, origin);
        self.acts.push(act);
    }

    fn copy(&mut self, loc: LocId, round: usize) -> LocId {
        let origin = self.program.thread(self.thread).location(loc).origin;
        let (builder, thread) = (&mut *self.builder, self.thread);
        *self.copies[round][loc.index()].get_or_insert_with(|| builder.location(thread, origin))
    }

    /// A location that a thread does not leave although it is no end.
    fn cut(&mut self, instead_of: LocId, origin: Origin) -> LocId {
        let cut = self.builder.location(self.thread, origin);
        let dead = self.builder.location(self.thread, origin);
        self.emit(cut, Op::Assume(Expr::Const(0)), dead, Act::Nothing, origin);
        self.cuts.push((instead_of, cut));
        cut
    }
}
