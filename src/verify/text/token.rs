//! The tokens of the automaton form.

use crate::Refusal;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A word, or a name in backticks.
    Name(&'t str),
    Number(i64),
    Sign(&'t str),
    End,
}

/// The signs, longer ones before their beginnings.
const SIGNS: [&str; 35] = [
    "<-", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}", ";", ",",
    ":", "?", "@", ".", "=", "<", ">", "|", "^", "&", "+", "-", "*", "/", "%", "!", "~", "#",
];

/// What separates tokens.
const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\x0c'];

/// The words of the language, which are names only in backticks.
const RESERVED: [&str; 51] = [
    "program",
    "shared",
    "const",
    "thread",
    "proc",
    "forbid",
    "final",
    "exists",
    "local",
    "if",
    "else",
    "while",
    "for",
    "do",
    "loop",
    "break",
    "continue",
    "return",
    "choose",
    "or",
    "goto",
    "assume",
    "assert",
    "skip",
    "fence",
    "barrier",
    "atomic",
    "regs",
    "locations",
    "init",
    "begin",
    "end",
    "mem",
    "mfence",
    "sfence",
    "scfence",
    "property",
    "lock",
    "unlock",
    "noop",
    "all",
    "store",
    "cas",
    "xchg",
    "nondet",
    "cost",
    "nofence",
    "exchange",
    "yes",
    "no",
    "stuck",
];

/// Whether this is a word of the language. A name in backticks is none.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The tokens of a text, in which each name is written in one way.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Refusal> {
    let mut found = Vec::new();
    let mut spelled: HashMap<String, &str> = HashMap::new();
    let mut rest = text.trim_start_matches(BLANKS);
    while let Some(first) = rest.chars().next() {
        let length = if first == '`' {
            quoted(rest).ok_or_else(|| Refusal::unreadable("a name in backticks does not end"))?
        } else if first.is_ascii_alphabetic() || matches!(first, '_' | '$') {
            rest.find(|c| !continues(c)).unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit());
            let length = length.unwrap_or(rest.len());
            if rest[length..].starts_with(continues) || length > 1 && first == '0' {
                return Err(Refusal::unreadable("a number is not decimal"));
            }
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            sign.map_or(0, |sign| sign.len())
        };
        let (token, left) = rest.split_at(length);
        found.push(match first {
            _ if length == 0 => return Err(Refusal::unreadable(format!("`{first}` is no token"))),
            c if c.is_ascii_digit() => Token::Number(
                token
                    .parse()
                    .map_err(|_| Refusal::unreadable(format!("{token} is too large")))?,
            ),
            c if c == '`' || c.is_ascii_alphabetic() || matches!(c, '_' | '$') => {
                Token::Name(token)
            }
            _ => Token::Sign(token),
        });
        if let Some(&Token::Name(name)) = found.last()
            && !is_reserved(name)
            && *spelled.entry(content(name)?).or_insert(name) != name
        {
            return Err(Refusal::unreadable(format!(
                "the name {name} is written in two ways"
            )));
        }
        rest = left.trim_start_matches(BLANKS);
    }
    Ok(found)
}

/// Whether a character may follow the first one of a word. Letters of other scripts may not, but no token
/// ends before one.
fn continues(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '\'')
}

/// What a name is without backticks and escapes.
fn content(name: &str) -> Result<String, Refusal> {
    let Some(quoted) = name
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'))
    else {
        return Ok(name.to_owned());
    };
    let wrong = || Refusal::unreadable(format!("the name {name} has an unknown escape"));
    let mut content = String::new();
    let mut rest = quoted.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            content.push(c);
            continue;
        }
        let (digits, most): (String, u32) = match rest.next() {
            Some(c @ ('\\' | '`')) => {
                content.push(c);
                continue;
            }
            Some('n') => ("a".to_owned(), 0x7f),
            Some('x') => (rest.by_ref().take(2).collect(), 0x7f),
            Some('u') if rest.next() == Some('{') => {
                let digits = rest.by_ref().take_while(|&c| c != '}');
                (digits.collect(), u32::MAX)
            }
            Some(_) | None => return Err(wrong()),
        };
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let code = u32::from_str_radix(&digits, 16).ok();
        let code = code.filter(|&code| is_number && code <= most);
        content.push(code.and_then(char::from_u32).ok_or_else(wrong)?);
    }
    Ok(content)
}

/// The length of the name in backticks at the beginning.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '`' => return Some(at + 1),
            '\n' => return None,
            _ => {}
        }
    }
    None
}
