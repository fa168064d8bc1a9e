//! Expressions: of a thread, over its registers; of a property, over registers, locations and cells.

use super::token::Token;
use super::{Reader, Scope};
use crate::Refusal;
use crate::expr::{BINARY, Binary, Expr, Unary, Var};

/// Expressions may have this many operands inside each other, and brackets.
const MOST_NESTED: usize = 300;

/// Of these, this many may be brackets, which is less than Fencepost reads inside others.
const MOST_BRACKETS: usize = 190;

/// And chains of operators, such as `a || b || c`, this many links.
const MOST_DEEP: usize = 2_000;

impl<'t> Reader<'t> {
    /// An expression of operators that bind at least this tightly.
    pub(super) fn expression(&mut self, least: u8, scope: Scope<'_, 't>) -> Result<Expr, Refusal> {
        self.deep(least, scope).map(|(e, _)| e)
    }

    /// The expression, with how deep its tree is.
    fn deep(&mut self, least: u8, scope: Scope<'_, 't>) -> Result<(Expr, usize), Refusal> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return self.wrong("an expression that is not nested so deep");
        }
        let (mut left, mut depth) = self.operand(scope)?;
        while let Token::Sign(sign) = self.peek() {
            let operator = BINARY.iter().find(|(written, ..)| *written == sign);
            if sign == "?" && least == 0 {
                self.at += 1;
                let (then, first) = self.deep(0, scope)?;
                self.sign(":")?;
                let (other, second) = self.deep(0, scope)?;
                left = Expr::If(Box::new([left, then, other]));
                depth = depth.max(first).max(second) + 1;
                break;
            }
            let Some(&(_, binds, op)) = operator.filter(|(_, binds, _)| *binds >= least) else {
                break;
            };
            self.at += 1;
            let (right, of_right) = self.deep(binds + 1, scope)?;
            self.divisor(op, &right, scope)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
            depth = depth.max(of_right) + 1;
            if depth > MOST_DEEP {
                return self.wrong("an expression with fewer operators");
            }
        }
        self.nested -= 1;
        Ok((left, depth))
    }

    /// Refuses a divisor that is 0 or, in a property, is computed.
    fn divisor(&self, op: Binary, by: &Expr, scope: Scope<'_, 't>) -> Result<(), Refusal> {
        let is_right = match (by.constant(), scope) {
            (Some(number), _) => number != 0,
            (None, Scope::Thread(_)) => true,
            (None, Scope::Property) => false,
        };
        if matches!(op, Binary::Div | Binary::Rem) && !is_right {
            return self.wrong("a divisor before this that is not 0");
        }
        Ok(())
    }

    fn operand(&mut self, scope: Scope<'_, 't>) -> Result<(Expr, usize), Refusal> {
        let unary = match self.peek() {
            Token::Number(_) => return Ok((Expr::Number(self.number()?), 1)),
            Token::Sign("-") => {
                if let Some(Token::Number(_)) = self.tokens.get(self.at + 1) {
                    return Ok((Expr::Number(self.number()?), 1));
                }
                Unary::Minus
            }
            Token::Sign("!") => Unary::Not,
            Token::Sign("~") => Unary::Flip,
            Token::Sign("(") => {
                self.at += 1;
                self.brackets += 1;
                if self.brackets > MOST_BRACKETS {
                    return self.wrong("brackets that are not nested so deep");
                }
                let e = self.deep(0, scope)?;
                self.sign(")")?;
                self.brackets -= 1;
                return Ok(e);
            }
            Token::Name(_) => return Ok((Expr::Var(self.variable(scope)?), 1)),
            Token::Sign(_) | Token::End => return self.wrong("an expression"),
        };
        self.at += 1;
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return self.wrong("an expression that is not nested so deep");
        }
        let (operand, depth) = self.operand(scope)?;
        self.nested -= 1;
        Ok((Expr::Unary(unary, Box::new(operand)), depth + 1))
    }

    fn variable(&mut self, scope: Scope<'_, 't>) -> Result<Var, Refusal> {
        if let Scope::Thread(names) = scope {
            let name = self.name()?;
            let known = names.registers.get(name).copied();
            return known.map_or_else(|| self.wrong("a register before this"), |r| Ok(Var::Own(r)));
        }
        let start = self.at;
        let name = self.thread_name()?;
        if !matches!(self.peek(), Token::Sign("." | "@")) {
            self.at = start;
            return Ok(Var::Cell(self.cell()?));
        }
        let at = self.next() == Token::Sign("@");
        let of = self.name()?;
        let Some((thread, names)) = self.threads.get(&name) else {
            return self.wrong("a thread before this");
        };
        let known = if at {
            names.locations.get(of)
        } else {
            names.registers.get(of)
        };
        match (known, at) {
            (Some(&location), true) => Ok(Var::At(*thread, location)),
            (Some(&register), false) => Ok(Var::Of(*thread, register)),
            (None, _) => self.wrong("a register or location of the thread before this"),
        }
    }
}
