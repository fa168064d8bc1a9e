//! Expressions as two halves: those whose values are wide, and what these are computed from.
//!
//! A number that is narrow is extended. Arithmetic on narrow numbers whose result is needed in halves is done in halves,
//! which is exact: only what is stored in narrow places has to fit there.

use super::infer::{constant, is_64_bit};
use super::pairs::{HALF, Pair};
use super::parts::{half_from, load, member};
use super::rewrite::Rewriter;
use crate::lower::direct;
use crate::lower::operation::Order;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, Initialised, Lvalue, LvalueKind, Stmt, StmtKind, Type,
    TypeKind, UnaryOp, WordAccess, WordOrder, Yields,
};
use crate::text::Place;

impl<'u> Rewriter<'u> {
    /// A value of an integer or pointer type in halves, extended to 64 bits; what it needs is in `out`.
    pub(super) fn pair(&mut self, e: &'u Expr) -> Pair {
        if let Some(value) = constant(e).filter(|_| e.ty.is_integer()) {
            return Pair::constant(value as u64, e.place);
        }
        if !is_64_bit(&e.ty) {
            return self.extended(e);
        }
        if self.classes.is_wide(e)
            && let Some(pair) = self.accessed(e)
        {
            return pair;
        }
        let is_wide = self.classes.is_wide(e);
        match &e.kind {
            ExprKind::Cast(a) if a.ty.is_integer() => self.pair(a),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.pair(a);
                self.halves(|halves| halves.negated(&a))
            }
            ExprKind::Unary(UnaryOp::BitNot, a) => {
                let a = self.pair(a);
                self.halves(|halves| halves.inverted(&a))
            }
            ExprKind::Binary(op, a, b) | ExprKind::Checked(op, a, b) if is_computed(*op, b) => {
                let is_checked = matches!(e.kind, ExprKind::Checked(..));
                let a = self.pair(a);
                let by = self.operand(*op, b);
                self.operation((*op, is_checked), &e.ty, &a, &by)
            }
            ExprKind::Conditional(c, a, b) if is_wide => self.choice(c, a, b),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.pair(b)
            }
            ExprKind::Statement(stmts) => {
                let Some((last, rest)) = stmts.split_last() else {
                    return Pair::constant(0, e.place);
                };
                for stmt in rest {
                    let stmt = self.stmt(stmt);
                    self.out.push(stmt);
                }
                if let StmtKind::Expr(value) = &last.kind {
                    return self.pair(value);
                }
                let last = self.stmt(last);
                self.out.push(last);
                Pair::constant(0, e.place)
            }
            _ => self.extended(e),
        }
    }

    /// The value of an access of an integer in parts, or of a call that yields one; `None` if it is nothing of this kind. Of
    /// one that is smaller than 64 bits, only its own bits count.
    pub(super) fn accessed(&mut self, e: &'u Expr) -> Option<Pair> {
        let ty = self.type_of(e);
        let is_word = self.words.sizes(&ty).is_some();
        Some(match &e.kind {
            ExprKind::Load(from) if is_word => {
                if let LvalueKind::Local(local) = from.kind
                    && self.lasts(local)
                {
                    let from = self.lvalue(from);
                    return Some(self.halves_in(&from));
                }
                let word = self.read(from);
                self.halves_of(word)
            }
            ExprKind::Assign(into, value) if is_word => {
                let pair = self.pair(value);
                self.write(into, &pair);
                pair
            }
            ExprKind::Update {
                op,
                into,
                operand,
                computed_in,
                yields,
            } if is_word => self.update(*op, into, operand, (computed_in, *yields)),
            ExprKind::Call(callee, arguments) if is_word => {
                if let Callee::Library(operation) = callee
                    && self.is_atomic_on_word(operation, arguments)
                {
                    return Some(self.atomic(operation, arguments, true).into_pair(e.place));
                }
                let word = self.call(e, callee, arguments);
                self.halves_of(word)
            }
            _ => return None,
        })
    }

    /// What is not wide, extended. That of a narrow number is its sign, and pointers are not negative: what neither an
    /// address nor null is, but a number, has to be none either.
    fn extended(&mut self, e: &'u Expr) -> Pair {
        let value = self.expr(e);
        if value.ty.is_integer() {
            return self.number(value);
        }
        let address = self.kept(cast(value, UNSIGNED));
        let low = load(self.kept(cast(load(address, UNSIGNED), HALF)), HALF);
        self.kept(cast(low.clone(), UNSIGNED));
        let high = Pair::constant(0, low.place).high;
        Pair { low, high }
    }

    /// A number that is not wide. What is known of it when it is lowered is exact: its upper half need not be the sign of
    /// the lower one.
    fn number(&mut self, e: Expr) -> Pair {
        if !is_64_bit(&e.ty) || matches!(e.kind, ExprKind::Const(_)) {
            return self.halves(|halves| halves.of_integer(e));
        }
        let ty = e.ty.clone();
        let number = load(self.kept(e), ty);
        let low = load(self.kept(cast(number.clone(), HALF)), HALF);
        let upper = Expr {
            place: number.place,
            kind: ExprKind::Call(Callee::Library(&direct::UPPER), vec![number]),
            ty: HALF,
        };
        let high = load(self.kept(upper), HALF);
        Pair { low, high }
    }

    /// The right operand, which of a shift has to be less than 64.
    fn operand(&mut self, op: BinaryOp, b: &'u Expr) -> Pair {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if !is_shift || constant(b).is_some() {
            return self.pair(b);
        }
        // The width is checked as that of a shift of any other number is.
        let place = b.place;
        let by = self.expr(b);
        let by = load(self.kept(by), b.ty.clone());
        let zero = constant_of(0, UNSIGNED, place);
        self.kept(binary(BinaryOp::Shr, zero, by.clone(), UNSIGNED));
        self.number(by)
    }

    /// An operation that is computed in halves.
    fn operation(
        &mut self,
        (op, is_checked): (BinaryOp, bool),
        ty: &Type,
        a: &Pair,
        b: &Pair,
    ) -> Pair {
        let signed = is_signed(ty);
        if !is_checked {
            let result = self.halves(|halves| halves.binary(op, signed, a, b));
            return result.unwrap_or_else(|| a.clone());
        }
        let Some(checked) = self.halves(|halves| halves.checked(op, signed, a, b)) else {
            return a.clone();
        };
        self.require(checked.holds);
        checked.value
    }

    /// A violation where this does not hold.
    pub(super) fn require(&mut self, holds: Expr) {
        if matches!(holds.kind, ExprKind::Const(1)) {
            return;
        }
        let kind = ExprKind::Call(Callee::Library(&direct::ASSERT), vec![holds]);
        let (ty, place) = (VOID, self.place);
        self.push(StmtKind::Expr(Expr { kind, ty, place }));
    }

    /// The value of an expression as this integer in parts.
    pub(super) fn word_of(&mut self, e: &'u Expr, ty: &Type) -> Expr {
        self.enclosed(|this| {
            if this.type_of(e).kind == ty.kind && constant(e).is_none() {
                match &e.kind {
                    ExprKind::Load(from) if !from.ty.atomic => return this.read(from),
                    ExprKind::Call(callee, arguments) => {
                        let is_atomic = match callee {
                            Callee::Library(operation) => {
                                this.is_atomic_on_word(operation, arguments)
                            }
                            Callee::Defined(_) | Callee::Pointer(_) => false,
                        };
                        if !is_atomic {
                            return this.call(e, callee, arguments);
                        }
                    }
                    _ => {}
                }
            }
            let pair = this.pair(e);
            this.joined(&pair, ty)
        })
    }

    // Accesses.

    /// A wide number in memory or in a variable, as a word.
    fn read(&mut self, from: &'u Lvalue) -> Expr {
        let object = self.lvalue(from);
        let word = Type {
            atomic: false,
            volatile: false,
            ..object.ty.clone()
        };
        if !from.ty.atomic {
            return load(object, word);
        }
        let local = self.variable(word.clone(), true);
        let init = vec![(Vec::new(), load(object, word.clone()))];
        let kind = StmtKind::Declare(local, init, Initialised::Yes);
        let place = self.place;
        let order = WordOrder::Fixed(Order::SeqCst);
        self.push_word(WordAccess::Plain, order, vec![Stmt { kind, place }]);
        load(self.local(local, word.clone()), word)
    }

    fn write(&mut self, into: &'u Lvalue, pair: &Pair) {
        if into.ty.atomic {
            let object = self.stable(into);
            let body = self.collected(|this| this.assign(&object, pair));
            let order = WordOrder::Fixed(Order::SeqCst);
            self.push_word(WordAccess::Store(object), order, body);
        } else {
            let object = self.lvalue(into);
            self.assign(&object, pair);
        }
    }

    /// Stores a number.
    pub(super) fn assign(&mut self, into: &Lvalue, pair: &Pair) {
        if let LvalueKind::Local(local) = into.kind
            && self.is_own(local)
            && self.words.sizes(&into.ty) == Some(&[4, 4])
            && half_from(&pair.high) != Some((local, 0))
        {
            for (index, half) in [(0, &pair.low), (1, &pair.high)] {
                if half_from(half) != Some((local, index)) {
                    let kind =
                        ExprKind::Assign(Box::new(member(into, index, 4)), Box::new(half.clone()));
                    let (ty, place) = (HALF, into.place);
                    self.push(StmtKind::Expr(Expr { kind, ty, place }));
                }
            }
            return;
        }
        let value = self.joined(pair, &into.ty);
        let (ty, place) = (value.ty.clone(), into.place);
        let kind = ExprKind::Assign(Box::new(into.clone()), Box::new(value));
        let e = Expr { kind, ty, place };
        self.push(StmtKind::Expr(e));
    }

    /// The same object in a form that can be evaluated several times.
    pub(super) fn stable(&mut self, lvalue: &'u Lvalue) -> Lvalue {
        let object = self.lvalue(lvalue);
        if is_plain(&object) {
            return object;
        }
        let ty = Type {
            kind: TypeKind::Pointer(Box::new(object.ty.clone())),
            atomic: false,
            volatile: false,
        };
        let (to, place) = (object.ty.clone(), object.place);
        let kind = ExprKind::AddressOf(Box::new(object));
        let pointer = self.kept(Expr {
            kind,
            ty: ty.clone(),
            place,
        });
        Lvalue {
            kind: LvalueKind::Deref(load(pointer, ty)),
            ty: to,
            place,
        }
    }

    /// `into op= operand`
    fn update(
        &mut self,
        op: BinaryOp,
        into: &'u Lvalue,
        operand: &'u Expr,
        (computed_in, yields): (&Type, Yields),
    ) -> Pair {
        if !is_64_bit(computed_in) {
            return self.update_whole(op, into, operand, (computed_in, yields));
        }
        let by = self.operand(op, operand);
        let object = self.stable(into);
        let is_computed = is_computed(op, operand);
        let mut result = Pair::constant(0, into.place);
        let body = self.collected(|this| {
            let old = this.whole(&object, &into.ty);
            let new = if is_computed {
                this.operation((op, false), computed_in, &old, &by)
            } else {
                this.narrow_operation(op, computed_in, &old, &by)
            };
            this.assign(&object, &new);
            result = match yields {
                Yields::Before => old,
                Yields::After => new,
            };
        });
        self.updated(into, object, body);
        result
    }

    /// Loads and stores an object, in one locked instruction if it is atomic.
    fn updated(&mut self, into: &Lvalue, object: Lvalue, body: Vec<Stmt>) {
        if into.ty.atomic {
            let order = WordOrder::Fixed(Order::SeqCst);
            self.push_word(WordAccess::Locked(object), order, body);
        } else {
            self.out.extend(body);
        }
    }

    /// What an object with parts holds, extended from its type in the text.
    fn whole(&mut self, object: &Lvalue, ty: &Type) -> Pair {
        let pair = self.halves_of(load(object.clone(), object.ty.clone()));
        if is_64_bit(ty) {
            return pair;
        }
        let value = pair.truncated(ty);
        self.halves(|halves| halves.of_integer(value))
    }

    /// The same where it is computed in up to 32 bits.
    fn update_whole(
        &mut self,
        op: BinaryOp,
        into: &'u Lvalue,
        operand: &'u Expr,
        (computed_in, yields): (&Type, Yields),
    ) -> Pair {
        let by = self.expr(operand);
        let by = load(self.kept(by), operand.ty.clone());
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let by = if is_shift {
            by
        } else {
            cast(by, computed_in.clone())
        };
        let object = self.stable(into);
        let mut result = Pair::constant(0, into.place);
        let body = self.collected(|this| {
            let old = this.halves_of(load(object.clone(), object.ty.clone()));
            let value = cast(old.truncated(&into.ty), computed_in.clone());
            let new = binary(op, value, by, computed_in.clone());
            let new = cast(cast(new, into.ty.clone()), HALF);
            let new = this.halves(|halves| halves.of_integer(new));
            this.assign(&object, &new);
            result = match yields {
                Yields::Before => old,
                Yields::After => new,
            };
        });
        self.updated(into, object, body);
        result
    }

    /// A division that is not computed in halves: it is computed in one cell, if the operands fit there.
    fn narrow_operation(&mut self, op: BinaryOp, ty: &Type, a: &Pair, b: &Pair) -> Pair {
        let (a, b) = (self.narrowed(a, ty), self.narrowed(b, ty));
        self.number(binary(op, a, b, ty.clone()))
    }

    /// `c ? a : b`
    fn choice(&mut self, c: &'u Expr, a: &'u Expr, b: &'u Expr) -> Pair {
        let [low, high] = [(); 2].map(|()| {
            let half = self.variable(HALF, false);
            self.push(StmtKind::Declare(half, Vec::new(), Initialised::No));
            self.local(half, HALF)
        });
        let condition = self.condition(c);
        let [then, other] = [a, b].map(|arm| {
            let stmts = self.collected(|this| {
                let pair = this.pair(arm);
                for (into, value) in [(&low, pair.low), (&high, pair.high)] {
                    let place = value.place;
                    let kind = ExprKind::Assign(Box::new(into.clone()), Box::new(value));
                    this.push(StmtKind::Expr(Expr {
                        kind,
                        ty: HALF,
                        place,
                    }));
                }
            });
            Box::new(Stmt {
                kind: StmtKind::Block(stmts),
                place: self.place,
            })
        });
        self.push(StmtKind::If(condition, then, Some(other)));
        Pair {
            low: load(low, HALF),
            high: load(high, HALF),
        }
    }
}

