//! The control-flow shapes of a program, to measure which shapes a generator produces.
//!
//! A law is vacuous for shapes that its generator never produces. The tests of the generators assert
//! the share of programs with each of these shapes.

use fencepost::internals::facts::Loops;
use fencepost::program::{InstrId, LocId, Op, Program, Thread};
use std::collections::BTreeSet;

/// A shape, and whether a thread has it.
pub type Shape = (&'static str, fn(&Thread) -> bool);

/// The shapes to detect.
pub const SHAPES: [Shape; 9] = [
    ("a block", |t| !begins(t).is_empty()),
    ("a block that several instructions enter", several_entries),
    ("a block that several instructions leave", several_exits),
    ("a branch inside a block", |t| {
        inside(t).any(|loc| t.outgoing(loc).len() > 1)
    }),
    ("a dead end inside a block", |t| {
        inside(t).any(|loc| t.outgoing(loc).is_empty())
    }),
    ("a loop inside a block", |t| {
        begins(t).iter().any(|&begin| {
            let block = block_of(t, begin);
            block
                .iter()
                .any(|&loc| returns(t, loc, &|to| block.contains(&to)))
        })
    }),
    ("a loop through a block", |t| {
        begins(t)
            .iter()
            .any(|&begin| returns(t, t.instruction(begin).to, &|_| true))
    }),
    ("two blocks of one execution at one location", |t| {
        let starts: Vec<InstrId> = begins(t);
        starts.iter().any(|&one| {
            let block = block_of(t, one);
            let ends = block.iter().flat_map(|&loc| t.outgoing(loc));
            let ends = ends.filter(|&&end| t.instruction(end).op == Op::AtomicEnd);
            let after: BTreeSet<LocId> = ends
                .flat_map(|&end| reachable(t, t.instruction(end).to, &|_| true))
                .collect();
            starts.iter().any(|&other| {
                other != one
                    && after.contains(&t.instruction(other).from)
                    && !block_of(t, other).is_disjoint(&block)
            })
        })
    }),
    ("a jump into a loop", |t| {
        let loops = Loops::of(t);
        t.instructions().iter().any(|edge| {
            loops.ids().any(|id| {
                loops.contains(id, edge.to)
                    && !loops.contains(id, edge.from)
                    && loops.head(id) != edge.to
            })
        })
    }),
];

/// For each shape, the percentage of programs with a thread of that shape.
pub fn shares(programs: &[Program]) -> Vec<(&'static str, usize)> {
    let share = |&(name, has): &Shape| {
        let count = programs
            .iter()
            .filter(|p| p.threads().iter().any(has))
            .count();
        (name, 100 * count / programs.len())
    };
    SHAPES.iter().map(share).collect()
}

fn begins(thread: &Thread) -> Vec<InstrId> {
    let all = 0..thread.instructions().len();
    let begins = all
        .map(InstrId::from)
        .filter(|&i| thread.instruction(i).op == Op::AtomicBegin);
    let live = reachable(thread, thread.entry(), &|_| true);
    begins
        .filter(|&i| live.contains(&thread.instruction(i).from))
        .collect()
}

fn inside(thread: &Thread) -> impl Iterator<Item = LocId> {
    let live = reachable(thread, thread.entry(), &|_| true);
    live.into_iter().filter(|&loc| thread.location(loc).atomic)
}

/// The locations inside the block that an instruction begins.
fn block_of(thread: &Thread, begin: InstrId) -> BTreeSet<LocId> {
    reachable(thread, thread.instruction(begin).to, &|to| {
        thread.location(to).atomic
    })
}

/// The locations reachable through locations that may be passed, including the start.
fn reachable(thread: &Thread, start: LocId, may_pass: &dyn Fn(LocId) -> bool) -> BTreeSet<LocId> {
    let mut found = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(loc) = work.pop() {
        for &instr in thread.outgoing(loc) {
            let to = thread.instruction(instr).to;
            if may_pass(to) && found.insert(to) {
                work.push(to);
            }
        }
    }
    found
}

/// Whether control can return to a location through locations that may be passed.
fn returns(thread: &Thread, loc: LocId, may_pass: &dyn Fn(LocId) -> bool) -> bool {
    let next = thread
        .outgoing(loc)
        .iter()
        .map(|&instr| thread.instruction(instr).to);
    next.filter(|&to| may_pass(to))
        .any(|to| reachable(thread, to, may_pass).contains(&loc))
}

fn several_entries(thread: &Thread) -> bool {
    let begins = begins(thread);
    let disjoint =
        |a: &InstrId, b: &InstrId| block_of(thread, *a).is_disjoint(&block_of(thread, *b));
    begins
        .iter()
        .any(|a| begins.iter().any(|b| a != b && !disjoint(a, b)))
}

fn several_exits(thread: &Thread) -> bool {
    begins(thread).into_iter().any(|begin| {
        let block = block_of(thread, begin);
        let leaving = block.iter().flat_map(|&loc| thread.outgoing(loc));
        leaving
            .filter(|&&i| thread.instruction(i).op == Op::AtomicEnd)
            .count()
            > 1
    })
}
