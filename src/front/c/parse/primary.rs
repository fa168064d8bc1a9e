//! The smallest expressions: names, constants, brackets; and operators that are words.

use super::Parser;
use crate::c::check::{Checked, INT, Operand, UNSIGNED_LONG, expr, statement_value};
use crate::c::token::TokenKind;
use crate::lower::typed::{Expr, ExprKind, LocalId, LvalueKind, Type};
use crate::text::Place;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Checked<Operand> {
        let place = self.place();
        match self.kind() {
            Some(TokenKind::Number(text)) => {
                self.at += 1;
                let value = self.number(text, place)?;
                Ok(Operand::Value(value))
            }
            Some(TokenKind::Char(value)) => {
                self.at += 1;
                Ok(constant(*value, &INT, place))
            }
            Some(TokenKind::String(text)) => {
                self.at += 1;
                Ok(Operand::Text(text.clone(), place))
            }
            Some(TokenKind::Word(word)) => {
                if let Some(value) = self.builtin(word)? {
                    return Ok(value);
                }
                if super::declarator::is_keyword(word) {
                    return Err(self.unexpected("an expression"));
                }
                self.at += 1;
                let called = self.is("(");
                if !called && self.check.is_register(word) {
                    self.register(word, place)?;
                }
                self.check.named(word, called, place)
            }
            Some(TokenKind::Punct("(")) if self.is_after(1, "{") => self.statement_expression(),
            Some(TokenKind::Punct("(")) => {
                let start = self.at;
                self.at += 1;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(value.at(self.since(start)))
            }
            Some(TokenKind::Punct(_)) | None => Err(self.unexpected("an expression")),
        }
    }

    /// A variable of a litmus test that nothing declares, after its name: its type is that of what is assigned
    /// to it here.
    fn register(&mut self, name: &str, place: Place) -> Checked<()> {
        let mut ty = self.check.initial_type(name);
        if ty.is_none() && self.is("=") {
            let (start, operators) = (self.at, self.operators);
            self.at += 1;
            let value = self.unevaluated(|parser| parser.deeper(Self::assignment))?;
            ty = Some(self.check.type_of(&value));
            (self.at, self.operators) = (start, operators);
        }
        // It may be in its own first value.
        if self.check.is_register(name) {
            self.check.new_register(name, &ty.unwrap_or(INT), place);
        }
        Ok(())
    }

    /// `({ … })`
    fn statement_expression(&mut self) -> Checked<Operand> {
        let start = self.at;
        if self.check.body.is_none() {
            let message = "`({ … })` is possible in functions only";
            return Err(self.check.error(message, self.place()));
        }
        self.at += 1;
        let errors = self.check.errors;
        let (mut statements, ends) = self.scoped(|parser| parser.deeper(Self::block_with_ends))?;
        self.with_ends(&mut statements, ends);
        self.expect(")")?;
        if self.check.errors > errors {
            return Err(self.check.again());
        }
        Ok(statement_value(statements, self.since(start)))
    }

    /// `sizeof`, `_Alignof`, `__extension__`; anything else is an operand.
    pub(super) fn unary_word(&mut self, word: &str) -> Checked<Operand> {
        match word {
            "sizeof" => {
                let start = self.at;
                self.at += 1;
                let (ty, array) = self.operand_type()?;
                let place = self.since(start);
                if let Some(size) = array.and_then(|id| self.size_of_variable(id, place)) {
                    return Ok(Operand::Value(size));
                }
                let size = self.check.size(&ty, place)?;
                Ok(constant(size as i64, &UNSIGNED_LONG, place))
            }
            "_Alignof" | "__alignof__" | "__alignof" | "alignof" if self.is_after(1, "(") => {
                let start = self.at;
                self.at += 1;
                let (ty, _) = self.operand_type()?;
                let place = self.since(start);
                self.check.size(&ty, place)?;
                let align = self.check.layout(&ty).map_or(1, |(_, align)| align);
                Ok(constant(align as i64, &UNSIGNED_LONG, place))
            }
            "__extension__" => {
                self.at += 1;
                self.unary()
            }
            _ => self.postfix(),
        }
    }

    /// The operand of `sizeof`: a type in brackets or an expression.
    /// With the variable that it is, if it is a local one.
    fn operand_type(&mut self) -> Checked<(Type, Option<LocalId>)> {
        if self.is("(") && self.starts_type_after(1) {
            self.at += 1;
            let ty = self.type_name()?;
            self.expect(")")?;
            return Ok((ty, None));
        }
        self.unevaluated(|parser| {
            let operand = parser.unary()?;
            let mut local = None;
            if let Operand::Place(lvalue, _) = &operand
                && let LvalueKind::Local(id) = lvalue.kind
            {
                local = Some(id);
            }
            Ok((parser.check.type_of(&operand), local))
        })
    }
}

/// A constant of this type.
pub(super) fn constant(value: i64, ty: &Type, place: Place) -> Operand {
    Operand::Value(integer_constant(value, ty, place))
}

pub(super) fn integer_constant(value: i64, ty: &Type, place: Place) -> Expr {
    expr(ExprKind::Const(value), ty.clone(), place)
}
