//! The automaton form of the papers, and what the printer adds to it.

use super::super::ast::{AutoInstr, AutoOp, Automaton, Expr, Name};
use super::stmt::{grouping, place};
use super::{Context, semicolon, skip};
use crate::program::FencePlace;
use crate::text::expression::{Rule, Token, name, name_but, span_of};
use chumsky::prelude::*;

/// Keywords that end the list of registers or of locations.
const CLAUSES: &[&str] = &["regs", "locations", "init", "begin"];

/// `regs … locations … init … begin … end`
pub(super) fn automaton<'t: 'w, 'w>(
    context: &'w Context<'t>,
    expr: Rule<'t, 'w, Expr>,
) -> Rule<'t, 'w, Automaton> {
    let comma = just(Token::Comma).or_not();
    let registers = just(Token::Ident("regs"))
        .ignore_then(
            name_but(CLAUSES)
                .then(just(Token::Equals).ignore_then(expr.clone()).or_not())
                .then_ignore(comma)
                .repeated()
                .collect(),
        )
        .boxed();
    // A generated name is in parentheses.
    let location = name_but(CLAUSES).map(|name| (name, false)).or(name()
        .delimited_by(just(Token::LeftParen), just(Token::RightParen))
        .map(|name| (name, true)));
    let locations = just(Token::Ident("locations"))
        .ignore_then(location.then_ignore(comma).repeated().collect());
    let init = just(Token::Ident("init")).ignore_then(name());

    registers
        .or_not()
        .then(locations.or_not())
        .then(init)
        .then_ignore(just(Token::Ident("begin")))
        .then(
            instruction(context, expr)
                .recover_with(via_parser(skip_instruction(context)))
                .repeated()
                .collect::<Vec<_>>(),
        )
        .then_ignore(just(Token::Ident("end")))
        .map_with(|(((regs, locations), init), instructions), e| Automaton {
            start: span_of(e).start,
            regs: regs.unwrap_or_default(),
            locations,
            init,
            instructions: instructions.into_iter().flatten().collect(),
        })
        .boxed()
}

fn instruction<'t: 'w, 'w>(
    context: &'w Context<'t>,
    expr: Rule<'t, 'w, Expr>,
) -> Rule<'t, 'w, Option<AutoInstr>> {
    let arrow = just(Token::Less)
        .then(just(Token::Minus))
        .ignored()
        .labelled("`<-`");
    let store = just(Token::Ident("mem"))
        .ignore_then(
            expr.clone()
                .delimited_by(just(Token::LeftBracket), just(Token::RightBracket)),
        )
        .then_ignore(arrow)
        .then(expr.clone())
        .map(|(addr, value)| AutoOp::Store(addr, value))
        .boxed();
    let assign = name()
        .then_ignore(arrow)
        .then(expr.clone())
        .map(|(register, value)| AutoOp::Assign(register, value))
        .boxed();
    let word = |word: &'static str| just(Token::Ident(word));
    let fence = just(Token::FenceWord)
        .ignore_then(
            expr.clone()
                .then_ignore(just(Token::Comma).or_not())
                .repeated()
                .collect::<Vec<_>>()
                .map(|cells| {
                    if cells.is_empty() {
                        AutoOp::FenceFull
                    } else {
                        AutoOp::FenceCells(cells)
                    }
                }),
        )
        .boxed();
    let op = choice((
        store,
        assign,
        word("mfence").or(word("scfence")).to(AutoOp::FenceFull),
        word("sfence").to(AutoOp::FenceStore),
        fence,
        just(Token::Barrier)
            .ignore_then(word("all"))
            .to(AutoOp::BarrierAll),
        just(Token::Assume)
            .ignore_then(expr.clone())
            .map(AutoOp::Assume),
        just(Token::Assert)
            .map_with(|_, e| span_of(e))
            .then(expr.clone())
            .map(|(word, e)| AutoOp::BlockingAssert(e, word)),
        word("property").ignore_then(expr).map(AutoOp::Property),
        word("lock").ignore_then(grouping()).map(AutoOp::Lock),
        word("unlock").to(AutoOp::Unlock),
        word("noop").to(AutoOp::Noop),
    ))
    .map_with(|op, e| (op, span_of(e)))
    .labelled("an instruction")
    .boxed();
    place()
        .repeated()
        .collect::<Vec<_>>()
        .then(name_but(&["end"]))
        .then_ignore(just(Token::Colon))
        .then(op)
        .then_ignore(semicolon(context))
        .then_ignore(just(Token::Goto))
        .then(name())
        .then_ignore(semicolon(context))
        .map_with(
            |(((places, from), (op, span)), to): (((_, Name), _), Name), e| {
                let places: Vec<FencePlace> = places;
                Some(AutoInstr {
                    place: places.last().copied().unwrap_or_default(),
                    from,
                    op,
                    to,
                    span,
                    whole: span_of(e),
                })
            },
        )
        .boxed()
}

/// Skips to the end of an instruction, including its `goto …;`.
fn skip_instruction<'t: 'w, 'w>(context: &'w Context<'t>) -> Rule<'t, 'w, Option<AutoInstr>> {
    skip(
        context,
        |token| token == Token::Ident("end"),
        |at| at.token == Token::Semicolon && at.depth == 0 && at.next != Some(Token::Goto),
    )
    .to(None)
    .boxed()
}
