//! `scanf` and its like: what is read is any value, in as many places as some number says.
//!
//!   sscanf(text, "%d %d", &x, &y) ─▶ ({ int n = any of -1 … 2; if (n > 0) x = any; if (n > 1) y = any; n; })

use super::{Checked, Checker, INT, Operand, VOID, expr};
use crate::c::library::{Entry, Scanned, conversions};
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{BinaryOp, Callee, Expr, ExprKind, Stmt, StmtKind, Type};
use crate::text::Place;

/// No format stores more.
const MOST: usize = 16;

/// How much was stored, by how much there is.
static COUNTS: [Operation; MOST + 1] = {
    const NONE: Operation = count_of(0);
    let mut counts = [NONE; MOST + 1];
    let mut high = 0;
    while high <= MOST {
        counts[high] = count_of(high as i32);
        high += 1;
    }
    counts
};

const fn count_of(high: i32) -> Operation {
    Operation {
        name: "scanf",
        meaning: Meaning::Nondet { low: -1, high },
    }
}

/// Stores any value where a pointer leads to.
static STORE: Operation = Operation {
    name: "scanf",
    meaning: Meaning::Fill {
        from: 0,
        low: 0,
        high: 0,
    },
};

/// The same with a text.
static TEXT: Operation = Operation {
    name: "scanf",
    meaning: Meaning::FillText,
};

impl Checker<'_> {
    /// A call with these arguments, of which the last one of this number is the format.
    pub(super) fn scan(
        &mut self,
        entry: &Entry,
        (format, mut arguments): (usize, Vec<Operand>),
        place: Place,
    ) -> Checked<Operand> {
        let name = entry.operation.name;
        let places = arguments.split_off(format.min(arguments.len()));
        let Some(Operand::Text(text, _)) = arguments.last() else {
            let message = format!("the format of `{name}` is not a literal");
            return Err(self.error_with(message, place, "write it as a literal"));
        };
        let Some(conversions) = conversions(text) else {
            let message = format!("this format of `{name}` is not supported");
            let note =
                "conversions are supported with a width or a length, `%c` only of one character";
            return Err(self.error_with(message, place, note));
        };
        if conversions.len() != places.len() || places.len() > MOST {
            let (wanted, given) = (conversions.len(), places.len());
            let message =
                format!("the format stores {wanted} values, and {given} pointers are given");
            return Err(self.error_with(
                message,
                place,
                format!("no more than {MOST} are supported"),
            ));
        }
        arguments.pop();
        let mut statements = Vec::new();
        for argument in arguments {
            let value = self.value(argument)?;
            statements.push(statement(value));
        }
        let stored = conversions.iter().filter(|one| **one != Scanned::Count);
        let any = call(&COUNTS[stored.count()], Vec::new(), INT, place);
        let Some((made, count)) = self.temporary(any) else {
            return Err(self.error(format!("`{name}` is not called in a function"), place));
        };
        statements.push(made);
        let count = || expr(ExprKind::Load(Box::new(count.clone())), INT, place);
        let mut number = 0;
        for (conversion, pointer) in conversions.into_iter().zip(places) {
            let pointer = self.value(pointer)?;
            let is_pointer = pointer.ty.pointee().is_some();
            if !is_pointer {
                let shown = self.show(&pointer.ty);
                let message = format!("`{name}` stores through a pointer, not `{shown}`");
                return Err(self.error(message, pointer.place));
            }
            let operation = if conversion == Scanned::Text {
                &TEXT
            } else {
                &STORE
            };
            let at = pointer.place;
            let store = statement(call(operation, vec![pointer], VOID, at));
            let least = i64::from(number);
            number += i32::from(conversion != Scanned::Count);
            let least = expr(ExprKind::Const(least), INT, at);
            let is_read = ExprKind::Binary(BinaryOp::Lt, Box::new(least), Box::new(count()));
            let kind = StmtKind::If(expr(is_read, INT, at), Box::new(store), None);
            statements.push(Stmt { kind, place: at });
        }
        statements.push(statement(count()));
        Ok(Operand::Value(expr(
            ExprKind::Statement(statements),
            INT,
            place,
        )))
    }
}

fn statement(value: Expr) -> Stmt {
    let place = value.place;
    Stmt {
        kind: StmtKind::Expr(value),
        place,
    }
}

fn call(operation: &'static Operation, arguments: Vec<Expr>, ty: Type, place: Place) -> Expr {
    expr(
        ExprKind::Call(Callee::Library(operation), arguments),
        ty,
        place,
    )
}
