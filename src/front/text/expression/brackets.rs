//! Bracket matching before the grammar runs: limits the nesting depth and finds missing brackets.
//!
//! The grammar, the lowering and every later traversal of an expression are recursive. Their depth
//! is bounded here, once, by counting tokens. A missing bracket would make the grammar misread the
//! rest of the file, so it is found here: an open bracket is closed where the next statement or
//! item starts, with one error, and the grammar reads balanced tokens.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

use super::token::Token;
use crate::text::{Diagnostic, Span};

/// Brackets nest at most this deep.
pub(crate) const MOST_NESTED: usize = 200;

/// Operators and parentheses of one expression nest at most this deep.
pub(crate) const MOST_DEEP: usize = 256;

/// A token and its span. An inserted bracket has an empty span.
type Word<'t> = (Token<'t>, Span);

/// Checks that brackets and operators nest no deeper than the recursive code can handle.
pub(crate) fn check_depth(tokens: &[Word<'_>]) -> Result<(), Diagnostic> {
    /// How deep the current expression is: its operators so far, each possibly nested in the next,
    /// around its deepest bracket.
    #[derive(Default)]
    struct Level {
        /// The heads of branches and loops that the current statement is the body of.
        heads: usize,
        /// Whether the body of the last of them has not started.
        open: bool,
        operators: usize,
        inside: usize,
        deepest: usize,
    }
    let mut levels = vec![Level::default()];
    // The heads of all levels.
    let mut heads = 0;
    for (at, (token, span)) in tokens.iter().enumerate() {
        let top = levels.len() - 1;
        let next = tokens.get(at + 1).map(|(token, _)| *token);
        if heads_a_body(tokens, at) {
            heads += 1;
            levels[top].heads += 1;
            levels[top].open = true;
            if top + heads > MOST_NESTED {
                let message = format!("statements nest deeper than {MOST_NESTED}");
                return Err(too_deep(message, span));
            }
        }
        // A body in braces nests once.
        let last = at.checked_sub(1).map(|before| tokens[before].0);
        if *token == Token::LeftBrace
            && matches!(last, Some(Token::RightParen | Token::Else))
            && std::mem::take(&mut levels[top].open)
        {
            heads -= 1;
            levels[top].heads -= 1;
        }
        let level = &mut levels[top];
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                if top + heads >= MOST_NESTED {
                    return Err(too_deep(
                        format!("brackets nest deeper than {MOST_NESTED}"),
                        span,
                    ));
                }
                levels.push(Level::default());
            }
            Token::RightParen | Token::RightBracket if top > 0 => {
                let inside = level.deepest.max(level.operators + level.inside) + 1;
                heads -= levels.pop().map_or(0, |level| level.heads);
                levels[top - 1].inside = levels[top - 1].inside.max(inside);
            }
            Token::RightBrace if top > 0 => {
                heads -= levels.pop().map_or(0, |level| level.heads);
                let ends = std::mem::take(&mut levels[top - 1]).heads;
                if next == Some(Token::Else) {
                    levels[top - 1].heads = ends;
                } else {
                    heads -= ends;
                }
            }
            Token::Semicolon => {
                let ends = std::mem::take(level).heads;
                if next == Some(Token::Else) {
                    level.heads = ends;
                } else {
                    heads -= ends;
                }
            }
            Token::Comma => {
                level.deepest = level.deepest.max(level.operators + level.inside);
                level.operators = 0;
                level.inside = 0;
            }
            token if is_operator(*token) => level.operators += 1,
            _ => {}
        }
        let level = &levels[levels.len() - 1];
        if level.deepest.max(level.operators + level.inside) > MOST_DEEP {
            return Err(too_deep(
                format!("this expression nests deeper than {MOST_DEEP}"),
                span,
            ));
        }
    }
    Ok(())
}

/// Whether a body, which may be a single statement, follows this word and its condition. The
/// branches of one statement do not nest.
fn heads_a_body(tokens: &[Word<'_>], at: usize) -> bool {
    let is = |at: Option<usize>, wanted| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|(token, _)| *token == wanted)
    };
    match tokens[at].0 {
        Token::While | Token::For => true,
        Token::If => !is(at.checked_sub(1), Token::Else),
        Token::Else => !is(at.checked_add(1), Token::If),
        _ => false,
    }
}

