//! Statements of the structured form.

use super::super::ast::{
    Block, Enclosure, Expr, ExprKind, ForHead, Grouping, Stmt, StmtKind, Stored,
};
use super::{Context, Skipped, semicolon, skip};
use crate::program::{BinaryOp, FencePlace, Overlap};
use crate::text::Span;
use crate::text::expression::{Rule, Token, fence, name, sequence, span_of, unescape};
use chumsky::prelude::*;

/// Statements between braces.
pub(super) fn block<'t: 'w, 'w>(
    context: &'w Context<'t>,
    expr: &Rule<'t, 'w, Expr>,
) -> Rule<'t, 'w, Block> {
    let statement = recursive(|statement| {
        let statement = statement.boxed();
        let label = name()
            .then_ignore(just(Token::Colon).labelled("an operator"))
            .map(StmtKind::Label)
            .map_with(|kind, e| Stmt::new(kind, span_of(e)))
            .boxed();
        let place = place()
            .map_with(|place, e| Stmt::new(StmtKind::Place(place), span_of(e)))
            .boxed();
        choice((
            label.clone(),
            simple(context, expr),
            compound(context, expr, &statement, label.or(place.clone()).boxed()),
            place,
        ))
        .map_with(|stmt, e| Stmt {
            whole: span_of(e),
            ..stmt
        })
        .labelled("a statement")
        .boxed()
    })
    .boxed();
    braces(context, statement)
}

fn braces<'t: 'w, 'w>(
    context: &'w Context<'t>,
    statement: Rule<'t, 'w, Stmt>,
) -> Rule<'t, 'w, Block> {
    let stmts = statement
        .recover_with(via_parser(skip_statement(context)))
        .repeated()
        .collect();
    just(Token::LeftBrace)
        .ignore_then(stmts)
        .then(just(Token::RightBrace).map_with(|_, e| span_of(e)))
        .map_with(|(stmts, end), e| Block {
            enclosure: Enclosure::Braces,
            start: span_of(e).start,
            stmts,
            end,
        })
        .boxed()
}

/// A block, or a single statement after its labels and annotations (`mark`).
fn body<'t: 'w, 'w>(
    block: &Rule<'t, 'w, Block>,
    statement: &Rule<'t, 'w, Stmt>,
    mark: Rule<'t, 'w, Stmt>,
) -> Rule<'t, 'w, Block> {
    let marks = mark
        .map_with(|stmt, e| Stmt {
            whole: span_of(e),
            ..stmt
        })
        .repeated()
        .collect::<Vec<_>>();
    let bare = marks
        .then(statement.clone())
        .map_with(|(mut stmts, last), e| {
            stmts.push(last);
            let Span { start, end } = span_of(e);
            Block {
                enclosure: Enclosure::Bare,
                start,
                stmts,
                end: end.saturating_sub(1).max(start)..end,
            }
        });
    block.clone().or(bare).boxed()
}

/// `local r = e, s`
fn local<'t: 'w, 'w>(expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, StmtKind> {
    just(Token::Local)
        .ignore_then(
            name()
                .then(just(Token::Equals).ignore_then(expr.clone()).or_not())
                .separated_by(just(Token::Comma))
                .at_least(1)
                .collect(),
        )
        .map(StmtKind::Local)
        .boxed()
}

/// An operator that is written as two signs without a blank: these, and `more`. Not one token, since
/// `--1` is a number.
fn joined<'t: 'w, 'w, T: Clone + 'w>(
    sign: Rule<'t, 'w, T>,
    more: Token<'static>,
) -> Rule<'t, 'w, (T, Span)> {
    sign.map_with(|op, e| (op, span_of(e)))
        .then(select! { token if token == more => () }.map_with(|(), e| span_of(e)))
        .filter(|((_, first), second)| first.end == second.start)
        .map(|((op, first), second)| (op, first.start..second.end))
        .boxed()
}

/// What follows the first expression of a statement.
#[derive(Clone)]
enum Tail {
    Assign(Expr),
    Update(BinaryOp, Expr),
    Call,
}

