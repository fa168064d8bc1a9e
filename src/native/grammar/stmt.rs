//! Statements of the structured form.

use super::super::ast::{Block, Expr, Stmt, StmtKind};
use super::{Context, Skipped, semicolon, skip};
use crate::program::FencePlace;
use crate::text::expression::{Rule, Token, fence, name, sequence, span_of};
use chumsky::prelude::*;

/// Statements between braces.
pub(super) fn block<'t: 'w, 'w>(
    context: &'w Context<'t>,
    expr: &Rule<'t, 'w, Expr>,
) -> Rule<'t, 'w, Block> {
    let semi = semicolon(context);
    recursive(|block| {
        let parenthesised = expr
            .clone()
            .delimited_by(just(Token::LeftParen), just(Token::RightParen))
            .boxed();
        let condition = sequence(expr)
            .delimited_by(just(Token::LeftParen), just(Token::RightParen))
            .boxed();

        // Statements that end with a semicolon. Their span excludes it.
        let local = just(Token::Local)
            .ignore_then(
                name()
                    .then(just(Token::Equals).ignore_then(expr.clone()).or_not())
                    .separated_by(just(Token::Comma))
                    .at_least(1)
                    .collect(),
            )
            .map(StmtKind::Local)
            .boxed();
        let fence = fence(expr).map(StmtKind::Fence).boxed();
        let assign = expr
            .clone()
            .then(just(Token::Equals).ignore_then(expr.clone()).or_not())
            .map(|(target, value)| match value {
                Some(value) => StmtKind::Assign(target, value),
                None => StmtKind::Call(target),
            })
            .boxed();
        let simple = choice((
            local,
            fence,
            just(Token::Break).to(StmtKind::Break),
            just(Token::Continue).to(StmtKind::Continue),
            just(Token::Return).to(StmtKind::Return),
            just(Token::Skip).to(StmtKind::Skip),
            just(Token::Goto).ignore_then(name()).map(StmtKind::Goto),
            just(Token::Assume)
                .ignore_then(parenthesised.clone())
                .map(StmtKind::Assume),
            just(Token::Assert)
                .ignore_then(parenthesised)
                .map(StmtKind::Assert),
            just(Token::Ident("await"))
                .ignore_then(condition.clone())
                .map(StmtKind::Await),
            assign,
        ))
        .map_with(|kind, e| Stmt::new(kind, span_of(e)))
        .then_ignore(semi.clone())
        .boxed();

        let label = name()
            .then_ignore(just(Token::Colon).labelled("an operator"))
            .map(StmtKind::Label)
            .map_with(|kind, e| Stmt::new(kind, span_of(e)));
        let place = place().map_with(|place, e| Stmt::new(StmtKind::Place(place), span_of(e)));

        // Statements with blocks. Their span is that of their head.
        let test = condition
            .clone()
            .map_with(|condition, e| (condition, span_of(e)));
        let branch = just(Token::If)
            .ignore_then(condition.clone())
            .map_with(|condition, e| (condition, span_of(e)))
            .then(block.clone())
            .boxed();
        let conditional = branch
            .clone()
            .then(
                just(Token::Else)
                    .ignore_then(branch.map(|((c, _), block)| (c, block)))
                    .repeated()
                    .collect::<Vec<_>>(),
            )
            .then(just(Token::Else).ignore_then(block.clone()).or_not())
            .map(|((((condition, span), block), more), last)| {
                let mut branches = vec![(condition, block)];
                branches.extend(more);
                Stmt::new(StmtKind::If(branches, last), span)
            })
            .boxed();
        let nothing = just(Token::Semicolon).map_with(|_, e| Block {
            stmts: Vec::new(),
            end: span_of(e),
        });
        let while_loop = just(Token::While)
            .ignore_then(condition.clone())
            .map_with(|condition, e| (condition, span_of(e)))
            .then(block.clone().or(nothing))
            .map(|((condition, span), block)| Stmt::new(StmtKind::While(condition, block), span))
            .boxed();
        let do_while = just(Token::Do)
            .ignore_then(block.clone())
            .then_ignore(just(Token::While))
            .then(test)
            .then_ignore(semi)
            .map(|(block, (condition, span))| Stmt::new(StmtKind::DoWhile(block, condition), span))
            .boxed();
        let headed = |word: Token<'t>| just(word).map_with(|_, e| span_of(e)).then(block.clone());
        let choose = headed(Token::Choose)
            .then(
                just(Token::Or)
                    .ignore_then(block.clone())
                    .repeated()
                    .collect::<Vec<_>>(),
            )
            .map(|((span, first), more)| {
                let mut branches = vec![first];
                branches.extend(more);
                Stmt::new(StmtKind::Choose(branches), span)
            })
            .boxed();
        let compound = choice((
            conditional,
            while_loop,
            do_while,
            headed(Token::Loop).map(|(span, block)| Stmt::new(StmtKind::Loop(block), span)),
            choose,
            headed(Token::Atomic).map(|(span, block)| Stmt::new(StmtKind::Atomic(block), span)),
            block
                .clone()
                .map_with(|block, e| Stmt::new(StmtKind::Block(block), span_of(e))),
        ))
        .boxed();

        let stmts = choice((label, simple, compound, place))
            .map_with(|stmt, e| Stmt {
                whole: span_of(e),
                ..stmt
            })
            .labelled("a statement")
            .boxed()
            .recover_with(via_parser(skip_statement(context)))
            .repeated()
            .collect();
        just(Token::LeftBrace)
            .ignore_then(stmts)
            .then(just(Token::RightBrace).map_with(|_, e| span_of(e)))
            .map(|(stmts, end)| Block { stmts, end })
            .boxed()
    })
    .boxed()
}

/// `@cost 5`, `@nofence`, `@exchange`
pub(super) fn place<'t: 'w, 'w>() -> Rule<'t, 'w, FencePlace> {
    just(Token::At)
        .ignore_then(choice((
            just(Token::Ident("cost"))
                .ignore_then(
                    select! { Token::Int(cost) if cost >= 0 => cost as u32 }.labelled("a number"),
                )
                .map(FencePlace::Cost),
            just(Token::Ident("nofence")).to(FencePlace::Forbidden),
            just(Token::Ident("exchange")).to(FencePlace::Exchange),
        )))
        .boxed()
}

/// Skips to the end of a statement, including its `;` or its last block, but never out of the
/// enclosing block.
fn skip_statement<'t: 'w, 'w>(context: &'w Context<'t>) -> Rule<'t, 'w, Stmt> {
    let ends = |at: &Skipped<'t>| {
        at.depth == 0
            && match at.token {
                Token::Semicolon => true,
                Token::RightBrace => match at.next {
                    Some(Token::Else | Token::Or) => false,
                    Some(Token::While) => at.first != Token::Do,
                    _ => true,
                },
                _ => false,
            }
    };
    skip(context, |_| false, ends)
        .map_with(|(), e| Stmt::new(StmtKind::Error, span_of(e)))
        .boxed()
}
