//! Expressions: C's operators with C's precedence.

use super::token::Token;
use super::{Expr, ExprKind, FenceForm, Name, Rule, name, part, span_of};
use crate::program::{BinaryOp, UnaryOp};
use chumsky::prelude::*;

/// What follows a name.
#[derive(Clone)]
enum Tail {
    Nothing,
    Call(Vec<Expr>),
    Index(Expr),
    Path(Vec<Name>, Option<Name>),
}

/// An operator with one operand.
#[derive(Clone, Copy)]
enum Prefix {
    Unary(UnaryOp),
    Deref,
    AddressOf,
}

/// An expression.
pub(crate) fn expression<'t: 'w, 'w>() -> Rule<'t, 'w, Expr> {
    recursive(|expr| {
        let expr = expr.boxed();
        let arguments = expr
            .clone()
            .separated_by(just(Token::Comma))
            .collect()
            .delimited_by(just(Token::LeftParen), just(Token::RightParen))
            .map(Tail::Call);
        let index = expr
            .clone()
            .delimited_by(just(Token::LeftBracket), just(Token::RightBracket))
            .map(Tail::Index);
        let at = just(Token::At).ignore_then(name());
        let path = just(Token::Dot)
            .ignore_then(part())
            .repeated()
            .at_least(1)
            .collect()
            .then(at.clone().or_not())
            .map(|(parts, label)| Tail::Path(parts, label));
        let tail = choice((
            arguments,
            index,
            path,
            at.map(|label| Tail::Path(Vec::new(), Some(label))),
            empty().to(Tail::Nothing),
        ))
        .labelled("an operator")
        .boxed();
        let named = name().then(tail).map(|(name, tail)| match tail {
            Tail::Nothing => ExprKind::Name(name.text),
            Tail::Call(arguments) => ExprKind::Call(name, arguments),
            Tail::Index(index) => ExprKind::Index(name, Box::new(index)),
            Tail::Path(rest, label) => {
                let mut parts = vec![name];
                parts.extend(rest);
                match label {
                    Some(label) => ExprKind::At(parts, label),
                    None => ExprKind::Path(parts),
                }
            }
        });
        let number = select! { Token::Int(value) => ExprKind::Int(value) };
        let paren = sequence(&expr)
            .delimited_by(just(Token::LeftParen), just(Token::RightParen))
            .map(|inner| ExprKind::Paren(Box::new(inner)));
        let atom = choice((number, paren, named))
            .map_with(|kind, e| Expr {
                kind,
                span: span_of(e),
            })
            .labelled("an expression")
            .boxed();

        let prefix = select! {
            Token::Not => Prefix::Unary(UnaryOp::Not),
            Token::Tilde => Prefix::Unary(UnaryOp::BitNot),
            Token::Minus => Prefix::Unary(UnaryOp::Neg),
            Token::Star => Prefix::Deref,
            Token::Ampersand => Prefix::AddressOf,
        }
        .map_with(|op, e| (op, span_of(e).start))
        .labelled("an expression")
        .boxed();
        let operand = prefix
            .repeated()
            .collect::<Vec<_>>()
            .then(atom)
            .map(|(prefixes, atom)| {
                let apply = |a, (op, start)| apply(op, start, a);
                prefixes.into_iter().rev().fold(atom, apply)
            })
            .boxed();
        let chain = operand
            .clone()
            .then(operator().then(operand).repeated().collect::<Vec<_>>())
            .map(|(first, rest)| bind(first, rest))
            .boxed();
        chain
            .then(
                just(Token::Question)
                    .labelled("an operator")
                    .ignore_then(expr.clone())
                    .then_ignore(just(Token::Colon))
                    .then(expr)
                    .or_not(),
            )
            .map(|(condition, branches)| match branches {
                None => condition,
                Some((a, b)) => Expr {
                    span: condition.span.start..b.span.end,
                    kind: ExprKind::Conditional(Box::new([condition, a, b])),
                },
            })
            .boxed()
    })
    .boxed()
}

