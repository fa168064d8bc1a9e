//! C expressions: their types, their loads, and the part of C's arithmetic that 32-bit values can
//! represent.

use super::super::types::{Size, Type};
use super::ast::{Ast, AstKind};
use super::lower::Lowering;
use super::widens;
use crate::program::{BinaryOp, Expr, Op, RegId, UnaryOp};
use crate::text::{Diagnostic, Span, nearest};

pub(super) type E = Expr<RegId>;

/// A computed value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) e: E,
    pub(super) kind: Type,
}

/// `unsigned int`.
const UNSIGNED: Type = Type {
    signed: false,
    ..Type::INT
};

impl Value {
    pub(super) fn int(e: E) -> Self {
        let kind = Type::INT;
        Self { e, kind }
    }
}

/// An lvalue.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Local(RegId, Type),
    Memory { addr: E, kind: Type },
}

impl Lowering<'_> {
    /// The local variable with this name; reports an unknown name.
    pub(super) fn local(&mut self, name: &str, span: &Span) -> Option<(RegId, Type)> {
        if let Some(local) = self.locals.get(name)
            && local.is_in_scope()
        {
            return Some((local.register, local.kind));
        }
        if self.params.contains_key(name) {
            self.error(format!("the parameter `{name}` cannot be changed"), span);
            return None;
        }
        self.unknown(name, span);
        None
    }

    fn unknown(&mut self, name: &str, span: &Span) {
        let visible = self.locals.iter().filter(|(_, local)| local.is_in_scope());
        let names = visible.map(|(name, _)| name.as_str());
        let near = nearest(name, names.chain(self.params.keys().copied()));
        let hint = if self.locals.contains_key(name) {
            "the block that declares it has ended".to_owned()
        } else {
            near.map_or_else(
                || "neither a parameter nor a local variable".to_owned(),
                |near| format!("did you mean `{near}`?"),
            )
        };
        self.report(Diagnostic::error(format!("unknown name `{name}`"), span.clone()).label(hint));
    }

    /// The lvalue that an expression denotes.
    pub(super) fn place(&mut self, ast: &Ast) -> Option<Place> {
        match &ast.kind {
            AstKind::Name(name) => {
                let (register, kind) = self.local(name, &ast.span)?;
                Some(Place::Local(register, kind))
            }
            AstKind::Deref(inside) => {
                let value = self.value(inside)?;
                self.pointed(value, &inside.span)
            }
            AstKind::Index(array, index) => {
                let AstKind::Name(name) = &array.kind else {
                    self.error("only a parameter can be indexed", &array.span);
                    return None;
                };
                let Some(&(kind, region)) = self.params.get(name.as_str()) else {
                    self.unknown(name, &array.span);
                    return None;
                };
                let cells = self.memory.region(region).init.len();
                let AstKind::Number(at, _) = index.kind else {
                    self.error("an index must be a constant", &index.span);
                    return None;
                };
                let Some(at) = usize::try_from(at).ok().filter(|&at| at < cells) else {
                    self.error(
                        format!("index out of bounds: `{name}` has {cells} elements"),
                        &index.span,
                    );
                    return None;
                };
                let addr = Expr::Const(self.memory.address(region).0 + at as i32);
                let kind = kind.pointee()?;
                Some(Place::Memory { addr, kind })
            }
            AstKind::Number(..)
            | AstKind::Unary(..)
            | AstKind::Binary(..)
            | AstKind::Conditional(_)
            | AstKind::Address(_)
            | AstKind::Cast(..)
            | AstKind::Call(..) => {
                self.error("this is not an lvalue", &ast.span);
                None
            }
        }
    }

    /// The place that a pointer points to.
    pub(super) fn pointed(&mut self, value: Value, span: &Span) -> Option<Place> {
        let Some(kind) = value.kind.pointee() else {
            self.error("this is not a pointer", span);
            return None;
        };
        let addr = value.e;
        Some(Place::Memory { addr, kind })
    }

    /// Reads a place; a value in memory is loaded into `into`, or into a new register.
    pub(super) fn read(&mut self, place: Place, into: Option<RegId>, span: &Span) -> Value {
        match place {
            Place::Local(register, kind) => Value {
                e: Expr::Var(register),
                kind,
            },
            Place::Memory { addr, kind } => {
                let into = into.unwrap_or_else(|| self.temporary());
                self.step(Op::Load { into, addr }, span);
                Value {
                    e: Expr::Var(into),
                    kind,
                }
            }
        }
    }

    /// Assigns to a place.
    pub(super) fn write(&mut self, place: &Place, value: Value, span: &Span) {
        match place {
            Place::Local(register, kind) => {
                if let Some(value) = self.convert(value, *kind, span) {
                    let into = *register;
                    self.step(Op::Assign { into, value }, span);
                }
            }
            Place::Memory { addr, kind } => {
                if let Some(value) = self.convert(value, *kind, span) {
                    let addr = addr.clone();
                    self.step(Op::Store { addr, value }, span);
                }
            }
        }
    }

    /// Converts a value to another type.
    pub(super) fn convert(&mut self, value: Value, to: Type, span: &Span) -> Option<E> {
        let constant = value.e.as_const();
        let from = value.kind;
        let message = match (from.pointee(), to.pointee()) {
            (None, Some(_)) if constant == Some(0) => return Some(value.e),
            (Some(from), Some(to)) if from.size() == to.size() => return Some(value.e),
            (Some(_), Some(_)) => format!("a `{}` is not a `{}`", from.name(), to.name()),
            (None, Some(_)) => "a number is used as an address".to_owned(),
            (Some(_), None) => "an address is used as a number".to_owned(),
            (None, None) => match constant {
                Some(constant)
                    if constant < 0 && promoted(from) == UNSIGNED && to.base == Size::Quad =>
                {
                    let number = constant as u32;
                    format!(
                        "the unsigned value {number} is converted to the wider type `{}`",
                        to.name()
                    )
                }
                Some(constant) => match to.base.value(constant.into()) {
                    Ok(_) => return Some(value.e),
                    Err(message) => message,
                },
                None if from.base == Size::Long && !from.signed && to.base == Size::Quad => {
                    "an unsigned int is converted to a wider type".to_owned()
                }
                None if widens(from.base, to.base) => return Some(value.e),
                None => format!(
                    "a `{}` is converted to the narrower type `{}`",
                    from.name(),
                    to.name()
                ),
            },
        };
        self.report(
            Diagnostic::error(message, span.clone())
                .label("not supported")
                .note("values are 32 bits wide and signed here"),
        );
        None
    }

    /// The value of an expression, after its loads and calls; `None` if it cannot be computed,
    /// which is reported.
    pub(super) fn value(&mut self, ast: &Ast) -> Option<Value> {
        let span = &ast.span;
        match &ast.kind {
            AstKind::Number(number, kind) => self.number(*number, *kind, span),
            AstKind::Name(name) => self.name(name, span),
            AstKind::Deref(_) | AstKind::Index(..) => {
                let place = self.place(ast)?;
                Some(self.read(place, None, span))
            }
            AstKind::Address(inside) => match self.place(inside)? {
                Place::Memory { addr, kind } => Some(Value {
                    e: addr,
                    kind: Type {
                        stars: kind.stars.saturating_add(1),
                        ..kind
                    },
                }),
                Place::Local(..) => {
                    self.error("the address of a local variable cannot be taken", span);
                    None
                }
            },
            AstKind::Unary(op, inside) => {
                self.refuse_beyond_int(&[inside.as_ref()])?;
                let value = self.value(inside)?;
                self.unary(*op, value, span)
            }
            AstKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if b.has_effects() => {
                self.short_circuit(*op, a, b)
            }
            AstKind::Binary(op, left, right) => {
                let a = self.value(left)?;
                let b = self.value(right)?;
                // Both are numbers below 2^32, in 64 bits as in 32.
                let unsigned = |value: &Value| promoted(value.kind) == UNSIGNED;
                if !(is_comparison(*op) && unsigned(&a) && unsigned(&b)) {
                    self.refuse_beyond_int(&[left.as_ref(), right.as_ref()])?;
                }
                self.combine(*op, a, b, span)
            }
            AstKind::Conditional(parts) => self.conditional(parts, span),
            AstKind::Cast(kind, inside) => {
                let value = self.value(inside)?;
                let e = self.convert(value, *kind, span)?;
                Some(Value { e, kind: *kind })
            }
            AstKind::Call(name, arguments) => {
                let found = self.call(name, arguments, None, span)?;
                if found.is_none() {
                    self.error(format!("`{name}` does not return a value"), span);
                }
                found
            }
        }
    }

    /// A constant. One that fits its type only beyond 32 bits becomes an unsigned one; callers that
    /// compute with it check [`Ast::is_beyond_int`] first.
    fn number(&mut self, number: i64, kind: Type, span: &Span) -> Option<Value> {
        *self.most = number.unsigned_abs().max(*self.most);
        match Size::Long.value(number) {
            Ok(value) => Some(Value {
                e: Expr::Const(value),
                kind: if i32::try_from(number).is_ok() {
                    kind
                } else {
                    UNSIGNED
                },
            }),
            Err(message) => {
                self.error(message, span);
                None
            }
        }
    }

    /// Reports a constant with which 32-bit arithmetic would compute a different result.
    fn refuse_beyond_int(&mut self, operands: &[&Ast]) -> Option<()> {
        let found = operands.iter().find(|operand| operand.is_beyond_int());
        let Some(constant) = found else {
            return Some(());
        };
        self.report(
            Diagnostic::error(
                "a constant between 2^31 and 2^32 without `u` is 64 bits wide",
                constant.span.clone(),
            )
            .label("not supported in arithmetic and comparisons")
            .note("with the suffix `u` it is an unsigned int"),
        );
        None
    }

    fn name(&mut self, name: &str, span: &Span) -> Option<Value> {
        if let Some(&(kind, region)) = self.params.get(name) {
            let e = Expr::Const(self.memory.address(region).0);
            return Some(Value { e, kind });
        }
        if let Some(local) = self.locals.get(name)
            && local.is_in_scope()
        {
            return Some(Value {
                e: Expr::Var(local.register),
                kind: local.kind,
            });
        }
        match name {
            "NULL" | "false" => Some(Value::int(Expr::Const(0))),
            "true" => Some(Value::int(Expr::Const(1))),
            _ => {
                self.unknown(name, span);
                None
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, value: Value, span: &Span) -> Option<Value> {
        let e = Expr::unary(op, value.e);
        if op == UnaryOp::Not {
            return Some(Value::int(e));
        }
        if value.kind.stars > 0 {
            self.error("arithmetic on an address", span);
            return None;
        }
        let kind = promoted(value.kind);
        if kind.base == Size::Quad {
            self.note_wide(span);
        }
        Some(Value { e, kind })
    }

    /// `a && b` and `a || b` where `b` is evaluated only if needed.
    fn short_circuit(&mut self, op: BinaryOp, a: &Ast, b: &Ast) -> Option<Value> {
        let span = &b.span;
        let a = self.value(a)?;
        let result = self.temporary();
        let truth = |e: E| Expr::binary(BinaryOp::Ne, e, Expr::Const(0));
        let value = truth(a.e);
        self.step(
            Op::Assign {
                into: result,
                value,
            },
            span,
        );
        let (needed, join) = (self.location(span), self.location(span));
        let known = Expr::Var(result);
        let not = Expr::unary(UnaryOp::Not, known.clone());
        let (go, stop) = if op == BinaryOp::And {
            (known, not)
        } else {
            (not, known)
        };
        self.edge(Op::Assume(go), needed, span);
        self.edge(Op::Assume(stop), join, span);
        self.here = needed;
        let b = self.value(b)?;
        let value = truth(b.e);
        self.edge(
            Op::Assign {
                into: result,
                value,
            },
            join,
            span,
        );
        self.here = join;
        Some(Value::int(Expr::Var(result)))
    }

    fn conditional(&mut self, parts: &[Ast; 3], span: &Span) -> Option<Value> {
        let [condition, a, b] = parts;
        if a.has_effects() || b.has_effects() {
            self.report(
                Diagnostic::error(
                    "`?:` with memory accesses in its branches is not supported",
                    span.clone(),
                )
                .note("use `if` instead"),
            );
            return None;
        }
        self.refuse_beyond_int(&[a, b])?;
        let condition = self.value(condition)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        let kind = if a.kind.stars > 0 || b.e.as_const() == Some(0) {
            a.kind
        } else if b.kind.stars > 0 {
            b.kind
        } else {
            common(a.kind, b.kind)
        };
        let a = self.convert(a, kind, span)?;
        let b = self.convert(b, kind, span)?;
        let e = Expr::conditional(condition.e, a, b);
        Some(Value { e, kind })
    }

    /// The value of a binary operator.
    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        span: &Span,
    ) -> Option<Value> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return Some(Value::int(Expr::binary(op, a.e, b.e)));
        }
        if a.kind.stars > 0 || b.kind.stars > 0 {
            let null = |value: &Value| value.kind.stars > 0 || value.e.as_const() == Some(0);
            if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && null(&a) && null(&b) {
                return Some(Value::int(Expr::binary(op, a.e, b.e)));
            }
            self.error("addresses can only be compared, with `==` and `!=`", span);
            return None;
        }
        let kind = common(a.kind, b.kind);
        let constant = b.e.as_const();
        let a = self.convert(a, kind, span)?;
        let b = self.convert(b, kind, span)?;
        let unsigned = !kind.signed;
        let wide = kind.base == Size::Quad;
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let unsupported = if shifts && !constant.is_some_and(|c| (0..32).contains(&c)) {
            Some("a shift by anything but a constant from 0 to 31")
        } else if (divides || op == BinaryOp::Shr) && unsigned {
            Some("`>>`, `/` and `%` of unsigned numbers")
        } else if divides && constant.is_none_or(|c| c == 0 || c == -1) {
            Some("a division by anything but a constant other than 0 and -1")
        } else if wide && matches!(op, BinaryOp::Mul | BinaryOp::Shl) {
            Some("64-bit `*` and `<<`")
        } else {
            None
        };
        if let Some(what) = unsupported {
            self.error(format!("{what}: not supported"), span);
            return None;
        }
        if wide && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            self.note_wide(span);
        }
        let compares = is_comparison(op);
        let orders = compares && !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        // Flipping the sign bits turns the order of unsigned numbers into that of signed ones.
        let flip = |e: E| Expr::binary(BinaryOp::BitXor, e, Expr::Const(i32::MIN));
        let e = if orders && unsigned {
            Expr::binary(op, flip(a), flip(b))
        } else {
            Expr::binary(op, a, b)
        };
        let kind = if compares { Type::INT } else { kind };
        Some(Value { e, kind })
    }
}

/// Whether an operator is a comparison.
fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}

/// The type after integer promotion.
fn promoted(kind: Type) -> Type {
    let atomic = false;
    match kind.base {
        Size::Byte | Size::Word => Type::INT,
        Size::Long | Size::Quad => Type { atomic, ..kind },
    }
}

/// The common type of two numbers.
fn common(a: Type, b: Type) -> Type {
    let (a, b) = (promoted(a), promoted(b));
    let base = a.base.max(b.base);
    let unsigned = |kind: Type| kind.base == base && !kind.signed;
    Type {
        base,
        signed: !unsigned(a) && !unsigned(b),
        ..Type::INT
    }
}
