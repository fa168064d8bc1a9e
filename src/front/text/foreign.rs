//! Words and forms of other languages, and what to write instead: C, Rust, the kernel's macros, litmus
//! tests and pseudocode.
//!
//! They are looked up where a text is in error, before anything else is said about it. So a program may
//! use each of these words as a name.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

mod forms;
mod words;

use self::forms::form;
use self::words::{CALLS, FUNCTION, QUALIFIERS, Row, VALUES, WORDS};
use super::Diagnostic;
use super::Span;
use super::expression::Token;

fn look_up(table: &[Row], word: &str) -> Option<&'static str> {
    let mut rows = table.iter();
    let row = rows.find(|(words, _)| words.contains(&word))?;
    Some(row.1)
}

/// What to write instead of a name that is used as a statement of its own.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    look_up(CALLS, word).or_else(|| look_up(WORDS, word))
}

/// What to write instead of the call of an undeclared procedure.
pub(crate) fn call(word: &str) -> Option<&'static str> {
    statement(word)
}

/// What to write instead of an undeclared name.
pub(crate) fn value(word: &str) -> Option<&'static str> {
    look_up(VALUES, word)
}

/// The error for a word of another language.
pub(crate) fn foreign_word(word: &str, span: Span, instead: &str) -> Diagnostic {
    Diagnostic::error(format!("`{word}` is not a word of this language"), span).label(instead)
}

/// The error for a word or form of another language at the token `at`, where the text cannot be
/// parsed; `start` is the first token of the statement.
pub(crate) fn foreign(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let said = |at: &usize| {
        let (Token::Ident(word), span) = tokens.get(*at)? else {
            return None;
        };
        let known = look_up(WORDS, word);
        let is_function = known == look_up(WORDS, "int") && starts_function(tokens, *at);
        let function = known.filter(|_| is_function).map(|_| FUNCTION);
        let instead = function
            .or(known)
            .or_else(|| look_up(CALLS, word).filter(|_| starts_call(tokens, start, *at)))?;
        Some(foreign_word(word, span.clone(), instead))
    };
    let is_qualifier = |at: usize| matches!(tokens.get(at), Some((Token::Ident(word), _)) if QUALIFIERS.contains(word));
    let first = (start..tokens.len()).find(|at| !is_qualifier(*at));
    let before = at.checked_sub(1).filter(|before| *before >= start);
    form(tokens, start, at)
        .or_else(|| [first, before, Some(at)].iter().flatten().find_map(said))
        .or_else(|| {
            let (Token::Ident(word), span) = &tokens[start..].first()? else {
                return None;
            };
            let instead = look_up(WORDS, "int")?;
            is_qualifier(start).then(|| foreign_word(word, span.clone(), instead))
        })
}

/// Whether the name here is called, or is a statement of its own; `start` is the first token of the
/// statement.
fn starts_call(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> bool {
    match tokens.get(at + 1) {
        Some((Token::LeftParen | Token::Semicolon | Token::RightBrace, _)) => true,
        // `lock m;`, or the next line after a missing `;`.
        Some((Token::Ident(_), _)) => at == start,
        _ => false,
    }
}

/// Whether a function is declared with the type here: `int f(`.
fn starts_function(tokens: &[(Token<'_>, Span)], at: usize) -> bool {
    let rest = &tokens[at + 1..];
    let is_type = |(token, _): &&(Token<'_>, Span)| matches!(token, Token::Ident(_) | Token::Star);
    let length = rest.iter().take_while(is_type).count();
    let name = length.checked_sub(1).map(|last| rest[last].0);
    let next = rest.get(length).map(|(token, _)| *token);
    matches!(name, Some(Token::Ident(_))) && next == Some(Token::LeftParen)
}
