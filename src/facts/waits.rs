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
//! Its registers and its location are others there. So if a property also asks for these, as in
//! `forbid stuck && t.r == 0`, it may be violated only before the threads have arrived: the predicate is then
//! too strong, unless the thread cannot wait, or the location is one where it has ended ([`stays`]).
//!
//! What a thread does alone from a head is followed symbolically ([`walk`]): memory does not change,
//! so each condition on the way is a predicate over the configuration at the head, the same however
//! often control gets there.
//!
//! **Incomplete:** a walk that is too long, a choice among many values, a condition that divides by a value
//! that is not constant, and a loop inside an atomic block are left out. The predicate is then too strong: a
//! configuration that satisfies it is stuck, and there may be others ([`Waits::complete`]).

mod simplify;
mod walk;

use super::liveness::Liveness;
use super::loops::Loops;
use super::values::Values;
use crate::program::{
    BinaryOp, Expr, LocId, Observable, Program, Property, PropertyKind, RegId, ThreadId, UnaryOp,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use walk::Walk;

/// How many cases are distinguished at a loop head.
const MOST_CASES: usize = 64;

type Predicate = Expr<Observable>;

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
                let from = Head {
                    program,
                    values: &values,
                    liveness: &liveness,
                    thread,
                    loc: head,
                };
                // A predicate has a value in each configuration, also where the program does not divide.
                let divides = |alone: &Predicate| !alone.divides_by_constants_only();
                match from.waits().filter(|alone| !divides(alone)) {
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

/// A loop head of a thread.
#[derive(Clone, Copy)]
struct Head<'p> {
    program: &'p Program,
    values: &'p Values,
    liveness: &'p Liveness,
    thread: ThreadId,
    loc: LocId,
}

impl Head<'_> {
    /// The configurations in which a thread that is here waits; `None` if they are not known.
    fn waits(self) -> Option<Predicate> {
        Walk::from(self, &BTreeMap::new()).or_else(|| self.waits_by_cases())
    }

    /// The same, by cases for the values of registers that have few: a loop that counts ends for each
    /// of them, but not for any value.
    fn waits_by_cases(self) -> Option<Predicate> {
        let mut cases: Vec<BTreeMap<RegId, i32>> = vec![BTreeMap::new()];
        for &reg in self.liveness.at(self.thread, self.loc) {
            let set = self.values.register_at(self.thread, self.loc, reg);
            let Some(values) = set.values() else {
                continue;
            };
            if cases.len() * values.len() > MOST_CASES {
                continue;
            }
            let with = |case: &BTreeMap<RegId, i32>, value| {
                let mut case = case.clone();
                case.insert(reg, value);
                case
            };
            let all = cases
                .iter()
                .flat_map(|case| values.iter().map(|&value| with(case, value)));
            cases = all.collect();
        }
        let mut waits = Expr::Const(0);
        for case in cases {
            let alone = Walk::from(self, &case)?;
            let is = case.iter().map(|(&reg, &value)| {
                let register = Expr::Var(Observable::Register(self.thread, reg));
                Expr::binary(BinaryOp::Eq, register, Expr::Const(value))
            });
            waits = or(waits, is.fold(alone, |alone, is| and(is, alone)));
        }
        Some(waits)
    }
}

/// A program whose properties are all predicates.
pub struct Stated<'p> {
    /// The program; `forbid stuck` is `forbid` of a predicate in it.
    pub program: Cow<'p, Program>,
    /// The properties that hold in this program although they may not hold in the one given.
    pub open: Vec<usize>,
}

