//! Words beside declarations that nothing defines: macros of headers that are not there.
//!
//!   EXPORT(1) void *worker(void *p) { … }        int CALL get(void) { … }        void stop(void) NORETURN { … }
//!
//! A compiler refuses them, too. What they stand for may matter, so they are not read as nothing: the word is reported,
//! and how to define it.

use super::declarator::is_keyword;
use super::{Parser, brackets, brackets::Brackets};
use crate::c::check::Reported;
use crate::c::token::{Token, TokenKind};
use crate::text::{Diagnostic, Place};

/// A word that hides a function.
pub(crate) struct Hiding {
    word: String,
    pub(crate) place: Place,
    has_arguments: bool,
}

impl Hiding {
    /// The error at its place; what it hides, if that is known.
    pub(crate) fn error(&self, hidden: Option<&str>, span: crate::text::Span) -> Diagnostic {
        let Self {
            word,
            has_arguments,
            ..
        } = self;
        let message = match hidden {
            Some(name) => format!("unknown word `{word}` beside the function `{name}`"),
            None => format!("unknown word `{word}` beside a declaration"),
        };
        let parameters = if *has_arguments { "(...)" } else { "" };
        Diagnostic::error(message, span).note(format!(
            "if it is a macro, name the folder of its header by `-I DIR`, or say what it stands for: \
             `-D '{word}{parameters}='` for nothing"
        ))
    }
}

fn word(tokens: &[Token], at: usize) -> Option<&str> {
    match tokens.get(at).map(|token| &token.kind) {
        Some(TokenKind::Word(word)) => Some(word),
        _ => None,
    }
}

fn is_punct(tokens: &[Token], at: usize, punct: &str) -> bool {
    matches!(tokens.get(at).map(|token| &token.kind), Some(TokenKind::Punct(next)) if *next == punct)
}

/// The word that hides the definition of a function: one before it that has arguments, or one after its parameters.
pub(crate) fn hiding(tokens: &[Token], name: &str) -> Option<Hiding> {
    let brackets = Brackets::of(tokens).ok()?;
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        if is_punct(tokens, at, ";") {
            start = at + 1;
        } else if word(tokens, at) == Some(name) && is_punct(tokens, at + 1, "(") {
            let unknown = hiding_at(tokens, &brackets, start, at);
            if let Some(at) = unknown {
                return Some(Hiding {
                    word: word(tokens, at)?.to_owned(),
                    place: tokens[at].place,
                    has_arguments: is_punct(tokens, at + 1, "("),
                });
            }
        }
        if let Some(other) = brackets.other(at).filter(|other| *other > at) {
            if is_punct(tokens, at, "{") {
                start = other + 1;
            }
            at = other;
        }
        at += 1;
    }
    None
}

/// The same for what looks like its definition at this word, where the declaration starts earlier.
fn hiding_at(tokens: &[Token], brackets: &Brackets, start: usize, at: usize) -> Option<usize> {
    let mut after = brackets.other(at + 1)? + 1;
    let trailing = word(tokens, after).map(|_| after);
    while word(tokens, after).is_some() || is_punct(tokens, after, "(") {
        after = brackets.other(after).unwrap_or(after) + 1;
    }
    if !is_punct(tokens, after, "{") {
        return None;
    }
    let is_unknown = |at: &usize| {
        word(tokens, *at).is_some_and(|word| !is_keyword(word) && !brackets::is_not_a_name(word))
    };
    let before = (start..at).find(|at| is_unknown(at) && is_punct(tokens, at + 1, "("));
    before.or(trailing.filter(is_unknown))
}

impl Parser<'_> {
    /// Reports that a word at this token is unknown, which may be a macro.
    pub(super) fn unknown_macro(&mut self, at: usize) -> Reported {
        let place = self.tokens[at].place;
        let hiding = Hiding {
            word: word(self.tokens, at).unwrap_or_default().to_owned(),
            place,
            has_arguments: is_punct(self.tokens, at + 1, "("),
        };
        let error = hiding.error(None, self.check.span(place));
        self.check.report(error)
    }

    /// Whether brackets after the next word are followed by more of a declaration: it is no function.
    pub(super) fn is_macro_before_declaration(&self) -> bool {
        let closed = self.brackets.other(self.at + 1);
        closed.is_some_and(|closed| {
            let next = closed + 1;
            word(self.tokens, next).is_some_and(|next| next != "__attribute__")
                || is_punct(self.tokens, next, "*")
        })
    }

    /// The word that makes no declaration of what was read, with another word after it; or after parameters.
    pub(super) fn beside_declaration(&self) -> Option<usize> {
        let last = self.at.checked_sub(1)?;
        let next = word(self.tokens, self.at).filter(|word| !is_keyword(word))?;
        if word(self.tokens, last).is_some() {
            return is_punct(self.tokens, self.at + 1, "(").then_some(last);
        }
        let is_own = is_punct(self.tokens, last, ")") && !next.starts_with("__");
        is_own.then_some(self.at)
    }
}
