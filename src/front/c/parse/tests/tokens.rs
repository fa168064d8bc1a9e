//! A tokenizer for tests: no preprocessor, no comments.

use crate::c::token::{Token, TokenKind};
use crate::text::{FileId, Place};

const PUNCTUATORS: [&str; 46] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "(", ")", "[", "]", "{", "}", ";", ":", ",", ".",
    "?", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">",
];

/// The tokens of a text; characters that start none are left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let first = rest.chars().next().unwrap_or(' ');
        let (kind, length) = if first.is_ascii_digit() {
            let end = rest.find(|c| !word(c) && c != '.').unwrap_or(rest.len());
            (TokenKind::Number(rest[..end].to_owned()), end)
        } else if word(first) {
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            (TokenKind::Word(rest[..end].to_owned()), end)
        } else if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            let inner = rest[1..].trim_end_matches('"');
            let inner = if end < rest.len() {
                &rest[1..end - 1]
            } else {
                inner
            };
            (TokenKind::String(inner.to_owned()), end)
        } else if first == '\'' && rest.len() > 2 && rest.is_ascii() {
            (TokenKind::Char(i64::from(rest.as_bytes()[1])), 3)
        } else if let Some(punct) = PUNCTUATORS.iter().find(|punct| rest.starts_with(**punct)) {
            (TokenKind::Punct(punct), punct.len())
        } else {
            at += first.len_utf8();
            continue;
        };
        let place = Place {
            file: FileId(0),
            start: at as u32,
            end: (at + length) as u32,
        };
        at += length;
        tokens.push(Token {
            kind,
            spelled: place,
            place,
        });
    }
    tokens
}
