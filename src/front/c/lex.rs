//! Preprocessing tokens of a file: line splices, comments and tokens (translation phases 2 and 3).
//!
//! A lexeme's text is its spelling without line splices; its place is the bytes in the file, splices
//! included. What is not a token of C (`@`, a quote that is not closed on its line) is a lexeme of its
//! own kind: it is wrong only if it reaches the end of preprocessing, which it does not in a group
//! that `#if` leaves out.
//!
//! **Absent.** Trigraphs, as in gcc's default mode, and universal character names in identifiers.

use crate::text::{FileId, Place};
use ahash::AHashMap;
use std::cell::RefCell;
use std::rc::Rc;

#[cfg(test)]
mod tests;

/// What kind of preprocessing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An identifier or keyword.
    Word,
    /// Anything that begins like a number: `0x1Ful`, `1e+3`, `3rd`.
    Number,
    /// A character constant with its prefix and quotes.
    Char,
    /// A string literal with its prefix and quotes.
    Text,
    /// A punctuator; digraphs are spelled as what they stand for.
    Punct(&'static str),
    /// The rest of a line after a quote that is not closed on it.
    Open,
    /// A character that begins no token.
    Other,
}

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub(super) kind: Kind,
    /// The spelling without line splices. Never empty.
    pub(super) text: Rc<str>,
    pub(super) place: Place,
    /// Whether there is white space or a comment before it.
    pub(super) space: bool,
    /// Whether it is the first of its line, where lines are counted after splices and comments.
    pub(super) first: bool,
}

impl Lexeme {
    /// Whether it is this punctuator.
    pub(super) fn is(&self, punct: &str) -> bool {
        matches!(self.kind, Kind::Punct(own) if own == punct)
    }
}

/// The lexemes of a file.
#[derive(Debug)]
pub(super) struct Lexed {
    pub(super) lexemes: Vec<Lexeme>,
    /// The first two characters of a comment that does not end.
    pub(super) open_comment: Option<Place>,
}

/// Divides a file into lexemes.
pub(super) fn lex(text: &str, file: FileId) -> Lexed {
    let mut cursor = Cursor { text, at: 0 };
    let place = |start: usize, end: usize| Place {
        file,
        start: start as u32,
        end: end as u32,
    };
    let mut lexemes = Vec::new();
    let mut first = true;
    loop {
        let gap = cursor.gap();
        first |= gap.line;
        let start = after_splices(text, cursor.at);
        if let Some(at) = gap.open_comment {
            return Lexed {
                lexemes,
                open_comment: Some(place(at, (at + 2).min(text.len()))),
            };
        }
        let Some(kind) = cursor.token() else {
            break;
        };
        lexemes.push(Lexeme {
            kind,
            text: spelling(&text[start..cursor.at]),
            place: place(start, cursor.at),
            space: gap.space,
            first,
        });
        first = false;
    }
    Lexed {
        lexemes,
        open_comment: None,
    }
}

thread_local! {
    /// What was found in the texts of headers that come with the tool: every file of a corpus reads
    /// the same ones.
    static BUILT_IN: RefCell<AHashMap<Rc<str>, Rc<[Lexeme]>>> = RefCell::default();
}

/// The lexemes of a header that comes with the tool. Such headers close their comments.
pub(super) fn lex_built_in(text: &Rc<str>, file: FileId) -> Lexed {
    let known = BUILT_IN.with_borrow_mut(|known| {
        let known = known.entry(Rc::clone(text));
        Rc::clone(known.or_insert_with(|| lex(text, file).lexemes.into()))
    });
    let here = |lexeme: &Lexeme| Lexeme {
        place: Place {
            file,
            ..lexeme.place
        },
        ..lexeme.clone()
    };
    Lexed {
        lexemes: known.iter().map(here).collect(),
        open_comment: None,
    }
}

/// The kind of the one token that a text is; `None` if it is none or several.
pub(super) fn single(text: &str) -> Option<Kind> {
    let mut cursor = Cursor { text, at: 0 };
    let comment = text.starts_with("//") || text.starts_with("/*");
    let kind = cursor.token()?;
    let whole = !comment && cursor.at == text.len();
    (whole && !matches!(kind, Kind::Open | Kind::Other)).then_some(kind)
}

/// The spelling of a range of the text: without its line splices.
fn spelling(raw: &str) -> Rc<str> {
    // No token contains a line break except in a splice.
    if !raw.contains('\n') {
        return Rc::from(raw);
    }
    let mut cursor = Cursor { text: raw, at: 0 };
    let mut text = String::with_capacity(raw.len());
    while let Some(c) = cursor.bump() {
        text.push(c);
    }
    Rc::from(text)
}

/// The position after the line splices at a position.
fn after_splices(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while bytes.get(at) == Some(&b'\\') {
        // Compilers accept white space between the backslash and the line break.
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = bytes[at + 1..].iter().take_while(blank).count();
        if bytes.get(at + 1 + blanks) != Some(&b'\n') {
            break;
        }
        at += blanks + 2;
    }
    at
}

/// What is between two tokens.
struct Gap {
    space: bool,
    /// Whether there is a line break outside comments.
    line: bool,
    /// Where a comment begins that does not end.
    open_comment: Option<usize>,
}

