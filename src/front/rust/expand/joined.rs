//! The tokens of a crate as one text: what a file has comes instead of the `;` of its `mod x;`.
//!
//! ```text
//!     macro_rules! m { … }  mod x;  use crate::x::f;      ──▶     … mod x { m!(); … } use crate::x::f;
//! ```
//!
//! So a macro is visible in the files of the modules after it, as in the language.

use super::token::{Bracket, Kind, Token, tokens};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::Item;

/// The tokens of the crate that begins with a file; `outside` says which file is that of the module whose item begins here.
/// Adds the files to `used`.
pub(super) fn joined(
    first: usize,
    files: &[syn::File],
    outside: &dyn Fn(usize) -> Option<usize>,
    used: &mut Vec<usize>,
) -> Vec<Token> {
    used.push(first);
    let mut ends = BTreeMap::new();
    semicolons(&files[first].items, outside, &mut ends);
    let own = tokens(files[first].to_token_stream());
    if ends.is_empty() {
        return own;
    }
    let mut made = Vec::with_capacity(own.len());
    for token in own {
        let file = ends.get(&token.from.start).filter(|_| token.is(";"));
        match file {
            Some(file) => {
                let bracket = |kind, text| Token::new(kind, text, token.from.clone());
                made.push(bracket(Kind::Open(Bracket::Brace), "{"));
                made.extend(joined(*file, files, outside, used));
                made.push(bracket(Kind::Close(Bracket::Brace), "}"));
            }
            None => made.push(token),
        }
    }
    made
}

/// Where the items of modules end that have files of their own, and these files.
fn semicolons(
    items: &[Item],
    outside: &dyn Fn(usize) -> Option<usize>,
    ends: &mut BTreeMap<usize, usize>,
) {
    for item in items {
        let Item::Mod(module) = item else {
            continue;
        };
        match (&module.content, &module.semi) {
            (Some((_, items)), _) => semicolons(items, outside, ends),
            (None, Some(semicolon)) => {
                let file = outside(crate::rust::source::span(module).start);
                ends.extend(file.map(|file| (semicolon.span.byte_range().start, file)));
            }
            (None, None) => {}
        }
    }
}
