//! Tests of directives, literals and predefined macros.

use super::{Options, alone, clean, error, file, run, with};

/// Whether a condition holds.
fn holds(condition: &str) -> bool {
    let answer = clean(&format!("#if {condition}\nyes\n#else\nno\n#endif"));
    answer == "yes"
}

#[test]
fn conditions_are_computed_in_64_bits() {
    for condition in [
        "1",
        "2 + 3 * 4 == 14",
        "(2 + 3) * 4 == 20",
        "10 - 4 - 3 == 3",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "1 << 40 == 0x10000000000",
        "-1 >> 1 == -1",
        "-1 > 0u",
        "-1 < 0",
        "0x7fffffffffffffff + 1 < 0",
        "18446744073709551615u == -1",
        "(0 ? 1u : -1) > 0",
        "(1 ? -1 : 0) < 0",
        "0 && 1 / 0 || 1",
        "1 || 1 / 0",
        "1 ? 2 : 1 / 0",
        "'a' == 97 && '\\n' == 10 && '\\377' < 0",
        "'ab' == 24930",
        "~0 == -1 && !5 == 0 && +3 == 3",
        "1 ? 0 ? 3 : 4 : 5",
        "unknown == 0",
        "0b101 == 5 && 010 == 8 && 1ULL == 1 && 1lu == 1",
        "3 > 2 > 0",
        "(5 & 3 | 8 ^ 1) == 9",
        "(1, 2) == 2",
        "defined __LINE__ && defined(__x86_64__) && !defined nothing",
        "defined __has_include && __has_include(<pthread.h>) && !__has_include(<nothing.h>)",
        "__has_include(\"pthread.h\") && !__has_include(\"nothing.h\")",
        "__has_attribute(noreturn) && !__has_builtin(nothing)",
    ] {
        assert!(holds(condition), "{condition}");
        assert!(!holds(&format!("!({condition})")), "{condition}");
    }
}