/// `x = e`, `x += e`, `x++`, `++x`, `xchg(x += e)`, `f(x)`
fn assignment<'t: 'w, 'w>(expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, StmtKind> {
    let one = |(op, span): (BinaryOp, Span)| {
        let kind = ExprKind::Int(1);
        (op, Expr { kind, span })
    };
    let plus = just(Token::Plus).to(BinaryOp::Add).boxed();
    let minus = just(Token::Minus).to(BinaryOp::Sub).boxed();
    let twice = joined(plus, Token::Plus)
        .or(joined(minus, Token::Minus))
        .map(one)
        .boxed();
    let sign = select! {
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Sub,
        Token::Star => BinaryOp::Mul,
        Token::Slash => BinaryOp::Div,
        Token::Percent => BinaryOp::Rem,
        Token::Ampersand => BinaryOp::BitAnd,
        Token::Pipe => BinaryOp::BitOr,
        Token::Caret => BinaryOp::BitXor,
        Token::ShiftLeft => BinaryOp::Shl,
        Token::ShiftRight => BinaryOp::Shr,
    }
    .boxed();
    let update = joined(sign, Token::Equals)
        .then(expr.clone())
        .map(|((op, _), operand)| (op, operand))
        .labelled("an operator")
        .or(twice.clone().labelled("an operator"))
        .boxed();
    let tail = choice((
        just(Token::Equals)
            .ignore_then(expr.clone())
            .map(Tail::Assign),
        update
            .clone()
            .map(|(op, operand)| Tail::Update(op, operand)),
        empty().to(Tail::Call),
    ));
    let before = twice
        .labelled("an expression")
        .then(expr.clone())
        .map(|((op, one), target)| (target, op, one))
        .boxed();
    let after = expr.clone().then(tail).map(|(target, tail)| match tail {
        Tail::Assign(value) => StmtKind::Assign(target, value),
        Tail::Update(op, operand) => StmtKind::Update(target, op, operand, Stored::Plainly),
        Tail::Call => StmtKind::Call(target),
    });
    let changed = expr.clone().then(update);
    let changed = changed.map(|(target, (op, operand))| (target, op, operand));
    let exchanged = just(Token::Ident("xchg")).ignore_then(
        before
            .clone()
            .or(changed)
            .delimited_by(just(Token::LeftParen), just(Token::RightParen)),
    );
    choice((
        exchanged.map(|(target, op, e)| StmtKind::Update(target, op, e, Stored::Exchanged)),
        before.map(|(target, op, e)| StmtKind::Update(target, op, e, Stored::Plainly)),
        after,
    ))
    .boxed()
}

/// Statements that end with a semicolon. Their span excludes it.
fn simple<'t: 'w, 'w>(context: &'w Context<'t>, expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, Stmt> {
    let parens = |inner: Rule<'t, 'w, Expr>| {
        inner.delimited_by(just(Token::LeftParen), just(Token::RightParen))
    };
    let reason = select! { Token::Text(text) => text }.try_map(|text, span| {
        unescape(text).map_err(|c| Rich::custom(span, format!("unknown escape `\\{c}`")))
    });
    let asserted = expr
        .clone()
        .then(
            just(Token::Comma)
                .labelled("an operator")
                .ignore_then(reason.labelled("a string"))
                .or_not(),
        )
        .delimited_by(just(Token::LeftParen), just(Token::RightParen));
    choice((
        local(expr),
        fence(expr).map(StmtKind::Fence).boxed(),
        just(Token::Break).to(StmtKind::Break),
        just(Token::Continue).to(StmtKind::Continue),
        just(Token::Return)
            .ignore_then(expr.clone().or_not())
            .map(StmtKind::Return),
        just(Token::Skip).to(StmtKind::Skip),
        just(Token::Goto).ignore_then(name()).map(StmtKind::Goto),
        just(Token::Assume)
            .ignore_then(parens(expr.clone()))
            .map(StmtKind::Assume),
        just(Token::Assert)
            .ignore_then(asserted)
            .map(|(e, reason)| StmtKind::Assert(e, reason)),
        just(Token::Ident("await"))
            .ignore_then(parens(sequence(expr)))
            .map(StmtKind::Await),
        assignment(expr),
    ))
    .map_with(|kind, e| Stmt::new(kind, span_of(e)))
    .then_ignore(semicolon(context))
    .boxed()
}

