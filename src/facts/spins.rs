//! Spin loops: loops whose iterations have no effect.
//!
//! A back edge is a *spin edge* if everything that a thread did since it was last at the loop's
//! head has no effect once it takes the edge. That is, each instruction on a path from the head to
//! the edge is
//!
//! * a load, assignment, `nondet`, `assume`, `assert`, `skip`, fence, beginning or end of an atomic
//!   block, or
//! * a locked instruction that wrote back the value it read, on every path that takes the edge:
//!   a failed compare-and-swap, an exchange that found the lock taken,
//!
//! no register written on these paths is live at the head, and the loop is entered only at its
//! head, so that a thread that takes the edge was at the head before.
//!
//! **Theorem.** Every reachable goal is reachable by a computation without spin edges. Take a
//! computation that reaches the goal, and remove the steps of a thread between two visits to the
//! head, the second by a spin edge, together with the retirement of lightweight fences issued
//! there. The rest is a computation: memory and buffered stores are the same before and after each
//! remaining step (locked instructions wrote the value that was there), buffers hold fewer fences,
//! which can only make other steps wait, and the thread is at the head with the same live registers
//! in both cases. It ends in the same configuration except for dead registers, which no property
//! mentions. If a goal is reached inside an iteration, such as a failing `assert`, the computation
//! ends there: that iteration does not take the edge and is kept.
//!
//! So unrolling may cut spin edges, and the result is exact, not bounded. The instruction of a cut
//! edge is still executed, as the last step of the iteration that is kept, but no iteration
//! follows: the instruction itself may be a failing `assert` or an access outside shared memory.
//! Edges are classified one by one: removing the iterations of one edge leaves those of the others.
//!
//! **Differs from** happens-before: removing loads also removes their edges. A search for cycles in
//! happens-before (rather than for a reachable configuration) must not cut spin edges.

mod iteration;
mod locked;

use super::liveness::Liveness;
use super::loops::{LoopId, Loops};
use super::values::Values;
use crate::program::{InstrId, Program, Thread, ThreadId};
use iteration::Iteration;

/// The spin edges of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spins {
    /// By instruction.
    edges: Vec<bool>,
    /// By loop.
    loops: Vec<bool>,
}

impl Spins {
    /// The spin edges of one thread. Requires analyses of the same program; the liveness determines
    /// which goals matter.
    pub fn of(
        program: &Program,
        thread: ThreadId,
        loops: &Loops,
        values: &Values,
        liveness: &Liveness,
    ) -> Self {
        let mut edges = vec![false; program.thread(thread).instructions().len()];
        let mut all = Vec::new();
        let side_entered = side_entries(program.thread(thread), thread, loops, values);
        for id in loops.ids() {
            for &edge in loops.back_edges(id) {
                if side_entered[id.index()] {
                    continue;
                }
                let iteration = Iteration::new(program, thread, loops, values, liveness, id, edge);
                edges[edge.index()] = iteration.has_no_effect();
            }
            let mut back = loops.back_edges(id).iter();
            all.push(back.all(|edge| edges[edge.index()]));
        }
        Self { edges, loops: all }
    }

    /// Whether an instruction is a back edge that may be cut.
    pub fn is_spin_edge(&self, instr: InstrId) -> bool {
        self.edges[instr.index()]
    }

    /// Whether all back edges of a loop may be cut. Loops inside it may still have back edges that
    /// may not.
    pub fn is_spin(&self, id: LoopId) -> bool {
        self.loops[id.index()]
    }
}

