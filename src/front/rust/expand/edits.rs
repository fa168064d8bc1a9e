//! Changes of a row of tokens.

use super::token::{Tag, Token, Written};
use crate::text::Span;
use std::ops::Range;

/// Tokens, and what comes instead.
pub(super) struct Edit {
    pub(super) tokens: Range<usize>,
    pub(super) by: Vec<Token>,
}

/// A token with what is known of it.
pub(super) fn tag(tokens: &[Token], written: &Written, name: &Span, tag: Tag) -> Edit {
    let at = written.token_at(name.start);
    let token = Token {
        tag: Some(tag),
        ..tokens[at].clone()
    };
    Edit {
        tokens: at..at + 1,
        by: vec![token],
    }
}

/// Tokens with what comes instead of some.
pub(super) fn edited(tokens: Vec<Token>, mut edits: Vec<Edit>) -> Vec<Token> {
    edits.sort_by_key(|edit| edit.tokens.start);
    let mut made = Vec::with_capacity(tokens.len());
    let mut at = 0;
    for edit in edits {
        made.extend(
            tokens[at.min(edit.tokens.start)..edit.tokens.start]
                .iter()
                .cloned(),
        );
        made.extend(edit.by);
        at = edit.tokens.end;
    }
    made.extend(tokens[at..].iter().cloned());
    made
}
