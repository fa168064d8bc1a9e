//! Generated texts: macros, conditions, and any tokens in any order.

use super::{alone, with};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;

/// The same texts every time.
fn samples(strategy: &BoxedStrategy<String>, count: usize) -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let mut sample = || strategy.new_tree(&mut runner).expect("a text").current();
    (0..count).map(|_| sample()).collect()
}

/// Texts with a few macros that use each other.
pub(super) fn programs(count: usize) -> Vec<String> {
    let texts = samples(&program(), count);
    // Names differ between texts, which the compiler reads as one.
    let named = |(index, text): (usize, String)| text.replace('@', &format!("_{index}_"));
    texts.into_iter().enumerate().map(named).collect()
}

/// Names of macros, each with its number of parameters; the last of `v` takes any number.
const MACROS: [(&str, &str); 6] = [
    ("o@a", ""),
    ("o@b", ""),
    ("f@a", "()"),
    ("f@b", "(p)"),
    ("f@c", "(p, q)"),
    ("v@a", "(p, ...)"),
];

fn program() -> BoxedStrategy<String> {
    let bodies = MACROS.map(|(_, parameters)| body(parameters));
    (bodies, vec(item(), 2..8))
        .prop_map(|(bodies, items)| {
            let mut text = String::new();
            for ((name, parameters), body) in MACROS.iter().zip(bodies) {
                writeln!(text, "#define {name}{parameters} {body}").expect("writing to a string");
            }
            text + &items.join(" ")
        })
        .boxed()
}

/// Something that may be an invocation.
fn item() -> BoxedStrategy<String> {
    let leaf = select(vec![
        "x", "1", "+", "o@a", "o@b", "f@a", "f@b", "f@c", "v@a", "f@a()", "(1)", "(x, 2)", "",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("f@b({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f@c({a}, {b})")),
            inner.clone().prop_map(|a| format!("v@a({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("v@a({a},{b} ,{a})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{a} {b}")),
        ]
        .boxed()
    })
    .boxed()
}

fn body(parameters: &str) -> BoxedStrategy<String> {
    let mut pieces = vec![
        item(),
        select(vec!["(", ")", "x", "-"])
            .prop_map(str::to_owned)
            .boxed(),
    ];
    if parameters.contains('p') {
        for piece in ["p", "#p", "x ## p", "p ## 1", "f@b(p)", "p(1)", "o@ ## p"] {
            pieces.push(Just(piece.to_owned()).boxed());
        }
    }
    if parameters.contains('q') {
        for piece in ["q", "#q", "p ## q", "q p", "f@c(q, p)"] {
            pieces.push(Just(piece.to_owned()).boxed());
        }
    }
    if parameters.contains("...") {
        for piece in [
            "__VA_ARGS__",
            "#__VA_ARGS__",
            ", ## __VA_ARGS__",
            "v@a(__VA_ARGS__)",
        ] {
            pieces.push(Just(piece.to_owned()).boxed());
        }
    }
    vec(proptest::strategy::Union::new(pieces), 0..4)
        .prop_map(|pieces| pieces.join(" "))
        .boxed()
}

/// Texts that say whether a condition holds.
pub(super) fn conditions(count: usize) -> Vec<String> {
    let text = condition().prop_map(|condition| format!("#if {condition}\nyes\n#else\nno\n#endif"));
    samples(&text.boxed(), count)
}

fn condition() -> BoxedStrategy<String> {
    let leaf = select(vec![
        "0",
        "1",
        "2",
        "3u",
        "7",
        "-1",
        "64",
        "65",
        "-3",
        "x",
        "'a'",
        "'\\377'",
        "0x7fffffffffffffff",
        "0xffffffffffffffff",
        "1u",
        "defined x",
        "defined(x)",
    ])
    .prop_map(str::to_owned);
    let operators = vec![
        "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&",
        "||",
    ];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        prop_oneof![
            4 => (inner.clone(), select(operators.clone()), inner.clone())
                .prop_map(|(a, operator, b)| format!("{a} {operator} {b}")),
            2 => inner.clone().prop_map(|a| format!("({a})")),
            1 => (select(vec!["!", "~", "- ", "+ "]), inner.clone()).prop_map(|(o, a)| format!("{o}{a}")),
            1 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
        ]
        .boxed()
    })
    .boxed()
}

/// Pieces of texts that do not fit together.
fn soup() -> BoxedStrategy<String> {
    let pieces = vec![
        "\n",
        "\n#",
        "\n#define f(x) ",
        "\n#define g(x, ...) ",
        "\n#define a ",
        "\n#undef f\n",
        "\n#if ",
        "\n#ifdef a\n",
        "\n#elif ",
        "\n#else\n",
        "\n#endif\n",
        "\n#include ",
        "<stdbool.h>\n",
        "\n#line 3 ",
        "\n#pragma once\n",
        "\n#pragma push_macro(\"a\")\n",
        "\n# 7 \"x\"\n",
        "f",
        "g",
        "a",
        "x",
        "f(",
        "g(",
        "(",
        ")",
        ",",
        "##",
        "#",
        " ## ",
        "#x",
        "__VA_ARGS__",
        "__LINE__",
        "__FILE__",
        "__COUNTER__",
        "defined",
        "__has_include",
        "_Pragma",
        "_Pragma(\"once\")",
        "\"s\"",
        "'c'",
        "\"",
        "'",
        "\\",
        "\\\n",
        "/*",
        "*/",
        "//",
        "1",
        "0x",
        "1e+",
        "...",
        "..",
        "%:",
        "%:%:",
        "é",
        "\u{301}",
        "@",
        "$",
        "\t",
        "\r\n",
        "L",
        "u8",
        "?",
        ":",
        "-",
        "<",
        ">",
        "/",
        "0/0",
        "\u{0}",
        "__VA_OPT__",
        "true",
    ];
    vec(select(pieces), 0..60)
        .prop_map(|pieces| pieces.concat())
        .boxed()
}

proptest! {
    #[test]
    fn any_text_comes_to_an_end_and_every_place_exists(text in soup()) {
        let result = with(&alone(), &text);
        for token in &result.tokens {
            for place in [token.spelled, token.place] {
                let file = result.files.text(place.file);
                prop_assert!(place.start <= place.end && place.end as usize <= file.len());
                prop_assert!(file.get(place.start as usize..place.end as usize).is_some());
                prop_assert!(result.files.span(place).end <= text.len());
            }
        }
        for found in &result.diagnostics {
            prop_assert!(text.get(found.span.clone()).is_some(), "{found:?}");
        }
    }

    #[test]
    fn the_result_of_preprocessing_is_preprocessed(text in program()) {
        // What a text without macros becomes is itself.
        let text = text.replace("#define", "").replace('@', "_");
        let text: String = text.chars().filter(|c| *c != '#').collect();
        let result = with(&alone(), &text);
        let again = with(&alone(), &result.text());
        prop_assert_eq!(result.text(), again.text());
    }
}
