//! Expressions whose values are not wide, with what is wide in them in halves.

use super::halves::{VOID, is_signed};
use super::infer::{constant, is_64_bit};
use super::pairs::{Pair, compared};
use super::parts::load;
use super::rewrite::Rewriter;
use crate::lower::accesses::function;
use crate::lower::direct;
use crate::lower::operation::{BitFunction, Meaning, Operation};
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, Lvalue, LvalueKind, Stmt, StmtKind, Type,
    UnaryOp, Yields,
};
use crate::text::Place;

/// What is not expected to be in parts.
static ELSEWHERE: Operation = Operation {
    name: "an integer in parts",
    meaning: Meaning::Refuse(
        "an integer in parts is not supported here",
        "assign it to a variable first",
    ),
};

impl<'u> Rewriter<'u> {
    /// The value of an integer of up to 32 bits that is in parts where it comes from.
    fn of_parts(&mut self, e: &'u Expr) -> Expr {
        if let Some(pair) = self.accessed(e) {
            return pair.truncated(&e.ty);
        }
        let kind = match &e.kind {
            ExprKind::Comma(a, b) => {
                self.effect(a);
                return self.expr(b);
            }
            ExprKind::Statement(stmts) => {
                if let Some((last, rest)) = stmts.split_last() {
                    for stmt in rest {
                        let stmt = self.stmt(stmt);
                        self.out.push(stmt);
                    }
                    if let StmtKind::Expr(value) = &last.kind {
                        return self.expr(value);
                    }
                    let last = self.stmt(last);
                    self.out.push(last);
                }
                ExprKind::Const(0)
            }
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(self.expr(a))),
            ExprKind::Conditional(c, a, b) => ExprKind::Conditional(
                Box::new(self.condition(c)),
                Box::new(self.expr(a)),
                Box::new(self.expr(b)),
            ),
            _ => {
                self.refuse(&ELSEWHERE);
                ExprKind::Const(0)
            }
        };
        Expr {
            kind,
            ty: e.ty.clone(),
            place: e.place,
        }
    }

    /// The value of an expression in its own type. Of a wide one it has to fit into one cell.
    pub(super) fn expr(&mut self, e: &'u Expr) -> Expr {
        if self.classes.is_wide(e) {
            return self.enclosed(|this| {
                let pair = this.pair(e);
                this.narrowed(&pair, &e.ty)
            });
        }
        let place = e.place;
        let ty = self.type_of(e);
        if self.words.sizes(&ty).is_some() {
            return self.enclosed(|this| this.of_parts(e));
        }
        let kind = match &e.kind {
            ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => {
                e.kind.clone()
            }
            ExprKind::Load(from) => ExprKind::Load(Box::new(self.lvalue(from))),
            ExprKind::AddressOf(of) => ExprKind::AddressOf(Box::new(self.lvalue(of))),
            ExprKind::Unary(UnaryOp::Not, a) if self.classes.is_wide(a) => {
                return self.enclosed(|this| {
                    let pair = this.pair(a);
                    unary(UnaryOp::Not, pair.is_some(), ty)
                });
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.expr(a))),
            ExprKind::Binary(op, a, b)
                if is_64_bit(&a.ty) && (self.classes.is_wide(a) || self.classes.is_wide(b)) =>
            {
                return self.of_wide(e, *op, a, b);
            }
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::Checked(op, a, b) => {
                ExprKind::Checked(*op, Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::And(a, b) => {
                ExprKind::And(Box::new(self.condition(a)), Box::new(self.condition(b)))
            }
            ExprKind::Or(a, b) => {
                ExprKind::Or(Box::new(self.condition(a)), Box::new(self.condition(b)))
            }
            ExprKind::Conditional(c, a, b) => {
                let class = self.classes.value(e);
                let c = self.condition(c);
                let [a, b] = [a, b].map(|arm| Box::new(self.value_for(arm, class)));
                ExprKind::Conditional(Box::new(c), a, b)
            }
            ExprKind::Comma(a, b) => {
                let a = self.effect_of(a);
                ExprKind::Comma(Box::new(a), Box::new(self.expr(b)))
            }
            ExprKind::Assign(into, value) => {
                let class = self.classes.contents(into);
                let value = self.value_for(value, class);
                ExprKind::Assign(Box::new(self.lvalue(into)), Box::new(value))
            }
            ExprKind::Update {
                op,
                into,
                operand,
                computed_in,
                yields,
            } => {
                if self.classes.is_wide(operand) && !into.ty.atomic && into.ty.is_integer() {
                    return self.narrow_update(*op, into, operand, (computed_in, *yields));
                }
                ExprKind::Update {
                    op: *op,
                    operand: Box::new(self.expr(operand)),
                    into: Box::new(self.lvalue(into)),
                    computed_in: self.computed_in(computed_in, into),
                    yields: *yields,
                }
            }
            ExprKind::Cast(a) if e.ty.is_void() => ExprKind::Cast(Box::new(self.effect_of(a))),
            ExprKind::Cast(a) if e.ty.is_integer() && self.classes.is_wide(a) => {
                return self.enclosed(|this| {
                    let pair = this.pair(a);
                    pair.truncated(&ty)
                });
            }
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(self.expr(a))),
            ExprKind::Call(callee, arguments) => {
                if let Callee::Library(operation) = callee
                    && self.is_atomic_on_word(operation, arguments)
                {
                    return self.enclosed(|this| {
                        let used = !e.ty.is_void();
                        let result = this.atomic(operation, arguments, used);
                        result.into_value(&ty, place)
                    });
                }
                if let Callee::Library(operation) = callee
                    && let Meaning::Bits { what, width: 64 } = operation.meaning
                    && self.classes.is_wide(&arguments[0])
                {
                    return self.enclosed(|this| {
                        let pair = this.pair(&arguments[0]);
                        this.bits(what, &pair, &ty)
                    });
                }
                return self.call(e, callee, arguments);
            }
            ExprKind::Statement(stmts) => ExprKind::Statement(self.in_brackets(stmts)),
        };
        Expr { kind, ty, place }
    }

    /// The type in which an update is computed: a pointer's is that of the object.
    fn computed_in(&mut self, computed_in: &Type, into: &'u Lvalue) -> Type {
        if computed_in.is_pointer() {
            let class = self.classes.contents(into);
            self.typed(computed_in, class)
        } else {
            computed_in.clone()
        }
    }

    /// A function of the bits of a number; zeros of 0 are a violation.
    fn bits(&mut self, what: BitFunction, pair: &Pair, ty: &Type) -> Expr {
        if matches!(what, BitFunction::LeadingZeros | BitFunction::TrailingZeros) {
            self.require(pair.is_some());
        }
        let result = self.halves(|halves| halves.function_of_bits(what, pair));
        if is_64_bit(ty) {
            self.narrowed(&result, ty)
        } else {
            result.truncated(ty)
        }
    }

    fn in_brackets(&mut self, stmts: &'u [Stmt]) -> Vec<Stmt> {
        let mut all = Vec::new();
        for (at, stmt) in stmts.iter().enumerate() {
            let is_last = at + 1 == stmts.len();
            match &stmt.kind {
                StmtKind::Expr(e) if is_last => {
                    let outer = std::mem::replace(&mut self.place, stmt.place);
                    let kind = StmtKind::Expr(self.expr(e));
                    self.place = outer;
                    all.push(Stmt {
                        kind,
                        place: stmt.place,
                    });
                }
                _ => all.push(self.stmt(stmt)),
            }
        }
        all
    }

    /// An operation on wide numbers whose value is not wide: it shifts all bits into one half, masks, or is none of halves.
    fn of_wide(&mut self, e: &'u Expr, op: BinaryOp, a: &'u Expr, b: &'u Expr) -> Expr {
        let (ty, place) = (e.ty.clone(), e.place);
        if is_comparison(op) {
            return self.enclosed(|this| {
                let signed = is_signed(&a.ty);
                let (a, b) = (this.pair(a), this.pair(b));
                compared(op, signed, &a, &b).unwrap_or_else(|| zero(ty, place))
            });
        }
        if super::halves::is_computed(op, b) {
            let has_few_bits = op == BinaryOp::Shr || has_few_bits(a) || has_few_bits(b);
            return self.enclosed(|this| {
                let pair = this.pair(e);
                if has_few_bits {
                    pair.truncated(&ty)
                } else {
                    // A number that is not wide, under a large mask: it fits unless it is negative.
                    this.narrowed(&pair, &ty)
                }
            });
        }
        let kind = ExprKind::Binary(op, Box::new(self.expr(a)), Box::new(self.expr(b)));
        Expr { kind, ty, place }
    }

    /// `into op= operand` on an object that is not wide.
    fn narrow_update(
        &mut self,
        op: BinaryOp,
        into: &'u Lvalue,
        operand: &'u Expr,
        (computed_in, yields): (&'u Type, Yields),
    ) -> Expr {
        self.enclosed(|this| {
            let operand = this.expr(operand);
            let place = into.place;
            let kind = ExprKind::Update {
                op,
                operand: Box::new(operand),
                into: Box::new(this.lvalue(into)),
                computed_in: computed_in.clone(),
                yields,
            };
            let ty = into.ty.clone();
            Expr { kind, ty, place }
        })
    }

    /// A number in one cell. Where it does not fit there, the execution is not covered.
    pub(super) fn narrowed(&mut self, pair: &Pair, ty: &Type) -> Expr {
        let place = self.place;
        let kind = match pair.known() {
            Some(value) => ExprKind::Const(value as i64),
            None => ExprKind::Call(
                Callee::Library(&direct::NARROWED),
                vec![pair.low.clone(), pair.high.clone()],
            ),
        };
        let ty = ty.clone();
        Expr { kind, ty, place }
    }

    /// An expression as a condition.
    pub(super) fn condition(&mut self, e: &'u Expr) -> Expr {
        if self.classes.is_wide(e) {
            return self.enclosed(|this| this.pair(e).is_some());
        }
        self.expr(e)
    }

    /// What an expression does whose value is not used.
    pub(super) fn effect(&mut self, e: &'u Expr) {
        if !self.classes.is_wide(e) {
            let e = match &e.kind {
                ExprKind::Call(Callee::Library(operation), arguments)
                    if self.is_atomic_on_word(operation, arguments) =>
                {
                    self.atomic(operation, arguments, false);
                    return;
                }
                _ => self.expr(e),
            };
            self.push(StmtKind::Expr(e));
            return;
        }
        match &e.kind {
            ExprKind::Cast(a) => self.effect(a),
            ExprKind::Call(Callee::Library(operation), arguments)
                if self.is_atomic_on_word(operation, arguments) =>
            {
                self.atomic(operation, arguments, false);
            }
            ExprKind::Load(from) if !from.ty.atomic && !from.ty.volatile => {
                let object = self.lvalue(from);
                let ty = object.ty.clone();
                self.push(StmtKind::Expr(load(object, ty)));
            }
            _ => {
                self.pair(e);
            }
        }
    }

    /// The same as an expression.
    pub(super) fn effect_of(&mut self, e: &'u Expr) -> Expr {
        if !self.classes.is_wide(e) {
            return self.expr(e);
        }
        let stmts = self.collected(|this| this.effect(e));
        Expr {
            kind: ExprKind::Statement(stmts),
            ty: VOID,
            place: e.place,
        }
    }

    pub(super) fn lvalue(&mut self, lvalue: &'u Lvalue) -> Lvalue {
        let class = self.classes.contents(lvalue);
        let ty = self.typed(&lvalue.ty, class);
        let kind = match &lvalue.kind {
            LvalueKind::Object(_) | LvalueKind::Local(_) => lvalue.kind.clone(),
            LvalueKind::Deref(e) => LvalueKind::Deref(self.expr(e)),
            LvalueKind::Member(inner, index) => {
                LvalueKind::Member(Box::new(self.lvalue(inner)), *index)
            }
            LvalueKind::Bits(inner, bits) => LvalueKind::Bits(Box::new(self.lvalue(inner)), *bits),
            LvalueKind::Element(inner, e) => {
                let inner = self.lvalue(inner);
                LvalueKind::Element(Box::new(inner), self.expr(e))
            }
        };
        let place = lvalue.place;
        Lvalue { kind, ty, place }
    }

    /// A call of anything but an atomic operation on a wide object.
    pub(super) fn call(&mut self, e: &'u Expr, callee: &'u Callee, arguments: &'u [Expr]) -> Expr {
        let ty = self.type_of(e);
        let (callee, arguments) = match callee {
            Callee::Defined(FunctionId(id)) => {
                let given = self.passed(*id, arguments);
                (callee.clone(), given)
            }
            Callee::Pointer(pointer) => {
                let pointer = self.expr(pointer);
                let given = arguments.iter().map(|e| self.expr(e)).collect();
                (Callee::Pointer(Box::new(pointer)), given)
            }
            Callee::Library(operation) => {
                let given = self.given(operation.meaning, arguments);
                (callee.clone(), given)
            }
        };
        Expr {
            kind: ExprKind::Call(callee, arguments),
            ty,
            place: e.place,
        }
    }

    /// Arguments of a function of the program.
    fn passed(&mut self, id: usize, arguments: &'u [Expr]) -> Vec<Expr> {
        let parameters = self.unit.functions[id].parameters;
        let mut given = Vec::new();
        for (at, e) in arguments.iter().enumerate() {
            given.push(if at < parameters {
                let class = self.classes.local(id, at);
                self.value_for(e, class)
            } else {
                self.expr(e)
            });
        }
        given
    }

    /// Arguments of an operation of a library.
    fn given(&mut self, meaning: Meaning, arguments: &'u [Expr]) -> Vec<Expr> {
        if let Meaning::Spawn | Meaning::Start | Meaning::Later = meaning
            && let Some((routine, rest)) = arguments.split_first()
            && let Some(FunctionId(id)) = function(routine)
        {
            let mut given = vec![self.expr(routine)];
            given.extend(self.passed(id, rest));
            return given;
        }
        let mut given = Vec::new();
        for (at, e) in arguments.iter().enumerate() {
            given.push(match meaning {
                Meaning::Assert | Meaning::Assume | Meaning::Limit if at == 0 => self.condition(e),
                // Only what their evaluation does matters.
                Meaning::Print | Meaning::Ignore | Meaning::Nondet { .. }
                    if self.classes.is_wide(e) =>
                {
                    self.enclosed(|this| this.pair(e).low)
                }
                _ => self.expr(e),
            });
        }
        given
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}

/// Whether this is a mask that no negative number is left under.
fn has_few_bits(mask: &Expr) -> bool {
    constant(mask).is_some_and(|mask| (0..1 << 31).contains(&mask))
}

fn zero(ty: Type, place: Place) -> Expr {
    let kind = ExprKind::Const(0);
    Expr { kind, ty, place }
}

fn unary(op: UnaryOp, a: Expr, ty: Type) -> Expr {
    let place = a.place;
    let kind = ExprKind::Unary(op, Box::new(a));
    Expr { kind, ty, place }
}
