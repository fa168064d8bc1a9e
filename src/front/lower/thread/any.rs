//! Threads that a loop creates in any number.
//!
//! ```text
//!     for (i = 0; i < n; i++)                thread worker[*] { await started; … }
//!         pthread_create(&t[i], 0,     →     thread main { …; started = 1 (locked); … }
//!                        worker, 0);
//! ```
//!
//! The loop is walked once. Its threads are one class, whose copies start as soon as `main` has reached the
//! first creation, or at once if nothing comes before that. So the loop has to do nothing else that other
//! threads could see: then its iterations commute with all steps of the copies, and every execution of `n`
//! copies is one of `n` iterations in which `main` creates all of them at once. For the same reason nothing
//! may depend on the number of iterations (`number`), and no copy on which one it is: what each is called
//! with is the same, and it has no memory of its own.
//!
//! Waiting for all of them is not part of an automaton. A loop of joins, and the end of a scope, are
//! passed at once, and after them `main` must do nothing that could be seen: then when it gets there makes
//! no difference.
//!
//! **Absent.** Assertions of `main` after the joins; loops that create threads and are in threads; threads that
//! are created under a condition that is not known; `forbid stuck`.

use super::Argument;
use crate::lower::Lowering;
use crate::lower::accesses::may_access;
use crate::lower::code::Loc;
use crate::lower::env::{Slot, State};
use crate::lower::operation::Meaning;
use crate::lower::scan::Seen;
use crate::lower::scan::look;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, LibraryType, LocalId, LvalueKind, Stmt, Type,
    TypeKind,
};
use crate::lower::value::Value;
use crate::program::{self, Op, RegId};
use crate::text::{Diagnostic, Place, Span};

/// What the walk knows about threads in any number.
#[derive(Default, Debug)]
pub(in crate::lower) struct AnyNumber {
    /// The loop that creates them, while its body is walked.
    creating: Option<Place>,
    /// Whether there are any.
    pub(super) exist: bool,
    /// Creations that are refused because of what the threads are called with. How that is computed is no
    /// mistake of its own.
    refused: Vec<Span>,
    /// Where `main` has waited for them.
    pub(super) joined: Option<Loc>,
    /// The instructions after which a register depends on how many there are.
    pub(super) unknown: Vec<Unknown>,
}

/// An instruction that gives a register a value that depends on the number of threads.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    pub(super) instr: usize,
    pub(super) of: UnknownOf,
}

/// What it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnknownOf {
    /// What the loop counts, or changes otherwise.
    Loop,
    /// The number that the loop is compared with.
    Bound,
    /// The same if nothing else depends on it; otherwise it stays.
    PossibleBound,
}

