//! The tokens of the automaton form.

use crate::verify::Refusal;

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

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Refusal> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first == '`' {
            quoted(rest).ok_or_else(|| Refusal::unreadable("a name in backticks does not end"))?
        } else if first.is_ascii_alphabetic() || matches!(first, '_' | '$') {
            let more = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\''));
            rest.find(more).unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len())
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
        rest = left.trim_start();
    }
    Ok(found)
}

/// The length of the name in backticks at the beginning.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '`' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
