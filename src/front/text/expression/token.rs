//! The tokens of a text, each with its span.
//!
//! Lexing never fails: what is not a token becomes [`Token::Error`] with its own diagnostic, and
//! the lexer continues after it. Comments are dropped here, except for the `//:` lines, which are
//! the file's expectations and are returned separately.

use crate::text::{Diagnostic, Span};
use logos::{Lexer, Logos};
use std::fmt;

/// A kind of token, as editors show it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TokenKind {
    /// A keyword.
    Word,
    /// An operator, a bracket, and so on.
    Sign,
    /// A name.
    Name,
    /// A name between backticks.
    Quoted,
    /// A number.
    Number,
    /// A text between quotes.
    Text,
    /// Not a token.
    Stray,
}

/// The kinds of the tokens of a text, and where they are. What is between them is blank or a comment.
pub fn token_kinds(text: &str) -> Vec<(TokenKind, Span)> {
    let tokens = lex(text).tokens.into_iter();
    tokens.map(|(token, span)| (token.kind(), span)).collect()
}

macro_rules! tokens {
    (
        words { $($word:ident = $word_text:literal),* $(,)? }
        signs { $($name:ident = $text:literal),* $(,)? }
    ) => {
        /// A token.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[logos(skip r"[ \t\r\n\f]+")]
        pub(crate) enum Token<'t> {
            $(#[token($text)] $name,)*
            $($word,)*
            /// A name.
            #[regex(r"[A-Za-z_$]|[^\x00-\x7F]", name)]
            Ident(&'t str),
            /// A name between backticks, which are not part of it; still escaped.
            #[token("`", |lex| enclosed(lex, '`'))]
            Quoted(&'t str),
            /// A number, not yet converted. Letters after it are part of the token, so that `1x` is
            /// one error.
            #[regex(r"[0-9][0-9A-Za-z_]*", |lex| lex.slice())]
            Digits(&'t str),
            /// The value of a number.
            Int(i32),
            /// A line comment.
            #[token("//", line_comment)]
            LineComment,
            /// The start of a block comment; [`lex`] finds its end.
            #[token("/*")]
            BlockComment,
            /// A quoted string; still escaped. Expectations have their own parser.
            #[token("\"", |lex| enclosed(lex, '"'))]
            Text(&'t str),
            /// Not a token.
            Error,
        }

        impl fmt::Display for Token<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Token::$name => write!(f, "`{}`", $text),)*
                    $(Token::$word => write!(f, "`{}`", $word_text),)*
                    Token::Ident(name) => write!(f, "`{name}`"),
                    Token::Quoted(name) => write!(f, "`` `{name}` ``"),
                    Token::Digits(digits) => write!(f, "`{digits}`"),
                    Token::Int(value) => write!(f, "`{value}`"),
                    Token::LineComment | Token::BlockComment => write!(f, "a comment"),
                    Token::Text(_) => write!(f, "a string"),
                    Token::Error => write!(f, "an invalid character"),
                }
            }
        }

        /// The keywords.
        pub const WORDS: &[&str] = &[$($word_text),*];

        /// The signs.
        pub const SIGNS: &[&str] = &[$($text),*];

        impl Token<'_> {
            /// What kind of token it is.
            fn kind(self) -> TokenKind {
                match self {
                    $(Token::$name)|* => TokenKind::Sign,
                    $(Token::$word)|* => TokenKind::Word,
                    Token::Ident(_) => TokenKind::Name,
                    Token::Quoted(_) => TokenKind::Quoted,
                    Token::Digits(_) | Token::Int(_) => TokenKind::Number,
                    Token::Text(_) => TokenKind::Text,
                    Token::LineComment | Token::BlockComment | Token::Error => TokenKind::Stray,
                }
            }
        }

        /// The keyword with this text, or a name.
        fn reserved_or_name(name: &str) -> Token<'_> {
            match name {
                $($word_text => Token::$word,)*
                _ => Token::Ident(name),
            }
        }
    };
}

tokens! {
    words {
    Program = "program", Shared = "shared", Const = "const", Thread = "thread", Proc = "proc",
    Forbid = "forbid", Final = "final", Exists = "exists", Local = "local", If = "if",
    Else = "else", While = "while", For = "for", Do = "do", Loop = "loop", Break = "break",
    Continue = "continue", Return = "return", Choose = "choose", Or = "or", Goto = "goto",
    Assume = "assume", Assert = "assert", Skip = "skip", FenceWord = "fence", Barrier = "barrier",
    Atomic = "atomic",
    }
    signs {
    LeftParen = "(", RightParen = ")", LeftBracket = "[", RightBracket = "]", LeftBrace = "{",
    RightBrace = "}", Semicolon = ";", Colon = ":", Comma = ",", Dot = ".", At = "@",
    Question = "?", OrOr = "||", AndAnd = "&&", Pipe = "|", Caret = "^", Ampersand = "&",
    EqEq = "==", NotEq = "!=", LessEq = "<=", GreaterEq = ">=", ShiftLeft = "<<",
    ShiftRight = ">>", Less = "<", Greater = ">", Plus = "+", Minus = "-", Star = "*",
    Slash = "/", Percent = "%", Not = "!", Tilde = "~", Equals = "=",
    }
}

