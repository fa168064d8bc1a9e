//! Waiting forever as a predicate over configurations, for engines that decide predicates.
//!
//! A stuck configuration ([`PropertyKind::Stuck`]) is defined by what its threads could still do. For
//! most programs that can be said by their locations, registers and memory alone: a thread at the
//! head of `while (flag == 0) { }` waits if and only if `flag == 0` in memory.
//!
//! ```text
//! stuck  ⇔  every thread has ended or waits, and some thread waits
//! waits  ⇔  some loop head: the thread is there, and alone it gets back to a loop forever
//! ```
//!
//! **Theorem.** A program has a reachable stuck configuration if and only if it has one in which
//! each thread that has not ended is at the head of a loop outside of atomic blocks, unless a thread
//! waits inside an atomic block. For a thread that waits can go on forever, hence reach the head of
//! a loop; memory is unchanged and nothing is buffered there, so no other thread notices, and it
//! still waits: what it can do there it could do before.
//!
//! What a thread does alone from a head is followed symbolically ([`walk`]): memory does not change,
//! so each condition on the way is a predicate over the configuration at the head, the same however
//! often control gets there.
//!
//! **Incomplete:** a walk that is too long, a choice among many values, and a loop inside an atomic
//! block are left out. The predicate is then too strong: a configuration that satisfies it is stuck,
//! and there may be others ([`Waits::complete`]).

mod walk;

use super::liveness::Liveness;
use super::loops::Loops;
use super::values::Values;
use crate::program::{
    BinaryOp, Expr, LocId, Observable, Program, Property, PropertyKind, ThreadId, UnaryOp,
};
use std::borrow::Cow;
use walk::Walk;

pub(super) type Predicate = Expr<Observable>;

/// When the threads of a program wait.
pub struct Waits {
    /// Whether the predicate is exact, up to the theorem above.
    pub complete: bool,
    /// The configurations in which the program is stuck.
    pub stuck: Predicate,
}

impl Waits {
    /// The waits of a program.
    pub fn of(program: &Program) -> Self {
        let values = Values::of(program);
        let liveness = Liveness::for_goals(program, &[]);
        let mut complete = true;
        let mut all = Expr::Const(1);
        let mut some = Expr::Const(0);
        for thread in program.thread_ids() {
            let automaton = program.thread(thread);
            let loops = Loops::of(automaton);
            let mut waits = Expr::Const(0);
            for head in heads(&loops) {
                if !values.reachable(thread, head) {
                    continue;
                }
                if automaton.location(head).atomic {
                    complete = false;
                    continue;
                }
                match Walk::from(program, &values, &liveness, thread, head) {
                    Some(alone) => waits = or(waits, and(at(thread, head), alone)),
                    None => complete = false,
                }
            }
            let ends = (0..automaton.locations().len())
                .map(LocId::from)
                .filter(|&loc| automaton.is_end(loc) && !automaton.location(loc).atomic)
                .filter(|&loc| values.reachable(thread, loc));
            let ended = ends.fold(Expr::Const(0), |e, loc| or(e, at(thread, loc)));
            all = and(all, or(ended, waits.clone()));
            some = or(some, waits);
        }
        Self {
            complete,
            stuck: and(all, some),
        }
    }
}

/// A program whose properties are all predicates.
pub(crate) struct Stated<'p> {
    /// The program; `forbid stuck` is `forbid` of a predicate in it.
    pub(crate) program: Cow<'p, Program>,
    /// The properties that hold in this program although they may not hold in the one given.
    pub(crate) open: Vec<usize>,
}

impl<'p> Stated<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut stated = Self {
            program: Cow::Borrowed(program),
            open: Vec::new(),
        };
        let mut waits = None;
        for (number, property) in program.properties().iter().enumerate() {
            let predicate = match property.kind {
                PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => continue,
                PropertyKind::Stuck => {
                    let waits = waits.get_or_insert_with(|| Waits::of(program));
                    if !waits.complete {
                        stated.open.push(number);
                    }
                    and(waits.stuck.clone(), property.predicate.clone())
                }
                // What others may still do is no predicate over one configuration.
                PropertyKind::Starved(_) => {
                    stated.open.push(number);
                    Expr::Const(0)
                }
            };
            let property = Property {
                kind: PropertyKind::Forbid,
                predicate,
                origin: property.origin,
            };
            stated.program = Cow::Owned(stated.program.restated(number, property));
        }
        stated
    }
}

/// The heads of loops.
fn heads(loops: &Loops) -> Vec<LocId> {
    let mut heads: Vec<LocId> = loops.ids().map(|id| loops.head(id)).collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

fn at(thread: ThreadId, loc: LocId) -> Predicate {
    Expr::Var(Observable::At(thread, loc))
}

pub(super) fn not(e: Predicate) -> Predicate {
    match e.as_const() {
        Some(value) => Expr::Const(i32::from(value == 0)),
        None => Expr::unary(UnaryOp::Not, e),
    }
}

pub(super) fn and(a: Predicate, b: Predicate) -> Predicate {
    match (a.as_const(), b.as_const()) {
        (Some(0), _) | (_, Some(0)) => Expr::Const(0),
        (Some(_), _) => b,
        (_, Some(_)) => a,
        (None, None) => Expr::binary(BinaryOp::And, a, b),
    }
}

pub(super) fn or(a: Predicate, b: Predicate) -> Predicate {
    match (a.as_const(), b.as_const()) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        (Some(_), _) | (_, Some(_)) => Expr::Const(1),
        (None, None) => Expr::binary(BinaryOp::Or, a, b),
    }
}
