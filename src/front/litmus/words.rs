//! The words of a litmus test: names, numbers and signs, with their spans.
//!
//! Assembly consists of them, and the initial state and condition of every test. Comments have been
//! blanked out before (`frame`).

use crate::text::{Diagnostic, Span};

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word<'t> {
    /// A name: letters, digits, `_` and `.`, not beginning with a digit.
    Name(&'t str),
    /// A number without its minus sign.
    Number(i64),
    /// A sign, as long as possible.
    Sign(&'t str),
}

/// A word and its span.
pub(super) type Placed<'t> = (Word<'t>, Span);

const LONG_SIGNS: [&str; 25] = [
    "<<=", ">>=", "/\\", "\\/", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "=>", "::",
];

const SIGNS: &str = "()[]{};:,=<>+-*/%&|^~!?$@#\\";

/// Splits a part of the text into words; reports and omits invalid characters.
pub(super) fn words<'t>(
    text: &'t str,
    part: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Placed<'t>> {
    let mut found = Vec::new();
    let mut at = part.start;
    let text = &text[..part.end];
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = if c.is_whitespace() {
            c.len_utf8()
        } else if is_first(rest) {
            let len = rest.find(|c| !is_inner(c)).unwrap_or(rest.len());
            found.push((Word::Name(&rest[..len]), at..at + len));
            len
        } else if c.is_ascii_digit() {
            let len = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            match number(&rest[..len]) {
                Ok(value) => found.push((Word::Number(value), at..at + len)),
                Err(message) => {
                    diagnostics.push(Diagnostic::error(message, at..at + len));
                    // The parser finds a number where one was meant.
                    found.push((Word::Number(0), at..at + len));
                }
            }
            len
        } else if let Some(sign) = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.push((Word::Sign(sign), at..at + sign.len()));
            sign.len()
        } else if SIGNS.contains(c) {
            found.push((Word::Sign(&rest[..1]), at..at + 1));
            1
        } else {
            let len = c.len_utf8();
            let message = format!("unexpected character `{}`", c.escape_default());
            diagnostics.push(Diagnostic::error(message, at..at + len));
            len
        };
        at += len;
    }
    found
}

/// Whether a name begins here. A dot begins one only before a letter: `.L3`.
fn is_first(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => chars
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_'),
        Some(c) => c.is_ascii_alphabetic() || c == '_',
        None => false,
    }
}

fn is_inner(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// A number in the syntax of C and of assemblers: decimal or hexadecimal, optionally with C's
/// suffixes.
fn number(text: &str) -> Result<i64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (lower.as_str(), 10),
    };
    let bare = digits.trim_end_matches(['u', 'l']);
    if digits.len() - bare.len() > 3 || bare.is_empty() || !bare.chars().all(|c| c.is_digit(radix))
    {
        return Err(format!("`{text}` is not a number"));
    }
    if radix == 10 && bare.len() > 1 && bare.starts_with('0') {
        return Err(format!(
            "`{text}` may be octal or decimal: write it without the leading 0"
        ));
    }
    i64::from_str_radix(bare, radix).map_err(|_| format!("the number `{text}` is too large"))
}

/// A sequence of words, read from left to right.
pub(super) struct Reader<'w, 't> {
    words: &'w [Placed<'t>],
    at: usize,
    /// The position after the last word.
    end: usize,
}

impl<'w, 't> Reader<'w, 't> {
    /// Starts before the first word. `end` is the position for errors at the end of the words.
    pub(super) fn new(words: &'w [Placed<'t>], end: usize) -> Self {
        Self { words, at: 0, end }
    }

    /// The next word.
    pub(super) fn peek(&self) -> Option<Word<'t>> {
        self.words.get(self.at).map(|(word, _)| *word)
    }

    /// The word this many after the next one.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<Word<'t>> {
        self.words.get(self.at + ahead).map(|(word, _)| *word)
    }

    /// The place of the next word.
    pub(super) fn span(&self) -> Span {
        match self.words.get(self.at) {
            Some((_, span)) => span.clone(),
            None => self.end..self.end,
        }
    }

    /// The end of the word before the next one.
    pub(super) fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.words.get(at));
        last.map_or(self.end, |(_, span)| span.end)
    }

    /// Takes the next word.
    pub(super) fn next(&mut self) -> Option<Placed<'t>> {
        let word = self.words.get(self.at).cloned();
        self.at += usize::from(word.is_some());
        word
    }

    /// Whether all words have been taken.
    pub(super) fn is_done(&self) -> bool {
        self.at >= self.words.len()
    }

    /// Takes the next word if it is this sign.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    /// Whether the next word is this sign.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.peek() == Some(Word::Sign(sign))
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &str) -> Result<(&'t str, Span), Diagnostic> {
        if let (Some(Word::Name(name)), span) = (self.peek(), self.span()) {
            self.at += 1;
            return Ok((name, span));
        }
        Err(self.expected(what))
    }

    /// Takes a number with its sign.
    pub(super) fn number(&mut self) -> Result<(i64, Span), Diagnostic> {
        let start = self.span().start;
        let negative = self.is("-");
        if let Some(Word::Number(value)) = self.peek_at(usize::from(negative)) {
            self.at += 1 + usize::from(negative);
            let value = if negative { -value } else { value };
            return Ok((value, start..self.last_end()));
        }
        Err(self.expected("a number"))
    }

    /// Takes this sign, or returns an error.
    pub(super) fn sign(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{sign}`")))
        }
    }

    /// The error for a word other than the expected one.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            Some(Word::Name(name)) => format!("`{name}`"),
            Some(Word::Number(value)) => format!("`{value}`"),
            Some(Word::Sign(sign)) => format!("`{sign}`"),
            None => "the end".to_owned(),
        };
        Diagnostic::error(format!("expected {what}, found {found}"), self.span())
            .label(format!("expected {what}"))
    }

    /// Continues after the next of these signs, or at the end.
    pub(super) fn skip_past(&mut self, sign: &str) {
        while let Some((word, _)) = self.next() {
            if word == Word::Sign(sign) {
                break;
            }
        }
    }
}