// The generated automaton calls itself for each character of a long token, and whether these calls
// become loops is up to the optimiser. So it only recognises how such tokens start. Nor does it
// decide which characters are letters: the tables for that would be most of the program.

/// The rest of a name, if it starts with a letter.
fn name<'t>(lex: &mut Lexer<'t, Token<'t>>) -> Option<&'t str> {
    if !lex
        .slice()
        .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
    {
        return None;
    }
    let rest = lex.remainder();
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\'');
    lex.bump(rest.find(|c| !belongs(c)).unwrap_or(rest.len()));
    Some(lex.slice())
}

/// The rest of a line.
fn line_comment<'t>(lex: &mut Lexer<'t, Token<'t>>) {
    let rest = lex.remainder();
    lex.bump(rest.find('\n').unwrap_or(rest.len()));
}

/// The text between here and a closing quote on the same line, if there is one.
fn enclosed<'t>(lex: &mut Lexer<'t, Token<'t>>, quote: char) -> Option<&'t str> {
    let rest = lex.remainder();
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if c == '\n' {
            break;
        }
        if c == quote && !escaped {
            lex.bump(at + 1);
            return Some(&rest[..at]);
        }
        escaped = c == '\\' && !escaped;
    }
    // Skip the rest of the line, not only the quote: it may be the start of anything.
    lex.bump(rest.find('\n').unwrap_or(rest.len()));
    None
}

impl Token<'_> {
    /// Whether the token can only occur at the start of an item. None of these occurs in a block.
    pub(crate) fn starts_item(self) -> bool {
        matches!(
            self,
            Token::Program
                | Token::Shared
                | Token::Const
                | Token::Thread
                | Token::Proc
                | Token::Forbid
                | Token::Final
                | Token::Exists
        )
    }
}

/// The result of lexing a text.
pub(crate) struct Lexed<'t> {
    /// The tokens, in order. Never a comment, never [`Token::Digits`].
    pub(crate) tokens: Vec<(Token<'t>, Span)>,
    /// The `//:` lines: what follows these three characters, with its span.
    pub(crate) expectations: Vec<(&'t str, Span)>,
    /// Errors about invalid tokens.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The spans of numbers that are malformed or out of range.
    pub(crate) bad_numbers: Vec<Span>,
}

/// Splits a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed<'_> {
    let mut lexed = Lexed {
        tokens: Vec::new(),
        expectations: Vec::new(),
        diagnostics: Vec::new(),
        bad_numbers: Vec::new(),
    };
    let mut lexer = Token::lexer(text);
    if text.starts_with('\u{feff}') {
        lexer.bump('\u{feff}'.len_utf8());
    }
    while let Some(token) = lexer.next() {
        let span: Span = lexer.span();
        let token = match token {
            Ok(Token::LineComment) => {
                if let Some(rest) = lexer.slice().strip_prefix("//:") {
                    let rest = rest.trim_end_matches('\r');
                    let start = span.start + 3;
                    lexed.expectations.push((rest, start..start + rest.len()));
                }
                continue;
            }
            Ok(Token::BlockComment) => {
                let rest = lexer.remainder();
                if let Some(end) = rest.find("*/") {
                    lexer.bump(end + 2);
                } else {
                    lexer.bump(rest.len());
                    lexed.diagnostics.push(
                        Diagnostic::error("this comment is never closed", span)
                            .label("opened here")
                            .note("a comment that starts with `/*` ends with `*/`"),
                    );
                }
                continue;
            }
            Ok(Token::Digits(digits)) => {
                let negated = matches!(lexed.tokens.last(), Some((Token::Minus, _)));
                match integer(digits, negated) {
                    Ok(value) => Token::Int(value),
                    Err(diagnostic) => {
                        lexed.bad_numbers.push(span.clone());
                        lexed.diagnostics.push(Diagnostic {
                            span: span.clone(),
                            ..diagnostic
                        });
                        Token::Int(0)
                    }
                }
            }
            Ok(token @ Token::Quoted(quoted)) => {
                if let Err(c) = unescape(quoted) {
                    lexed.diagnostics.push(
                        Diagnostic::error(format!("unknown escape `\\{c}`"), span.clone())
                            .label("escapes are \\\\, \\`, \\n, \\x1b and \\u{202e}"),
                    );
                }
                token
            }
            Ok(Token::Ident(name)) => reserved_or_name(name),
            Ok(token) => token,
            Err(()) => {
                stray(&mut lexed, lexer.slice(), span.clone());
                Token::Error
            }
        };
        // A run of stray characters is one error.
        if token != Token::Error || !matches!(lexed.tokens.last(), Some((Token::Error, _))) {
            lexed.tokens.push((token, span));
        }
    }
    lexed
}