impl<'p> Stated<'p> {
    /// The program with its waiting stated.
    pub fn of(program: &'p Program) -> Self {
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
                    let all_stay =
                        |e: &Predicate| e.vars().into_iter().all(|seen| stays(program, seen));
                    if !waits.complete || !all_stay(&property.predicate) {
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

/// Whether something is the same in a stuck configuration and after all threads that wait have gone on to the
/// head of a loop: memory is, and so is all of a thread without loops, which has ended.
fn stays(program: &Program, seen: Observable) -> bool {
    let has_ended = |thread| heads(&Loops::of(program.thread(thread))).is_empty();
    match seen {
        Observable::Cell(_) => true,
        Observable::Register(thread, _) => has_ended(thread),
        Observable::At(thread, loc) => has_ended(thread) || program.thread(thread).is_end(loc),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    /// Whether a thread with this body waits at some loop head, with these values of `x` and `y` in
    /// memory and 0 in all registers; `None` if that is not known.
    fn waits(body: &str, memory: [i32; 2]) -> Option<bool> {
        let text =
            format!("shared x, y; thread t {{ local r; {body} }} thread other {{ x = y; y = x; }}");
        let program = parse(&text).program.expect("no errors in the text");
        let waits = Waits::of(&program);
        let value = waits.stuck.eval(|observable| match observable {
            Observable::At(..) => 1,
            Observable::Register(..) => 0,
            Observable::Cell(cell) => memory[cell.index()],
        });
        waits.complete.then_some(value != 0)
    }

    #[test]
    fn what_a_thread_may_be_only_before_it_arrives_is_left_open() {
        for (asked, is_open) in [
            ("u.i == 0", true),
            ("x == 0 || u@begin", true),
            ("x == 0", false),
            ("v.i == 0", false),
            ("v@begin", false),
        ] {
            let text = format!(
                "shared x, y;
                thread u {{ local i; begin: i = 1; await(y == 1); }}
                thread v {{ local i; begin: i = 1; x = 1; }}
                forbid stuck && ({asked});"
            );
            let program = parse(&text).program.expect("no errors in the text");
            assert_eq!(
                Stated::of(&program).open,
                vec![0; usize::from(is_open)],
                "{asked}"
            );
        }
    }

    #[test]
    fn a_quotient_by_what_may_be_0_is_no_predicate() {
        assert_eq!(waits("while (6 / x == 3) { }", [2, 0]), None);
        assert_eq!(waits("while (x / 2 == 3) { }", [6, 0]), Some(true));
        assert_eq!(waits("while (x / 2 == 3) { }", [5, 0]), Some(false));
    }

    #[test]
    fn a_thread_waits_for_what_leaves_its_loop() {
        for (body, at, elsewhere) in [
            ("await(x == 1);", [0, 0], [1, 0]),
            ("await(x == 1 && y == 1);", [1, 0], [1, 1]),
            ("do { r = x; } while (r == 5);", [5, 0], [4, 0]),
            ("while (x == y) { }", [3, 3], [3, 4]),
            ("while (x <= y) { }", [3, 3], [4, 3]),
            ("while (x < y) { }", [2, 3], [3, 3]),
            ("while (x >= y) { }", [3, 3], [2, 3]),
            ("while (x > y) { }", [4, 3], [3, 3]),
            ("while (!(x <= y)) { }", [4, 3], [3, 3]),
            // A failed lock writes what is there. Any other value it would change.
            ("while (xchg(x, 1) != 0) { }", [1, 0], [2, 0]),
            ("while (cas(x, 0, 1) != 0) { }", [7, 0], [0, 0]),
            // So does a store of the value that is there.
            ("while (x == 0) { y = 1; }", [0, 1], [0, 0]),
            ("loop { if (x == 1) { y = 2; } }", [1, 2], [1, 0]),
            // A block counts as a whole.
            (
                "while (x == 0) { atomic { y = y + 1; y = y - 1; } }",
                [0, 6],
                [1, 6],
            ),
            (
                "while (x == 0) { atomic { r = y; y = 1; } }",
                [0, 1],
                [0, 0],
            ),
            // The count is the same in each iteration.
            (
                "while (x == 0) { r = 0; while (r < 3) { r = r + 1; } }",
                [0, 0],
                [1, 0],
            ),
        ] {
            assert_eq!(waits(body, at), Some(true), "{body} {at:?}");
            assert_eq!(waits(body, elsewhere), Some(false), "{body} {elsewhere:?}");
        }
    }

    #[test]
    fn a_thread_that_may_leave_does_not_wait() {
        for body in [
            "r = 1; while (r == 1) { r = nondet(0, 1); }",
            "while (x == 0) { y = 1; y = 0; }",
            "while (x == 0) { assume(y == 1); }",
            "x = 1;",
        ] {
            assert_eq!(waits(body, [0, 0]), Some(false), "{body}");
        }
    }

    #[test]
    fn a_choice_that_only_goes_on_waits() {
        let body = "while (x == 0) { r = nondet(0, 1); if (r == 1) { assume(y == 1); } }";
        assert_eq!(waits(body, [0, 0]), Some(true));
        assert_eq!(waits(body, [0, 1]), Some(true));
        assert_eq!(waits(body, [1, 0]), Some(false));
    }

    #[test]
    fn a_walk_that_does_not_end_is_left_out() {
        // The count is used, so no two iterations are the same.
        let doubling = "r = nondet(0, 1000); while (y == 0) { r = r + r; } y = r;";
        assert_eq!(waits(doubling, [0, 0]), None);
        let counting = "while (x == 0) { r = r + 1; } y = r;";
        assert_eq!(waits(counting, [0, 0]), None);
        assert_eq!(waits("atomic { while (x == 0) { } }", [0, 0]), None);
        assert_eq!(waits("loop { r = nondet(0, 100); y = r; }", [0, 0]), None);
    }
}
