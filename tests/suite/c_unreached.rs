//! What a C program cannot execute: whatever stands between its declarations, it is the same program; and
//! if the program calls it, that is an error at its place.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read a program has failed"
)]

use crate::support::config::config;
use fencepost::internals::cli::{corpus_files, corpus_options};
use fencepost::internals::formats::{
    Format, ParseOptions, Parsed, parse_as, parse_bytes_with, parse_with,
};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Declarations that are not supported, or wrong; a function of the name `use_N` uses each.
const REFUSED: [&str; 14] = [
    "static int fp_half(double x) { return x * 0.5; }\nvoid use_0(void) { fp_half(1.0); }\n",
    "union fp_word { int i; float f; };\nvoid use_1(void) { union fp_word w; w.f = 1.5f; w.i = 1; }\n",
    "struct fp_bits { unsigned long a : 40, b : 24; double d; };\n\
     void use_2(void) { struct fp_bits b; b.a = 1; }\n",
    "void use_3(void) { __asm__ volatile(\"outb %0, $0x80\" : : \"a\"(0)); }\n",
    "static int (*fp_table[])(void) = { fp_missing };\nvoid use_4(void) { fp_table[0](); }\n",
    "extern int fp_elsewhere(void);\nvoid use_5(void) { fp_elsewhere(); }\n",
    "void use_6(void) { void *l = &&here; goto *l; here: ; }\n",
    "static long double fp_long = 1.0L;\nvoid use_7(void) { if (fp_long) ; }\n",
    "typedef float fp_vec __attribute__((vector_size(16)));\n\
     static fp_vec fp_add(fp_vec a, fp_vec b) { return a + b; }\n\
     void use_8(void) { fp_vec v; fp_add(v, v); }\n",
    "extern int fp_object;\nvoid use_9(void) { fp_object = 1; }\n",
    "void use_10(void) { fp_undeclared = 1; }\n",
    "fp_type fp_value;\nvoid use_11(void) { fp_value = 1; }\n",
    "static void fp_first(fp_type x) { }\nvoid use_12(void) { fp_first(1); }\n",
    "typedef struct { __int128 d; int n; } fp_pair;\nstatic fp_pair fp_one;\n\
     void use_13(void) { fp_one.n = 1; }\n",
];

/// A program of the corpus that is read.
struct Sample {
    file: PathBuf,
    text: String,
    /// Where a declaration can be inserted.
    places: Vec<usize>,
}

/// Where a line begins outside of all brackets, comments and directives.
fn places(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut depth, mut at, mut complete) = (0_i32, 0, true);
    for line in text.split_inclusive('\n') {
        if depth == 0 && complete && !line.trim().is_empty() {
            found.push(at);
        }
        let code = line.split("//").next().unwrap_or_default().trim_end();
        if !code.is_empty() {
            for c in code.chars() {
                depth += i32::from("({[".contains(c)) - i32::from(")}]".contains(c));
            }
            complete = depth == 0 && (code.ends_with([';', '}']) || code.starts_with('#'));
        }
        at += line.len();
    }
    found
}

static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/c");
    corpus_files(&root, &mut files).expect("it is there");
    files.sort();
    let samples = files.into_iter().filter_map(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        let suits = file.extension().is_some_and(|end| end == "c")
            && !["/*", "*/", "\\\n", "#if", "#pragma"]
                .iter()
                .any(|odd| text.contains(odd));
        // Functions in memory are numbers, which all functions of the text count for.
        let is_plain = |shown: String| !shown.contains("-10000");
        if !suits || text.len() > 20_000 || !shown(&read(&file, &text)).is_some_and(is_plain) {
            return None;
        }
        Some(Sample {
            places: places(&text),
            file,
            text,
        })
    });
    samples.collect()
});

fn read(file: &Path, text: &str) -> Parsed {
    let options = corpus_options(file).expect("it has options");
    parse_bytes_with(&options, text.as_bytes(), "program.c", None).2
}

