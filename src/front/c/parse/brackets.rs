//! Pairs of brackets, and the functions that have a body, found before anything is parsed.

use super::declarator::is_keyword;
use crate::c::check::Definitions;
use crate::c::token::{Token, TokenKind};
use std::ops::Range;

/// For each token that is a bracket, the other one of its pair.
#[derive(Clone, Debug)]
pub(super) struct Brackets {
    others: Vec<Option<usize>>,
}

impl Brackets {
    /// All pairs; or what is wrong, and with which token.
    pub(super) fn of(tokens: &[Token]) -> Result<Self, (String, usize)> {
        let mut others = vec![None; tokens.len()];
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let TokenKind::Punct(punct) = token.kind else {
                continue;
            };
            match punct {
                "(" | "[" | "{" => open.push((at, closing(punct))),
                ")" | "]" | "}" => match open.pop() {
                    Some((opened, wanted)) if wanted == punct => {
                        others[at] = Some(opened);
                        others[opened] = Some(at);
                    }
                    Some((_, wanted)) => {
                        return Err((format!("expected `{wanted}`, found `{punct}`"), at));
                    }
                    None => return Err((format!("this `{punct}` closes nothing"), at)),
                },
                _ => {}
            }
        }
        match open.pop() {
            None => Ok(Self { others }),
            Some((at, wanted)) => Err((format!("the `{wanted}` for this is missing"), at)),
        }
    }

    /// The other bracket of the pair.
    pub(super) fn other(&self, at: usize) -> Option<usize> {
        self.others.get(at).copied().flatten()
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The functions that have a body, in the order of the text, and those that are `static` or `inline`.
///
/// A body is a block at the level of the file after a closing round bracket. The name is the first
/// word of the declaration that a round bracket follows, which all definitions have in common.
pub(super) fn functions<'t>(tokens: &'t [Token], brackets: &Brackets) -> Definitions<'t> {
    let mut found = Definitions::default();
    let mut start = 0;
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].kind {
            TokenKind::Punct(";") => {
                if is_internal(&tokens[start..at]) {
                    found.internal.extend(name(tokens, start..at, brackets));
                }
                start = at + 1;
            }
            TokenKind::Punct("{") => {
                if is_after_parameters(tokens, at, brackets) {
                    let name = name(tokens, start..at, brackets);
                    found.bodies.extend(name);
                    if is_internal(&tokens[start..at]) {
                        found.internal.extend(name);
                    }
                    start = brackets.other(at).unwrap_or(at) + 1;
                }
                at = brackets.other(at).unwrap_or(at);
            }
            TokenKind::Punct("(" | "[") => at = brackets.other(at).unwrap_or(at),
            TokenKind::Word(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => {}
        }
        at += 1;
    }
    found
}

/// The name of the function whose definition begins here, if it is one.
pub(super) fn defined_at<'t>(
    tokens: &'t [Token],
    start: usize,
    brackets: &Brackets,
) -> Option<&'t str> {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].kind {
            TokenKind::Punct(";") => return None,
            TokenKind::Punct("{") if is_after_parameters(tokens, at, brackets) => {
                return name(tokens, start..at, brackets);
            }
            TokenKind::Punct("(" | "[" | "{") => at = brackets.other(at).unwrap_or(at),
            TokenKind::Word(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => {}
        }
        at += 1;
    }
    None
}

/// Whether a declaration at the level of the file gives a function to this unit alone.
fn is_internal(declaration: &[Token]) -> bool {
    let mut words = declaration.iter().map_while(|token| match &token.kind {
        // What an object is initialised with says nothing.
        TokenKind::Punct("=") => None,
        TokenKind::Word(word) => Some(word.as_str()),
        TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::String(_) | TokenKind::Punct(_) => {
            Some("")
        }
    });
    words.any(|word| matches!(word, "static" | "inline" | "__inline" | "__inline__"))
}

/// Whether this block comes after a list of parameters and not after an attribute of a structure.
fn is_after_parameters(tokens: &[Token], block: usize, brackets: &Brackets) -> bool {
    let Some(before) = block.checked_sub(1) else {
        return false;
    };
    let Some(open) = brackets.other(before).filter(|open| *open < before) else {
        return false;
    };
    if tokens[before].kind != TokenKind::Punct(")") {
        return false;
    }
    let word = |at: Option<usize>| match at.map(|at| &tokens[at].kind) {
        Some(TokenKind::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let own = open.checked_sub(1);
    if word(own).is_some_and(|word| !is_not_a_name(word)) {
        return true;
    }
    // `struct __attribute__((packed)) {` is none, `f(void) __attribute__((noinline)) {` is one.
    let attributed = own.and_then(|at| at.checked_sub(1));
    match own.map(|at| &tokens[at].kind) {
        Some(TokenKind::Punct(")")) => true,
        Some(TokenKind::Word(_)) => {
            attributed.is_some_and(|at| tokens[at].kind == TokenKind::Punct(")"))
        }
        _ => false,
    }
}

/// The first word of a declaration that a round bracket follows, outside of those of attributes.
/// `T` in `T (f)(void)` is none: two pairs of brackets follow.
fn name<'t>(tokens: &'t [Token], range: Range<usize>, brackets: &Brackets) -> Option<&'t str> {
    let punct = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(TokenKind::Punct(punct)) => *punct,
        _ => "",
    };
    let mut at = range.start;
    while at + 1 < range.end {
        let next = punct(at + 1);
        if let TokenKind::Word(word) = &tokens[at].kind
            && matches!(next, "(" | ")")
        {
            let other = brackets.other(at + 1).unwrap_or(at);
            if is_not_a_name(word) {
                at = other.max(at);
            } else {
                let two_pairs = next == "(" && punct(other + 1) == "(";
                if !two_pairs && !is_keyword(word) {
                    return Some(word);
                }
            }
        }
        at += 1;
    }
    None
}

/// Words before round brackets in specifiers.
pub(super) fn is_not_a_name(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "_Atomic"
            | "_Alignas"
            | "__asm__"
            | "asm"
    ) || word.starts_with("__attribute")
}