#[test]
fn conditions_that_have_no_value_are_reported() {
    for (text, message) in [
        ("#if\n#endif", "`#if` needs a condition"),
        ("#if 1 / 0\n#endif", "division by zero"),
        ("#if 1 +\n#endif", "an operand is missing after this"),
        ("#if 1 2\n#endif", "expected an operator, found `2`"),
        ("#if (1\n#endif", "`)` is missing"),
        ("#if 1 ? 2\n#endif", "expected `:` after `?`"),
        ("#if 1.5\n#endif", "`1.5` is not an integer"),
        ("#if 08\n#endif", "`08` is not an integer of base 8"),
        (
            "#if 1x\n#endif",
            "`1x` is not an integer: its end `x` is no suffix",
        ),
        (
            "#if 99999999999999999999\n#endif",
            "`99999999999999999999` does not fit 64 bits",
        ),
        ("#if \"a\"\n#endif", "expected an operand, found `\"a\"`"),
        (
            "#if f(1)\n#endif",
            "`f` is not a macro that takes arguments",
        ),
        (
            "#if defined\n#endif",
            "a macro's name is missing after `defined`",
        ),
        (
            "#if __has_include\n#endif",
            "`__has_include` needs one argument in parentheses",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn one_group_at_most_is_kept() {
    for (n, kept) in [(0, "zero"), (1, "one"), (2, "two"), (3, "many")] {
        let text = format!(
            "#define N {n}\n#if N == 0\nzero\n#elif N == 1\none\n#if 0\nx\n#else\n#endif\n#elif N == 2\ntwo\n#else\nmany\n#endif"
        );
        assert_eq!(clean(&text), kept);
    }
    // Later conditions are not looked at, and nothing in a group left out is.
    assert_eq!(clean("#if 1\na\n#elif 1 / 0\nb\n#endif"), "a");
    assert_eq!(
        clean(
            "#if 0\n#if 1/0\n#error no\n#bogus\n#include <no.h>\ndon't \"\n#else\nx\n#endif\n#endif\nz"
        ),
        "z"
    );
    assert_eq!(clean("#ifdef A\na\n#elifndef A\nb\n#else\nc\n#endif"), "b");
    assert_eq!(clean("#define A\n#ifndef A\na\n#elifdef A\nb\n#endif"), "b");
}

#[test]
fn directives_out_of_place_are_reported() {
    assert_eq!(error("#endif"), "`#endif` without `#if`");
    assert_eq!(error("#else"), "`#else` without `#if`");
    assert_eq!(
        error("#if 1\n#else\n#else\n#endif"),
        "`#else` after `#else`"
    );
    assert_eq!(
        error("#if 1\n#else\n#elif 1\n#endif"),
        "`#elif` after `#else`"
    );
    assert_eq!(error("#if 1\nx"), "`#endif` is missing");
    assert_eq!(error("#inclde <pthread.h>"), "unknown directive `#inclde`");
    assert_eq!(error("#error stop  here: don't"), "#error stop here: don't");
    assert_eq!(run("#warning careful").warnings(), ["#warning careful"]);
    let result = run("#if 0\n#else if 1\n#endif");
    assert_eq!(result.warnings(), ["this is ignored after `#else`"]);
    assert_eq!(result.diagnostics[0].label, "did you mean `#elif`?");
    assert_eq!(clean("#\n  #  define x 1 // one\n/**/#/**/undef x\nx"), "x");
}

#[test]
fn a_directive_may_be_among_the_arguments_of_a_macro() {
    let text = "#define f(x) <x>\nf(1\n#if 0\n2\n#else\n3\n#endif\n) f\n#define y\n(4)";
    assert_eq!(clean(text), "< 1 3 > f ( 4 )");
}

#[test]
fn files_are_found_by_the_function_that_is_given() {
    let files = |name: &str, _: Option<&str>| {
        let text = match name {
            "a.h" => "#pragma once\n#include \"b.h\"\na",
            "b.h" => "#include \"a.h\"\nb __INCLUDE_LEVEL__",
            "stdio.h" => "mine",
            "secret.h" => return Err("permission denied".to_owned()),
            _ => return Ok(None),
        };
        file(&format!("dir/{name}"), text)
    };
    let options = Options {
        include: Some(&files),
        ..alone()
    };
    let result = with(
        &options,
        "#include \"a.h\"\n#include <a.h>\n#define B <b.h>\n#include B\n",
    );
    assert_eq!(result.text(), "b 2 a b 1");
    // In quotes the user's files come first, in brackets the built-in ones.
    assert_eq!(with(&options, "#include \"stdio.h\"").text(), "mine");
    assert!(
        with(&options, "#include <stdio.h>\nx")
            .text()
            .ends_with(" x")
    );
    let result = with(&options, "#include \"c.h\"");
    assert_eq!(result.errors(), ["the file `c.h` is not found"]);
    let result = with(&options, "x\n#include \"secret.h\"\n");
    let why = "`secret.h` cannot be read: permission denied";
    assert_eq!(result.errors(), [why]);
    assert_eq!(result.diagnostics[0].span, 2..21);
    let beside = with(&options, "#if __has_include(\"secret.h\")\nx\n#endif");
    assert_eq!(beside.text(), "x");
    assert_eq!(
        error("#include \"c.h\""),
        "`c.h` cannot be read: only built-in headers are available"
    );
    assert_eq!(
        error("#include foo"),
        "expected `\"file.h\"` or `<file.h>` after `#include`"
    );
}

#[test]
fn an_unknown_header_is_an_error_that_lists_the_known_ones() {
    let result = run("#include <phtread.h>\n");
    assert_eq!(result.errors(), ["unknown header `<phtread.h>`"]);
    assert_eq!(result.diagnostics[0].label, "did you mean `<pthread.h>`?");
    let known = &result.diagnostics[0].notes[0];
    assert!(
        known.contains("stdatomic.h") && known.contains("linux/spinlock.h"),
        "{known}"
    );
}

#[test]
fn definitions_of_the_command_line_come_first() {
    let define = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let defines = [define("N", "3"), define("F(x)", "(x)+N"), define("E", "\\")];
    let options = Options {
        defines: &defines,
        ..alone()
    };
    assert_eq!(with(&options, "F(1) E;").text(), "( 1 ) + 3 ;");
    let options = Options {
        defines: &[define("1", "3")],
        ..alone()
    };
    let result = with(&options, "x");
    assert_eq!(result.errors(), ["`1` cannot be a macro's name"]);
    assert_eq!(result.diagnostics[0].notes, ["this is in `-D 1 3`"]);
}

#[test]
fn macros_are_undefined_after_all_definitions() {
    let options = Options {
        defines: &[("N".to_owned(), "3".to_owned())],
        undefines: &["N".to_owned(), "__x86_64__".to_owned()],
        ..alone()
    };
    assert_eq!(with(&options, "N __x86_64__").text(), "N __x86_64__");
    let options = Options {
        undefines: &["1".to_owned()],
        ..alone()
    };
    let result = with(&options, "x");
    assert_eq!(result.diagnostics[0].notes, ["this is in `-U 1`"]);
}

#[test]
fn line_and_file_follow_line_markers() {
    assert_eq!(clean("__LINE__ __FILE__\n__LINE__"), "1 \"main.c\" 2");
    assert_eq!(
        clean("#line 70\n__LINE__ __FILE__\n\n__LINE__"),
        "70 \"main.c\" 72"
    );
    let text = "#define N 12 \"a.c\"\n#line N\n__LINE__ __FILE__\n# 3 \"b.h\" 1 3\n__LINE__ __FILE__;\n#line 9\n__FILE__";
    assert_eq!(clean(text), "12 \"a.c\" 3 \"b.h\" ; \"b.h\"");
    assert_eq!(clean("#define L __LINE__\n#define M(x) x L\n\nM(\n)"), "5");
    assert_eq!(error("#line x"), "`x` is not a line number");
    assert_eq!(error("#line 1 x"), "`x` is not a file name in quotes");
    let result = run("# 7 \"b.h\"\n@");
    let parts = result.files.parts();
    assert_eq!((parts.presumed(), parts.line(10, 2)), (Some("b.h"), 7));
}

#[test]
fn counters_count_and_predefined_macros_are_those_of_c11_on_x86() {
    assert_eq!(clean("__COUNTER__ __COUNTER__"), "0 1");
    assert_eq!(
        clean("__STDC__ __STDC_VERSION__ __CHAR_BIT__"),
        "1 201112L 8"
    );
    assert!(holds(
        "__x86_64__ && __linux__ && __GNUC__ >= 4 && __SIZEOF_POINTER__ == 8"
    ));
    assert!(holds(
        "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __INT_MAX__ == 2147483647"
    ));
    assert!(holds(
        "__LONG_MAX__ == 9223372036854775807 && __SIZE_MAX__ == -1"
    ));
    assert_eq!(clean("__func__"), "__func__");
}

#[test]
fn literals_are_decoded_and_strings_joined() {
    assert_eq!(
        clean(r"'a' '\0' '\x7f' '\xff' '\\' '\'' '\101' L'ä' u'x' '\e'"),
        "'97' '0' '127' '-1' '92' '39' '65' '228' '120' '27'"
    );
    assert_eq!(
        clean("\"a\\tb\" \"c\\x41\" L\"\\u00e4\" x \"y\""),
        "\"a\\tbcAä\" x \"y\""
    );
    assert_eq!(error("''"), "this character constant is empty");
    assert_eq!(
        error("'\\x123'"),
        "this escape sequence does not fit a `char`"
    );
    assert_eq!(
        error("\"\\u12\""),
        "`\\u` needs 4 hexadecimal digits of a character"
    );
    assert_eq!(
        run("'ab'").warnings(),
        ["this character constant has several characters"]
    );
    assert_eq!(
        run("\"\\q\"").warnings(),
        ["unknown escape sequence `\\q`: it is read as `q`"]
    );
    assert_eq!(
        error("x = 'a;"),
        "the closing quote is missing on this line"
    );
    assert_eq!(error("a @ b"), "unexpected character `@`");
    assert_eq!(error("a /* b"), "this comment does not end");
}

#[test]
fn pragmas_that_change_meanings_are_errors() {
    assert_eq!(
        clean("#pragma GCC diagnostic push\n#pragma STDC FP_CONTRACT ON\nx"),
        "x"
    );
    assert_eq!(clean("a _Pragma(\"GCC poison x\") b"), "a b");
    assert_eq!(
        error("#pragma omp parallel"),
        "`#pragma omp` is not supported: it may add threads"
    );
    assert_eq!(
        error("#define P(x) _Pragma(#x)\nP(omp parallel)"),
        "`#pragma omp` is not supported: it may add threads"
    );
    assert_eq!(
        run("#pragma pack(1)").warnings(),
        ["`#pragma pack` is ignored"]
    );
    let text = "#define x 1\n#pragma push_macro(\"x\")\n#undef x\n#define x 2\nx\n#pragma pop_macro(\"x\")\nx";
    assert_eq!(clean(text), "2 1");
}
