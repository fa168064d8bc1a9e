//! Forms of other languages: operators, methods, paths, and statements where none are expected.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

use super::words::{CALLS, VALUES, WORDS};
use super::{look_up, statement};
use crate::text::expression::Token;
use crate::text::{Diagnostic, Span};

/// The methods of atomic variables.
const METHODS: [&str; 10] = [
    "load",
    "store",
    "swap",
    "exchange",
    "compare_exchange",
    "compare_exchange_weak",
    "compare_exchange_strong",
    "fetch_add",
    "lock",
    "unlock",
];

/// Whether this token is in the condition of a statement or property.
fn is_in_condition(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> bool {
    let mut depth = 0_usize;
    for before in (start..at).rev() {
        match tokens[before].0 {
            Token::RightParen => depth += 1,
            Token::LeftParen if depth > 0 => depth -= 1,
            Token::LeftParen => {
                let word = before.checked_sub(1).map(|word| tokens[word].0);
                if matches!(
                    word,
                    Some(
                        Token::If
                            | Token::While
                            | Token::Assert
                            | Token::Assume
                            | Token::Ident("await")
                    )
                ) {
                    return true;
                }
            }
            _ => {}
        }
    }
    matches!(
        tokens.get(start),
        Some((Token::Forbid | Token::Final | Token::Exists, _))
    )
}

/// The error for a form that the tokens up to this one have.
pub(super) fn form(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let back = |n: usize| at.checked_sub(n).filter(|at| *at >= start).and_then(token);
    let found = token(at)?;
    let span = |first: usize| tokens[at - first].1.start..tokens[at].1.end;
    let adjacent = at > start && tokens[at - 1].1.end == tokens[at].1.start;
    let instead = |message: &str, span: Span, label: String| {
        Some(Diagnostic::error(message.to_owned(), span).label(label))
    };
    match (back(1), found) {
        (Some(Token::Ident(method)), Token::LeftParen)
            if back(2) == Some(Token::Dot) && METHODS.contains(&method) =>
        {
            let Some(Token::Ident(cell)) = back(3) else {
                return None;
            };
            let words = match method {
                "load" => format!("every mention of `{cell}` is a load: write `{cell}`"),
                "store" => format!("write `{cell} = v;`"),
                "swap" | "exchange" => format!("write `xchg({cell}, v)`"),
                "fetch_add" => format!("write `fetch_add({cell}, v)`"),
                "lock" | "unlock" => look_up(CALLS, method)?.to_owned(),
                _ => format!("write `cas({cell}, old, new)`, which gives the value before"),
            };
            instead("shared variables have no methods", span(1), words)
        }
        (Some(Token::Barrier), Token::LeftParen) => instead(
            "`barrier()` is not a fence of this language",
            span(1),
            "the full fence is `fence;`, and `barrier all;` drains every thread's buffer"
                .to_owned(),
        ),
        (Some(Token::Colon), Token::Equals) if adjacent => instead(
            "`:=` is not an operator of this language",
            span(1),
            "write `=`".to_owned(),
        ),
        (Some(Token::Less), Token::Greater) if adjacent => instead(
            "`<>` is not an operator of this language",
            span(1),
            "write `!=`".to_owned(),
        ),
        (Some(Token::Minus), Token::Greater) if adjacent => instead(
            "`->` is not an operator of this language",
            span(1),
            "there are no structures; `p[1]` is the cell after the one at the address `p`"
                .to_owned(),
        ),
        (Some(Token::EqEq | Token::NotEq), Token::Equals) if adjacent => instead(
            "this is not an operator of this language",
            span(1),
            "write `==` or `!=`".to_owned(),
        ),
        (Some(Token::AndAnd | Token::OrOr), Token::Equals) if adjacent => instead(
            "this is not an operator of this language",
            span(1),
            "write `x = x && e;` or `x = x || e;`".to_owned(),
        ),
        (_, Token::Equals) if is_in_condition(tokens, start, at) => instead(
            "`=` assigns, and this is a condition",
            span(0),
            "write `==` to compare".to_owned(),
        ),
        (Some(Token::Ident(thread)), Token::Colon) if is_in_property(tokens, start, at) => instead(
            "registers of threads are written with a dot",
            span(1),
            format!("write `{thread}.r == 0 && …`"),
        ),
        (Some(Token::Ident(_) | Token::Int(_) | Token::RightParen), Token::Or) => instead(
            "`or` separates the branches of `choose`",
            span(0),
            "write `||`".to_owned(),
        ),
        (Some(Token::For), Token::Ident(_)) => instead(
            "the clauses of a `for` are in parentheses",
            span(0),
            "write `for (i = 0; i < N; i++) { … }`".to_owned(),
        ),
        _ => path(tokens, start, at)
            .or_else(|| unfinished(tokens, start, at))
            .or_else(|| misplaced(tokens, start, at)),
    }
}

/// The error for a path, such as `std::mem::swap`, around this token.
fn path(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let goes_on =
        |at: usize| token(at + 1) == Some(Token::Colon) && token(at + 2) == Some(Token::Colon);
    let is_name = |at: &usize| {
        matches!(
            token(*at),
            Some(Token::Ident(_) | Token::Thread | Token::Atomic | Token::FenceWord)
        )
    };
    let first = (at.saturating_sub(2).max(start)..=at)
        .find(|at| is_name(at) && goes_on(*at) && is_name(&(*at + 3)))?;
    let mut last = first;
    while goes_on(last) && is_name(&(last + 3)) {
        last += 3;
    }
    let name = |at: usize| match token(at) {
        Some(Token::Ident(name)) => Some(name),
        Some(Token::FenceWord) => Some("thread_fence"),
        _ => None,
    };
    if name(start).is_some_and(|word| look_up(WORDS, word).is_some()) {
        return None;
    }
    let instead = name(last)
        .and_then(|name| statement(name).or_else(|| look_up(VALUES, name)))
        .unwrap_or("names have one part; registers of threads are written `t0.r`");
    let span = tokens[first].1.start..tokens[last].1.end;
    Some(Diagnostic::error("`::` is not an operator of this language", span).label(instead))
}

/// The error for a statement that other languages write with less, or with more.
fn unfinished(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let back = |n: usize| at.checked_sub(n).filter(|at| *at >= start).and_then(token);
    let found = token(at)?;
    let span = tokens[at].1.clone();
    let adjacent = at > start && tokens[at - 1].1.end == span.start;
    let (message, label) = match (back(1), found) {
        (Some(Token::Ident(name)), Token::Not) if adjacent && is_macro(token(at + 1)) => (
            "there are no macros".to_owned(),
            statement(name).unwrap_or("expected a statement"),
        ),
        (Some(Token::Assert), Token::Not) if adjacent => {
            ("there are no macros".to_owned(), "write `assert(e);`")
        }
        (Some(word @ (Token::If | Token::While | Token::Assert | Token::Assume)), _)
            if found != Token::LeftParen =>
        {
            let label = match word {
                Token::If => "conditions are in parentheses: `if (e) { … }`",
                Token::While => "conditions are in parentheses: `while (e) { … }`",
                Token::Assert => "write `assert(e);`",
                _ => "write `assume(e);`",
            };
            (format!("expected `(`, found {found}"), label)
        }
        (Some(Token::Ident("await")), Token::Ident(_) | Token::Int(_) | Token::Not)
            if at == start + 1 =>
        {
            (format!("expected `(`, found {found}"), "write `await(e);`")
        }
        (Some(Token::LeftParen), Token::RightParen) if back(2) == Some(Token::FenceWord) => (
            "expected a shared variable, found `)`".to_owned(),
            "the full fence is `fence;`, and `fence(x);` is about the stores to `x`",
        ),
        (Some(Token::Int(_)), Token::Dot) if adjacent => (
            "expected an integer".to_owned(),
            "all values are 32-bit integers",
        ),
        (Some(Token::Ident(_)), Token::LeftBracket) if token(start) == Some(Token::Local) => (
            "registers are no arrays".to_owned(),
            "declare the array outside of the thread: `shared a[2];`",
        ),
        (Some(Token::Ident(word)), Token::Ident(_)) if back(2) == Some(Token::Const) => (
            format!("`{word}` is not a word of this language"),
            "write `const N = 3;`",
        ),
        (Some(Token::Shared), Token::Atomic) => (
            "`atomic` is not a type".to_owned(),
            "write `shared x = 0;`: each load and each store is one step",
        ),
        (_, Token::Equals)
            if matches!(token(start), Some(Token::Ident(_) | Token::Star))
                && tokens[start..at]
                    .iter()
                    .any(|(token, _)| *token == Token::Equals) =>
        {
            (
                "an assignment has no value".to_owned(),
                "write two statements: `y = 1; x = y;`",
            )
        }
        (Some(Token::Int(_)), Token::Colon) if is_in_property(tokens, start, at) => (
            "registers of threads are written with a dot".to_owned(),
            "write `t0.r == 0 && …`",
        ),
        _ => return None,
    };
    Some(Diagnostic::error(message, span).label(label))
}

/// Whether this token is in a property outside of threads.
fn is_in_property(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> bool {
    tokens[start..at]
        .iter()
        .any(|(token, _)| matches!(token, Token::Exists | Token::Forbid | Token::Final))
}

/// Whether this follows the `!` of a macro.
fn is_macro(next: Option<Token<'_>>) -> bool {
    matches!(
        next,
        Some(Token::LeftParen | Token::LeftBracket | Token::LeftBrace)
    )
}

/// The error for what does not begin a statement or declaration here.
fn misplaced(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let next = token(at + 1);
    let touches = tokens
        .get(at + 1)
        .is_some_and(|(_, span)| span.start == tokens[at].1.end);
    if at != start {
        return None;
    }
    let outside = is_outside(tokens, start);
    let error = |message: String, label: String| {
        Some(Diagnostic::error(message, tokens[at].1.clone()).label(label))
    };
    match token(at)? {
        Token::Semicolon => error(
            "unexpected `;`".to_owned(),
            "leave it out; the statement that does nothing is `skip;`".to_owned(),
        ),
        Token::LeftParen if next == Some(Token::Star) && touches => Some(comment(tokens, at)),
        Token::Minus if next == Some(Token::Minus) && touches && outside => {
            Some(comment(tokens, at))
        }
        Token::Tilde if next == Some(Token::Exists) => error(
            "`~exists` is not a property of this language".to_owned(),
            "write `forbid e;` for what must never hold".to_owned(),
        ),
        Token::Assert if outside => error(
            "`assert` is a statement of threads".to_owned(),
            "outside of threads, write `final assert e;`, or `forbid e;` for what must never hold"
                .to_owned(),
        ),
        Token::Local if outside => error(
            "`local` declares registers of a thread".to_owned(),
            "outside of threads, write `shared x = 0;`".to_owned(),
        ),
        found @ (Token::If
        | Token::While
        | Token::For
        | Token::Do
        | Token::Loop
        | Token::Choose
        | Token::Assume
        | Token::Goto
        | Token::Return
        | Token::FenceWord
        | Token::Atomic)
            if outside =>
        {
            error(
                format!("{found} begins a statement"),
                "statements are written in threads: `thread t { … }`".to_owned(),
            )
        }
        Token::Ident(name)
            if outside && next == Some(Token::LeftBrace) && statement(name).is_none() =>
        {
            error(
                format!("expected a declaration, found `{name}`"),
                format!("write `thread {name} {{ … }}`"),
            )
        }
        _ => None,
    }
}

fn comment(tokens: &[(Token<'_>, Span)], at: usize) -> Diagnostic {
    let span = tokens[at].1.start..tokens[at + 1].1.end;
    let error = Diagnostic::error("this is not a comment of this language", span);
    error.label("comments are written `// …` or `/* … */`")
}

/// Whether this token is outside of threads and procedures.
fn is_outside(tokens: &[(Token<'_>, Span)], at: usize) -> bool {
    let mut depth = 0_usize;
    let mut is_automaton = false;
    for (token, _) in &tokens[..at] {
        match token {
            Token::LeftBrace => depth += 1,
            Token::RightBrace => depth = depth.saturating_sub(1),
            Token::Thread | Token::Ident("end") => is_automaton = false,
            Token::Ident("begin") => is_automaton = true,
            _ => {}
        }
    }
    depth == 0 && !is_automaton
}
