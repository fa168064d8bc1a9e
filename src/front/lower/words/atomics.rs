//! Atomic operations on wide objects.
//!
//! ```text
//!   load                 one load of both halves
//!   store                one store of both; if it is sequentially consistent, a locked exchange
//!   exchange, fetch-op   locked { load both; store both }
//!   compare-exchange     locked { load both; if they are what is expected, store both }
//! ```
//!
//! What compilers make of operations whose results are not used, that change nothing, or store what does not depend on what
//! was there: `compiled` follows that for words, too.

use super::halves::VOID;
use super::infer::{constant, is_atomic};
use super::pairs::{CONDITION, Pair, compared, part_in};
use super::parts::{load, parts};
use super::rewrite::Rewriter;
use crate::lower::operation::{Compared, Expected, Meaning, Operation, Order};
use crate::lower::order::is_full_barrier;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind, Stmt, StmtKind,
    Type, WordAccess, WordOrder, Yields,
};
use crate::text::Place;

/// What an atomic operation yields.
pub(super) enum Outcome {
    Nothing,
    Number(Pair),
    Condition(Expr),
}

impl Outcome {
    /// As a number of 64 bits.
    pub(super) fn into_pair(self, place: Place) -> Pair {
        match self {
            Outcome::Number(pair) => pair,
            Outcome::Condition(_) | Outcome::Nothing => Pair::constant(0, place),
        }
    }

    /// As a value of a type that is not wide.
    pub(super) fn into_value(self, ty: &Type, place: Place) -> Expr {
        let value = match self {
            Outcome::Number(pair) => return pair.truncated(ty),
            Outcome::Condition(e) if e.ty == *ty => return e,
            Outcome::Condition(e) => ExprKind::Cast(Box::new(e)),
            Outcome::Nothing => ExprKind::Statement(Vec::new()),
        };
        let ty = ty.clone();
        Expr {
            kind: value,
            ty,
            place,
        }
    }
}

impl<'u> Rewriter<'u> {
    /// Whether it is an atomic operation on an object in halves.
    pub(super) fn is_atomic_on_word(
        &mut self,
        operation: &Operation,
        arguments: &'u [Expr],
    ) -> bool {
        let Some(object) = arguments.first().filter(|_| is_atomic(operation.meaning)) else {
            return false;
        };
        let pointer = self.type_of(object);
        let to = pointer.pointee();
        to.is_some_and(|to| self.words.sizes(to).is_some())
    }

    /// An atomic operation, with its result if that is used.
    pub(super) fn atomic(
        &mut self,
        operation: &'static Operation,
        arguments: &'u [Expr],
        used: bool,
    ) -> Outcome {
        let is_full = is_full_barrier(operation, arguments);
        let barrier = WordOrder::Fixed(Order::AcqRel);
        if is_full {
            self.push_word(WordAccess::Order, barrier.clone(), Vec::new());
        }
        let outcome = self.performed(operation, arguments, used);
        if is_full {
            self.push_word(WordAccess::Order, barrier, Vec::new());
        }
        outcome
    }