impl Lowering<'_> {
    /// Whether a loop creates any number of threads.
    pub(in crate::lower) fn creates_any(
        &mut self,
        condition: Option<&Expr>,
        seen: &Seen,
        place: Place,
    ) -> bool {
        if !self.facts.creates(seen) || self.test.is_some() {
            return false;
        }
        let is_chosen = self.options.any_number;
        if is_chosen && (self.current > 0 || self.loops > 0) {
            self.report(
                Diagnostic::error(
                    "threads in any number are created by `main` alone, once",
                    self.positions.span(place),
                )
                .note("create them in a loop of `main` that is in no other one"),
            );
            self.state = None;
            return true;
        }
        let bound = self.bound(condition, seen);
        if let (Some(Bound::Register(instr)), true) =
            (&bound, self.current == 0 && self.any.creating.is_none())
        {
            let of = if is_chosen {
                UnknownOf::PossibleBound
            } else {
                UnknownOf::Bound
            };
            self.any.unknown.push(Unknown { instr: *instr, of });
        }
        is_chosen || self.any.creating.is_some() || self.current == 0 && bound.is_some()
    }

    /// Why a loop may have any number of iterations; `None` if it is not certain that it may.
    fn bound(&mut self, condition: Option<&Expr>, seen: &Seen) -> Option<Bound> {
        let Some(condition) = condition.map(without_casts) else {
            return Some(Bound::None);
        };
        let (op, a, b) = match &condition.kind {
            ExprKind::Const(value) if *value != 0 => return Some(Bound::None),
            ExprKind::Call(..) => return is_arbitrary(condition).then_some(Bound::None),
            ExprKind::Binary(op, a, b) => (*op, &**a, &**b),
            _ => return None,
        };
        let is_zero = |e: &Expr| matches!(without_casts(e).kind, ExprKind::Const(0));
        if op == BinaryOp::Ne && is_zero(b) && is_arbitrary(a) {
            return Some(Bound::None);
        }
        let (counter, end) = match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne => (a, b),
            BinaryOp::Gt | BinaryOp::Ge => (b, a),
            _ => return None,
        };
        let counts =
            local_of(without_casts(counter)).is_some_and(|local| seen.assigned.contains(&local));
        let ended = local_of(without_casts(end))?;
        let function = self.function()?;
        if !counts || seen.assigned.contains(&ended) || may_access(end, &function.locals) {
            return None;
        }
        // A conversion to a narrower type computes something, and is a bound.
        let Value::Unknown(program::Expr::Var(register)) = self.eval(end) else {
            return None;
        };
        self.arbitrary(register).map(Bound::Register)
    }

    /// The instruction that gives this register, and no other does, any integer without an upper bound.
    fn arbitrary(&self, register: RegId) -> Option<usize> {
        let instructions = self.code.instructions.iter();
        let mut sets = instructions
            .enumerate()
            .filter(|(_, instr)| instr.op.target() == Some(register));
        let (at, only) = sets.next()?;
        match (&only.op, sets.next()) {
            (Op::Havoc { high, .. }, None) => (*high == i32::MAX).then_some(at),
            (
                Op::Assign {
                    value: program::Expr::Var(from),
                    ..
                },
                None,
            ) => self.arbitrary(*from),
            _ => None,
        }
    }

    /// A loop whose threads are in any number, once; the paths that leave it are added to `exits`.
    pub(in crate::lower) fn create_any(
        &mut self,
        (condition, body, body_first): (Option<&Expr>, &Stmt, bool),
        seen: &Seen,
        place: Place,
        exits: &mut Vec<State>,
    ) {
        if self.options.forbid_stuck {
            self.report(
                Diagnostic::error(
                    "whether threads wait forever is not decided for any number of them",
                    self.positions.span(place),
                )
                .note(self.bounded())
                .note("or check without `forbid stuck`"),
            );
        }
        if self.facts.allocates(seen) {
            self.refuse_any(
                "memory is allocated for each of any number of threads",
                place,
            );
        }
        if self.any.joined.is_some() {
            self.refuse_any(
                "threads are created after any number of others have ended",
                place,
            );
        }
        self.solo = false;
        self.lose(seen, place);
        let before = self.state.clone();
        let (first, threads) = (self.code.instructions.len(), self.threads.len());
        let outer = self.any.creating.replace(place);
        self.any.exist = true;
        self.iteration(body, place, exits);
        self.any.creating = outer;
        for at in first..self.code.instructions.len() {
            let instr = &self.code.instructions[at];
            let span = instr.origin.start as usize..instr.origin.end as usize;
            if instr.holds.is_none() && is_visible(&instr.op) && !self.is_refused(&span) {
                self.report(
                    Diagnostic::error(
                        "a loop that creates any number of threads does more than that",
                        span,
                    )
                    .note("do it before the loop or after it")
                    .note(self.bounded()),
                );
            }
        }
        if let Some(at) = self.state.as_ref().map(|state| state.at) {
            let mut created = self.threads[threads..].iter();
            if created.any(|created| !self.code.dominates(created.after, at)) {
                self.refuse_any(
                    "which threads are created in each iteration is not known",
                    place,
                );
            }
        }
        let is_endless = condition.is_none_or(|condition| {
            matches!(without_casts(condition).kind, ExprKind::Const(value) if value != 0)
        });
        let after = self.state.take();
        if !is_endless {
            exits.extend(after);
            exits.extend(before.filter(|_| !body_first));
        }
    }

    /// The option for any number of threads is chosen, and no loop creates threads.
    pub(super) fn warn_of_no_effect(&mut self, entry: FunctionId) {
        let place = self.unit.functions[entry.0].place;
        self.warn(
            Diagnostic::warning(
                "there is no loop here that creates any number of threads",
                self.positions.span(place),
            )
            .note(
                "each thread that is created outside of loops is one, whatever `--any-number` says",
            ),
        );
    }

    /// What to do about a loop whose threads cannot be any number.
    pub(super) fn bounded(&self) -> &'static str {
        if self.options.any_number {
            "check without `--any-number`, with a loop whose number of iterations is known"
        } else {
            "bound the loop by a constant"
        }
    }

    /// Whether this is a part of a creation that is refused.
    pub(super) fn is_refused(&self, span: &Span) -> bool {
        let mut refused = self.any.refused.iter();
        refused.any(|whole| whole.start <= span.start && span.end <= whole.end)
    }

    pub(super) fn refuse_any(&mut self, message: &str, place: Place) {
        let error = Diagnostic::error(message, self.positions.span(place));
        self.report(error.note(self.bounded()));
    }

    /// What a loop assigns depends on the number of its iterations from now on.
    pub(super) fn lose(&mut self, seen: &Seen, place: Place) {
        let Some(state) = self.state.clone() else {
            return;
        };
        let innermost = state.env.frames.last().map(|frame| frame.activation);
        for id in state.env.all() {
            let own = Some(id.activation) == innermost;
            let mut frames = state.env.frames.iter();
            let frame = frames.find(|frame| frame.activation == id.activation);
            let addressed = frame.is_some_and(|frame| {
                self.unit.functions[frame.function.0].locals[id.local.0].addressed
            });
            let changes = own && seen.assigned.contains(&id.local) || addressed && seen.reaches_out;
            let ty = self.slot_type(&state.env, id);
            let handle = ty.is_some_and(|ty| ty.kind == TypeKind::Library(LibraryType::Thread));
            if !changes || handle || own && seen.declared.contains(&id.local) {
                continue;
            }
            let into = self.register_of(id);
            let (low, high) = (i32::MIN, i32::MAX);
            self.emit(Op::Havoc { into, low, high }, place);
            self.any.unknown.push(Unknown {
                instr: self.code.instructions.len() - 1,
                of: UnknownOf::Loop,
            });
            let state = self.state.as_mut();
            if let Some(slot) = state.and_then(|state| state.env.slot_mut(id)) {
                *slot = Slot::Register;
            }
        }
    }

    /// Whether threads are created here in any number.
    pub(super) fn is_creating_any(&self) -> bool {
        self.any.creating.is_some()
    }

    /// Whether any number of threads are created, and do not use what they are called with, so that it is
    /// not evaluated.
    pub(super) fn is_of_no_use(&self, routine: &Value, argument: &Expr) -> bool {
        let Some(id) = self.function_of(routine).filter(|_| self.is_creating_any()) else {
            return false;
        };
        let mentioned = look(&self.unit.functions[id.0].body, &[]).mentioned;
        let seen = look(&[], &[argument]);
        !mentioned.contains_key(&LocalId(0)) && !seen.reaches_out && seen.assigned.is_empty()
    }

    /// What each of any number of threads is called with: the same.
    pub(super) fn same_for_all(
        &mut self,
        id: FunctionId,
        values: Vec<Vec<(Value, Type)>>,
        place: Place,
    ) -> Vec<Vec<Argument>> {
        let function = &self.unit.functions[id.0];
        let mentioned = look(&function.body, &[]).mentioned;
        let mut arguments = Vec::new();
        for (number, scalars) in values.into_iter().enumerate() {
            let is_used = mentioned.contains_key(&LocalId(number));
            let mut given = Vec::new();
            for (value, _) in scalars {
                given.push(Argument::Value(match value {
                    value @ Value::Known(_) => {
                        if value
                            .known()
                            .is_some_and(crate::lower::env::Env::is_virtual)
                        {
                            self.pointer_bits(&value, place);
                        }
                        self.publish(value.known().unwrap_or_default());
                        value
                    }
                    Value::Unknown(_) => {
                        let span = self.positions.span(place);
                        if is_used && !self.any.refused.contains(&span) {
                            self.any.refused.push(span);
                            self.refuse_any(
                                &format!(
                                    "any number of threads execute `{}`, and what each is called \
                                     with is not known or not the same",
                                    function.name
                                ),
                                place,
                            );
                        }
                        Value::ZERO
                    }
                }));
            }
            arguments.push(given);
        }
        arguments
    }

    /// Whether the thread at hand is any number of threads. Then this is refused, which is different for
    /// each of them.
    pub(in crate::lower) fn refuse_in_copies(&mut self, what: &str, place: Place) -> bool {
        let is_any = self.threads.get(self.current).is_some_and(|t| t.any);
        if is_any {
            let name = self.code.name.clone();
            self.report(
                Diagnostic::error(
                    format!("any number of threads execute `{name}`, and each has {what}"),
                    self.positions.span(place),
                )
                .note(self.bounded()),
            );
        }
        is_any
    }
}

/// Why a loop may have any number of iterations.
enum Bound {
    /// Its condition does not depend on numbers.
    None,
    /// It ends at what this instruction chooses.
    Register(usize),
}

/// Whether other threads may see that an instruction is executed, or it may be a violation.
pub(in crate::lower) fn is_visible(op: &Op) -> bool {
    match op {
        Op::Skip | Op::Assign { .. } | Op::Assume(_) | Op::Havoc { .. } => false,
        Op::Assert(condition) => condition.as_const().is_none_or(|value| value == 0),
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::Fence(_)
        | Op::AtomicBegin
        | Op::WordBegin(_)
        | Op::AtomicEnd => true,
    }
}

fn without_casts(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(a) => without_casts(a),
        _ => e,
    }
}

/// Whether this is any value of its type, each time.
fn is_arbitrary(e: &Expr) -> bool {
    match &without_casts(e).kind {
        ExprKind::Call(Callee::Library(operation), _) => {
            matches!(operation.meaning, Meaning::Nondet { .. })
        }
        _ => false,
    }
}

/// The local whose value this is.
fn local_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Load(place) => match place.kind {
            LvalueKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}
