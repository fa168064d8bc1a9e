//! The parser of C threads: functions and statements; expressions are in `expression`.
//!
//! Recursive descent, no deeper than [`DEEPEST`]. A statement with an error is reported and left
//! out, so that all errors are reported at once.

mod expression;

use super::super::condition::begins_tail;
use super::super::initial::thread_number;
use super::super::types::{self, Type, is_type_word};
use super::super::words::{Reader, Word};
use super::ast::{Ast, AstKind, Function, Stmt};
use crate::program::BinaryOp;
use crate::text::{Diagnostic, Span};

/// Statements and expressions together nest at most this deep.
const DEEPEST: usize = 60;

/// A test has at most this many threads.
const MOST_THREADS: usize = 100;

pub(super) struct Parser<'p, 'w, 't> {
    pub(super) reader: Reader<'w, 't>,
    depth: usize,
    diagnostics: &'p mut Vec<Diagnostic>,
}

type Read<T> = Result<T, Diagnostic>;

impl<'p, 'w, 't> Parser<'p, 'w, 't> {
    pub(super) fn new(reader: Reader<'w, 't>, diagnostics: &'p mut Vec<Diagnostic>) -> Self {
        Self {
            reader,
            depth: 0,
            diagnostics,
        }
    }

    /// All threads, up to the tail.
    pub(super) fn functions(&mut self) -> Vec<Function> {
        let mut functions: Vec<Function> = Vec::new();
        while let Some(word) = self.reader.peek() {
            // What is not a thread is left to the parser of the condition, which reports it.
            let other = matches!(word, Word::Name(name)
                if thread_number(name).is_none() && !matches!(name, "static" | "void" | "int"));
            if begins_tail(word) || other && self.reader.peek_at(1) != Some(Word::Sign("(")) {
                break;
            }
            if self.reader.take(";") {
                continue;
            }
            match self.function() {
                Ok(function) => {
                    let twin = functions.iter().find(|f| f.number == function.number);
                    if let Some(twin) = twin {
                        self.diagnostics.push(
                            Diagnostic::error(
                                format!("thread `P{}` is declared twice", function.number),
                                function.name.clone(),
                            )
                            .other(twin.name.clone(), "first declared here"),
                        );
                    } else if functions.len() == MOST_THREADS {
                        let message = format!("the test has more than {MOST_THREADS} threads");
                        self.diagnostics
                            .push(Diagnostic::error(message, function.name));
                        return functions;
                    } else {
                        functions.push(function);
                    }
                }
                Err(diagnostic) => {
                    self.diagnostics.push(diagnostic);
                    self.skip_function();
                }
            }
        }
        functions
    }

    /// Continues after the next block, or before the tail.
    fn skip_function(&mut self) {
        let mut depth = 0usize;
        while let Some(word) = self.reader.peek() {
            if depth == 0 && begins_tail(word) {
                return;
            }
            self.reader.next();
            match word {
                Word::Sign("{") => depth += 1,
                Word::Sign("}") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                Word::Sign(_) | Word::Name(_) | Word::Number(..) => {}
            }
        }
    }

