//! Expressions of C threads, with C's operators and precedence.

use super::super::super::types::{self, is_type_word};
use super::super::super::words::Word;
use super::super::ast::{Ast, AstKind};
use super::{Parser, Read};
use crate::program::{BinaryOp, UnaryOp};
use crate::text::Diagnostic;

/// An expression has at most this many operands in a row.
const LONGEST_CHAIN: usize = 100;

impl Parser<'_, '_, '_> {
    pub(super) fn parenthesised(&mut self) -> Read<Ast> {
        self.reader.sign("(")?;
        let e = self.expression()?;
        self.reader.sign(")")?;
        Ok(e)
    }

    pub(super) fn expression(&mut self) -> Read<Ast> {
        self.deeper(|parser| {
            let condition = parser.binary(1)?;
            if !parser.reader.take("?") {
                return Ok(condition);
            }
            let a = parser.expression()?;
            parser.reader.sign(":")?;
            let b = parser.expression()?;
            let span = condition.span.start..b.span.end;
            let kind = AstKind::Conditional(Box::new([condition, a, b]));
            Ok(Ast { kind, span })
        })
    }

    /// An expression whose operators have at least this precedence.
    fn binary(&mut self, least: u8) -> Read<Ast> {
        let mut left = self.unary()?;
        let mut count = 0;
        while let Some(op) = self.operator().filter(|op| op.precedence() >= least) {
            count += 1;
            if count > LONGEST_CHAIN {
                let message = format!("more than {LONGEST_CHAIN} operators in a row");
                return Err(Diagnostic::error(message, self.reader.span()));
            }
            self.reader.next();
            let right = self.deeper(|parser| parser.binary(op.precedence() + 1))?;
            let span = left.span.start..right.span.end;
            let kind = AstKind::Binary(op, Box::new(left), Box::new(right));
            left = Ast { kind, span };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<BinaryOp> {
        let Some(Word::Sign(sign)) = self.reader.peek() else {
            return None;
        };
        Some(match sign {
            "||" => BinaryOp::Or,
            "&&" => BinaryOp::And,
            "|" => BinaryOp::BitOr,
            "^" => BinaryOp::BitXor,
            "&" => BinaryOp::BitAnd,
            "==" => BinaryOp::Eq,
            "!=" => BinaryOp::Ne,
            "<" => BinaryOp::Lt,
            "<=" => BinaryOp::Le,
            ">" => BinaryOp::Gt,
            ">=" => BinaryOp::Ge,
            "<<" => BinaryOp::Shl,
            ">>" => BinaryOp::Shr,
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "/" => BinaryOp::Div,
            "%" => BinaryOp::Rem,
            _ => return None,
        })
    }

    pub(super) fn unary(&mut self) -> Read<Ast> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Read<Ast> {
        let start = self.reader.span().start;
        if self.reader.is("-")
            && let Some(Word::Number(..)) = self.reader.peek_at(1)
        {
            let (number, constant, span) = self.reader.constant()?;
            return Ok(Ast {
                kind: AstKind::Number(number, constant),
                span,
            });
        }
        let make: fn(Box<Ast>) -> AstKind = match self.reader.peek() {
            Some(Word::Sign("!")) => |e| AstKind::Unary(UnaryOp::Not, e),
            Some(Word::Sign("~")) => |e| AstKind::Unary(UnaryOp::BitNot, e),
            Some(Word::Sign("-")) => |e| AstKind::Unary(UnaryOp::Neg, e),
            Some(Word::Sign("*")) => AstKind::Deref,
            Some(Word::Sign("&")) => AstKind::Address,
            Some(Word::Sign("(")) => return self.cast_or_group(start),
            Some(_) | None => return self.postfix(),
        };
        self.reader.next();
        let inside = self.unary()?;
        let span = start..inside.span.end;
        let kind = make(Box::new(inside));
        Ok(Ast { kind, span })
    }

    fn cast_or_group(&mut self, start: usize) -> Read<Ast> {
        let is_cast =
            matches!(self.reader.peek_at(1), Some(Word::Name(word)) if is_type_word(word));
        if !is_cast {
            return self.postfix();
        }
        self.reader.next();
        let Some(kind) = types::read(&mut self.reader) else {
            return Err(self.reader.expected("a type"));
        };
        self.reader.sign(")")?;
        let inside = self.unary()?;
        let span = start..inside.span.end;
        let kind = AstKind::Cast(kind, Box::new(inside));
        Ok(Ast { kind, span })
    }

    fn postfix(&mut self) -> Read<Ast> {
        let mut e = self.primary()?;
        let mut count = 0;
        while self.reader.take("[") {
            count += 1;
            if count > 2 {
                return Err(Diagnostic::error("too many indices", self.reader.span()));
            }
            let index = self.expression()?;
            self.reader.sign("]")?;
            let span = e.span.start..self.reader.last_end();
            let kind = AstKind::Index(Box::new(e), Box::new(index));
            e = Ast { kind, span };
        }
        Ok(e)
    }

    fn primary(&mut self) -> Read<Ast> {
        if self.reader.take("(") {
            let e = self.expression()?;
            self.reader.sign(")")?;
            return Ok(e);
        }
        if let Some(Word::Number(..)) = self.reader.peek() {
            let (number, constant, span) = self.reader.constant()?;
            return Ok(Ast {
                kind: AstKind::Number(number, constant),
                span,
            });
        }
        let (name, span) = self.reader.name("an expression")?;
        if !self.reader.take("(") {
            return Ok(Ast {
                kind: AstKind::Name(name.to_owned()),
                span,
            });
        }
        let mut arguments = Vec::new();
        while !self.reader.take(")") {
            arguments.push(self.expression()?);
            if !self.reader.take(",") {
                self.reader.sign(")")?;
                break;
            }
        }
        let span = span.start..self.reader.last_end();
        let kind = AstKind::Call(name.to_owned(), arguments);
        Ok(Ast { kind, span })
    }
}