/// A position in a text, read as if it had no line splices.
#[derive(Clone)]
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        let at = after_splices(self.text, self.at);
        self.text[at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let at = after_splices(self.text, self.at);
        let c = self.text[at..].chars().next()?;
        self.at = at + c.len_utf8();
        Some(c)
    }

    /// Passes these characters if they are next.
    fn eat(&mut self, pattern: &str) -> bool {
        let mut ahead = self.clone();
        let eaten = pattern.chars().all(|c| ahead.bump() == Some(c));
        if eaten {
            self.at = ahead.at;
        }
        eaten
    }

    /// Passes characters while they are such.
    fn eat_while(&mut self, mut such: impl FnMut(char) -> bool) {
        while self.peek().is_some_and(&mut such) {
            self.bump();
        }
    }

    /// Passes white space and comments.
    fn gap(&mut self) -> Gap {
        let mut gap = Gap {
            space: false,
            line: false,
            open_comment: None,
        };
        while let Some(c) = self.peek() {
            if is_space(c) {
                gap.line |= c == '\n';
                self.bump();
            } else if c == '/' {
                let start = after_splices(self.text, self.at);
                if self.eat("//") {
                    self.eat_while(|c| c != '\n');
                } else if self.eat("/*") {
                    if !self.comment() {
                        gap.open_comment = Some(start);
                        return gap;
                    }
                } else {
                    break;
                }
            } else {
                break;
            }
            gap.space = true;
        }
        gap
    }

    /// Passes the rest of a comment; whether it ends.
    fn comment(&mut self) -> bool {
        loop {
            match self.bump() {
                Some('*') if self.peek() == Some('/') => {
                    self.bump();
                    return true;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Passes a token.
    fn token(&mut self) -> Option<Kind> {
        let before = self.clone();
        let c = self.bump()?;
        Some(match c {
            '0'..='9' => self.number(),
            '.' if self.peek().is_some_and(|c| c.is_ascii_digit()) => self.number(),
            '"' => self.literal('"', Kind::Text),
            '\'' => self.literal('\'', Kind::Char),
            c if starts_word(c) => {
                self.eat_while(continues_word);
                self.prefixed(&before)
            }
            _ => {
                *self = before;
                self.punct()
            }
        })
    }

    fn number(&mut self) -> Kind {
        let mut exponent = false;
        self.eat_while(|c| {
            let part = c == '.' || continues_word(c) || exponent && matches!(c, '+' | '-');
            exponent = matches!(c, 'e' | 'E' | 'p' | 'P');
            part
        });
        Kind::Number
    }

    /// A word, or the literal that it is the prefix of.
    fn prefixed(&mut self, start: &Self) -> Kind {
        let (quote, kind) = match self.peek() {
            Some('"') => ('"', Kind::Text),
            Some('\'') => ('\'', Kind::Char),
            Some(_) | None => return Kind::Word,
        };
        let from = after_splices(self.text, start.at);
        let raw = &self.text[from..self.at];
        // `u8'a'` is not C11.
        let prefix = matches!(raw, "L" | "u" | "U") || raw == "u8" && quote == '"';
        if !prefix {
            return Kind::Word;
        }
        self.bump();
        self.literal(quote, kind)
    }

    /// The rest of a literal after its first quote.
    fn literal(&mut self, quote: char, kind: Kind) -> Kind {
        loop {
            match self.peek() {
                None | Some('\n') => return Kind::Open,
                Some('\\') => {
                    self.bump();
                    if self.peek().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                Some(c) => {
                    self.bump();
                    if c == quote {
                        return kind;
                    }
                }
            }
        }
    }

    fn punct(&mut self) -> Kind {
        let first = self.peek();
        let like = |spelled: &str| spelled.chars().next() == first;
        for (spelled, stands_for) in PUNCTUATORS {
            if like(spelled) && self.eat(spelled) {
                return Kind::Punct(stands_for);
            }
        }
        self.bump();
        Kind::Other
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c')
}

fn starts_word(c: char) -> bool {
    matches!(c, '_' | '$') || c.is_ascii_alphabetic() || !c.is_ascii() && c.is_alphabetic()
}

fn continues_word(c: char) -> bool {
    starts_word(c) || c.is_ascii_digit() || !c.is_ascii() && c.is_alphanumeric()
}

/// Spelling and meaning; of two that begin alike the longer one comes first.
const PUNCTUATORS: &[(&str, &str)] = &[
    ("%:%:", "##"),
    ("...", "..."),
    ("<<=", "<<="),
    (">>=", ">>="),
    ("->", "->"),
    ("++", "++"),
    ("--", "--"),
    ("<<", "<<"),
    (">>", ">>"),
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("!=", "!="),
    ("&&", "&&"),
    ("||", "||"),
    ("*=", "*="),
    ("/=", "/="),
    ("%=", "%="),
    ("+=", "+="),
    ("-=", "-="),
    ("&=", "&="),
    ("|=", "|="),
    ("^=", "^="),
    ("##", "##"),
    ("<:", "["),
    (":>", "]"),
    ("<%", "{"),
    ("%>", "}"),
    ("%:", "#"),
    ("[", "["),
    ("]", "]"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    (".", "."),
    ("&", "&"),
    ("*", "*"),
    ("+", "+"),
    ("-", "-"),
    ("~", "~"),
    ("!", "!"),
    ("/", "/"),
    ("%", "%"),
    ("<", "<"),
    (">", ">"),
    ("^", "^"),
    ("|", "|"),
    ("?", "?"),
    (":", ":"),
    (";", ";"),
    ("=", "="),
    (",", ","),
    ("#", "#"),
];
