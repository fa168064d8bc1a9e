//! Live registers: those whose value may still matter later.
//!
//! A register is live at a location if some path from there reads it before writing it, or if a
//! property mentions it, because properties may be evaluated at any location. An assignment reads
//! its operands only if its target is live (strong liveness), so a counter that is only incremented
//! is dead.
//!
//! The sets are sorted lists, one per location. Most registers of real threads are temporaries that
//! are dead after a few instructions, so the lists stay short, whereas bit sets would be quadratic.

use super::dataflow::{Flow, Lattice};
use crate::program::{
    Expr, Goal, InstrId, Instruction, LocId, Observable, Op, Program, RegId, Site, Thread, ThreadId,
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

/// Registers, sorted.
impl Lattice for Vec<RegId> {
    fn join(&mut self, mut other: Self) -> bool {
        other.retain(|reg| self.binary_search(reg).is_err());
        let grows = !other.is_empty();
        if grows {
            self.append(&mut other);
            self.sort_unstable();
            self.dedup();
        }
        grows
    }
}

fn of_thread(
    thread: &Thread,
    mut observed: Vec<RegId>,
    assert_asked: impl Fn(InstrId) -> bool,
) -> Vec<Vec<RegId>> {
    observed.sort_unstable();
    observed.dedup();
    let start = vec![observed; thread.locations().len()];
    Flow::backward(thread).solve(start, |instr, Instruction { op, .. }, after| {
        // Slices have instructions that are never executed.
        if matches!(op, Op::Assume(Expr::Const(0))) {
            return Vec::new();
        }
        let target = op.target();
        let kept = after.iter().copied();
        let mut before: Vec<RegId> = kept.filter(|&reg| Some(reg) != target).collect();
        let reads = if let Op::Assign { into, .. } = op {
            after.binary_search(into).is_ok()
        } else {
            !matches!(op, Op::Assert(_)) || assert_asked(instr.into())
        };
        if reads {
            for operand in op.operands() {
                operand.for_each_var(&mut |reg| before.push(reg));
            }
        }
        before
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, Copies, Origin, ProgramBuilder, PropertyKind};
    use crate::sample::{Sketch, c, load, ne, plus, r};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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

    /// By definition: whether a path from here reads what the register holds here, for something that matters.
    fn matters(
        program: &Program,
        (loc, reg): (LocId, RegId),
        asked: &[Goal],
        seen: &mut BTreeSet<(LocId, RegId)>,
    ) -> bool {
        let t = ThreadId(0);
        let thread = program.thread(t);
        // Each path is followed without repetition.
        seen.insert((loc, reg))
            && thread.outgoing(loc).iter().any(|&instr| {
                let Instruction { op, to, .. } = thread.instruction(instr);
                let reads = op.operands().iter().any(|e| e.vars().contains(&reg));
                match op {
                    Op::Assume(Expr::Const(0)) => false,
                    Op::Assign { into, .. } => {
                        reads && matters(program, (*to, *into), asked, seen)
                            || reg != *into && matters(program, (*to, reg), asked, seen)
                    }
                    Op::Assert(_) => {
                        let goal = Goal::Assert(Site { thread: t, instr });
                        reads && asked.contains(&goal) || matters(program, (*to, reg), asked, seen)
                    }
                    Op::Skip
                    | Op::Havoc { .. }
                    | Op::Assume(_)
                    | Op::Load { .. }
                    | Op::Store { .. }
                    | Op::Rmw { .. }
                    | Op::Fence(_)
                    | Op::AtomicBegin
                    | Op::WordBegin(_)
                    | Op::AtomicEnd => {
                        reads
                            || op.target() != Some(reg) && matters(program, (*to, reg), asked, seen)
                    }
                }
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_500))]

        #[test]
        fn a_register_is_live_if_a_path_leads_to_where_it_matters(
            edges in prop::collection::vec((0..7_u32, 0..7_u32, 0..8_u32, 0..4_u32, 0..4_u32), 0..20),
            first_only: bool,
        ) {
            let sketch = Sketch::new(1).thread(4, |t| {
                for &(from, to, kind, a, b) in &edges {
                    let op = match kind {
                        0 | 1 => Op::Assign { into: RegId(a), value: plus(r(b), 1) },
                        2 => Op::Assign { into: RegId(a), value: c(1) },
                        3 => load(a, 1),
                        4 => Op::Store { addr: c(1), value: r(b) },
                        5 => Op::Assume(ne(r(b), 0)),
                        6 => Op::Assume(c(0)),
                        _ => Op::Assert(r(b)),
                    };
                    t.edge(from, op, to);
                }
            });
            let program = sketch.build();
            let asserts = program.sites().filter(|(_, i)| matches!(i.op, Op::Assert(_)));
            let mut goals: Vec<Goal> = asserts.map(|(site, _)| Goal::Assert(site)).collect();
            goals.truncate(if first_only { 1 } else { usize::MAX });
            let liveness = Liveness::for_goals(&program, &goals);
            let t = ThreadId(0);
            for loc in (0..program.thread(t).locations().len()).map(LocId::from) {
                for reg in (0..4).map(RegId) {
                    let expected = matters(&program, (loc, reg), &goals, &mut BTreeSet::new());
                    prop_assert_eq!(liveness.is_live(t, loc, reg), expected, "{} {}", loc, reg);
                }
            }
        }
    }
}
