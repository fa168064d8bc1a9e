//! Functions with a variable number of arguments.
//!
//! ```text
//!   va_start(list, last)  ─▶ list = 64 · (the activation of the function) + 1
//!   va_arg(list, T)       ─▶ list = list + 1; the argument that list named before
//! ```
//!
//! Calls are inlined, so what a call gives is known where its function is walked. A list is a number: it can be copied,
//! passed on and pointed to like any other one. Where its value is not known, as in loops, each argument of the calls
//! around is a case. An argument that is not there, or is read as another type, is a violation.

use super::Lowering;
use super::value::{Value, binary, c};
use crate::lower::typed::{Expr, FunctionId, Type, TypeKind};
use crate::program::{BinaryOp, Fault};
use crate::text::Place;

/// No call has as many arguments beyond those with parameters.
const MOST: i64 = 64;

/// The arguments of a call that have no parameters.
#[derive(Debug)]
pub(super) struct Beyond {
    activation: usize,
    arguments: Vec<(Value, Type)>,
}

impl Lowering<'_> {
    /// A function is going to be called with these values, of which some have no parameters.
    pub(super) fn pass_beyond(
        &mut self,
        id: FunctionId,
        arguments: &[Expr],
        values: &[Vec<Value>],
        place: Place,
    ) {
        let known = self.unit.functions[id.0].parameters;
        let rest = arguments.iter().zip(values).skip(known);
        let mut beyond = Vec::new();
        for (argument, scalars) in rest {
            let value = match scalars.first() {
                // What is in a register may change.
                Some(Value::Unknown(e)) => Value::Unknown(self.copy(e.clone(), place)),
                Some(value) => value.clone(),
                None => Value::ZERO,
            };
            beyond.push((value, argument.ty.clone()));
        }
        if beyond.len() as i64 >= MOST {
            self.error(format!("more than {MOST} arguments"), place);
        }
        self.beyond.push(Beyond {
            activation: self.activations + 1,
            arguments: beyond,
        });
    }

    /// `va_start`: the list of the arguments of the function at hand.
    pub(super) fn argument_list(&self) -> Value {
        let activation = self.control.activation.map_or(0, |(number, _)| number);
        Value::Known(MOST * activation as i64 + 1)
    }

    /// `va_arg`: the argument that a list names, as this type.
    pub(super) fn next_argument(&mut self, list: Value, ty: &Type, place: Place) -> Value {
        if self.state.is_none() {
            return Value::ZERO;
        }
        let calls = self.beyond.iter().rev();
        let all = calls.flat_map(|call| {
            let first = MOST * call.activation as i64 + 1;
            (first..).zip(&call.arguments)
        });
        let mut fitting: Vec<(i64, Value, Type)> = all
            .filter(|(_, (value, own))| fits(value, own, ty))
            .map(|(number, (value, own))| (number, value.clone(), own.clone()))
            .collect();
        if let Value::Known(number) = list {
            fitting.retain(|(other, ..)| *other == number);
            let Some((_, value, own)) = fitting.pop() else {
                self.violation(Fault::NoArgument, place);
                return Value::ZERO;
            };
            return self.convert(value, &own, ty, place);
        }
        let list = self.dynamic_of(&list, None, place);
        let list = self.copy(list, place);
        let mut ends = Vec::new();
        for (number, value, own) in fitting {
            let is_this = binary(BinaryOp::Eq, list.clone(), c(number as i32));
            let (yes, no) = self.split(Value::Unknown(is_this), place);
            self.state = yes;
            let value = self.convert(value, &own, ty, place);
            ends.extend(self.state.take().map(|state| (state, vec![value])));
            self.state = no;
        }
        self.violation(Fault::NoArgument, place);
        let types = [ty.clone()];
        let mut joined = self.join_values(ends, &types, place);
        joined.pop().unwrap_or(Value::ZERO)
    }
}

/// Whether an argument of one type may be read as one of another (C11 7.16.1.1).
fn fits(value: &Value, own: &Type, wanted: &Type) -> bool {
    match (&own.kind, &wanted.kind) {
        (TypeKind::Pointer(_), TypeKind::Pointer(_))
        | (TypeKind::Float { .. }, TypeKind::Float { .. }) => true,
        // `NULL` may be 0.
        (_, TypeKind::Pointer(_)) => *value == Value::ZERO,
        (TypeKind::Int { bits: own, .. }, TypeKind::Int { bits: wanted, .. }) => own == wanted,
        _ => false,
    }
}