    fn function(&mut self) -> Read<Function> {
        while matches!(
            self.reader.peek(),
            Some(Word::Name("static" | "void" | "int"))
        ) {
            self.reader.next();
        }
        let (name, place) = self.reader.name("a thread, as in `P0 (int *x) { … }`")?;
        let Some(number) = thread_number(name) else {
            return Err(
                Diagnostic::error(format!("`{name}` is not a thread"), place)
                    .label("a thread is named `P` and a number"),
            );
        };
        self.reader.sign("(")?;
        let mut params = Vec::new();
        if self.reader.peek() == Some(Word::Name("void")) {
            self.reader.next();
        }
        while !self.reader.take(")") {
            let Some(kind) = types::read(&mut self.reader) else {
                return Err(self.reader.expected("the type of a parameter"));
            };
            let (param, span) = self.reader.name("a parameter")?;
            if kind.stars == 0 {
                return Err(Diagnostic::error(
                    format!("the parameter `{param}` is not a pointer"),
                    span,
                )
                .label(format!("`*{param}` would be the shared variable `{param}`")));
            }
            params.push((kind, param.to_owned(), span));
            if !self.reader.take(",") {
                self.reader.sign(")")?;
                break;
            }
        }
        self.reader.sign("{")?;
        let body = self.block()?;
        Ok(Function {
            number,
            name: place,
            params,
            body,
        })
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            let message = format!("this nests deeper than {DEEPEST}");
            return Err(Diagnostic::error(message, self.reader.span()));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Statements up to and including `}`.
    fn block(&mut self) -> Read<Vec<Stmt>> {
        let mut stmts = Vec::new();
        loop {
            if self.reader.take("}") {
                return Ok(stmts);
            }
            if self.reader.is_done() {
                return Err(self.reader.expected("`}`"));
            }
            let depth = self.depth;
            match self.statement() {
                Ok(stmt) => stmts.push(stmt),
                Err(diagnostic) => {
                    self.depth = depth;
                    self.diagnostics.push(diagnostic);
                    self.skip_statement();
                }
            }
        }
    }

    /// Continues after the next `;`, or at the `}` that ends this block.
    fn skip_statement(&mut self) {
        let (mut depth, mut parentheses) = (0usize, 0usize);
        while let Some(word) = self.reader.peek() {
            match word {
                Word::Sign("}") if depth == 0 => return,
                Word::Sign("{") => depth += 1,
                Word::Sign("}") => depth -= 1,
                Word::Sign("(") => parentheses += 1,
                Word::Sign(")") => parentheses = parentheses.saturating_sub(1),
                Word::Sign(_) | Word::Name(_) | Word::Number(..) => {}
            }
            self.reader.next();
            // The parts of `for (;;)` are not statements.
            if depth == 0
                && (parentheses == 0 || word == Word::Sign("}"))
                && matches!(word, Word::Sign(";" | "}"))
            {
                return;
            }
        }
    }

    fn statement(&mut self) -> Read<Stmt> {
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> Read<Stmt> {
        if self.reader.take("{") {
            return Ok(Stmt::Block(self.block()?));
        }
        if self.reader.take(";") {
            return Ok(Stmt::Block(Vec::new()));
        }
        let start = self.reader.span();
        match self.reader.peek() {
            Some(Word::Name("if")) => {
                self.reader.next();
                let condition = self.parenthesised()?;
                let then = Box::new(self.statement()?);
                let mut otherwise = None;
                if self.reader.peek() == Some(Word::Name("else")) {
                    self.reader.next();
                    otherwise = Some(Box::new(self.statement()?));
                }
                Ok(Stmt::If(condition, then, otherwise))
            }
            Some(Word::Name("while")) => {
                self.reader.next();
                let condition = self.parenthesised()?;
                Ok(Stmt::While(condition, Box::new(self.statement()?)))
            }
            Some(Word::Name("do")) => {
                self.reader.next();
                let body = Box::new(self.statement()?);
                if self.reader.peek() != Some(Word::Name("while")) {
                    return Err(self.reader.expected("`while`"));
                }
                self.reader.next();
                let condition = self.parenthesised()?;
                self.reader.sign(";")?;
                Ok(Stmt::DoWhile(body, condition))
            }
            Some(Word::Name(word @ ("break" | "continue" | "return"))) => {
                self.reader.next();
                self.reader.sign(";")?;
                Ok(match word {
                    "break" => Stmt::Break(start),
                    "continue" => Stmt::Continue(start),
                    _ => Stmt::Return(start),
                })
            }
            Some(Word::Name(word @ ("for" | "switch" | "goto" | "struct" | "asm" | "typedef"))) => {
                Err(
                    Diagnostic::error(format!("`{word}` is not supported"), start).note(
                        "threads may use declarations, assignments, calls, `if`, `while` and `do`",
                    ),
                )
            }
            Some(Word::Name(word)) if is_type_word(word) => self.declaration(),
            Some(_) | None => {
                let stmt = self.simple()?;
                self.reader.sign(";")?;
                Ok(stmt)
            }
        }
    }

    fn declaration(&mut self) -> Read<Stmt> {
        let Some(kind) = types::read(&mut self.reader) else {
            return Err(self.reader.expected("a type"));
        };
        let mut all = Vec::new();
        let mut stars = kind.stars;
        loop {
            let (name, span) = self.reader.name("the name of a local variable")?;
            if self.reader.is("[") {
                return Err(Diagnostic::error("local arrays are not supported", span));
            }
            let value = if self.reader.take("=") {
                Some(self.expression()?)
            } else {
                None
            };
            all.push(Stmt::Declare(
                Type { stars, ..kind },
                name.to_owned(),
                span,
                value,
            ));
            if !self.reader.take(",") {
                break;
            }
            stars = 0;
            while self.reader.take("*") {
                stars = stars.saturating_add(1);
            }
        }
        self.reader.sign(";")?;
        Ok(match all.pop() {
            Some(only) if all.is_empty() => only,
            last => Stmt::Sequence(all.into_iter().chain(last).collect()),
        })
    }

    /// An assignment or a call.
    fn simple(&mut self) -> Read<Stmt> {
        let start = self.reader.span();
        let one = |start: &Span| Ast {
            kind: AstKind::Number(1, Type::INT),
            span: start.clone(),
        };
        for (sign, op) in [("++", BinaryOp::Add), ("--", BinaryOp::Sub)] {
            if self.reader.take(sign) {
                let target = self.unary()?;
                return Ok(Stmt::Assign(target, Some(op), one(&start)));
            }
        }
        let target = self.expression()?;
        for (sign, op) in [("++", BinaryOp::Add), ("--", BinaryOp::Sub)] {
            if self.reader.take(sign) {
                return Ok(Stmt::Assign(target, Some(op), one(&start)));
            }
        }
        let op = match self.reader.peek() {
            Some(Word::Sign("=")) => None,
            Some(Word::Sign("+=")) => Some(BinaryOp::Add),
            Some(Word::Sign("-=")) => Some(BinaryOp::Sub),
            Some(Word::Sign("*=")) => Some(BinaryOp::Mul),
            Some(Word::Sign("&=")) => Some(BinaryOp::BitAnd),
            Some(Word::Sign("|=")) => Some(BinaryOp::BitOr),
            Some(Word::Sign("^=")) => Some(BinaryOp::BitXor),
            Some(_) | None => return Ok(Stmt::Expr(target)),
        };
        self.reader.next();
        let value = self.expression()?;
        Ok(Stmt::Assign(target, op, value))
    }
}
