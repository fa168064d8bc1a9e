//! What follows an operand: indices, arguments, members, `++`; and compound literals.

use super::Parser;
use super::object::declare;
use crate::c::check::{Checked, Operand};
use crate::c::token::TokenKind;
use crate::lower::typed::{BinaryOp, Lvalue, LvalueKind, Stmt, StmtKind, Type, Yields};

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Checked<Operand> {
        let operand = self.primary()?;
        self.postfix_of(operand)
    }

    pub(super) fn postfix_of(&mut self, mut operand: Operand) -> Checked<Operand> {
        while let Some(TokenKind::Punct(punct)) = self.kind() {
            if !matches!(*punct, "[" | "(" | "." | "->" | "++" | "--") {
                break;
            }
            self.operator()?;
            self.at += 1;
            operand = match *punct {
                "[" => {
                    let index = self.expression()?;
                    let end = self.expect("]")?;
                    let place = crate::c::check::to(operand.place(), end);
                    self.check.subscript(operand, index, place)?
                }
                "(" => {
                    let arguments = self.arguments()?;
                    let end = self.expect(")")?;
                    self.check.call(operand, arguments, end)?
                }
                "." | "->" => {
                    let place = self.place();
                    let Some(name) = self.word() else {
                        return Err(self.unexpected("the name of a member"));
                    };
                    self.at += 1;
                    if *punct == "." {
                        self.check.member(operand, name, place)?
                    } else {
                        self.check.arrow(operand, name, place)?
                    }
                }
                _ => {
                    let increments = *punct == "++";
                    let op = if increments {
                        BinaryOp::Add
                    } else {
                        BinaryOp::Sub
                    };
                    let place = crate::c::check::to(operand.place(), self.last_place());
                    self.check.step(op, operand, Yields::Before, place)?
                }
            };
        }
        Ok(operand)
    }

    /// Arguments up to the closing bracket.
    pub(super) fn arguments(&mut self) -> Checked<Vec<Operand>> {
        let mut arguments = Vec::new();
        if self.is(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(",") {
                return Ok(arguments);
            }
        }
    }

    /// `(T){ … }` after its type: an unnamed variable of the block.
    pub(super) fn compound_literal(&mut self, mut ty: Type, start: usize) -> Checked<Operand> {
        let initial = self.initialiser(&mut ty, false)?;
        let place = self.since(start);
        self.check.size(&ty, place)?;
        let Some(id) = self.check.unnamed_local(&ty) else {
            return Err(self.check.error_with(
                "compound literals outside of functions are not supported",
                place,
                "declare an object with a name",
            ));
        };
        let mut statements = Vec::new();
        declare(id, &ty, Some(initial), place, &mut statements);
        let kind = LvalueKind::Local(id);
        let made = Stmt {
            kind: StmtKind::Block(statements),
            place,
        };
        Ok(Operand::Temporary(
            Box::new(made),
            Lvalue { kind, ty, place },
        ))
    }
}
