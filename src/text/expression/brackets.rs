//! Brackets, before the grammar sees them: how deep they go, and which one is missing.
//!
//! The grammar, the lowering and everything that walks an expression later are recursive. Their
//! depth is bounded here, once, by counting words. And a missing bracket, which would make a
//! grammar misread the rest of the file, is found here from the outside: what is left open closes
//! where the next statement or item starts, with one error, and the grammar reads a balanced text.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "readers of words care for a few of them; a new one is nothing to them"
)]

use super::token::Token;
use crate::text::{Diagnostic, Span};

/// Brackets nest this deep at most.
pub(crate) const MOST_NESTED: usize = 200;

/// Operators and parentheses of one expression nest this deep at most.
pub(crate) const MOST_DEEP: usize = 256;

/// A word and its place. A bracket that was put in has an empty place.
type Word<'t> = (Token<'t>, Span);

/// Whether brackets and operators nest no deeper than the readers behind can go.
pub(crate) fn check_depth(tokens: &[Word<'_>]) -> Result<(), Diagnostic> {
    /// How deep the expression at hand is: its operators so far, each perhaps nested in the
    /// next, around its deepest bracket.
    #[derive(Default)]
    struct Level {
        operators: usize,
        inside: usize,
        deepest: usize,
    }
    let mut levels = vec![Level::default()];
    for (token, span) in tokens {
        let top = levels.len() - 1;
        let level = &mut levels[top];
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                if top >= MOST_NESTED {
                    return Err(too_deep(
                        format!("brackets nest deeper than {MOST_NESTED}"),
                        span,
                    ));
                }
                levels.push(Level::default());
            }
            Token::RightParen | Token::RightBracket if top > 0 => {
                let inside = level.deepest.max(level.operators + level.inside) + 1;
                levels.pop();
                levels[top - 1].inside = levels[top - 1].inside.max(inside);
            }
            Token::RightBrace if top > 0 => {
                levels.pop();
                levels[top - 1] = Level::default();
            }
            Token::Semicolon => *level = Level::default(),
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

fn too_deep(message: String, span: &Span) -> Diagnostic {
    Diagnostic::error(message, span.clone())
        .label("too deep from here on")
        .note("nothing behind this place was read")
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

/// The same words with every bracket closed, and an error for each that was not.
pub(crate) fn balance<'t>(
    tokens: Vec<Word<'t>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Word<'t>> {
    if is_balanced(&tokens) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 8);
    let mut open: Vec<(Token<'t>, Span)> = Vec::new();
    for (token, span) in tokens {
        match token {
            _ if token.starts_item() => close(&mut open, 0, &mut out, diagnostics),
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
                        Diagnostic::error(format!("{token} without an opening bracket"), span)
                            .label("closes nothing"),
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
                diagnostic = diagnostic.note(format!("{} more around it are open", count - 1));
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
