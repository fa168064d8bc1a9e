//! The words of a text, whatever is between them.

use crate::text::expression::{Token, lex};
use std::collections::BTreeSet;

/// All names in a text.
pub(super) fn names(text: &str) -> BTreeSet<String> {
    let tokens = lex(text).tokens;
    let mut names = BTreeSet::new();
    for (token, _) in tokens {
        if let Token::Ident(name) | Token::Quoted(name) = token {
            names.insert(name.to_owned());
        }
    }
    names
}

/// A part of a text, with a blank for what is between its words.
pub(super) fn without_comments(text: &str) -> String {
    let mut words = String::new();
    let mut end = 0;
    for (_, span) in lex(text).tokens {
        if span.start > end {
            words.push(' ');
        }
        words.push_str(&text[span.clone()]);
        end = span.end;
    }
    words
}
