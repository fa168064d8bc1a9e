//! Live registers: those whose value may still matter later.
//!
//! A register is live at a location if some path from there reads it before writing it, or if a
//! property mentions it, because properties may be evaluated at any location. An assignment reads
//! its operands only if its target is live (strong liveness), so a counter that is only incremented
//! is dead.
//!
//! The sets are sorted lists, one per location. Most registers of real threads are temporaries that
//! are dead after a few instructions, so the lists stay short, whereas bit sets would be quadratic.

use super::loops::Loops;
use crate::program::{
    Expr, Goal, InstrId, LocId, Observable, Op, Program, RegId, Site, Thread, ThreadId,
};
use ahash::AHashSet;

/// The live registers of all threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    /// By thread and location; sorted.
    live: Vec<Vec<Vec<RegId>>>,
}

impl Liveness {
    /// Liveness with respect to all goals of the program.
    pub fn of(program: &Program) -> Self {
        Self::observed_by(program, |_| true, |_| true)
    }

    /// Liveness with respect to these goals only. Other assertions and properties read nothing.
    pub fn for_goals(program: &Program, goals: &[Goal]) -> Self {
        let goals: AHashSet<Goal> = goals.iter().copied().collect();
        Self::observed_by(
            program,
            |site| goals.contains(&Goal::Assert(site)),
            |property| goals.contains(&Goal::Property(property)),
        )
    }

    /// Liveness with respect to all assertions, whether they are goals or not, and those of these goals that are
    /// properties.
    pub fn for_properties(program: &Program, goals: &[Goal]) -> Self {
        let goals: AHashSet<Goal> = goals.iter().copied().collect();
        let is_goal = |property| goals.contains(&Goal::Property(property));
        Self::observed_by(program, |_| true, is_goal)
    }

    fn observed_by(
        program: &Program,
        assert_asked: impl Fn(Site) -> bool,
        property_asked: impl Fn(usize) -> bool,
    ) -> Self {
        let mut observed = vec![Vec::new(); program.threads().len()];
        for (i, property) in program.properties().iter().enumerate() {
            if property_asked(i) {
                property.predicate.for_each_var(&mut |var| match var {
                    Observable::Register(thread, reg) => observed[thread.index()].push(reg),
                    Observable::At(..) | Observable::Cell(_) => {}
                });
            }
        }
        let live = program.thread_ids().map(|thread| {
            let observed = std::mem::take(&mut observed[thread.index()]);
            let reads = |instr| assert_asked(Site { thread, instr });
            of_thread(program.thread(thread), observed, reads)
        });
        Self {
            live: live.collect(),
        }
    }

    /// Whether a later instruction or a property may depend on the register's value at this
    /// location.
    pub fn is_live(&self, thread: ThreadId, loc: LocId, reg: RegId) -> bool {
        self.at(thread, loc).binary_search(&reg).is_ok()
    }

    /// The registers that are live at a location, in order.
    pub fn at(&self, thread: ThreadId, loc: LocId) -> &[RegId] {
        &self.live[thread.index()][loc.index()]
    }
}

/// Iterates backwards over the thread until nothing changes: one more round than the nesting depth
/// of its loops.
fn of_thread(
    thread: &Thread,
    mut observed: Vec<RegId>,
    assert_asked: impl Fn(InstrId) -> bool,
) -> Vec<Vec<RegId>> {
    observed.sort_unstable();
    observed.dedup();
    let loops = Loops::of(thread);
    let mut live = vec![observed.clone(); thread.locations().len()];
    let mut here = Vec::new();
    loop {
        let mut changed = false;
        for &loc in loops.order().iter().rev() {
            here.clone_from(&observed);
            for &instr in thread.outgoing(loc) {
                let instruction = thread.instruction(instr);
                // Slices have instructions that are never executed.
                if matches!(instruction.op, Op::Assume(Expr::Const(0))) {
                    continue;
                }
                let after = &live[instruction.to.index()];
                let target = instruction.op.target();
                here.extend(after.iter().filter(|&&reg| Some(reg) != target));
                let reads = if let Op::Assign { into, .. } = &instruction.op {
                    after.binary_search(into).is_ok()
                } else {
                    !matches!(instruction.op, Op::Assert(_)) || assert_asked(instr)
                };
                if reads {
                    for operand in instruction.op.operands() {
                        operand.for_each_var(&mut |reg| here.push(reg));
                    }
                }
            }
            here.sort_unstable();
            here.dedup();
            if here != live[loc.index()] {
                live[loc.index()].clone_from(&here);
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, Copies, Origin, ProgramBuilder, PropertyKind};

    /// `i := i + 1; r := x; loop while r == 0; s := r`, and a property about `s`.
    fn spin_then_copy() -> Program {
        let mut b = ProgramBuilder::new("spin");
        let x = b.cell("x", 0);
        let t = b.thread("t", Copies::One, Origin::default());
        let [i, r, s] = ["i", "r", "s"].map(|name| b.register(t, name, 0));
        let q: Vec<LocId> = (0..5).map(|_| b.location(t, Origin::default())).collect();
        b.entry(t, q[0]);
        let var = Expr::Var;
        let one = || Expr::Const(1);
        let ops = [
            (
                0,
                Op::Assign {
                    into: i,
                    value: Expr::binary(BinaryOp::Add, var(i), one()),
                },
                1,
            ),
            (
                1,
                Op::Load {
                    into: r,
                    addr: Expr::Const(x.0),
                },
                2,
            ),
            (
                2,
                Op::Assume(Expr::binary(BinaryOp::Eq, var(r), Expr::Const(0))),
                0,
            ),
            (2, Op::Assume(var(r)), 3),
            (
                3,
                Op::Assign {
                    into: s,
                    value: var(r),
                },
                4,
            ),
        ];
        for (from, op, to) in ops {
            b.instruction(t, q[from], op, q[to], Origin::default());
        }
        let property = Expr::Var(Observable::Register(t, s));
        b.property(PropertyKind::Forbid, property, Origin::default());
        b.build().expect("well formed")
    }

    #[test]
    fn registers_read_later_are_live_and_unused_counters_are_not() {
        let program = spin_then_copy();
        let (t, i, r, s) = (ThreadId(0), RegId(0), RegId(1), RegId(2));
        let liveness = Liveness::of(&program);
        assert_eq!(liveness.at(t, LocId(0)), [s]);
        assert_eq!(liveness.at(t, LocId(3)), [r, s]);
        assert!(!liveness.is_live(t, LocId(1), i));
        let unasked = Liveness::for_goals(&program, &[]);
        assert_eq!(unasked.at(t, LocId(2)), [r]);
        assert!(unasked.at(t, LocId(3)).is_empty());
    }
}
