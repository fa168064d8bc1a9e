//! Calls that return a value: locked instructions, choices, and procedures.

use super::ThreadDraft;
use crate::native::ast::{Expr, ExprKind, Name};
use crate::native::lower::builtin::{Builtin, Locked};
use crate::native::lower::graph::Node;
use crate::program::{Op, RegId, Update};
use crate::text::{Diagnostic, Span};

impl<'a> ThreadDraft<'_, 'a> {
    /// A locked instruction, choice or procedure whose result goes into a register; leads to the given
    /// location, or to a new one, and moves `at` there. Returns whether there was no error.
    pub(super) fn locked(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        into: RegId,
        at: &mut Node,
        to: Option<Node>,
        span: &Span,
    ) -> bool {
        let procedure = self.scope.procedure_names.get(name.text.as_str());
        if let Some(&index) = procedure
            && self.scope.procedures[index].returns
        {
            let to = to.unwrap_or_else(|| self.graph.fresh());
            return self.call_for_value((index, name), arguments, into, (at, to), span);
        }
        let Some(op) = self.locked_op(name, arguments, into, at) else {
            return false;
        };
        let to = to.unwrap_or_else(|| self.graph.fresh());
        let origin = self.scope.lines.origin(span);
        self.graph.checked(*at, op, to, origin);
        *at = to;
        true
    }

    fn locked_op(
        &mut self,
        name: &'a Name,
        arguments: &'a [Expr],
        into: RegId,
        at: &mut Node,
    ) -> Option<Op> {
        let Some(builtin) = Builtin::named(&name.text) else {
            if self.scope.procedure_names.contains_key(name.text.as_str()) {
                self.scope.error(
                    Diagnostic::error(
                        format!("procedure `{}` does not return a value", name.text),
                        name.span.clone(),
                    )
                    .label("a call of it must be a separate statement")
                    .note("a procedure with `return e;` returns a value"),
                );
            } else {
                self.scope.unknown_call(name);
            }
            return None;
        };
        let found = arguments.len();
        let any_value = matches!(builtin, Builtin::Choice) && found == 0;
        if found != builtin.arguments() && !any_value {
            let expected = match builtin {
                Builtin::Choice => "zero or two arguments".to_owned(),
                Builtin::Locked(_) => format!("{} arguments", builtin.arguments()),
            };
            self.scope.wrong_count(name, found, &expected);
            return None;
        }
        match builtin {
            Builtin::Choice => self.choice(name, arguments, into),
            Builtin::Locked(locked) => self.update(locked, arguments, into, at),
        }
    }

    fn update(
        &mut self,
        locked: Locked,
        arguments: &'a [Expr],
        into: RegId,
        at: &mut Node,
    ) -> Option<Op> {
        // `&x` means the same as `x` here: both denote the cell.
        let place = arguments[0].strip();
        let addr = if let ExprKind::AddressOf(_) = &place.kind {
            self.value(place, at)
        } else {
            self.place(place, at)?.0
        };
        let first = self.value(&arguments[1], at);
        let update = match locked {
            Locked::CompareExchange => Update::CompareExchange {
                expected: first,
                desired: self.value(&arguments[2], at),
            },
            Locked::Exchange => Update::Exchange(first),
            Locked::Fetch(op) => Update::Fetch(op, first),
        };
        Some(Op::Rmw { into, addr, update })
    }

    /// A choice between two bounds, or among all values.
    fn choice(&mut self, name: &Name, bounds: &'a [Expr], into: RegId) -> Option<Op> {
        let (low, high) = match bounds {
            [low, high] => {
                let (low, high) = (self.constant(low), self.constant(high));
                (low?, high?)
            }
            _ => (i32::MIN, i32::MAX),
        };
        if low > high {
            self.scope.error(
                Diagnostic::error(
                    format!("the range from {low} to {high} is empty"),
                    bounds.first().map_or(name.span.start, |b| b.span.start)
                        ..bounds.last().map_or(name.span.end, |b| b.span.end),
                )
                .label("expected the lower bound first"),
            );
            return None;
        }
        Some(Op::Havoc { into, low, high })
    }

    /// The value of an expression that must be constant; it may use parameters that are.
    fn constant(&mut self, e: &'a Expr) -> Option<i32> {
        if self.has_effects(e) {
            return self.scope.constant(e);
        }
        let mut at = self.graph.nowhere;
        let value = self.value(e, &mut at);
        if value.as_const().is_none() {
            self.scope.error(
                Diagnostic::error("this is not a constant", e.span.clone())
                    .label("expected a constant"),
            );
        }
        value.as_const()
    }
}
