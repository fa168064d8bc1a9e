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
