//! The parser: tokens to syntax tree.
//!
//! Expects balanced brackets of bounded depth. A statement or item that cannot be parsed becomes
//! one error and is skipped up to its end. The names in it are returned as `skipped_names`, so that
//! no later stage reports a name whose declaration was skipped. After a missing `;` at the end of a
//! line, nothing is skipped.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

mod automaton;
mod stmt;

use super::ast::{CopiesAst, Initial, Item, Name, SharedAst, ThreadHead};
use crate::program::PropertyKind;
use crate::text::expression::{Rule, Token, expression, grammar_error, name, part, span_of};
use crate::text::{Diagnostic, Span};
use chumsky::prelude::*;
use std::cell::RefCell;

/// The text and the parts of it that were skipped.
pub(super) struct Context<'t> {
    text: &'t str,
    skipped: RefCell<Vec<Span>>,
}

/// The items of a text.
pub(super) struct Grammar<'t> {
    pub(super) items: Vec<Item>,
    /// Names in the parts that could not be parsed.
    pub(super) skipped_names: Vec<&'t str>,
}

/// Parses a file.
pub(super) fn parse<'t>(
    text: &'t str,
    tokens: &[(Token<'t>, Span)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Grammar<'t> {
    let words: Vec<(Token<'t>, SimpleSpan)> = tokens
        .iter()
        .map(|(token, span)| (*token, SimpleSpan::from(span.clone())))
        .collect();
    let context = Context {
        text,
        skipped: RefCell::default(),
    };
    let end = SimpleSpan::from(text.len()..text.len());
    let (items, errors) = items(&context)
        .parse(words[..].split_token_span(end))
        .into_output_errors();
    diagnostics.extend(
        errors
            .iter()
            .filter_map(|error| grammar_error(error, tokens)),
    );
    let mut skipped_names = Vec::new();
    for span in context.skipped.into_inner() {
        let first = tokens.partition_point(|(_, place)| place.start < span.start);
        skipped_names.extend(
            tokens[first..]
                .iter()
                .take_while(|(_, place)| place.start < span.end)
                .filter_map(|(token, _)| match token {
                    Token::Ident(name) | Token::Quoted(name) => Some(*name),
                    _ => None,
                }),
        );
    }
    skipped_names.sort_unstable();
    skipped_names.dedup();
    Grammar {
        items: items.unwrap_or_default(),
        skipped_names,
    }
}

/// The parts of a dotted name: `worker.0`.
fn dotted<'t: 'w, 'w>() -> Rule<'t, 'w, Vec<Name>> {
    name()
        .then(
            just(Token::Dot)
                .ignore_then(part())
                .repeated()
                .collect::<Vec<_>>(),
        )
        .map(|(first, rest)| {
            let mut parts = vec![first];
            parts.extend(rest);
            parts
        })
        .boxed()
}

/// A `;`. If it is missing at the end of a line, an error is reported and parsing continues.
fn semicolon<'t: 'w, 'w>(context: &'w Context<'t>) -> Rule<'t, 'w, ()> {
    let missing = custom(move |inp| {
        let before = inp.save();
        let next = inp.next();
        let span: SimpleSpan = inp.span_since(before.cursor());
        inp.rewind(before);
        let first_in_line = context.text[..span.start]
            .trim_end_matches([' ', '\t'])
            .ends_with('\n');
        match next {
            None | Some(Token::RightBrace) => Ok(()),
            Some(Token::Error) => Err(Rich::custom(span, "")),
            Some(_) if first_in_line => Ok(()),
            Some(_) => Err(Rich::custom(span, "")),
        }
    });
    just(Token::Semicolon)
        .ignored()
        .recover_with(via_parser(missing))
        .boxed()
}

fn items<'t: 'w, 'w>(context: &'w Context<'t>) -> Rule<'t, 'w, Vec<Item>> {
    let semi = semicolon(context);
    let expr = expression();
    let block = stmt::block(context, &expr);

    let program = just(Token::Program)
        .ignore_then(name())
        .then_ignore(semi.clone())
        .map(Item::Program)
        .boxed();

    let each = expr
        .clone()
        .separated_by(just(Token::Comma))
        .allow_trailing()
        .collect()
        .delimited_by(just(Token::LeftBrace), just(Token::RightBrace))
        .map(Initial::Each);
    let initial = just(Token::Equals)
        .ignore_then(each.or(expr.clone().map(Initial::All)))
        .or_not()
        .map(|initial| initial.unwrap_or(Initial::Zero));
    let size = expr
        .clone()
        .delimited_by(just(Token::LeftBracket), just(Token::RightBracket));
    let shared = just(Token::Shared)
        .ignore_then(
            name()
                .then(size.clone().or_not())
                .then(initial)
                .map(|((name, size), initial)| SharedAst {
                    name,
                    size,
                    initial,
                })
                .separated_by(just(Token::Comma))
                .at_least(1)
                .collect(),
        )
        .then_ignore(semi.clone())
        .map(Item::Shared)
        .boxed();

    let constants = just(Token::Const)
        .ignore_then(
            name()
                .then_ignore(just(Token::Equals))
                .then(expr.clone())
                .separated_by(just(Token::Comma))
                .at_least(1)
                .collect(),
        )
        .then_ignore(semi.clone())
        .map(Item::Const)
        .boxed();

    let copies = just(Token::Star)
        .delimited_by(just(Token::LeftBracket), just(Token::RightBracket))
        .to(CopiesAst::Any)
        .or(size.map(CopiesAst::Count))
        .or_not()
        .map(|copies| copies.unwrap_or(CopiesAst::One));
    let head = just(Token::Thread)
        .ignore_then(dotted())
        .then(copies)
        .map(|(name, copies)| ThreadHead { name, copies });
    let thread = head
        .then(
            block
                .clone()
                .map(Ok)
                .or(automaton::automaton(context, expr.clone()).map(Err)),
        )
        .map(|(head, body)| match body {
            Ok(block) => Item::Thread(head, block),
            Err(automaton) => Item::Automaton(head, automaton),
        })
        .boxed();

    let params = name()
        .separated_by(just(Token::Comma))
        .collect::<Vec<_>>()
        .delimited_by(just(Token::LeftParen), just(Token::RightParen));
    let procedure = just(Token::Proc)
        .ignore_then(name())
        .then(params)
        .then(block)
        .map(|((name, params), body)| Item::Proc(name, params, body))
        .boxed();

    let kind = choice((
        just(Token::Forbid).to(PropertyKind::Forbid),
        just(Token::Final)
            .then(just(Token::Assert))
            .to(PropertyKind::FinalAssert),
        just(Token::Exists).to(PropertyKind::Exists),
    ));
    let property = kind
        .then(expr.clone())
        .map_with(|(kind, expr), e| Item::Property(kind, expr, span_of(e)))
        .then_ignore(semi)
        .boxed();

    let stuck = just(Token::Forbid)
        .ignore_then(just(Token::Ident("stuck")))
        .ignore_then(dotted().or_not())
        .then(just(Token::AndAnd).ignore_then(expr.clone()).or_not())
        .map_with(|(thread, predicate), e| Item::Stuck(thread, predicate, span_of(e)))
        .then_ignore(just(Token::Semicolon))
        .boxed();

    let item = choice((
        program, shared, constants, thread, procedure, stuck, property,
    ))
    .labelled("a declaration")
    .boxed();
    item.recover_with(via_parser(skip_item(context)))
        .repeated()
        .collect()
        .then_ignore(end())
        .boxed()
}

