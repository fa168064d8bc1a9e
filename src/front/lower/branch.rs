//! Conditions: where control goes if they hold, and if they do not.

use super::Lowering;
use super::env::State;
use super::position::Form;
use super::value::{Value, not};
use crate::lower::typed::{Expr, ExprKind, StmtKind, UnaryOp};
use crate::program::Op;
use crate::text::Place;

impl Lowering<'_> {
    /// Where control goes if a condition holds, and if it does not.
    pub(super) fn branch(&mut self, e: &Expr) -> (Option<State>, Option<State>) {
        match &e.kind {
            ExprKind::And(a, b) => {
                let (yes, no) = self.branch(a);
                self.state = yes;
                self.after(a.place, b, Form::Operand);
                let (yes, other) = self.branch(b);
                let no = no.into_iter().chain(other).collect();
                (yes, self.join(no, e.place))
            }
            ExprKind::Or(a, b) => {
                let (yes, no) = self.branch(a);
                self.state = no;
                self.after(a.place, b, Form::Operand);
                let (other, no) = self.branch(b);
                let yes = yes.into_iter().chain(other).collect();
                (self.join(yes, e.place), no)
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let (yes, no) = self.branch(a);
                (no, yes)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a, a.place);
                self.after(a.place, b, Form::List);
                self.branch(b)
            }
            ExprKind::Statement(stmts)
                if let Some((last, rest)) = stmts.split_last()
                    && let StmtKind::Expr(value) = &last.kind =>
            {
                self.encloses(stmts);
                self.stmts(rest);
                self.last_position(last);
                self.branch(value)
            }
            _ => {
                let value = self.eval(e);
                self.split(value, e.place)
            }
        }
    }

    /// Where control goes if a value is not 0, and if it is.
    pub(super) fn split(&mut self, value: Value, place: Place) -> (Option<State>, Option<State>) {
        let Some(state) = self.state.take() else {
            return (None, None);
        };
        match value {
            Value::Known(0) => (None, Some(state)),
            Value::Known(_) => (Some(state), None),
            Value::Unknown(e) => {
                self.solo = false;
                let origin = self.origin(place);
                let yes = self.code.step(state.at, Op::Assume(e.clone()), origin);
                let no = self.code.step(state.at, Op::Assume(not(e)), origin);
                let other = State {
                    at: no,
                    env: state.env.clone(),
                };
                (Some(State { at: yes, ..state }), Some(other))
            }
        }
    }
}
