//! What a program computes, by the rules of C; nothing where it leaves that undefined.

use super::types::{I32, Int};
use super::{Atomic, Expr, Function, Object, Place, Stmt};

/// The memory of a program.
pub struct Machine<'p> {
    pub objects: &'p mut Vec<Object>,
    pub functions: &'p [Function],
}

/// The type of an expression.
pub fn type_of(e: &Expr, functions: &[Function]) -> Int {
    let of = |e| type_of(e, functions);
    match e {
        Expr::Const(_, ty) => ty.promoted(),
        Expr::Parameter(_, ty) | Expr::Cast(ty, _) => *ty,
        Expr::Load(place) => place.ty,
        Expr::Unary("!", _)
        | Expr::Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||", ..) => I32,
        Expr::Unary(_, e) => of(e).promoted(),
        Expr::Binary("<<" | ">>", a, _) => of(a).promoted(),
        Expr::Binary(_, a, b) | Expr::Conditional(_, a, b) => of(a).common(of(b)),
        Expr::Call(function, _) => functions[*function].ty,
    }
}

/// The result of an operator on operands of its type; `None` if it has none.
fn operate(op: &str, ty: Int, a: i128, b: i128) -> Option<i128> {
    let by = (0..i128::from(ty.bits)).contains(&b).then_some(b);
    let exact = match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a.checked_mul(b)?,
        "/" if b != 0 => a / b,
        "%" if b != 0 && ty.has(a / b) => a % b,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" if !ty.signed || a >= 0 => a << by?,
        ">>" => a >> by?,
        _ => return None,
    };
    // Unsigned numbers wrap.
    (!ty.signed || ty.has(exact)).then(|| ty.wrap(exact))
}

impl Machine<'_> {
    fn read(&self, place: &Place) -> i128 {
        place.read(&self.objects[place.object].bytes)
    }

    fn write(&mut self, place: &Place, value: i128) {
        let value = place.ty.wrap(value);
        place.write(&mut self.objects[place.object].bytes, value);
    }

    pub fn eval(&self, e: &Expr, parameters: &[i128]) -> Option<i128> {
        let eval = |e| self.eval(e, parameters);
        let ty = type_of(e, self.functions);
        Some(match e {
            Expr::Const(value, _) => *value,
            Expr::Load(place) => self.read(place),
            Expr::Parameter(at, _) => parameters[*at],
            Expr::Cast(ty, e) => ty.wrap(eval(e)?),
            Expr::Unary(op, e) => {
                let value = eval(e)?;
                match *op {
                    "!" => i128::from(value == 0),
                    "~" => ty.wrap(!value),
                    _ => operate("-", ty, 0, ty.wrap(value))?,
                }
            }
            Expr::Binary("&&", a, b) => i128::from(eval(a)? != 0 && eval(b)? != 0),
            Expr::Binary("||", a, b) => i128::from(eval(a)? != 0 || eval(b)? != 0),
            Expr::Binary(op @ ("<<" | ">>"), a, b) => operate(op, ty, eval(a)?, eval(b)?)?,
            Expr::Binary(op, a, b) => {
                let common = type_of(a, self.functions).common(type_of(b, self.functions));
                let (a, b) = (common.wrap(eval(a)?), common.wrap(eval(b)?));
                match *op {
                    "==" => i128::from(a == b),
                    "!=" => i128::from(a != b),
                    "<" => i128::from(a < b),
                    "<=" => i128::from(a <= b),
                    ">" => i128::from(a > b),
                    ">=" => i128::from(a >= b),
                    op => operate(op, ty, a, b)?,
                }
            }
            Expr::Conditional(c, a, b) => ty.wrap(if eval(c)? != 0 { eval(a)? } else { eval(b)? }),
            Expr::Call(function, arguments) => {
                let function = &self.functions[*function];
                let mut values = Vec::new();
                for (argument, ty) in arguments.iter().zip(&function.parameters) {
                    values.push(ty.wrap(eval(argument)?));
                }
                function.ty.wrap(self.eval(&function.body, &values)?)
            }
        })
    }

    pub fn execute_all(&mut self, stmts: &[Stmt]) -> Option<()> {
        stmts.iter().try_for_each(|stmt| self.execute(stmt))
    }

    pub fn execute(&mut self, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Assign(into, e) => {
                let value = self.eval(e, &[])?;
                self.write(into, value);
            }
            Stmt::Update(into, op, e) => {
                let place = Box::new(Expr::Load(into.clone()));
                let both = Expr::Binary(op, place, Box::new(e.clone()));
                let value = self.eval(&both, &[])?;
                self.write(into, value);
            }
            Stmt::Step(into, place, op, is_before) => {
                let before = self.read(place);
                let exact = if *op == "++" { before + 1 } else { before - 1 };
                if place.ty.signed && place.ty.bits >= 32 && !place.ty.has(exact) {
                    return None;
                }
                let after = place.ty.wrap(exact);
                self.write(place, after);
                self.write(into, if *is_before { after } else { before });
            }
            Stmt::If(c, yes, no) => {
                let branch = if self.eval(c, &[])? != 0 { yes } else { no };
                self.execute_all(branch)?;
            }
            Stmt::Repeat(times, body) => {
                for _ in 0..*times {
                    self.execute_all(body)?;
                }
            }
            Stmt::Switch(e, one, other) => {
                let branch = if self.eval(e, &[])? == 0 { one } else { other };
                self.execute_all(branch)?;
            }
            Stmt::Copy(into, from) => {
                let bytes = self.objects[*from].bytes.clone();
                self.objects[*into].bytes = bytes;
            }
            Stmt::Fetch(into, place, atomic, operand) => {
                let Atomic { op, .. } = atomic;
                let operand = place.ty.wrap(self.eval(operand, &[])?);
                let before = self.read(place);
                let after = match *op {
                    "load" => before,
                    "store" | "exchange" => operand,
                    "add" => before + operand,
                    "sub" => before - operand,
                    "and" => before & operand,
                    "or" => before | operand,
                    _ => before ^ operand,
                };
                self.write(place, after);
                if let Some(into) = into {
                    self.write(into, before);
                }
            }
            Stmt::Exchange(into, place, expected, desired, dialect) => {
                let desired = self.eval(desired, &[])?;
                let (before, compared) = (self.read(place), self.read(expected));
                let is_equal = before == compared;
                if is_equal {
                    self.write(place, desired);
                } else if !matches!(dialect, super::Dialect::Sync) {
                    self.write(expected, before);
                }
                self.write(into, is_equal.into());
            }
        }
        Some(())
    }
}