/// By loop: whether control may enter it other than through its head.
fn side_entries(thread: &Thread, id: ThreadId, loops: &Loops, values: &Values) -> Vec<bool> {
    let mut entered = vec![false; loops.ids().len()];
    for instruction in thread.instructions() {
        if !values.reachable(id, instruction.from) {
            continue;
        }
        let around = loops.innermost(instruction.to);
        // From the inside out, through the loops that the instruction enters.
        let into = std::iter::successors(around, |&inner| loops.parent(inner))
            .take_while(|&inner| !loops.contains(inner, instruction.from));
        for inner in into.filter(|&inner| loops.head(inner) != instruction.to) {
            entered[inner.index()] = true;
        }
    }
    entered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Expr, FetchOp, Observable, Op, Origin, PropertyKind, RegId, Update};
    use crate::sample::{E, Sketch, c, cas, eq, exchange, load, ne, not, plus, r, same};

    /// For each back edge of thread 0, in the order of the instructions, whether it is a spin edge.
    fn spin_edges(program: &Program) -> Vec<bool> {
        let thread = ThreadId(0);
        let loops = Loops::of(program.thread(thread));
        let values = Values::of(program);
        let liveness = Liveness::of(program);
        let spins = Spins::of(program, thread, &loops, &values, &liveness);
        let instructions = (0..program.thread(thread).instructions().len()).map(InstrId::from);
        let back = instructions.filter(|&instr| loops.is_back_edge(instr).is_some());
        back.map(|instr| spins.is_spin_edge(instr)).collect()
    }

    /// `do op while (again); x1 := 0`, and another thread that may store 1, or anything, to x1.
    fn wait(op: Op, again: E, others: &[i32]) -> Sketch {
        Sketch::new(2)
            .thread(3, |t| {
                t.edge(0, op, 1);
                t.edge(1, Op::Assume(again.clone()), 0);
                t.edge(1, Op::Assume(not(again)), 2);
                t.edge(
                    2,
                    Op::Store {
                        addr: c(1),
                        value: c(0),
                    },
                    3,
                );
            })
            .thread(0, |t| {
                for &value in others {
                    t.store(1, c(value));
                }
            })
    }

    #[test]
    fn waiting_for_a_flag_is_a_spin() {
        assert_eq!(
            spin_edges(&wait(load(0, 1), eq(r(0), 0), &[1]).build()),
            [true]
        );
    }

    #[test]
    fn a_loop_that_stores_is_not_a_spin() {
        let store = Op::Store {
            addr: c(2),
            value: c(1),
        };
        assert_eq!(spin_edges(&wait(store, c(1), &[]).build()), [false]);
    }

    #[test]
    fn a_loop_whose_result_a_property_reads_is_not_a_spin() {
        let program = wait(load(0, 1), eq(r(0), 0), &[1]).with(|builder| {
            let seen = Expr::Var(Observable::Register(ThreadId(0), RegId(0)));
            builder.property(PropertyKind::Forbid, seen, Origin::default());
        });
        assert_eq!(spin_edges(&program.build()), [false]);
    }

    #[test]
    fn an_exchange_that_finds_the_lock_taken_is_silent() {
        let taken = || eq(r(0), 1);
        assert_eq!(
            spin_edges(&wait(exchange(0, 1, 1), taken(), &[1]).build()),
            [true]
        );
        // The exchange would overwrite the value 2 before the next iteration.
        let not_free = wait(exchange(0, 1, 1), ne(r(0), 0), &[1]).build();
        assert_eq!(spin_edges(&not_free), [true]);
        let third_value = wait(exchange(0, 1, 1), ne(r(0), 0), &[1, 2]).build();
        assert_eq!(spin_edges(&third_value), [false]);
    }

    #[test]
    fn a_failed_compare_and_swap_is_silent() {
        let lock = || cas(0, 1, c(0), c(1));
        assert_eq!(spin_edges(&wait(lock(), ne(r(0), 0), &[1]).build()), [true]);
        assert_eq!(
            spin_edges(&wait(lock(), eq(r(0), 0), &[1]).build()),
            [false]
        );
        // Also if the lock may hold more values than can be listed.
        let many: Vec<i32> = (0..80).map(|i| 3 * i).collect();
        assert_eq!(
            spin_edges(&wait(lock(), ne(r(0), 0), &many).build()),
            [true]
        );
    }

    #[test]
    fn a_fetch_that_changes_nothing_is_silent() {
        let fetch = |op, operand| Op::Rmw {
            into: RegId(0),
            addr: c(1),
            update: Update::Fetch(op, c(operand)),
        };
        let test_and_set = wait(fetch(FetchOp::Or, 1), eq(r(0), 1), &[1]);
        assert_eq!(spin_edges(&test_and_set.build()), [true]);
        let locked_read = wait(fetch(FetchOp::Add, 0), eq(r(0), 0), &[1]);
        assert_eq!(spin_edges(&locked_read.build()), [true]);
        let count = wait(fetch(FetchOp::Add, 1), eq(r(0), 1), &[1]);
        assert_eq!(spin_edges(&count.build()), [false]);
    }

    #[test]
    fn test_and_test_and_set_spins_on_both_back_edges() {
        // loop { while (x1 == 1) {}  if (xchg(x1, 1) == 0) break }
        let program = Sketch::new(1)
            .thread(2, |t| {
                t.edge(0, load(0, 1), 1);
                t.edge(1, Op::Assume(eq(r(0), 1)), 0);
                t.edge(1, Op::Assume(ne(r(0), 1)), 2);
                t.edge(2, exchange(1, 1, 1), 3);
                t.edge(3, Op::Assume(ne(r(1), 0)), 0);
                t.edge(3, Op::Assume(eq(r(1), 0)), 4);
                t.edge(
                    4,
                    Op::Store {
                        addr: c(1),
                        value: c(0),
                    },
                    5,
                );
            })
            .build();
        assert_eq!(spin_edges(&program), [true, true]);
    }

    #[test]
    fn an_optimistic_update_that_fails_is_silent_whatever_the_values() {
        // do { r0 := x1; r1 := cas(x1, r0, r0 + 1); r2 := r1 == r0 } while (!r2), forever.
        let program = |again: E| {
            Sketch::new(1)
                .thread(3, |t| {
                    t.edge(0, load(0, 1), 1);
                    t.edge(1, cas(1, 1, r(0), plus(r(0), 1)), 2);
                    t.edge(
                        2,
                        Op::Assign {
                            into: RegId(2),
                            value: same(r(1), r(0)),
                        },
                        3,
                    );
                    t.edge(3, Op::Assume(again.clone()), 0);
                    t.edge(3, Op::Assume(not(again)), 0);
                })
                .build()
        };
        assert_eq!(spin_edges(&program(not(r(2)))), [true, false]);
    }

    #[test]
    fn a_loop_that_is_not_entered_at_its_head_is_not_a_spin() {
        // The thread may reach the head, 1, for the first time by the edge from 2.
        let program = Sketch::new(2)
            .thread(1, |t| {
                t.edge(0, Op::Assume(eq(r(0), 0)), 1);
                t.edge(0, Op::Skip, 2);
                t.edge(1, load(0, 1), 2);
                t.edge(2, Op::Skip, 1);
                t.edge(1, exchange(0, 2, 1), 3);
            })
            .build();
        assert_eq!(spin_edges(&program), [false]);
    }

    #[test]
    fn a_counting_iteration_is_cut_only_if_the_count_is_not_used() {
        let count = |used: bool| {
            Sketch::new(2)
                .thread(2, |t| {
                    t.edge(0, load(0, 1), 1);
                    t.edge(
                        1,
                        Op::Assign {
                            into: RegId(1),
                            value: plus(r(1), 1),
                        },
                        2,
                    );
                    t.edge(2, Op::Assume(eq(r(0), 0)), 0);
                    t.edge(2, Op::Assume(ne(r(0), 0)), 3);
                    let value = if used { r(1) } else { c(7) };
                    t.edge(3, Op::Store { addr: c(2), value }, 4);
                })
                .build()
        };
        assert_eq!(spin_edges(&count(true)), [false]);
        assert_eq!(spin_edges(&count(false)), [true]);
    }
}
