//! Tests of the places of tokens and diagnostics.

use super::{Options, alone, file, run, with};
use crate::c::preprocess::{MAIN, Source};
use crate::text::Place;

fn slice(text: &str, place: Place) -> &str {
    &text[place.start as usize..place.end as usize]
}

#[test]
fn a_token_outside_macros_is_where_it_is_spelled() {
    let text = "int x\\\ny = 1;";
    for token in run(text).tokens {
        assert_eq!(token.place, token.spelled);
        assert_eq!(token.place.file, MAIN);
    }
    assert_eq!(slice(text, run(text).tokens[1].place), "x\\\ny");
}

#[test]
fn a_token_of_a_macro_shows_the_outermost_invocation() {
    let text = "#define G(b) b + 2\n#define F(a) G(a * 3)\nz = F(x);";
    let result = run(text);
    assert_eq!(result.text(), "z = x * 3 + 2 ;");
    let spelled: Vec<u32> = result
        .tokens
        .iter()
        .map(|token| token.spelled.start)
        .collect();
    let at = |what: &str| text.find(what).expect("it is there") as u32;
    assert_eq!(
        spelled,
        [
            at("z ="),
            at("= F"),
            at("x);"),
            at("* 3"),
            at("3)"),
            at("+ 2"),
            at("2\n#"),
            at(";"),
        ]
    );
    for token in &result.tokens[2..7] {
        assert_eq!(slice(text, token.place), "F(x)");
    }
    assert_eq!(slice(text, result.tokens[7].place), ";");
}

#[test]
fn the_outermost_invocation_extends_to_arguments_after_it() {
    let text = "#define F(a) <a>\n#define G F\nG (1) 2";
    let result = run(text);
    assert_eq!(result.text(), "< 1 > 2");
    assert_eq!(slice(text, result.tokens[1].place), "G (1)");
    assert_eq!(slice(text, result.tokens[3].place), "2");
}

#[test]
fn joined_strings_reach_from_the_first_to_the_last() {
    let text = "#define S \"b\"\n\"a\" S \"c\"";
    let result = run(text);
    assert_eq!(result.tokens.len(), 1);
    assert_eq!(slice(text, result.tokens[0].place), "\"a\" S \"c\"");
}

#[test]
fn a_macro_of_a_header_shows_its_use_in_the_main_file() {
    let text = "#include <linux/compiler.h>\nWRITE_ONCE(x, 1);";
    let result = run(text);
    assert_eq!(
        result.text(),
        "__fencepost_write_once ( & ( x ) , ( 1 ) ) ;"
    );
    for token in &result.tokens[..10] {
        assert_eq!(slice(text, token.place), "WRITE_ONCE(x, 1)");
    }
    assert_eq!(slice(text, result.tokens[4].spelled), "x");
    let header = result.tokens[0].spelled.file;
    assert_eq!(result.files.name(header), "linux/compiler.h");
    assert_eq!(result.files.source(header), Source::BuiltIn);
    assert_eq!(
        slice(result.files.text(header), result.tokens[0].spelled),
        "__fencepost_write_once"
    );
}

#[test]
fn a_problem_in_a_header_is_reported_there() {
    let files = |name: &str, from: Option<&str>| match (name, from) {
        ("a.h", Some("main.c")) => file("dir/a.h", "\n#include \"b.h\""),
        ("b.h", Some("dir/a.h")) => file("dir/b.h", "int x;\n  @\n"),
        _ => Ok(None),
    };
    let options = Options {
        include: Some(&files),
        ..alone()
    };
    let text = "int y;\n  #include \"a.h\" // here\n";
    let result = with(&options, text);
    assert_eq!(result.errors(), ["unexpected character `@`"]);
    let span = result.diagnostics[0].span.clone();
    let joined = result.files.joined();
    assert!(joined.starts_with(text) && &joined[span.clone()] == "@");
    let parts = result.files.parts();
    let line = joined[..=span.start].lines().count() as u32;
    assert_eq!(parts.name(span.start), Some("dir/b.h"));
    assert_eq!(parts.line(span.start, line), 2);
    assert_eq!((parts.name(7), parts.line(7, 2)), (None, 2));
    // The token of the header is where it is written.
    let x = &result.tokens[4];
    assert_eq!(&joined[result.files.span(x.place)], "x");
}

#[test]
fn a_problem_in_a_built_in_header_is_reported_at_the_include() {
    // Its macro is defined before it is included.
    let text = "#define NULL 3\n#include <stddef.h>\n";
    let result = run(text);
    let [warning] = &result.diagnostics[..] else {
        panic!("{:?}", result.diagnostics);
    };
    assert_eq!(&text[warning.span.clone()], "#include <stddef.h>");
    assert!(warning.notes[0].ends_with("of the built-in header `stddef.h`"));
}
