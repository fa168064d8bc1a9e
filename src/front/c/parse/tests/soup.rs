//! Random sequences of tokens: the parser ends, and never panics.

use super::read;
use proptest::prelude::*;

const WORDS: [&str; 72] = [
    "int",
    "char",
    "long",
    "unsigned",
    "void",
    "struct",
    "enum",
    "union",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "_Atomic",
    "_Thread_local",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "_Generic",
    "_Static_assert",
    "__typeof__",
    "__auto_type",
    "__attribute__",
    "asm",
    "offsetof",
    "__builtin_expect",
    "x",
    "y",
    "f",
    "s",
    "T",
    "main",
    "atomic_load",
    "pthread_create",
    "__fencepost_mutex",
    "0",
    "1",
    "2",
    "3u",
    "0x7fffffff",
    "1.5",
    "\"mfence\"",
    "'a'",
    ";",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+=",
    "+",
    "-",
    "*",
    "&",
    "&&",
    "->",
    ".",
    "++",
    "<<",
    "/",
    "==",
    "...",
];

fn soup() -> BoxedStrategy<String> {
    let leaf = proptest::sample::select(&WORDS[..]).prop_map(str::to_owned);
    leaf.prop_recursive(6, 120, 12, |inner| {
        let many = proptest::collection::vec(inner, 0..12).prop_map(|parts| parts.join(" "));
        (many, 0..4_usize).prop_map(|(text, brackets)| {
            let (open, close) = [("", ""), ("(", ")"), ("{", "}"), ("[", "]")][brackets];
            format!("{open} {text} {close}")
        })
    })
    .boxed()
}

/// Texts that begin as a program does.
fn nearly() -> BoxedStrategy<String> {
    (soup(), soup(), soup(), soup())
        .prop_map(|(a, b, c, d)| {
            format!("typedef int T; struct s {{ int x; T y; {a} }}; int x {b}; int y; int f(int s, T *main) {{ x = y; {c}; y = {d}; return x; }}")
        })
        .boxed()
}

proptest! {
    #[test]
    fn token_soup_is_parsed_or_refused(text in soup()) {
        let (unit, diagnostics) = read(&text);
        prop_assert!(unit.is_some() || !diagnostics.is_empty());
    }

    #[test]
    fn nearly_right_programs_are_parsed_or_refused(text in nearly()) {
        let (unit, diagnostics) = read(&text);
        prop_assert!(unit.is_some() || !diagnostics.is_empty());
    }
}