fn too_deep(message: String, span: &Span) -> Diagnostic {
    Diagnostic::error(message, span.clone())
        .label("too deep from here on")
        .note("the text after this was not parsed")
}

fn is_operator(token: Token<'_>) -> bool {
    matches!(
        token,
        Token::Question
            | Token::OrOr
            | Token::AndAnd
            | Token::Pipe
            | Token::Caret
            | Token::Ampersand
            | Token::EqEq
            | Token::NotEq
            | Token::LessEq
            | Token::GreaterEq
            | Token::ShiftLeft
            | Token::ShiftRight
            | Token::Less
            | Token::Greater
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Percent
            | Token::Not
            | Token::Tilde
    )
}

/// The same tokens with every bracket closed, and an error for each that was not.
pub(crate) fn balance<'t>(
    tokens: Vec<Word<'t>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Word<'t>> {
    if is_balanced(&tokens) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 8);
    let mut open: Vec<(Token<'t>, Span)> = Vec::new();
    // How many brackets are open in the head of the last `for`, and how many semicolons may follow.
    let mut clauses: Option<(usize, usize)> = None;
    for (token, span) in tokens {
        match token {
            _ if token.starts_item() => close(&mut open, 0, &mut out, diagnostics),
            // The clauses of a `for`, whose parenthesis is closed after two of them.
            Token::Semicolon
                if clauses.is_some_and(|(depth, left)| depth == open.len() && left > 0) =>
            {
                clauses = clauses.map(|(depth, left)| (depth, left - 1));
            }
            Token::Semicolon | Token::LeftBrace => {
                let keep = open
                    .iter()
                    .rposition(|(token, _)| *token == Token::LeftBrace)
                    .map_or(0, |at| at + 1);
                close(&mut open, keep, &mut out, diagnostics);
            }
            _ => {}
        }
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                open.push((token, span.clone()));
                if token == Token::LeftParen && matches!(out.last(), Some((Token::For, _))) {
                    clauses = Some((open.len(), 2));
                }
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                let partner = open
                    .iter()
                    .rposition(|(opening, _)| closing(*opening) == token)
                    // A `)` does not close what a block has left open.
                    .filter(|&at| {
                        token == Token::RightBrace
                            || open[at..].iter().all(|(t, _)| *t != Token::LeftBrace)
                    });
                let Some(at) = partner else {
                    diagnostics.push(
                        Diagnostic::error(format!("unmatched {token}"), span)
                            .label("no matching opening bracket"),
                    );
                    continue;
                };
                close(&mut open, at + 1, &mut out, diagnostics);
                open.pop();
            }
            _ => {}
        }
        out.push((token, span));
    }
    close(&mut open, 0, &mut out, diagnostics);
    out
}

fn is_balanced(tokens: &[Word<'_>]) -> bool {
    let mut open = Vec::new();
    for (token, _) in tokens {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => open.push(*token),
            Token::RightParen | Token::RightBracket | Token::RightBrace
                if open.pop().map(closing) != Some(*token) =>
            {
                return false;
            }
            _ => {}
        }
    }
    open.is_empty()
}

fn closing(opening: Token<'_>) -> Token<'_> {
    match opening {
        Token::LeftParen => Token::RightParen,
        Token::LeftBracket => Token::RightBracket,
        _ => Token::RightBrace,
    }
}

/// Closes all open brackets but the first `keep`, with one error for all of them.
fn close<'t>(
    open: &mut Vec<Word<'t>>,
    keep: usize,
    out: &mut Vec<Word<'t>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let end = out.last().map_or(0, |(_, span)| span.end);
    if open.len() > keep {
        let count = open.len() - keep;
        if let Some((token, span)) = open.last() {
            let mut diagnostic =
                Diagnostic::error(format!("this {token} is never closed"), span.clone())
                    .label("opened here")
                    .other(end..end, format!("expected {} here", closing(*token)));
            if count > 1 {
                diagnostic = diagnostic.note(format!(
                    "{} enclosing brackets are not closed either",
                    count - 1
                ));
            }
            diagnostics.push(diagnostic);
        }
    }
    while open.len() > keep {
        if let Some((token, _)) = open.pop() {
            out.push((closing(token), end..end));
        }
    }
}
