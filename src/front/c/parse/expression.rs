//! Expressions, from the comma to the unary operators.

use super::Parser;
use crate::c::check::{Checked, Operand, Operator};
use crate::c::token::TokenKind;
use crate::lower::typed::{BinaryOp, UnaryOp, Yields};

impl Parser<'_> {
    /// An expression that is part of no other.
    pub(super) fn full_expression(&mut self) -> Checked<Operand> {
        self.whole(Self::expression)
    }

    /// The same without a comma at its top.
    pub(super) fn full_assignment(&mut self) -> Checked<Operand> {
        self.whole(|parser| parser.deeper(Self::assignment))
    }

    fn whole(&mut self, parse: impl FnOnce(&mut Self) -> Checked<Operand>) -> Checked<Operand> {
        if self.expressions == 0 {
            self.operators = 0;
        }
        self.expressions += 1;
        let result = parse(self);
        self.expressions -= 1;
        result
    }

    pub(super) fn expression(&mut self) -> Checked<Operand> {
        let mut value = self.assignment()?;
        while self.eat(",") {
            self.operator()?;
            let second = self.assignment()?;
            value = self.check.comma(value, second)?;
        }
        Ok(value)
    }

    pub(super) fn assignment(&mut self) -> Checked<Operand> {
        let start = self.at;
        let target = self.conditional()?;
        let Some(TokenKind::Punct(punct)) = self.kind() else {
            return Ok(target);
        };
        if *punct == "=" {
            self.at += 1;
            self.operator()?;
            let value = self.deeper(Self::assignment)?;
            return self.check.assign(target, value);
        }
        let Some(op) = updating(punct) else {
            return Ok(target);
        };
        self.at += 1;
        self.operator()?;
        let operand = self.deeper(Self::assignment)?;
        let place = self.since(start);
        self.check.update(op, target, operand, Yields::After, place)
    }

    fn conditional(&mut self) -> Checked<Operand> {
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        self.operator()?;
        if self.eat(":") {
            let otherwise = self.deeper(Self::conditional)?;
            return self.check.elvis(condition, otherwise);
        }
        let condition = self.check.condition(condition)?;
        let then = self.deeper(Self::expression)?;
        self.expect(":")?;
        let otherwise = self.deeper(Self::conditional)?;
        self.check.conditional(condition, then, otherwise)
    }

    /// Operators that bind at least this tightly.
    fn binary(&mut self, tightest: u8) -> Checked<Operand> {
        let mut left = self.unary()?;
        while let Some(TokenKind::Punct(punct)) = self.kind()
            && let Some((binds, operator)) = operator(punct)
            && binds >= tightest
        {
            self.at += 1;
            self.operator()?;
            let right = self.binary(binds + 1)?;
            left = self.check.binary(operator, left, right)?;
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Checked<Operand> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Checked<Operand> {
        self.operator()?;
        let place = self.place();
        let punct = match self.kind() {
            Some(TokenKind::Punct(punct)) => *punct,
            Some(TokenKind::Word(word)) => return self.unary_word(word),
            _ => return self.postfix(),
        };
        if punct == "(" && self.starts_type_after(1) {
            return self.cast();
        }
        if punct == "&&" {
            return Err(self.check.error_with(
                "addresses of labels are not supported",
                place,
                "use a `switch` that jumps to the labels",
            ));
        }
        if !matches!(punct, "&" | "*" | "+" | "-" | "~" | "!" | "++" | "--") {
            return self.postfix();
        }
        self.at += 1;
        let operand = self.unary()?;
        match punct {
            "&" => self.check.address_of(operand, place),
            "*" => self.check.dereference(operand, place),
            "+" => self.check.plus(operand, place),
            "-" => self.check.unary(UnaryOp::Neg, operand, place),
            "~" => self.check.unary(UnaryOp::BitNot, operand, place),
            "!" => self.check.unary(UnaryOp::Not, operand, place),
            _ => {
                let op = if punct == "++" {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                let place = crate::c::check::to(place, operand.place());
                self.check.step(op, operand, Yields::After, place)
            }
        }
    }

    /// `(T)e` or `(T){ … }`
    fn cast(&mut self) -> Checked<Operand> {
        let start = self.at;
        let place = self.place();
        self.at += 1;
        let ty = self.type_name()?;
        self.expect(")")?;
        if self.is("{") {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix_of(literal);
        }
        let operand = self.unary()?;
        self.check.explicit_cast(&ty, operand, place)
    }
}

/// How tightly a binary operator binds, and which it is.
fn operator(punct: &str) -> Option<(u8, Operator)> {
    use Operator::{And, Or, Plain};
    Some(match punct {
        "||" => (1, Or),
        "&&" => (2, And),
        "|" => (3, Plain(BinaryOp::BitOr)),
        "^" => (4, Plain(BinaryOp::BitXor)),
        "&" => (5, Plain(BinaryOp::BitAnd)),
        "==" => (6, Plain(BinaryOp::Eq)),
        "!=" => (6, Plain(BinaryOp::Ne)),
        "<" => (7, Plain(BinaryOp::Lt)),
        ">" => (7, Plain(BinaryOp::Gt)),
        "<=" => (7, Plain(BinaryOp::Le)),
        ">=" => (7, Plain(BinaryOp::Ge)),
        "<<" => (8, Plain(BinaryOp::Shl)),
        ">>" => (8, Plain(BinaryOp::Shr)),
        "+" => (9, Plain(BinaryOp::Add)),
        "-" => (9, Plain(BinaryOp::Sub)),
        "*" => (10, Plain(BinaryOp::Mul)),
        "/" => (10, Plain(BinaryOp::Div)),
        "%" => (10, Plain(BinaryOp::Rem)),
        _ => return None,
    })
}

/// The operator of `op=`.
fn updating(punct: &str) -> Option<BinaryOp> {
    Some(match punct {
        "+=" => BinaryOp::Add,
        "-=" => BinaryOp::Sub,
        "*=" => BinaryOp::Mul,
        "/=" => BinaryOp::Div,
        "%=" => BinaryOp::Rem,
        "&=" => BinaryOp::BitAnd,
        "|=" => BinaryOp::BitOr,
        "^=" => BinaryOp::BitXor,
        "<<=" => BinaryOp::Shl,
        ">>=" => BinaryOp::Shr,
        _ => return None,
    })
}
