//! Statements: blocks, branches, loops.

use super::Parser;
use crate::c::check::{Checked, INT, expr};
use crate::c::token::{Token, TokenKind};
use crate::lower::typed::{Expr, ExprKind, Stmt, StmtKind};
use crate::text::Place;

impl Parser<'_> {
    /// Parses in a scope of its own.
    pub(super) fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        let depth = self.check.scopes.len();
        self.check.scopes.push(crate::c::check::Scope::default());
        let result = parse(self);
        self.check.scopes.truncate(depth);
        result
    }

    /// `{ … }` in the present scope.
    pub(super) fn block_items(&mut self) -> Checked<Vec<Stmt>> {
        let (mut statements, ends) = self.block_with_ends()?;
        // What follows may be outside of the macro.
        let before = self.at.checked_sub(2);
        if let Some(from) = before.and_then(|before| self.in_macro(before)) {
            statements.push(Stmt {
                kind: StmtKind::InMacro,
                place: from,
            });
        }
        statements.extend(ends);
        Ok(statements)
    }

    /// The same without what is called at the end of the scope, and that.
    pub(super) fn block_with_ends(&mut self) -> Checked<(Vec<Stmt>, Vec<Stmt>)> {
        self.expect("{")?;
        let mut statements = Vec::new();
        let alive = self.cleanups();
        while !self.is("}") && self.kind().is_some() {
            let start = self.at;
            let in_macro = start.checked_sub(1).and_then(|last| self.in_macro(last));
            let declares = self.starts_declaration() && !self.is_label();
            let item = if declares || self.starts_with_unknown_type() {
                self.deeper(Self::declaration)
            } else {
                self.statement().map(|statement| vec![statement])
            };
            if let Ok(item) = item {
                statements.extend(in_macro.map(|from| self.position(from)));
                statements.extend(item);
            } else {
                if declares || self.unknown_type_at(start) {
                    self.poison(start);
                }
                self.recover(start);
            }
            if self.at == start {
                self.at += 1;
            }
        }
        self.expect("}")?;
        Ok((statements, self.end_scope(alive)))
    }

    /// Where a token ends, if a statement may follow it there and it is in the definition of a macro: not where the
    /// macro is named.
    fn in_macro(&self, at: usize) -> Option<Place> {
        let last = self.tokens.get(at)?;
        let TokenKind::Punct(";" | "{" | "}") = last.kind else {
            return None;
        };
        is_in_definition(last).then_some(Place {
            start: last.spelled.end,
            ..last.spelled
        })
    }

    /// The position from there to the end of what was read since.
    fn position(&self, from: Place) -> Stmt {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.filter(|last| is_in_definition(last) && last.spelled.file == from.file);
        let end = end.map_or(from.end, |last| last.spelled.end.max(from.end));
        let kind = StmtKind::InMacro;
        let place = Place { end, ..from };
        Stmt { kind, place }
    }

    /// `foo_t x`, `foo_t *x;` or `foo_t *x =`, where `foo_t` is not declared.
    fn starts_with_unknown_type(&self) -> bool {
        self.unknown_type_at(self.at)
    }

    fn unknown_type_at(&self, at: usize) -> bool {
        let kind = |ahead: usize| self.tokens.get(at + ahead).map(|token| &token.kind);
        let Some(TokenKind::Word(word)) = kind(0) else {
            return false;
        };
        if self.check.lookup(word).is_some() || is_statement_word(word) {
            return false;
        }
        match (kind(1), kind(2), kind(3)) {
            (Some(TokenKind::Word(_)), ..) => true,
            (Some(TokenKind::Punct("*")), Some(TokenKind::Word(_)), Some(next)) => {
                matches!(next, TokenKind::Punct(";" | "=" | "["))
                    && !self.check.defined.contains_key(word)
            }
            _ => false,
        }
    }

    /// A statement that is part of another. After an error, parsing goes on after it.
    fn part_of(&mut self) -> Stmt {
        let start = self.at;
        if self.starts_declaration() && !self.is_label() {
            let place = self.place();
            let message = "a declaration cannot be the only statement here";
            self.check
                .error_with(message, place, "write it in a block: `{ … }`");
        } else if let Ok(statement) = self.statement() {
            return statement;
        }
        self.recover(start);
        self.made(StmtKind::Empty, start)
    }

    pub(super) fn made(&self, kind: StmtKind, start: usize) -> Stmt {
        let place = self.since(start);
        Stmt { kind, place }
    }

    pub(super) fn statement(&mut self) -> Checked<Stmt> {
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> Checked<Stmt> {
        let start = self.at;
        if self.is("{") {
            let statements = self.scoped(Self::block_items)?;
            return Ok(self.made(StmtKind::Block(statements), start));
        }
        if self.eat(";") {
            return Ok(self.made(StmtKind::Empty, start));
        }
        if self.is_label() {
            return self.labelled();
        }
        match self.word() {
            Some("if") => self.branch(),
            Some("while") => {
                self.at += 1;
                let condition = self.condition_in_brackets()?;
                let body = self.looped();
                Ok(self.made(StmtKind::While(condition, Box::new(body)), start))
            }
            Some("do") => self.do_loop(),
            Some("for") => self.scoped(Self::for_loop),
            Some("switch") => self.switch(),
            Some("case" | "default") => self.case(),
            Some("goto" | "break" | "continue" | "return") => self.jump(),
            Some("asm" | "__asm__" | "__asm") => self.assembly(),
            Some("else") => {
                let message = "this `else` belongs to no `if`";
                Err(self.check.error(message, self.place()))
            }
            _ => {
                let value = self.full_expression()?;
                let value = self.check.value(value)?;
                let value = self.check.with_texts(value);
                self.expect(";")?;
                Ok(self.made(StmtKind::Expr(super::objects::discarded(value)), start))
            }
        }
    }

    fn branch(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        let condition = self.condition_in_brackets()?;
        let then = self.scoped(|parser| Ok(parser.part_of()))?;
        let otherwise = if self.eat_word("else") {
            let statement = self.scoped(|parser| Ok(parser.part_of()))?;
            Some(Box::new(statement))
        } else {
            None
        };
        let kind = StmtKind::If(condition, Box::new(then), otherwise);
        Ok(self.made(kind, start))
    }

    /// `(e)` as a condition. One with an error is reported, and parsing goes on after it.
    fn condition_in_brackets(&mut self) -> Checked<Expr> {
        let place = self.place();
        let condition = self.bracketed(|parser| {
            let operand = parser.full_expression()?;
            parser.check.condition(operand)
        })?;
        Ok(condition.unwrap_or_else(|| absent(place)))
    }

    /// The body of a loop.
    fn looped(&mut self) -> Stmt {
        self.within(1, 1, |parser| {
            let body = parser.scoped(|parser| Ok(parser.part_of()));
            body.unwrap_or_else(|_| parser.made(StmtKind::Empty, parser.at))
        })
    }

    /// Parses inside of this many more loops and of as many more that `break` leaves.
    pub(super) fn within<T>(
        &mut self,
        loops: usize,
        breakable: usize,
        parse: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if let Some(body) = &mut self.check.body {
            body.loops += loops;
            body.breakable += breakable;
        }
        let result = parse(self);
        if let Some(body) = &mut self.check.body {
            body.loops -= loops;
            body.breakable -= breakable;
        }
        result
    }

    fn do_loop(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        let body = self.looped();
        if !self.eat_word("while") {
            return Err(self.unexpected("`while`"));
        }
        let condition = self.condition_in_brackets()?;
        self.expect(";")?;
        let kind = StmtKind::DoWhile(Box::new(body), condition);
        Ok(self.made(kind, start))
    }

    fn for_loop(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        let alive = self.cleanups();
        let header = self.bracketed(Self::for_header)?;
        let (mut statements, condition, step) = header.unwrap_or_default();
        let body = self.looped();
        let kind = StmtKind::For(condition, step, Box::new(body));
        let whole = self.made(kind, start);
        let ends = self.end_scope(alive);
        if statements.is_empty() {
            return Ok(whole);
        }
        let place = whole.place;
        statements.push(whole);
        statements.extend(ends);
        let kind = StmtKind::Block(statements);
        Ok(Stmt { kind, place })
    }

    fn for_header(&mut self) -> Checked<(Vec<Stmt>, Option<Expr>, Option<Expr>)> {
        let start = self.at;
        let before = if self.eat(";") {
            Vec::new()
        } else if self.starts_declaration() || self.starts_with_unknown_type() {
            let declared = self.declaration();
            if declared.is_err() {
                self.poison(start);
            }
            declared?
        } else {
            let value = self.full_expression()?;
            let value = self.check.value(value)?;
            self.expect(";")?;
            vec![self.made(StmtKind::Expr(value), start)]
        };
        let condition = if self.is(";") {
            None
        } else {
            let operand = self.full_expression()?;
            Some(self.check.condition(operand)?)
        };
        self.expect(";")?;
        let step = if self.is(")") {
            None
        } else {
            let operand = self.full_expression()?;
            Some(self.check.value(operand)?)
        };
        Ok((before, condition, step))
    }

    fn switch(&mut self) -> Checked<Stmt> {
        let start = self.at;
        self.at += 1;
        let place = self.place();
        let value = self.bracketed(|parser| {
            let operand = parser.full_expression()?;
            parser
                .check
                .integer_value(operand, "the value of a `switch`")
        })?;
        let value = value.unwrap_or_else(|| absent(place));
        if let Some(body) = &mut self.check.body {
            let switch = (value.ty.clone(), std::collections::BTreeMap::new(), None);
            body.switches.push(switch);
        }
        let body = self.within(0, 1, |parser| parser.scoped(|parser| Ok(parser.part_of())));
        if let Some(body) = &mut self.check.body {
            body.switches.pop();
        }
        let kind = StmtKind::Switch(value, Box::new(body?));
        Ok(self.made(kind, start))
    }

    /// The statement that a label or a case belongs to; nothing, if a declaration or the end of the
    /// block follows.
    pub(super) fn after_label(&mut self) -> Checked<Stmt> {
        let declares = self.starts_declaration() && !self.is_label();
        if self.is("}") || declares || self.starts_with_unknown_type() {
            let start = self.at.saturating_sub(1);
            return Ok(self.made(StmtKind::Empty, start));
        }
        self.statement()
    }
}

/// What takes the place of a condition that has an error.
fn absent(place: Place) -> Expr {
    expr(ExprKind::Const(0), INT.clone(), place)
}

fn is_statement_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "while"
            | "do"
            | "for"
            | "switch"
            | "case"
            | "default"
            | "goto"
            | "break"
            | "continue"
            | "return"
            | "asm"
            | "__asm__"
            | "__asm"
            | "sizeof"
            | "_Alignof"
            | "__alignof__"
            | "__extension__"
            | "_Generic"
    )
}

/// Whether a token is spelled in the definition of a macro, and not where the macro is named or among what it is
/// given.
fn is_in_definition(token: &Token) -> bool {
    let (spelled, place) = (token.spelled, token.place);
    spelled.file != place.file || spelled.end <= place.start || place.end <= spelled.start
}