    fn performed(
        &mut self,
        operation: &'static Operation,
        arguments: &'u [Expr],
        used: bool,
    ) -> Outcome {
        let is_compiled = !operation.name.starts_with("__fencepost_");
        let object = self.pointed(&arguments[0]);
        match operation.meaning {
            Meaning::Load(order) => {
                let order = self.order_among(order, arguments, 0);
                let word = plain(&object.ty);
                let local = self.variable(word.clone(), true);
                let init = vec![(Vec::new(), load(object, word.clone()))];
                let kind = StmtKind::Declare(local, init, Initialised::Yes);
                let place = self.place;
                self.push_word(WordAccess::Plain, order, vec![Stmt { kind, place }]);
                let loaded = load(self.local(local, word.clone()), word);
                Outcome::Number(self.halves_of(loaded))
            }
            Meaning::Store(order) | Meaning::Clear(order) => {
                let value = self.stored(operation.meaning, arguments);
                let order = self.order_among(order, arguments, 0);
                let body = self.collected(|this| this.assign(&object, &value));
                self.push_word(WordAccess::Store(object), order, body);
                Outcome::Nothing
            }
            Meaning::Exchange(order) | Meaning::TestAndSet(order) => {
                let value = self.stored(operation.meaning, arguments);
                let is_strongest = is_strongest(order, arguments);
                let order = self.order_among(order, arguments, 0);
                if !used && is_compiled && is_strongest {
                    let body = self.collected(|this| this.assign(&object, &value));
                    self.push_word(WordAccess::Store(object), order, body);
                    return Outcome::Nothing;
                }
                let access = self.operation_on(&object, None, &value, is_compiled);
                let result = self.changed(access, &object, order, |_, old| (value, old.clone()));
                Outcome::Number(result)
            }
            Meaning::Fetch { op, yields, order } => {
                let by = self.pair(&arguments[1]);
                let order = self.order_among(order, arguments, 0);
                let access = self.operation_on(&object, Some(op), &by, is_compiled);
                Outcome::Number(self.changed(access, &object, order, |this, old| {
                    let new = this.halves(|halves| halves.binary(op, false, old, &by));
                    let new = new.unwrap_or_else(|| old.clone());
                    let result = match yields {
                        Yields::Before => old.clone(),
                        Yields::After => new.clone(),
                    };
                    (new, result)
                }))
            }
            Meaning::CompareExchange {
                expected,
                yields,
                order,
            } => self.compare_exchange(object, arguments, (expected, yields, order)),
            _ => Outcome::Nothing,
        }
    }

    /// A locked instruction, which compilers of C may translate otherwise.
    fn operation_on(
        &self,
        object: &Lvalue,
        op: Option<BinaryOp>,
        operand: &Pair,
        is_compiled: bool,
    ) -> WordAccess {
        if !is_compiled {
            return WordAccess::Locked(object.clone());
        }
        let sizes = self.words.sizes(&object.ty).unwrap_or_default();
        let operand = parts(operand, sizes);
        WordAccess::Operation(object.clone(), op, operand)
    }

    pub(super) fn refuse(&mut self, why: &'static Operation) {
        let call = refusal(why, self.place);
        self.push(StmtKind::Expr(call));
    }

    /// What a pointer leads to, which is evaluated now.
    fn pointed(&mut self, e: &'u Expr) -> Lvalue {
        let pointer = self.expr(e);
        let ty = pointer.ty.clone();
        let to = ty.pointee().unwrap_or(&VOID).clone();
        let place = pointer.place;
        let pointer = self.kept(pointer);
        Lvalue {
            kind: LvalueKind::Deref(load(pointer, ty)),
            ty: to,
            place,
        }
    }

    /// What an operation stores whatever was there.
    fn stored(&mut self, meaning: Meaning, arguments: &'u [Expr]) -> Pair {
        match (meaning, arguments.get(1)) {
            (Meaning::Store(_) | Meaning::Exchange(_), Some(value)) => self.pair(value),
            (Meaning::TestAndSet(_), _) => Pair::constant(1, self.place),
            _ => Pair::constant(0, self.place),
        }
    }

    /// A memory order, which may be an argument.
    fn order_among(&mut self, order: Order, arguments: &'u [Expr], from_end: usize) -> WordOrder {
        if order != Order::Argument {
            return WordOrder::Fixed(order);
        }
        match arguments.iter().rev().nth(from_end) {
            Some(e) => WordOrder::Given(self.expr(e)),
            None => WordOrder::Fixed(Order::SeqCst),
        }
    }

