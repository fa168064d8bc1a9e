//! The tokens of a file: places, and the bounds on nesting that keep the parser's recursion small.

use crate::text::{Diagnostic, FileId, Place, Span};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// The file itself: statements there have positions.
const WRITTEN: FileId = FileId(0);
/// The same file, for what the text does not have as a statement.
const IMPLIED: FileId = FileId(1);

/// Brackets nest no deeper than this.
const MOST_NESTING: usize = 100;
/// No more tokens than these belong to one statement and to what is around it.
const MOST_TOKENS: usize = 4000;

/// The bytes of a part of the text.
pub(super) fn span(node: &impl Spanned) -> Span {
    node.span().byte_range()
}

/// The place of a part of the text.
pub(super) fn at(node: &impl Spanned) -> Place {
    place(span(node))
}

pub(super) fn place(span: Span) -> Place {
    Place {
        file: WRITTEN,
        start: span.start as u32,
        end: span.end as u32,
    }
}

/// The same place, but not that of a statement.
pub(super) fn implied(place: Place) -> Place {
    Place {
        file: IMPLIED,
        ..place
    }
}

/// Whether a place is that of a statement or an expression as it is written.
pub(super) fn is_written(place: Place) -> bool {
    place.file == WRITTEN
}

/// The tokens of a node, as a text.
pub(super) fn text_of(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string()
}

/// A token that is no bracket, or a bracket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lexeme {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The name, if it is one.
    pub(super) word: Option<String>,
}

/// All tokens, in order.
///
/// # Errors
///
/// Where they nest too deeply, or belong to one expression that is too long.
pub(super) fn lexemes(tokens: TokenStream) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![(tokens.into_iter().peekable(), 0..0, 0_usize)];
    loop {
        let around = open.iter().rev().nth(1).map_or(0, |(_, _, length)| *length);
        let nesting = open.len();
        let Some((tokens, close, length)) = open.last_mut() else {
            break;
        };
        let Some(token) = tokens.next() else {
            let close = close.clone();
            open.pop();
            if close.end > 0 {
                found.push(Lexeme {
                    start: close.start,
                    end: close.end,
                    word: None,
                });
            }
            continue;
        };
        *length += 1;
        let total = *length;
        let ends = match &token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            // After a block that no expression goes on from, there is another statement or item.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                match tokens.peek() {
                    Some(TokenTree::Ident(next)) => next != "else" && next != "as",
                    Some(TokenTree::Punct(next)) => matches!(next.as_char(), '#' | '\''),
                    Some(TokenTree::Literal(_)) => true,
                    Some(TokenTree::Group(_)) | None => false,
                }
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        if ends {
            *length = around;
        }
        let bytes = token.span().byte_range();
        if total > MOST_TOKENS {
            let message = format!("more than {MOST_TOKENS} tokens belong to one statement");
            return Err(Diagnostic::error(message, bytes).note("split it into several"));
        }
        match token {
            TokenTree::Group(group) => {
                let (start, end) = (group.span_open(), group.span_close());
                let start = start.byte_range();
                found.push(Lexeme {
                    start: start.start,
                    end: start.end,
                    word: None,
                });
                if nesting > MOST_NESTING {
                    let message = format!("brackets nest deeper than {MOST_NESTING}");
                    return Err(Diagnostic::error(message, bytes));
                }
                let inner = group.stream().into_iter().peekable();
                open.push((inner, end.byte_range(), total));
            }
            TokenTree::Ident(word) => found.push(Lexeme {
                start: bytes.start,
                end: bytes.end,
                word: Some(word.to_string()),
            }),
            TokenTree::Punct(_) | TokenTree::Literal(_) => found.push(Lexeme {
                start: bytes.start,
                end: bytes.end,
                word: None,
            }),
        }
    }
    Ok(found)
}

/// Whether a name is that of an atomic type.
pub(super) fn is_atomic_type(name: &str) -> bool {
    name.starts_with("Atomic")
}

/// The names in a part of the text.
pub(super) fn words(lexemes: &[Lexeme], of: &Span) -> impl Iterator<Item = String> {
    let from = lexemes.partition_point(|lexeme| lexeme.start < of.start);
    let to = lexemes.partition_point(|lexeme| lexeme.end <= of.end);
    let range = lexemes.get(from..to).unwrap_or_default();
    range.iter().filter_map(|lexeme| lexeme.word.clone())
}