/// A fence of the structured form, without its terminator.
pub(crate) fn fence<'t: 'w, 'w>(expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, FenceForm> {
    let own = just(Token::FenceWord).ignore_then(choice((
        just(Token::Ident("store")).to(FenceForm::Store),
        expr.clone()
            .separated_by(just(Token::Comma))
            .at_least(1)
            .collect()
            .delimited_by(just(Token::LeftParen), just(Token::RightParen))
            .map(FenceForm::Cells),
        empty().to(FenceForm::Full),
    )));
    let all = just(Token::Barrier)
        .ignore_then(just(Token::Ident("all")))
        .to(FenceForm::All);
    own.or(all).boxed()
}

/// What may be written between parentheses: an expression, optionally after fences.
pub(crate) fn sequence<'t: 'w, 'w>(expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, Expr> {
    fence(expr)
        .map_with(|fence, e| (fence, span_of(e)))
        .labelled("an expression")
        .then_ignore(just(Token::Comma))
        .repeated()
        .collect::<Vec<_>>()
        .then(expr.clone())
        .map_with(|(fences, inner), e| {
            if fences.is_empty() {
                return inner;
            }
            Expr {
                kind: ExprKind::Fenced(fences, Box::new(inner)),
                span: span_of(e),
            }
        })
        .boxed()
}

/// Any binary operator. [`bind`] decides which operands belong to it.
fn operator<'t: 'w, 'w>() -> Rule<'t, 'w, BinaryOp> {
    select! {
        Token::OrOr => BinaryOp::Or,
        Token::AndAnd => BinaryOp::And,
        Token::Pipe => BinaryOp::BitOr,
        Token::Caret => BinaryOp::BitXor,
        Token::Ampersand => BinaryOp::BitAnd,
        Token::EqEq => BinaryOp::Eq,
        Token::NotEq => BinaryOp::Ne,
        Token::Less => BinaryOp::Lt,
        Token::LessEq => BinaryOp::Le,
        Token::Greater => BinaryOp::Gt,
        Token::GreaterEq => BinaryOp::Ge,
        Token::ShiftLeft => BinaryOp::Shl,
        Token::ShiftRight => BinaryOp::Shr,
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Sub,
        Token::Star => BinaryOp::Mul,
        Token::Slash => BinaryOp::Div,
        Token::Percent => BinaryOp::Rem,
    }
    .labelled("an operator")
    .boxed()
}

/// The tree of a chain of operands: operators bind by precedence, equal ones from the left.
fn bind(first: Expr, rest: Vec<(BinaryOp, Expr)>) -> Expr {
    let binary = |op, a: Expr, b: Expr| Expr {
        span: a.span.start..b.span.end,
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
    };
    // Left operands and operators whose right operand is incomplete, looser ones below tighter
    // ones.
    let mut waiting: Vec<(Expr, BinaryOp)> = Vec::new();
    let mut last = first;
    for (op, operand) in rest {
        while let Some((a, tighter)) =
            waiting.pop_if(|(_, before)| before.precedence() >= op.precedence())
        {
            last = binary(tighter, a, last);
        }
        waiting.push((last, op));
        last = operand;
    }
    while let Some((a, op)) = waiting.pop() {
        last = binary(op, a, last);
    }
    last
}

fn apply(op: Prefix, start: usize, a: Expr) -> Expr {
    let span = start..a.span.end;
    let kind = match (op, a.kind) {
        // A minus sign before digits belongs to the number.
        (Prefix::Unary(UnaryOp::Neg), ExprKind::Int(value)) => ExprKind::Int(value.wrapping_neg()),
        (op, kind) => {
            let a = Box::new(Expr { kind, span: a.span });
            match op {
                Prefix::Unary(op) => ExprKind::Unary(op, a),
                Prefix::Deref => ExprKind::Deref(a),
                Prefix::AddressOf => ExprKind::AddressOf(a),
            }
        }
    };
    Expr { kind, span }
}
