//! The end of preprocessing: escape sequences are decoded, adjacent strings joined (translation
//! phases 5 and 6), `_Pragma` carried out.

use super::Preprocessor;
use super::expand::Tok;
use super::literal::{Decoded, character, string};
use crate::c::lex::Kind;
use crate::c::token::{Token, TokenKind};
use crate::text::{Diagnostic, Place};

/// The tokens that the parser gets.
pub(super) fn finish(toks: &[Tok], state: &mut Preprocessor<'_>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(toks.len());
    let mut rest = toks;
    while let Some((tok, after)) = rest.split_first() {
        rest = after;
        if tok.lexeme.kind == Kind::Word && &*tok.lexeme.text == "_Pragma" {
            rest = pragma(tok, after, state);
        } else if let Some(kind) = kind(tok, state) {
            add(tok, kind, &mut tokens);
        }
    }
    tokens
}

/// What follows `_Pragma` and its argument.
fn pragma<'t>(tok: &Tok, after: &'t [Tok], state: &mut Preprocessor<'_>) -> &'t [Tok] {
    if let [open, literal, close, rest @ ..] = after
        && open.lexeme.is("(")
        && literal.lexeme.kind == Kind::Text
        && close.lexeme.is(")")
    {
        state.pragma_operator(&literal.lexeme.text, tok.shown());
        return rest;
    }
    let error = Diagnostic::error("expected `(\"…\")` after `_Pragma`", 0..0);
    state.report(tok.shown(), error);
    after
}

/// The kind of a token; `None`, with an error, if it is not a token of C.
fn kind(tok: &Tok, state: &mut Preprocessor<'_>) -> Option<TokenKind> {
    let text = &*tok.lexeme.text;
    let message = match tok.lexeme.kind {
        Kind::Word => return Some(TokenKind::Word(text.to_owned())),
        Kind::Number => return Some(TokenKind::Number(text.to_owned())),
        Kind::Punct(punct) => return Some(TokenKind::Punct(punct)),
        Kind::Char => {
            let decoded = reported(character(text), tok, state);
            return Some(TokenKind::Char(decoded));
        }
        Kind::Text => {
            let decoded = reported(string(text), tok, state);
            return Some(TokenKind::String(decoded));
        }
        Kind::Open => "the closing quote is missing on this line".to_owned(),
        Kind::Other => format!("unexpected character `{text}`"),
    };
    state.report(tok.shown(), Diagnostic::error(message, 0..0));
    None
}

fn reported<T>(decoded: Decoded<T>, tok: &Tok, state: &mut Preprocessor<'_>) -> T {
    if let Some(message) = decoded.error {
        state.report(tok.shown(), Diagnostic::error(message, 0..0));
    } else if let Some(message) = decoded.warning {
        state.report(tok.shown(), Diagnostic::warning(message, 0..0));
    }
    decoded.value
}

/// Adds a token; a string is joined with one before it.
fn add(tok: &Tok, kind: TokenKind, tokens: &mut Vec<Token>) {
    let (spelled, place) = (tok.lexeme.place, tok.shown());
    if let TokenKind::String(more) = &kind
        && let Some(Token {
            kind: TokenKind::String(text),
            spelled: first,
            place: shown,
        }) = tokens.last_mut()
    {
        text.push_str(more);
        // Where a string comes from several macros, the first one's spelling is kept.
        if *first == *shown && spelled == place {
            extend(first, spelled);
        }
        extend(shown, place);
        return;
    }
    tokens.push(Token {
        kind,
        spelled,
        place,
    });
}

/// Extends a place up to the end of another, if that is further down in the same file.
fn extend(place: &mut Place, to: Place) {
    if place.file == to.file && place.start <= to.start {
        place.end = place.end.max(to.end);
    }
}
