//! Turns the grammar's errors into readable diagnostics.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

use super::token::Token;
use crate::text::foreign::foreign;
use crate::text::{Diagnostic, Span, edit_distance, nearest};
use chumsky::error::{Rich, RichPattern, RichReason};
use chumsky::span::SimpleSpan;

/// Words that start statements and declarations.
const KEYWORDS: [&str; 27] = [
    "assert", "assume", "atomic", "barrier", "break", "choose", "const", "continue", "do", "else",
    "exists", "fence", "final", "for", "forbid", "goto", "if", "local", "loop", "or", "proc",
    "program", "return", "shared", "skip", "thread", "while",
];

/// The diagnostic for an error of the grammar; `None` if the error only follows from one that has
/// been reported: at an invalid token, or at an inserted bracket.
pub(crate) fn grammar_error(
    error: &Rich<'_, Token<'_>, SimpleSpan>,
    tokens: &[(Token<'_>, Span)],
) -> Option<Diagnostic> {
    let span = error.span().into_range();
    let RichReason::ExpectedFound { .. } = error.reason() else {
        return Some(Diagnostic::error(error.reason().to_string(), span));
    };
    let found = error.found().copied();
    if found == Some(Token::Error) || found.is_some() && span.is_empty() {
        return None;
    }
    let at = tokens.partition_point(|(_, place)| place.start < span.start);
    let start = first_of_statement(at, tokens);
    if let Some(foreign) = foreign(tokens, start, at) {
        return Some(foreign);
    }
    let found = found.map_or_else(|| "the end of the file".to_owned(), |t| t.to_string());
    let mut expected: Vec<String> = error.expected().filter_map(describe).collect();
    expected.sort();
    expected.dedup();
    let ends = expected.iter().any(|what| what == "`;`");
    if expected.len() > 1 {
        expected.retain(|what| what != "an operator");
    }
    // Where a statement is allowed, so is an expression, and so on: name only the largest.
    if expected.iter().any(|what| what == "a statement") {
        expected.retain(|what| what == "a statement" || what == "`}`");
    }
    let mut diagnostic = if ends && at > 0 {
        // The span is that of the previous token, not of the next one, which may be lines away.
        Diagnostic::error(
            format!("expected `;`, found {found}"),
            tokens[at - 1].1.clone(),
        )
        .label("expected `;` after this")
    } else if expected.is_empty() {
        Diagnostic::error(format!("unexpected {found}"), span)
    } else {
        Diagnostic::error(format!("expected {}, found {found}", list(&expected)), span)
            .label(format!("expected {}", list(&expected)))
    };
    if let Some(keyword) = misspelt_keyword(start, tokens) {
        diagnostic = diagnostic.note(format!("did you mean `{keyword}`?"));
    }
    Some(diagnostic)
}

fn describe(pattern: &RichPattern<'_, Token<'_>>) -> Option<String> {
    match pattern {
        RichPattern::Token(token) => Some(token.to_string()),
        RichPattern::Label(label) => Some(label.to_string()),
        RichPattern::Identifier(name) => Some(format!("`{name}`")),
        RichPattern::EndOfInput => Some("the end of the file".to_owned()),
        RichPattern::Any | RichPattern::SomethingElse | _ => None,
    }
}

fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The first token of the statement that contains this one.
fn first_of_statement(at: usize, tokens: &[(Token<'_>, Span)]) -> usize {
    let mut depth = 0_usize;
    for before in (0..at).rev() {
        match tokens[before].0 {
            Token::RightParen | Token::RightBracket => depth += 1,
            Token::LeftParen | Token::LeftBracket => depth = depth.saturating_sub(1),
            Token::Semicolon if depth == 0 => return before + 1,
            Token::LeftBrace | Token::RightBrace => return before + 1,
            _ => {}
        }
    }
    0
}

/// The keyword that the first word of a statement was probably meant to be. Of the short ones, too
/// many are near any word.
fn misspelt_keyword(start: usize, tokens: &[(Token<'_>, Span)]) -> Option<&'static str> {
    let Some((Token::Ident(word), _)) = tokens.get(start) else {
        return None;
    };
    let keyword = nearest(word, KEYWORDS.into_iter())?;
    let chars: Vec<char> = word.chars().collect();
    let is_near = match chars.len() {
        0..=2 => false,
        3 => edit_distance(&chars, keyword) <= 1,
        _ => true,
    };
    is_near.then_some(keyword)
}
