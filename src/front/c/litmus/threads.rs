//! Which functions are threads, and what their parameters stand for.

use super::{Function, Parameter, Reporter, scalar, span};
use crate::c::token::{Token, TokenKind};
use crate::lower::typed::{FunctionId, Unit};
use crate::text::Place;

/// A test has at most this many threads.
const MOST_THREADS: usize = 100;

/// The number of the thread with this name.
pub(crate) fn thread_number(name: &str) -> Option<i64> {
    let digits = name.strip_prefix('P')?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The tokens with `void` before each function that is defined without a type, as threads are. Others
/// must not be: they are reported.
pub(super) fn with_results(tokens: &[Token], check: &mut Reporter<'_>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Punct("{" | "(" | "[") => depth += 1,
            TokenKind::Punct("}" | ")" | "]") => depth = depth.saturating_sub(1),
            TokenKind::Word(name) if depth == 0 => {
                let opens = tokens.get(at + 1).is_some_and(|next| token_is(next, "("));
                if opens && begins(found.last()) {
                    if thread_number(name).is_none() {
                        let message = format!("`{name}` is not a thread");
                        let error = check.error(message, token.place);
                        check.report(error.label("a thread is named `P` and a number").note(
                            "a function that threads call has the type of its result before its name",
                        ));
                    }
                    let kind = TokenKind::Word("void".to_owned());
                    found.push(Token {
                        kind,
                        ..token.clone()
                    });
                }
            }
            TokenKind::Word(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => {}
        }
        found.push(token.clone());
    }
    found
}

/// Whether a declaration begins after this token, or has only begun with `static`.
fn begins(last: Option<&Token>) -> bool {
    match last.map(|token| &token.kind) {
        None | Some(TokenKind::Punct(";" | "}")) => true,
        Some(TokenKind::Word(word)) => word == "static",
        Some(
            TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::String(_) | TokenKind::Punct(_),
        ) => false,
    }
}

/// The threads of a unit. Parameters with errors are left out.
pub(super) fn threads(unit: &Unit, tokens: &[Token], check: &mut Reporter<'_>) -> Vec<Function> {
    for object in &unit.objects {
        let error = check
            .error(
                "a test declares its shared variables in the initial state",
                object.place,
            )
            .note("each thread that uses one has a parameter of its name: `P0 (int *x) { … }`");
        check.report(error);
    }
    let mut found = Vec::new();
    for (id, function) in unit.functions.iter().enumerate() {
        let Some(number) = thread_number(&function.name) else {
            continue;
        };
        if found.len() == MOST_THREADS {
            let message = format!("the test has more than {MOST_THREADS} threads");
            check.report(check.error(message, function.place));
            break;
        }
        let mut parameters = Vec::new();
        for local in &function.locals[..function.parameters] {
            let place = parameter(tokens, function.place, &local.name);
            let name = &local.name;
            match local.ty.pointee().map(scalar) {
                Some(Some(scalar)) => parameters.push(Parameter {
                    name: name.clone(),
                    span: span(check.files, place),
                    scalar,
                }),
                Some(None) => {
                    let message = format!("`{name}` does not point to a scalar");
                    let error = check.error(message, place);
                    check.report(error.label("shared variables are integers, pointers or locks"));
                }
                None => {
                    let message = format!("the parameter `{name}` is not a pointer");
                    let label = format!("`*{name}` would be the shared variable `{name}`");
                    check.report(check.error(message, place).label(label));
                }
            }
        }
        found.push(Function {
            number,
            parameters,
            id: FunctionId(id),
        });
    }
    found
}

/// Where a parameter of the function with this name is declared.
fn parameter(tokens: &[Token], function: Place, name: &str) -> Place {
    let after = tokens.iter().skip_while(|token| token.place != function);
    let mut words = after.skip(2).take_while(|token| !token_is(token, "{"));
    let named = words.find(|token| matches!(&token.kind, TokenKind::Word(word) if word == name));
    named.map_or(function, |token| token.place)
}

fn token_is(token: &Token, punct: &str) -> bool {
    matches!(token.kind, TokenKind::Punct(found) if found == punct)
}