/// Skips to the next item. Fails at the end of the file.
fn skip_item<'t: 'w, 'w>(context: &'w Context<'t>) -> Rule<'t, 'w, Item> {
    skip(context, |_| false, |_| false).to(Item::Error).boxed()
}

/// A token that was just skipped, and its context.
struct Skipped<'t> {
    first: Token<'t>,
    token: Token<'t>,
    next: Option<Token<'t>>,
    /// How many brackets that were opened since the first token are still open.
    depth: usize,
}

/// Skips tokens, at least one: up to and without a token that `stops_at` accepts, through one that
/// `ends` the skipped part, up to the closing brace of the enclosing block, to the next item, or to
/// the end of the file.
fn skip<'t: 'w, 'w>(
    context: &'w Context<'t>,
    stops_at: impl Fn(Token<'t>) -> bool + Clone + 'w,
    ends: impl Fn(&Skipped<'t>) -> bool + Clone + 'w,
) -> Rule<'t, 'w, ()> {
    custom(move |inp| {
        let start = inp.cursor();
        let mut depth = 0_usize;
        let mut first = None;
        while let Some(token) = inp.peek() {
            let outside = token == Token::RightBrace
                || stops_at(token)
                || first.is_some() && token.starts_item();
            if depth == 0 && outside {
                break;
            }
            inp.skip();
            let first = *first.get_or_insert(token);
            match token {
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace => depth += 1,
                Token::RightParen | Token::RightBracket | Token::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            if ends(&Skipped {
                first,
                token,
                next: inp.peek(),
                depth,
            }) {
                break;
            }
        }
        let span: SimpleSpan = inp.span_since(&start);
        if first.is_none() {
            return Err(Rich::custom(span, ""));
        }
        context.skipped.borrow_mut().push(span.into_range());
        Ok(())
    })
    .boxed()
}