/// `(init; condition; step)`
fn for_head<'t: 'w, 'w>(expr: &Rule<'t, 'w, Expr>) -> Rule<'t, 'w, ForHead> {
    let clause =
        |kind: Rule<'t, 'w, StmtKind>| kind.map_with(|kind, e| Stmt::new(kind, span_of(e))).boxed();
    let fences = fence(expr)
        .map_with(|fence, e| (fence, span_of(e)))
        .then_ignore(just(Token::Comma))
        .repeated()
        .collect::<Vec<_>>();
    clause(local(expr).or(assignment(expr)).boxed())
        .or_not()
        .then_ignore(just(Token::Semicolon))
        .then(sequence(expr).or_not())
        .then_ignore(just(Token::Semicolon))
        .then(fences.then(clause(assignment(expr))).or_not())
        .delimited_by(just(Token::LeftParen), just(Token::RightParen))
        .map(|((init, condition), step)| ForHead {
            init,
            condition,
            step,
        })
        .boxed()
}

/// Statements with blocks. Their span is that of their head.
fn compound<'t: 'w, 'w>(
    context: &'w Context<'t>,
    expr: &Rule<'t, 'w, Expr>,
    statement: &Rule<'t, 'w, Stmt>,
    mark: Rule<'t, 'w, Stmt>,
) -> Rule<'t, 'w, Stmt> {
    let block = braces(context, statement.clone());
    let body = body(&block, statement, mark);
    let nothing = just(Token::Semicolon).map_with(|_, e| Block {
        enclosure: Enclosure::Empty,
        start: span_of(e).start,
        stmts: Vec::new(),
        end: span_of(e),
    });
    let looped = nothing.or(body.clone()).boxed();
    let condition = sequence(expr)
        .delimited_by(just(Token::LeftParen), just(Token::RightParen))
        .boxed();
    let test = condition
        .clone()
        .map_with(|condition, e| (condition, span_of(e)));
    let branch = just(Token::If)
        .ignore_then(condition.clone())
        .map_with(|condition, e| (condition, span_of(e)))
        .then(body.clone())
        .boxed();
    let conditional = branch
        .clone()
        .then(
            just(Token::Else)
                .ignore_then(branch.map(|((c, _), block)| (c, block)))
                .repeated()
                .collect::<Vec<_>>(),
        )
        .then(just(Token::Else).ignore_then(body).or_not())
        .map(|((((condition, span), block), more), last)| {
            let mut branches = vec![(condition, block)];
            branches.extend(more);
            Stmt::new(StmtKind::If(branches, last), span)
        })
        .boxed();
    let while_loop = just(Token::While)
        .ignore_then(condition)
        .map_with(|condition, e| (condition, span_of(e)))
        .then(looped.clone())
        .map(|((condition, span), block)| Stmt::new(StmtKind::While(condition, block), span))
        .boxed();
    let for_loop = just(Token::For)
        .ignore_then(for_head(expr))
        .map_with(|head, e| (Box::new(head), span_of(e)))
        .then(looped)
        .map(|((head, span), block)| Stmt::new(StmtKind::For(head, block), span))
        .boxed();
    let do_while = just(Token::Do)
        .ignore_then(block.clone())
        .then_ignore(just(Token::While))
        .then(test)
        .then_ignore(semicolon(context))
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
    choice((
        conditional,
        while_loop,
        for_loop,
        do_while,
        headed(Token::Loop).map(|(span, block)| Stmt::new(StmtKind::Loop(block), span)),
        choose,
        just(Token::Atomic)
            .map_with(|_, e| span_of(e))
            .then(grouping())
            .then(block.clone())
            .map(|((span, grouping), block)| Stmt::new(StmtKind::Atomic(grouping, block), span)),
        block
            .clone()
            .map_with(|block, e| Stmt::new(StmtKind::Block(block), span_of(e))),
    ))
    .boxed()
}

/// What follows `atomic` or `lock`: nothing, `word`, or `word wait`.
pub(super) fn grouping<'t: 'w, 'w>() -> Rule<'t, 'w, Grouping> {
    just(Token::Ident("word"))
        .ignore_then(just(Token::Ident("wait")).or_not())
        .map(|wait| Grouping::Word(wait.map_or(Overlap::Combine, |_| Overlap::Wait)))
        .or_not()
        .map(|grouping| grouping.unwrap_or(Grouping::Locked))
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
                Token::Semicolon => at.next != Some(Token::Else),
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
