//! What the macros of the built-in headers call is in the table of libraries, with as many arguments.

use super::run;
use crate::c::headers::{find, names};
use crate::c::library::{self, Arguments};
use crate::c::token::{Token, TokenKind};
use std::collections::BTreeSet;

/// Words before a bracket that are no functions.
const NOT_CALLED: &[&str] = &[
    "sizeof",
    "__typeof__",
    "while",
    "if",
    "else",
    "for",
    "void",
    "return",
    // A variable.
    "__cleanup",
    "_Static_assert",
    "_Generic",
    "__builtin_offsetof",
];

/// Each macro of a header as it is used: its name, with as many arguments as it has parameters.
fn uses(header: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in header.lines() {
        let Some(rest) = line.strip_prefix("#define ") else {
            continue;
        };
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let parameters = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        found.push(match parameters {
            Some(("", _)) => format!("{name}()"),
            Some((list, _)) => {
                let arguments: Vec<String> = (1..=list.split(',').count())
                    .map(|number| format!("a{number}"))
                    .collect();
                format!("{name}({})", arguments.join(", "))
            }
            None => name.to_owned(),
        });
    }
    found
}

/// The number of arguments of a call whose opening bracket is at this token.
fn arguments(tokens: &[Token], open: usize) -> usize {
    let (mut depth, mut commas) = (0, 0);
    for token in &tokens[open..] {
        if let TokenKind::Punct(sign) = token.kind {
            match sign {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 1 => commas += 1,
                _ => {}
            }
        }
        if depth == 0 {
            break;
        }
    }
    if tokens[open + 1].kind == TokenKind::Punct(")") {
        0
    } else {
        commas + 1
    }
}

/// The calls in a text that is preprocessed: functions and numbers of arguments.
fn calls(tokens: &[Token]) -> BTreeSet<(String, usize)> {
    let mut found = BTreeSet::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if let [
            Token {
                kind: TokenKind::Word(word),
                ..
            },
            Token {
                kind: TokenKind::Punct("("),
                ..
            },
        ] = pair
            && !NOT_CALLED.contains(&&**word)
        {
            found.insert((word.clone(), arguments(tokens, at + 1)));
        }
    }
    found
}

#[test]
fn what_macros_call_is_known_with_that_many_arguments() {
    let mut called = BTreeSet::new();
    let mut unknown = Vec::new();
    for name in names() {
        let text = find(name).expect("it is there");
        for using in uses(text) {
            if using.starts_with("BUILD_BUG_ON") || using.starts_with("DEFINE_") {
                continue;
            }
            let result = run(&format!("#include <{name}>\nint MARK; {using}"));
            assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
            let mark = result.tokens.iter().position(
                |token| matches!(&token.kind, TokenKind::Word(word) if &**word == "MARK"),
            );
            for (function, given) in calls(&result.tokens[mark.expect("it is there")..]) {
                // What a parameter stands for is called where its macro is used.
                let is_parameter =
                    [",", ")"].map(|end| using.contains(&format!("{function}{end}")));
                if is_parameter.contains(&true) {
                    continue;
                }
                let entry = library::find(&function);
                let Some(entry) = entry else {
                    // Functions written in C, and operators of compilers, which take types.
                    let is_operator = matches!(
                        &*function,
                        "__builtin_types_compatible_p"
                            | "__builtin_constant_p"
                            | "__builtin_choose_expr"
                            | "__builtin_offsetof"
                            | "__attribute__"
                            | "__cleanup__"
                    );
                    // What a class is made with: the macro puts its name together.
                    let is_of_class =
                        function.starts_with("class_") && function.ends_with("_constructor");
                    // Macros of another header, which programs that use this one include.
                    let is_macro = crate::c::headers::defining(&function).is_some();
                    // Functions of the header itself.
                    let own = format!(" {function}(");
                    let mut lines = text.lines();
                    let is_own =
                        lines.any(|line| line.starts_with("static ") && line.contains(&own));
                    if !is_operator
                        && !is_own
                        && !is_of_class
                        && !is_macro
                        && !crate::c::is_written_in_c(&function)
                    {
                        unknown.push(format!("{name}: {using}: {function}"));
                    }
                    continue;
                };
                let fits = match entry.arguments {
                    Arguments::Exactly(count) => given == usize::from(count),
                    Arguments::AtLeast(count)
                    | Arguments::Formatted(count)
                    | Arguments::Scanned(count) => given >= usize::from(count),
                };
                assert!(fits, "{name}: {using}: {function} of {given} arguments");
                called.insert(function);
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    // Names of the tool's own are reached through macros only.
    let own = library::names().filter(|name| name.starts_with("__fencepost_"));
    for name in own {
        assert!(called.contains(name), "no macro calls {name}");
    }
}

#[test]
fn the_calls_of_a_text_are_found() {
    let result = run("f(a, (b, c)[d, e], g()) + sizeof(x) + h(1)");
    let found: Vec<(String, usize)> = calls(&result.tokens).into_iter().collect();
    let wanted = [("f", 3), ("g", 0), ("h", 1)];
    assert_eq!(found, wanted.map(|(name, count)| (name.to_owned(), count)));
}
