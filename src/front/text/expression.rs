//! The expression language: C's operators over names, as in `.fence` files and, in any format, in
//! the predicates of `//:` lines.
//!
//!   text ──token──▶ tokens ──brackets──▶ balanced tokens ──rules──▶ [`Expr`]
//!
//! Names are not resolved here: what they refer to depends on the format.

mod brackets;
mod grammar_error;
mod rules;
mod token;

pub(crate) use brackets::{balance, check_depth};
pub(crate) use grammar_error::grammar_error;
pub(crate) use rules::{expression, fence, sequence};
pub use token::{SIGNS, TokenKind, WORDS, token_kinds};
pub(crate) use token::{Token, lex, unescape};

use super::{Diagnostic, Span};
use crate::program::{BinaryOp, UnaryOp};
use chumsky::input::{MapExtra, MappedInput};
use chumsky::prelude::*;

/// A name and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An expression and its span.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

impl Expr {
    /// The expression inside any parentheses.
    pub(crate) fn strip(&self) -> &Self {
        let mut e = self;
        while let ExprKind::Paren(inner) = &e.kind {
            e = inner;
        }
        e
    }
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Int(i32),
    Name(String),
    /// `slot[i]`; in the automaton form also `mem[e]`.
    Index(Name, Box<Expr>),
    Deref(Box<Expr>),
    AddressOf(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    /// Kept, so that `-(5)` is a negation and `-5` is a number.
    Paren(Box<Expr>),
    Call(Name, Vec<Expr>),
    /// `t0.r`, `worker.0.r`: at least two parts.
    Path(Vec<Name>),
    /// `t0@l`.
    At(Vec<Name>, Name),
    /// `fence, e`: first the fences, then the expression. Only in parentheses, or as a condition.
    Fenced(Vec<(FenceForm, Span)>, Box<Expr>),
}

/// A fence of the structured form.
#[derive(Clone, Debug)]
pub(crate) enum FenceForm {
    /// `fence`
    Full,
    /// `fence store`
    Store,
    /// `fence(x, y)`
    Cells(Vec<Expr>),
    /// `barrier all`
    All,
}

/// The input of the parsers.
pub(crate) type TokenInput<'t, 'w> =
    MappedInput<'w, Token<'t>, SimpleSpan, &'w [(Token<'t>, SimpleSpan)]>;
/// The error type of the parsers.
pub(crate) type Extra<'t, 'w> = extra::Err<Rich<'w, Token<'t>, SimpleSpan>>;

/// A parser. Boxed, because the types of unboxed parsers grow with the grammar, and compile time
/// with them.
pub(crate) type Rule<'t, 'w, T> = Boxed<'w, 'w, TokenInput<'t, 'w>, T, Extra<'t, 'w>>;

/// Parses one expression and nothing else. Requires balanced brackets of bounded depth.
pub(crate) fn parse_expression(
    tokens: &[(Token<'_>, Span)],
    end: usize,
) -> Result<Expr, Vec<Diagnostic>> {
    let words: Vec<(Token<'_>, SimpleSpan)> = tokens
        .iter()
        .map(|(token, span)| (*token, SimpleSpan::from(span.clone())))
        .collect();
    let (expr, errors) = expression()
        .then_ignore(chumsky::prelude::end())
        .parse(words[..].split_token_span(SimpleSpan::from(end..end)))
        .into_output_errors();
    expr.filter(|_| errors.is_empty()).ok_or_else(|| {
        errors
            .iter()
            .filter_map(|error| grammar_error(error, tokens))
            .collect()
    })
}

/// The span of what a parser has just read.
pub(crate) fn span_of<'t: 'w, 'w>(
    e: &mut MapExtra<'w, '_, TokenInput<'t, 'w>, Extra<'t, 'w>>,
) -> Span {
    e.span().into_range()
}

pub(crate) fn name<'t: 'w, 'w>() -> Rule<'t, 'w, Name> {
    name_but(&[])
}

/// A name other than these, which mean something else here.
pub(crate) fn name_but<'t: 'w, 'w>(not: &'static [&'static str]) -> Rule<'t, 'w, Name> {
    select! {
        Token::Ident(text) if !not.contains(&text) => text.to_owned(),
        Token::Quoted(text) => unescape(text).unwrap_or_else(|_| text.to_owned()),
    }
    .map_with(|text, e| Name {
        text,
        span: span_of(e),
    })
    .labelled("a name")
    .boxed()
}

/// A name or number after a dot.
pub(crate) fn part<'t: 'w, 'w>() -> Rule<'t, 'w, Name> {
    let number = select! { Token::Int(value) => value.to_string() }.map_with(|text, e| Name {
        text,
        span: span_of(e),
    });
    name().or(number).labelled("a name").boxed()
}
