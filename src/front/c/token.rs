//! Preprocessed tokens, each with its places in the files.

use crate::text::Place;

/// A token after preprocessing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where its spelling is: in a macro's definition or argument if it comes from a macro.
    pub(crate) spelled: Place,
    /// The outermost macro invocation that it comes from, with its arguments; equal to `spelled` for
    /// a token that comes from none. This is the place that diagnostics and evidence show.
    pub(crate) place: Place,
}

/// What kind of token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier or keyword.
    Word(String),
    /// An integer constant as spelled, with its suffix: `0x1Ful`. Floating constants are here too;
    /// the parser refuses them.
    Number(String),
    /// A character constant, decoded.
    Char(i64),
    /// A string literal, decoded, adjacent ones joined.
    String(String),
    /// A punctuator: `->`, `<<=`, `...`. Digraphs are spelled as what they stand for.
    Punct(&'static str),
}
