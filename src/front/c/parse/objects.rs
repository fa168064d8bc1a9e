//! `__atomic_load` and the other built-in functions that take their operands by pointers, which is what
//! the headers of compilers make of `atomic_load`.
//!
//! There `atomic_exchange(&x, 1)` is `({ … __atomic_exchange(p, &t, &t, 5); t; })`. Where the value of
//! that is not used, the variable is not either, which compilers notice: see `lower::library` for what
//! they make of an exchange then.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "one kind of expression or place is looked for"
)]

use super::Parser;
use crate::c::check::{Checked, Operand, VOID};
use crate::c::library;
use crate::c::token::TokenKind;
use crate::lower::typed::{Callee, Expr, ExprKind, Lvalue, LvalueKind, StmtKind};
use crate::text::Place;

impl Parser<'_> {
    /// The rest of a call after its opening bracket, as a call of the function on values.
    pub(super) fn object_builtin(&mut self, start: usize) -> Checked<Operand> {
        let named = self.tokens[start].place;
        let object = self.full_assignment()?;
        self.expect(",")?;
        let word = match &self.tokens[start].kind {
            TokenKind::Word(word) => word.as_str(),
            TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => "",
        };
        match word {
            "__atomic_load" => {
                let result = self.pointed()?;
                let orders = self.further()?;
                let value = self.on_values("__atomic_load_n", object, orders, named)?;
                self.check.assign(result, value)
            }
            "__atomic_store" => {
                let mut values = vec![self.pointed()?];
                values.extend(self.further()?);
                self.on_values("__atomic_store_n", object, values, named)
            }
            "__atomic_exchange" => {
                let mut values = vec![self.pointed()?];
                self.expect(",")?;
                let result = self.pointed()?;
                values.extend(self.further()?);
                let value = self.on_values("__atomic_exchange_n", object, values, named)?;
                self.check.assign(result, value)
            }
            _ => {
                let mut values = vec![self.full_assignment()?];
                self.expect(",")?;
                values.push(self.pointed()?);
                values.extend(self.further()?);
                self.on_values("__atomic_compare_exchange_n", object, values, named)
            }
        }
    }

    /// What an argument points to. The variable in `&x` is not accessed through a pointer.
    fn pointed(&mut self) -> Checked<Operand> {
        if self.eat("&") {
            return self.unary();
        }
        let place = self.place();
        let pointer = self.full_assignment()?;
        self.check.dereference(pointer, place)
    }

    /// The arguments that follow.
    fn further(&mut self) -> Checked<Vec<Operand>> {
        let mut arguments = Vec::new();
        while self.eat(",") {
            arguments.push(self.full_assignment()?);
        }
        Ok(arguments)
    }

    fn on_values(
        &mut self,
        name: &str,
        object: Operand,
        values: Vec<Operand>,
        named: Place,
    ) -> Checked<Operand> {
        let Some(entry) = library::find(name) else {
            return Err(self.unexpected("another function"));
        };
        let mut arguments = vec![object];
        arguments.extend(values);
        let end = self.place();
        self.check
            .call(Operand::Library(entry, named), arguments, end)
    }
}

/// An expression whose value is not used. If that is the variable at the end of `({ … })` which a call
/// of a library function has just set, the result of that call is not used.
pub(super) fn discarded(mut value: Expr) -> Expr {
    match &mut value.kind {
        ExprKind::Cast(inner)
            if value.ty.is_void() && matches!(inner.kind, ExprKind::Statement(_)) =>
        {
            let inner = std::mem::replace(&mut **inner, nothing(value.place));
            return discarded(inner);
        }
        ExprKind::Statement(statements) => {
            if let [.., set, last] = &mut statements[..]
                && let StmtKind::Expr(assignment) = &mut set.kind
                && let StmtKind::Expr(result) = &last.kind
                && let Some(call) = unused_call(assignment, result)
            {
                set.kind = StmtKind::Expr(call);
                statements.pop();
                value.ty = VOID;
            }
        }
        _ => {}
    }
    value
}

/// The call of a library function whose result this assigns to a local variable, if the other
/// expression is the value of that.
fn unused_call(assignment: &mut Expr, result: &Expr) -> Option<Expr> {
    let ExprKind::Assign(into, call) = &mut assignment.kind else {
        return None;
    };
    let mut used = result;
    while let ExprKind::Cast(inner) = &used.kind {
        used = inner;
    }
    let ExprKind::Load(from) = &used.kind else {
        return None;
    };
    let local = |place: &Lvalue| match place.kind {
        LvalueKind::Local(id) => Some(id),
        _ => None,
    };
    if local(into).is_none() || local(into) != local(from) {
        return None;
    }
    let mut called = &**call;
    while let ExprKind::Cast(inner) = &called.kind {
        called = inner;
    }
    if !matches!(&called.kind, ExprKind::Call(Callee::Library(_), _)) {
        return None;
    }
    let mut call = std::mem::replace(&mut **call, nothing(assignment.place));
    while let ExprKind::Cast(inner) = call.kind {
        call = *inner;
    }
    Some(call)
}

fn nothing(place: Place) -> Expr {
    Expr {
        kind: ExprKind::Const(0),
        ty: VOID,
        place,
    }
}