/// The program without the places in the text.
fn shown(parsed: &Parsed) -> Option<String> {
    let all = format!("{:?}", parsed.program.as_ref()?);
    let (all, _) = all.split_once("files: Files {")?;
    let mut parts = all.split("Origin {");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    Some(text)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn what_a_program_cannot_execute_changes_nothing(
        sample in any::<prop::sample::Index>(),
        inserted in prop::collection::vec((0..REFUSED.len(), any::<prop::sample::Index>()), 1..4),
    ) {
        let sample = sample.get(&SAMPLES);
        let mut edits: Vec<(usize, usize)> = inserted
            .into_iter()
            .map(|(which, place)| (*place.get(&sample.places), which))
            .collect();
        edits.sort_unstable_by_key(|(place, which)| (*which, *place));
        edits.dedup_by_key(|(_, which)| *which);
        edits.sort_unstable();
        let mut text = sample.text.clone();
        for &(place, which) in edits.iter().rev() {
            text.insert_str(place, REFUSED[which]);
        }
        let (before, after) = (read(&sample.file, &sample.text), read(&sample.file, &text));
        prop_assert_eq!(
            shown(&after),
            shown(&before),
            "{}\n{:?}\n{}",
            sample.file.display(),
            after.diagnostics,
            text
        );
    }
}

/// What is no C, and what is meant for another machine.
#[test]
fn what_has_two_meanings_is_refused() {
    let around = |wrong: &str, used: &str| {
        let text = format!(
            "#include <assert.h>\nint x;\n{wrong}\nint main(void) {{ x = 1; {used} assert(x); }}\n"
        );
        parse_as(Format::C, &text).program.is_some()
    };
    // Whether or not it is used.
    for wrong in [
        "_Static_assert(sizeof(long) == 4, \"another machine\");",
        "struct fp_s { int a; }; struct fp_s { int a, b; };",
        "enum fp_e { FP_A }; enum fp_e { FP_B };",
        "__attribute__((destructor)) static void fp_late(void) { x = 2; }",
        "static void __attribute__((__destructor__)) fp_late(void) { x = 2; }",
        "static void fp_late(void) __attribute__((destructor)); static void fp_late(void) { x = 2; }",
    ] {
        assert!(!around(wrong, ""), "{wrong}");
    }
    // Only if it is used.
    for (wrong, used) in [
        (
            "typedef int fp_t; typedef long fp_t;",
            "fp_t y = 1; (void)y;",
        ),
        ("int fp_f(void); long fp_f(void);", "fp_f();"),
        ("int fp_v; long fp_v;", "fp_v = 1;"),
        (
            "int fp_g(void) { return 1; } int fp_g(void) { return 2; }",
            "fp_g();",
        ),
        ("static int usleep(fp_type x) { return 1; }", "usleep(1);"),
        ("enum { FP_A = fp_none, FP_B };", "x = FP_B;"),
        ("static int fp_a[] = { 1, fp_none };", "x = fp_a[0];"),
        (
            "struct fp_s { int a; fp_none b; }; struct fp_s fp_one;",
            "fp_one.a = 1;",
        ),
        (
            "struct fp_s { int a; fp_none b; };",
            "struct fp_s *p = 0; p->a = 1;",
        ),
        (
            "struct fp_s { int a; fp_none b; };",
            "x = sizeof(struct fp_s);",
        ),
        (
            "struct fp_s { __int128 a; }; struct fp_r { struct fp_s s; int b; };",
            "struct fp_r r; r.b = 1;",
        ),
        ("extern int fp_x;", "fp_x = 1;"),
        ("static int (fp_x) = fp_none;", "x = fp_x;"),
        (
            "int fp_g(void) { extern int fp_k; return fp_k; } int fp_k = fp_none;",
            "fp_g();",
        ),
        (
            "static int fp_k; int fp_g(void) { return fp_k; } static int fp_k = 0.5;",
            "fp_g();",
        ),
        ("static int (fp_a[2]) = { 3, fp_none };", "x = fp_a[0];"),
        ("static int fp_a = 1, (fp_b) = fp_none;", "x = fp_b;"),
        ("static int *(*(fp_p)) = &fp_none;", "x = fp_p == 0;"),
        (
            "typedef int (fp_t), (fp_u)[fp_none];",
            "fp_t y = 1; (void)y;",
        ),
        (
            "static int fp_h(void) { return fp_none; } static int (*fp_p)(void) = fp_h;",
            "fp_p();",
        ),
    ] {
        assert!(around(wrong, ""), "{wrong}");
        assert!(!around(wrong, used), "{wrong} {used}");
    }
}