/// Whether an operation is computed in halves; division only by powers of two.
pub(super) fn is_computed(op: BinaryOp, b: &Expr) -> bool {
    match op {
        BinaryOp::Div | BinaryOp::Rem => {
            constant(b).is_some_and(|by| by > 0 && by.count_ones() == 1)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::Shr => true,
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::PointerAdd
        | BinaryOp::PointerSub
        | BinaryOp::PointerDiff => false,
    }
}

/// Whether an object can be evaluated several times, and is the same one.
fn is_plain(lvalue: &Lvalue) -> bool {
    match &lvalue.kind {
        LvalueKind::Object(_) | LvalueKind::Local(_) => true,
        LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => is_plain(inner),
        LvalueKind::Element(inner, e) => is_plain(inner) && matches!(e.kind, ExprKind::Const(_)),
        LvalueKind::Deref(_) => false,
    }
}

pub(super) fn is_signed(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int { signed: true, .. })
}

pub(super) const UNSIGNED: Type = Type {
    kind: TypeKind::Int {
        bits: 64,
        signed: false,
    },
    atomic: false,
    volatile: false,
};
pub(super) const VOID: Type = Type {
    kind: TypeKind::Void,
    atomic: false,
    volatile: false,
};

fn constant_of(value: i64, ty: Type, place: Place) -> Expr {
    let kind = ExprKind::Const(value);
    Expr { kind, ty, place }
}

fn cast(e: Expr, ty: Type) -> Expr {
    let place = e.place;
    let kind = ExprKind::Cast(Box::new(e));
    Expr { kind, ty, place }
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
    let place = a.place;
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Expr { kind, ty, place }
}
