//! What an expression is that all threads of a group evaluate, and what must be the same for that.

use super::{Demand, Different, Search, all_equal, apply};
use crate::program::{BinaryOp, Expr, RegId, ThreadId, UnaryOp};

/// The value of an expression that all threads of a group evaluate, up to constants.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A constant, by thread of the group.
    Constants(Vec<i32>),
    /// `factor * value + offset`, of the value of a register or cell.
    Of {
        node: usize,
        factor: i32,
        offset: i32,
    },
    /// Something that no exchange changes.
    Fixed,
}

impl Search<'_> {
    /// A value gets into a node, or is compared with what is there.
    pub(super) fn put(&mut self, node: usize, value: Value) -> Result<(), Different> {
        self.same(
            Value::Of {
                node,
                factor: 1,
                offset: 0,
            },
            value,
        )
    }

    /// Two values are compared for equality, or one gets to where the other is.
    fn same(&mut self, a: Value, b: Value) -> Result<(), Different> {
        match (a, b) {
            (
                Value::Of {
                    node,
                    factor,
                    offset,
                },
                Value::Constants(constants),
            )
            | (
                Value::Constants(constants),
                Value::Of {
                    node,
                    factor,
                    offset,
                },
            ) => {
                if factor == 1 {
                    let before = constants.iter().map(|c| c.wrapping_sub(offset));
                    return self.add(node, before.collect());
                }
                let shared = all_equal(&constants).ok_or(Different)?;
                let value = Value::Of {
                    node,
                    factor,
                    offset,
                };
                self.ask(value, BinaryOp::Eq, shared, false)
            }
            (
                Value::Of {
                    node: a,
                    factor,
                    offset,
                },
                Value::Of {
                    node: b,
                    factor: other_factor,
                    offset: other_offset,
                },
            ) => {
                // An odd factor is one-to-one.
                if (factor, offset) == (other_factor, other_offset) && factor % 2 != 0 {
                    self.unite(a, b);
                } else if factor == 1 {
                    self.flow(b, other_factor, other_offset.wrapping_sub(offset), a)?;
                } else if other_factor == 1 {
                    self.flow(a, factor, offset.wrapping_sub(other_offset), b)?;
                } else {
                    self.fix(a);
                    self.fix(b);
                }
                Ok(())
            }
            (Value::Fixed, value) | (value, Value::Fixed) => self.fixed(value),
            (Value::Constants(a), Value::Constants(b)) => {
                let mut equal = a.iter().zip(&b).map(|(a, b)| a == b);
                let first = equal.next();
                let same = equal.all(|other| Some(other) == first);
                if same { Ok(()) } else { Err(Different) }
            }
        }
    }

    /// No exchange may change this value.
    pub(super) fn fixed(&mut self, value: Value) -> Result<(), Different> {
        match value {
            Value::Constants(constants) => all_equal(&constants).map(|_| ()).ok_or(Different),
            Value::Of { node, .. } => {
                self.fix(node);
                Ok(())
            }
            Value::Fixed => Ok(()),
        }
    }

    /// No exchange may change the result of this operator on the value and a constant.
    pub(super) fn ask(
        &mut self,
        value: Value,
        op: BinaryOp,
        constant: i32,
        is_left: bool,
    ) -> Result<(), Different> {
        match value {
            Value::Constants(constants) => {
                let results = constants.iter().map(|&c| apply(op, c, constant, is_left));
                all_equal(&results.collect::<Vec<_>>())
                    .map(|_| ())
                    .ok_or(Different)
            }
            Value::Of {
                node,
                factor,
                offset,
            } => {
                self.demands.push(Demand {
                    node,
                    factor,
                    offset,
                    op,
                    constant,
                    is_left,
                });
                Ok(())
            }
            Value::Fixed => Ok(()),
        }
    }

    pub(super) fn value(
        &mut self,
        group: &[ThreadId],
        all: &[&Expr<RegId>],
    ) -> Result<Value, Different> {
        Ok(match all[0] {
            Expr::Const(_) => Value::Constants(
                all.iter()
                    .map(|e| match e {
                        Expr::Const(constant) => Some(*constant),
                        Expr::Var(_)
                        | Expr::Unary(..)
                        | Expr::Binary(..)
                        | Expr::Conditional(_) => None,
                    })
                    .collect::<Option<_>>()
                    .ok_or(Different)?,
            ),
            Expr::Var(reg) => Value::Of {
                node: self.slots.slot(group[0], *reg),
                factor: 1,
                offset: 0,
            },
            Expr::Unary(op, _) => match (self.value(group, &parts(all, 0)?)?, op) {
                (Value::Constants(constants), _) => {
                    Value::Constants(constants.into_iter().map(|c| op.apply(c)).collect())
                }
                (value, UnaryOp::Not) => {
                    self.ask(value, BinaryOp::Eq, 0, false)?;
                    Value::Fixed
                }
                (value, UnaryOp::BitNot | UnaryOp::Neg) => {
                    self.fixed(value)?;
                    Value::Fixed
                }
            },
            Expr::Binary(op, ..) => {
                let a = self.value(group, &parts(all, 0)?)?;
                let b = self.value(group, &parts(all, 1)?)?;
                self.binary(*op, a, b)?
            }
            Expr::Conditional(_) => {
                let condition = self.value(group, &parts(all, 0)?)?;
                self.ask(condition, BinaryOp::Ne, 0, false)?;
                let a = self.value(group, &parts(all, 1)?)?;
                let b = self.value(group, &parts(all, 2)?)?;
                self.either(a, b)?
            }
        })
    }

    /// One of two values; which of them is the same in all threads.
    fn either(&mut self, a: Value, b: Value) -> Result<Value, Different> {
        let plain = |value: &Value| match value {
            Value::Of { factor, .. } => *factor == 1,
            Value::Constants(_) | Value::Fixed => true,
        };
        if plain(&a) && plain(&b) {
            match (&a, &b) {
                (Value::Of { .. }, _) => {
                    self.same(a.clone(), b)?;
                    return Ok(a);
                }
                (_, Value::Of { .. }) => {
                    self.same(b.clone(), a)?;
                    return Ok(b);
                }
                (Value::Constants(_) | Value::Fixed, Value::Constants(_) | Value::Fixed) => {}
            }
        }
        self.fixed(a)?;
        self.fixed(b)?;
        Ok(Value::Fixed)
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Result<Value, Different> {
        if let (Value::Constants(a), Value::Constants(b)) = (&a, &b) {
            let results = a.iter().zip(b).map(|(&a, &b)| op.apply(a, b));
            return Ok(Value::Constants(results.collect()));
        }
        if let BinaryOp::And | BinaryOp::Or = op {
            self.ask(a, BinaryOp::Ne, 0, false)?;
            self.ask(b, BinaryOp::Ne, 0, false)?;
            return Ok(Value::Fixed);
        }
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            self.same(a, b)?;
            return Ok(Value::Fixed);
        }
        let (value, constant, is_left) = match (a, b) {
            (value, Value::Constants(constants)) if all_equal(&constants).is_some() => {
                (value, constants[0], false)
            }
            (Value::Constants(constants), value) if all_equal(&constants).is_some() => {
                (value, constants[0], true)
            }
            (a, b) => {
                self.fixed(a)?;
                self.fixed(b)?;
                return Ok(Value::Fixed);
            }
        };
        let Value::Of {
            node,
            factor,
            offset,
        } = value
        else {
            return Ok(Value::Fixed);
        };
        let (factor, offset) = match (op, is_left) {
            (BinaryOp::Add, _) => (factor, offset.wrapping_add(constant)),
            (BinaryOp::Sub, false) => (factor, offset.wrapping_sub(constant)),
            (BinaryOp::Sub, true) => (factor.wrapping_neg(), constant.wrapping_sub(offset)),
            (BinaryOp::Mul, _) => (factor.wrapping_mul(constant), offset.wrapping_mul(constant)),
            (
                BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::BitAnd
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Div
                | BinaryOp::Rem,
                _,
            ) => {
                self.ask(value, op, constant, is_left)?;
                return Ok(Value::Fixed);
            }
        };
        Ok(Value::Of {
            node,
            factor,
            offset,
        })
    }
}

/// An operand of an operator, for each thread of a group.
fn parts<'e>(all: &[&'e Expr<RegId>], number: usize) -> Result<Vec<&'e Expr<RegId>>, Different> {
    let parts = all.iter().map(|e| match e {
        Expr::Const(_) | Expr::Var(_) => None,
        Expr::Unary(_, e) => (number == 0).then_some(&**e),
        Expr::Binary(_, a, b) => [&**a, &**b].get(number).copied(),
        Expr::Conditional(parts) => parts.get(number),
    });
    parts.collect::<Option<_>>().ok_or(Different)
}