#[test]
fn what_a_program_executes_is_refused_at_its_place() {
    for (number, refused) in REFUSED.iter().enumerate() {
        let text = format!(
            "#include <assert.h>\n{refused}int main(void) {{ use_{number}(); assert(1); return 0; }}\n"
        );
        let parsed = parse_as(Format::C, &text);
        assert!(parsed.program.is_none(), "{text}");
        let errors = parsed.diagnostics.iter();
        let inside = text.find(refused).expect("it is there");
        for error in errors {
            let place = error.span.start;
            let is_there = (inside..inside + refused.len()).contains(&place);
            assert!(is_there, "{error:?}\n{text}");
        }
        assert!(!parsed.diagnostics.is_empty(), "{text}");
        // Through a pointer in an object that is reached.
        let text = text.replace(
            "int main(void) {",
            "static void (*fp_calls[])(void) = { use_N };\nint main(void) { fp_calls[0]();",
        );
        let text = text.replace("use_N", &format!("use_{number}"));
        let text = text.replace(&format!("use_{number}(); assert"), "assert");
        assert!(parse_as(Format::C, &text).program.is_none(), "{text}");
    }
}

/// What is said of a text in C: the message, the lines of its places, and the notes of each.
fn said(text: &str, options: &ParseOptions) -> Vec<(String, Vec<usize>, Vec<String>)> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let parsed = parse_with(Format::C, text, options);
    let said = parsed.diagnostics.into_iter().map(|one| {
        let others = one.others.iter().map(|(span, _)| line(span.start));
        let lines = std::iter::once(line(one.span.start)).chain(others);
        (one.message.clone(), lines.collect(), one.notes.clone())
    });
    said.collect()
}

/// Functions that call each other, and what is wrong in them.
const CALLS: &str = "int first(int); int second(void);\n\
     static int helper(int n) { return first(n) + second() + first(n + 1); }\n\
     static double unused(double x) { return x > 0.5 ? x : first(1); }\n\
     static int worker(int n) {\n\
     if (n) return helper(n);\n\
     return first(0);\n\
     }\n\
     static int (*chosen)(int) = worker;\n\
     int main(void) { return chosen(1); }\n";

#[test]
fn an_error_says_once_by_which_calls_it_is_reached_and_at_which_places_it_is() {
    let said = said(CALLS, &ParseOptions::new());
    let [first, second] = said.as_slice() else {
        panic!("{said:?}");
    };
    assert_eq!(first.0, "unknown function `first`");
    // The call, the declaration, and the two other calls.
    assert_eq!(first.1, [2, 1, 2, 6]);
    let way = "this is reached through `main`, `worker`, `helper`";
    assert_eq!(first.2[0], way);
    let options = "--model-call first=nondet --model-call second=nondet";
    assert!(first.2[1].contains(options), "{:?}", first.2);
    assert_eq!(
        (&*second.0, &*second.1),
        ("unknown function `second`", &[2, 1][..])
    );
    assert_eq!(second.2, [way]);
}

#[test]
fn errors_of_the_lowering_say_the_calls_too() {
    let text = "#include <stdlib.h>\n\
                static int size(int n) { int *p = malloc(1 << 20); return n; }\n\
                static int worker(int n) { return size(n); }\n\
                int main(int n, char **a) { return worker(n); }\n";
    let said = said(text, &ParseOptions::new());
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].0, "a block of 262144 elements is too large here");
    let way = "this is reached through `main`, `worker`, `size`";
    assert_eq!(said[0].2, [way]);
}

#[test]
fn what_is_not_read_is_listed_on_demand() {
    let text = "struct bits { __int128 a; };\n\
                static int of(struct bits *b) { return (int)b->a; }\n\
                static void elsewhere(void) { absent(); }\n\
                static float half = 0.5f;\n\
                int main(void) { return 0; }\n";
    assert_eq!(said(text, &ParseOptions::new()), []);
    let said = said(text, &ParseOptions::new().explain_refusals());
    let messages: Vec<_> = said
        .iter()
        .map(|(message, lines, _)| (&**message, lines[0]))
        .collect();
    assert_eq!(
        messages,
        [
            (
                "not needed, and not read: 128-bit integers are not supported",
                1
            ),
            ("not needed, and not read: unknown function `absent`", 3),
        ]
    );
}