    /// A locked instruction; `change` makes what is stored of what was there, and what it yields.
    fn changed(
        &mut self,
        access: WordAccess,
        object: &Lvalue,
        order: WordOrder,
        change: impl FnOnce(&mut Self, &Pair) -> (Pair, Pair),
    ) -> Pair {
        let mut result = Pair::constant(0, self.place);
        let body = self.collected(|this| {
            let old = this.halves_of(load(object.clone(), plain(&object.ty)));
            let (new, yielded) = change(this, &old);
            this.assign(object, &new);
            result = yielded;
        });
        self.push_word(access, order, body);
        result
    }

    fn compare_exchange(
        &mut self,
        object: Lvalue,
        arguments: &'u [Expr],
        (expected, yields, order): (Expected, Compared, Order),
    ) -> Outcome {
        let (slot, by_value) = match expected {
            Expected::ByValue => (None, Some(self.pair(&arguments[1]))),
            Expected::ByPointer => (Some(self.pointed(&arguments[1])), None),
        };
        let desired = self.pair(&arguments[2]);
        let failure = self.order_among(order, arguments, 0);
        let success = self.order_among(order, arguments, 1);
        let wanted = match (&slot, by_value) {
            (_, Some(wanted)) => wanted,
            (Some(slot), None) => self.halves_of(load(slot.clone(), plain(&slot.ty))),
            (None, None) => Pair::constant(0, self.place),
        };
        // Of less than 32 bits, only those are compared.
        let bytes: u8 = self
            .words
            .sizes(&object.ty)
            .unwrap_or_default()
            .iter()
            .sum();
        let wanted = Pair {
            low: part_in(&wanted.low, 0, bytes.min(4)),
            high: if bytes == 8 {
                wanted.high
            } else {
                Pair::constant(0, self.place).high
            },
        };
        let is_same = self.variable(CONDITION, false);
        let mut old = Pair::constant(0, self.place);
        let body = self.collected(|this| {
            old = this.halves_of(load(object.clone(), plain(&object.ty)));
            let equal = compared(BinaryOp::Eq, false, &old, &wanted);
            if let Some(equal) = equal {
                let init = vec![(Vec::new(), equal)];
                this.push(StmtKind::Declare(is_same, init, Initialised::Yes));
            }
            let stores = this.collected(|this| {
                let assigned = this.collected(|this| this.assign(&object, &desired));
                this.push_word(WordAccess::Plain, success.clone(), assigned);
                this.push_word(WordAccess::Order, success, Vec::new());
            });
            this.decide(is_same, stores, Vec::new());
        });
        self.push_word(WordAccess::Locked(object), failure, body);
        if let Some(slot) = slot {
            let kept = self.collected(|this| this.assign(&slot, &old));
            self.decide(is_same, Vec::new(), kept);
        }
        match yields {
            Compared::Old => Outcome::Number(old),
            Compared::Success => {
                Outcome::Condition(load(self.local(is_same, CONDITION), CONDITION))
            }
        }
    }

    fn decide(&mut self, condition: LocalId, then: Vec<Stmt>, other: Vec<Stmt>) {
        let condition = load(self.local(condition, CONDITION), CONDITION);
        let place = self.place;
        let [then, other] = [then, other].map(|stmts| {
            let kind = StmtKind::Block(stmts);
            Box::new(Stmt { kind, place })
        });
        self.push(StmtKind::If(condition, then, Some(other)));
    }
}

/// A type without qualifiers.
fn plain(ty: &Type) -> Type {
    Type {
        atomic: false,
        volatile: false,
        ..ty.clone()
    }
}

/// What is refused where it is reached.
pub(super) fn refusal(why: &'static Operation, place: Place) -> Expr {
    let kind = ExprKind::Call(Callee::Library(why), Vec::new());
    let ty = VOID;
    Expr { kind, ty, place }
}

/// Whether an operation is certainly sequentially consistent.
fn is_strongest(order: Order, arguments: &[Expr]) -> bool {
    match order {
        Order::SeqCst => true,
        Order::Argument => arguments.last().and_then(constant) == Some(5),
        Order::Relaxed | Order::Once | Order::Acquire | Order::Release | Order::AcqRel => false,
    }
}