fn stray(lexed: &mut Lexed<'_>, slice: &str, span: Span) {
    if let Some((Token::Error, last)) = lexed.tokens.last_mut()
        && last.end == span.start
    {
        last.end = span.end;
        if let Some(diagnostic) = lexed.diagnostics.last_mut() {
            diagnostic.span.end = span.end;
        }
        return;
    }
    let diagnostic = match slice.chars().next() {
        Some('"') => Diagnostic::error("this string is never closed", span)
            .note("a string ends on the line where it starts"),
        Some('`') => Diagnostic::error("this quoted name is never closed", span)
            .note("a name between backticks ends on the line where it starts"),
        Some(c) => Diagnostic::error(format!("stray character `{}`", c.escape_debug()), span)
            .label(match c {
                '#' => "comments start with `//`, and there is no preprocessor",
                '\\' => "`&&` is \"and\", and `||` is \"or\"",
                _ => "not part of any token",
            }),
        None => return,
    };
    lexed.diagnostics.push(diagnostic);
}

/// The value of a literal. `negated` allows the least value, whose magnitude is out of range.
fn integer(digits: &str, negated: bool) -> Result<i32, Diagnostic> {
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (body, radix) = hex.map_or((digits, 10), |body| (body, 16));
    if body.is_empty() || !body.chars().all(|c| c.is_digit(radix)) {
        return Err(
            Diagnostic::error(format!("`{digits}` is not a number"), 0..0).note(
                "numbers are decimal, or hexadecimal after `0x`; names do not start with a digit",
            ),
        );
    }
    let most = match (radix, negated) {
        // A hexadecimal literal gives the bits.
        (16, _) => i64::from(u32::MAX),
        (_, true) => 1 << 31,
        (_, false) => i64::from(i32::MAX),
    };
    i64::from_str_radix(body, radix)
        .ok()
        .filter(|&value| value <= most)
        .map(|value| value as i32)
        .ok_or_else(|| {
            let shown: String = digits.chars().take(24).collect();
            let dots = if shown.len() < digits.len() {
                "…"
            } else {
                ""
            };
            Diagnostic::error(format!("number out of range: `{shown}{dots}`"), 0..0)
                .note("values are 32-bit two's complement integers, -2147483648 to 2147483647")
        })
}

/// A quoted name with its escapes resolved, or the first invalid escape.
pub(crate) fn unescape(quoted: &str) -> Result<String, char> {
    let mut name = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => name.push('\n'),
                Some(c @ ('\\' | '`' | '"')) => name.push(c),
                Some(kind @ ('x' | 'u')) => {
                    let rest = chars.as_str();
                    let (c, rest) = by_number(kind, rest).ok_or(kind)?;
                    name.push(c);
                    chars = rest.chars();
                }
                Some(other) => return Err(other),
                None => return Err('\\'),
            },
            c => name.push(c),
        }
    }
    Ok(name)
}

/// The character denoted by `\x1b` or `\u{202e}` and the text after it, given what follows the
/// letter.
fn by_number(kind: char, rest: &str) -> Option<(char, &str)> {
    let (digits, rest) = match kind {
        'x' => rest.split_at_checked(2)?,
        _ => rest.strip_prefix('{')?.split_once('}')?,
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    // As in Rust, two digits are ASCII.
    let c = char::from_u32(code).filter(|c| kind == 'u' || c.is_ascii())?;
    Some((c, rest))
}

#[cfg(test)]
mod tests {
    use super::{WORDS, unescape};
    use crate::program::RESERVED;

    #[test]
    fn invisible_characters_can_be_written_by_number() {
        assert_eq!(
            unescape(r"a\x1b\u{202E}\\x").as_deref(),
            Ok("a\u{1b}\u{202e}\\x")
        );
        for (wrong, escape) in [
            (r"\x1", 'x'),
            (r"\x1é", 'x'),
            (r"\x80", 'x'),
            (r"\x+1", 'x'),
            (r"\u{}", 'u'),
            (r"\u{d800}", 'u'),
            (r"\u{110000}", 'u'),
            (r"\u{1b", 'u'),
            (r"\u1b", 'u'),
        ] {
            assert_eq!(unescape(wrong), Err(escape), "{wrong}");
        }
    }

    #[test]
    fn the_printer_quotes_exactly_the_keywords() {
        assert_eq!(WORDS, RESERVED);
    }
}
