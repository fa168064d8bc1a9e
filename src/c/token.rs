//! Preprocessed tokens, each with its places in the files.

/// A file of the translation unit: the user's or a built-in header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FileId(pub(crate) u16);

/// A range of bytes of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) file: FileId,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
}

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
