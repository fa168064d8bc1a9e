//! Functions of libraries that get the size of their elements and not their type: `qsort`, `bsearch`.
//!
//!   qsort(a, n, sizeof *a, f) ─▶ ({ __typeof__((a) + 0) __sorted = (a); … })
//!
//! Memory consists of scalars here, so their code is that for the type at hand: each call is replaced by a text
//! (`headers/fencepost/sort.h`) with the arguments in it. It is where the call is.

use super::check::to;
use super::headers;
use super::parse;
use super::preprocess::{self, Files};
use super::token::{Token, TokenKind};
use crate::text::Diagnostic;
use std::collections::BTreeSet;

/// The header with the texts.
const HEADER: &str = "fencepost/sort.h";

/// What stands for an argument there, with its number after it.
const GIVEN: &str = "__fencepost_given_";

/// Whether calls of a function have a text of their own.
pub(super) fn is_generic(name: &str) -> bool {
    names().any(|known| known == name)
}

fn names() -> impl Iterator<Item = &'static str> {
    let text = headers::find(HEADER).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.strip_prefix("#ifdef NEEDS_"))
}

/// Replaces the calls of these functions that the program does not define.
pub(super) fn expand(
    units: &mut [Vec<Token>],
    mut files: Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Files {
    let mut known: BTreeSet<&str> = names().collect();
    for unit in &*units {
        for name in parse::bodies(unit) {
            known.remove(name);
        }
    }
    for unit in units {
        // What is replaced is not looked at again: the texts call none of them, and arguments after it.
        let mut at = 0;
        while at < unit.len() {
            if let Some((name, end)) = call_at(unit, at, &known) {
                let place = to(unit[at].place, unit[end].place);
                let needed = [(format!("NEEDS_{name}"), "1".to_owned())];
                let done = preprocess::built_in(HEADER, &needed, place, files, diagnostics);
                files = done.files;
                let given = arguments(&unit[at + 2..end]);
                if let Some(text) = filled(&done.tokens, &given) {
                    unit.splice(at..=end, text);
                }
            }
            at += 1;
        }
    }
    files
}

/// The function of these that is called at this token, and where the call ends.
fn call_at<'n>(tokens: &[Token], at: usize, known: &BTreeSet<&'n str>) -> Option<(&'n str, usize)> {
    let TokenKind::Word(word) = &tokens[at].kind else {
        return None;
    };
    let name = known.get(word.as_str())?;
    // Names of members are followed by brackets, and those of declarations.
    let is_use = match &tokens.get(at.checked_sub(1)?)?.kind {
        TokenKind::Punct(punct) => !matches!(*punct, "." | "->" | "*"),
        TokenKind::Word(word) => matches!(word.as_str(), "return" | "else" | "do"),
        TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::String(_) => false,
    };
    if !is_use {
        return None;
    }
    let mut depth = 0_usize;
    for (end, token) in tokens.iter().enumerate().skip(at + 1) {
        depth = depth_after(depth, token);
        if depth == 0 {
            return (end > at + 1).then_some((*name, end));
        }
    }
    None
}

/// How many brackets are open after a token, of so many before it.
fn depth_after(depth: usize, token: &Token) -> usize {
    if let TokenKind::Punct("(" | "[" | "{") = token.kind {
        depth + 1
    } else if let TokenKind::Punct(")" | "]" | "}") = token.kind {
        depth.saturating_sub(1)
    } else {
        depth
    }
}

/// The arguments of a call, by what is between its brackets.
fn arguments(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    let is_end = |token: &Token| {
        depth = depth_after(depth, token);
        depth == 0 && token.kind == TokenKind::Punct(",")
    };
    tokens.split(is_end).collect()
}

/// A text with these arguments in it; `None` if others are given than it has.
fn filled(text: &[Token], given: &[&[Token]]) -> Option<Vec<Token>> {
    let mut filled = Vec::new();
    for token in text {
        let number = if let TokenKind::Word(word) = &token.kind {
            word.strip_prefix(GIVEN)
        } else {
            None
        };
        match number {
            Some(number) => {
                let at = number.parse::<usize>().ok()?.checked_sub(1)?;
                filled.extend_from_slice(given.get(at)?);
            }
            None => filled.push(token.clone()),
        }
    }
    Some(filled)
}
