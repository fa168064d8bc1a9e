//! Tests of the bounds: every input comes to an end.

use super::{Options, alone, clean, file, run, with};
use std::fmt::Write as _;

/// Macros of which each uses the one before twice.
fn doubling(macros: usize, last: &str) -> String {
    let mut text = format!("#define a0 {last}\n");
    for i in 1..=macros {
        let before = i - 1;
        writeln!(text, "#define a{i} a{before} a{before}").expect("writing to a string");
    }
    text
}

#[test]
fn an_expansion_that_grows_too_far_is_given_up_and_the_text_goes_on() {
    assert_eq!(run(&format!("{}a10", doubling(10, "x"))).tokens.len(), 1024);
    // With an empty macro nothing is left, and it takes as long.
    for last in ["x", ""] {
        let result = run(&format!("{}a40;\nint y @", doubling(40, last)));
        assert_eq!(
            result.errors(),
            [
                "this macro expands to too many tokens",
                "unexpected character `@`"
            ]
        );
        assert!(result.text().ends_with("int y"), "{last}");
    }
    let result = run(&format!("{}#if a40\n#endif\nint y;", doubling(40, "1 +")));
    assert_eq!(result.errors(), ["this macro expands to too many tokens"]);
    assert_eq!(result.text(), "int y ;");
}

#[test]
fn all_expansions_together_are_bounded() {
    let text = format!("{}{}", doubling(14, "x"), "a14 ".repeat(100));
    let result = run(&text);
    assert_eq!(
        result.errors(),
        ["the macros of this file expand to too many tokens"]
    );
}

#[test]
fn a_function_like_macro_that_doubles_its_argument_is_given_up() {
    let text = format!("#define d(x) x x\n{}1{}", "d(".repeat(60), ")".repeat(60));
    assert_eq!(
        run(&text).errors(),
        ["this macro expands to too many tokens"]
    );
}

#[test]
fn deep_nesting_is_read_or_reported() {
    let nested = |depth: usize| {
        format!(
            "#define f(x) x\n{}1{}",
            "f(".repeat(depth),
            ")".repeat(depth)
        )
    };
    assert_eq!(clean(&nested(90)), "1");
    for depth in [1000, 20_000] {
        let message = "macros are invoked too deeply in each other's arguments";
        assert_eq!(run(&nested(depth)).errors(), [message]);
    }
    let open = format!("#define f(x) x\n{}", "f(".repeat(20_000));
    assert_eq!(run(&open).errors().len(), 1);
    for nested in ["(", "!", "1?", "- "] {
        let text = format!("#if {}\n#endif", nested.repeat(100_000));
        assert_eq!(run(&text).errors(), ["this condition is nested too deeply"]);
    }
    let ifs = format!(
        "{}x\n{}",
        "#if 1\n".repeat(20_000),
        "#endif\n".repeat(20_000)
    );
    assert_eq!(clean(&ifs), "x");
}

#[test]
fn a_long_chain_of_macros_is_followed() {
    let mut text = String::new();
    for i in 0..50_000 {
        writeln!(text, "#define a{i} a{}", i + 1).expect("writing to a string");
    }
    assert_eq!(clean(&(text + "a0")), "a50000");
}

#[test]
fn files_that_include_themselves_are_reported() {
    let options = |files| Options {
        include: Some(files),
        ..alone()
    };
    let myself = |_: &str, _: Option<&str>| file("a.h", "#include \"a.h\"\n#include \"a.h\"\n");
    let result = with(&options(&myself), "#include \"a.h\"");
    assert_eq!(result.errors(), ["files include each other too deeply"]);
    let wide = |name: &str, _: Option<&str>| {
        let depth: usize = name.parse().expect("a number");
        let line = format!("#include \"{}\"\n", depth + 1);
        let lines = if depth < 30 { 2 } else { 0 };
        file(name, line.repeat(lines))
    };
    let result = with(&options(&wide), "#include \"0\"");
    assert_eq!(result.errors(), ["too many files are included"]);
}

#[test]
fn one_error_for_each_of_many_problems_is_bounded_too() {
    let result = run(&"@ ".repeat(100_000));
    assert_eq!(result.errors().len(), 1000);
}
