//! Fences around macros in C: what is proposed can be written, repairs the program, and is the cheapest that
//! can be written, by trying all insertions into the text.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read a program has failed"
)]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse_as, rewrite_as};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::Aim;
use proptest::prelude::*;
use std::fmt::Write;

/// How statements are written.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// As they are, each in a line of its own.
    Plain,
    /// `do { … } while (0)`
    Loop,
    /// One after the other.
    Bare,
    /// `({ … })`
    Value,
    /// The same, converted: the macro comes after a bracket.
    Cast,
    /// The same in brackets.
    Bracket,
    /// `{ … }`
    Block,
    /// A macro of a macro.
    Nested,
    /// `do { … } while (0)`, each statement in a line of its own.
    Lines,
    /// `do { … } while (0)` where a statement begins with what the macro is given.
    Given,
}

/// Where a fence can be inserted.
const HERE: char = '@';

/// The lines of a thread, and the macros that they name.
fn thread(name: &str, statements: &[String], forms: &[(usize, Form)]) -> (String, Vec<String>) {
    let (mut macros, mut lines) = (String::new(), Vec::new());
    let mut rest = statements;
    let mut forms = forms.iter().cycle();
    while !rest.is_empty() {
        let &(count, form) = forms.next().expect("there are forms");
        let (group, later) = rest.split_at(count.clamp(1, rest.len()));
        rest = later;
        let called = format!("{}_{}", name.to_uppercase(), lines.len());
        let body = group.join(" @");
        let body = match form {
            Form::Plain => {
                lines.extend(group.iter().map(|line| format!("@{line}")));
                continue;
            }
            Form::Loop => format!("do {{ @{body} @}} while (0)"),
            Form::Bare => body.trim_end_matches(';').to_owned(),
            Form::Value | Form::Cast | Form::Bracket => format!("({{ @{body} }})"),
            Form::Block => format!("{{ @{body} @}}"),
            Form::Nested => {
                writeln!(macros, "#define INNER_{called} {body}").expect("a string");
                format!("do {{ @INNER_{called} @}} while (0)")
            }
            Form::Lines => {
                let body = group.join(" \\\n        @");
                format!("\\\n    do {{ \\\n        @{body} \\\n    @}} while (0)")
            }
            Form::Given => {
                let rest = body.strip_prefix("x").or(body.strip_prefix("y"));
                let body = rest.map_or(body.clone(), |rest| format!("given{rest}"));
                format!("do {{ z; @{body} @}} while (0)")
            }
        };
        let given = if matches!(form, Form::Given) {
            "(given)"
        } else {
            ""
        };
        writeln!(macros, "#define {called}{given} {body}").expect("a string");
        let first = group[0].chars().next().unwrap_or('x');
        lines.push(match form {
            Form::Given if matches!(first, 'x' | 'y') => format!("@{called}({first});"),
            Form::Given => format!("@{called}(x);"),
            Form::Cast => format!("@(void){called};"),
            Form::Bracket => format!("@({called});"),
            Form::Plain
            | Form::Loop
            | Form::Bare
            | Form::Value
            | Form::Block
            | Form::Nested
            | Form::Lines => format!("@{called};"),
        });
    }
    (macros, lines)
}

/// The program with fences at these places, counted over the text.
fn program(threads: &[(String, Vec<String>)], fenced: &[usize]) -> String {
    let whole = template(threads);
    let mut parts = whole.split(HERE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (number, part) in parts.enumerate() {
        if fenced.contains(&number) {
            text.push_str("__sync_synchronize(); ");
        }
        text.push_str(part);
    }
    text
}

/// The program, with a mark where a fence can be inserted.
fn template(threads: &[(String, Vec<String>)]) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\nstatic volatile int x, y, z;\n\
                    static int a, b;\n"
        .to_owned();
    for (at, (macros, lines)) in threads.iter().enumerate() {
        writeln!(text, "{macros}static void *t{at}(void *u)\n{{").expect("a string");
        for line in lines {
            writeln!(text, "    {line}").expect("a string");
        }
        text.push_str("    return 0;\n}\n");
    }
    text.push_str(
        "int main(void)\n{\n    pthread_t p, q;\n    pthread_create(&p, 0, t0, 0);\n    \
         pthread_create(&q, 0, t1, 0);\n    pthread_join(p, 0);\n    pthread_join(q, 0);\n    \
         assert(a || b);\n    return 0;\n}\n",
    );
    text
}

fn holds(text: &str) -> bool {
    let parsed = parse_as(Format::C, text);
    let program = parsed.program.as_ref();
    let program = program.unwrap_or_else(|| panic!("{text}"));
    let report = check(program, &CheckOptions::new(Model::Tso), &Budget::default());
    report.expect("no defect").verdict().word() == "holds"
}

/// The least number of fences in the text; `None` if those at all places do not help.
fn least(threads: &[(String, Vec<String>)]) -> Option<u32> {
    let count = template(threads).matches(HERE).count();
    let works = |fenced: &[usize]| holds(&program(threads, fenced));
    let all: Vec<usize> = (0..count).collect();
    if works(&[]) {
        return Some(0);
    }
    if all.iter().any(|&one| works(&[one])) {
        return Some(1);
    }
    let mut pairs = all
        .iter()
        .flat_map(|&a| (a + 1..count).map(move |b| [a, b]));
    if pairs.any(|pair| works(&pair)) {
        return Some(2);
    }
    assert!(!works(&all), "{}", program(threads, &[]));
    None
}

/// What is proposed is the cheapest that the text can express, and it repairs the text.
fn agrees(threads: &[(String, Vec<String>)]) {
    let text = program(threads, &[]);
    let parsed = parse_as(Format::C, &text);
    let found = parsed.positions().expect("it has no errors");
    let options = FenceOptions::new(Model::Tso, Aim::Assertions);
    let report = cheapest_fences(found, &options, &Budget::default()).expect("no defect");
    let wanted = least(threads);
    match report.outcome() {
        Outcome::Found(_) => {
            let changes = report.changes(found).expect("a set was found");
            let fenced = rewrite_as(Format::C, &text, found, &changes)
                .unwrap_or_else(|why| panic!("{why}\n{text}"));
            assert!(holds(&fenced), "{fenced}");
            let added = fenced.matches("_fence(").count() + fenced.matches("_synchronize(").count();
            assert_eq!(Some(added as u32), wanted, "{fenced}");
            assert_eq!(changes.len(), added, "{fenced}");
        }
        Outcome::Impossible { .. } => assert_eq!(None, wanted, "{text}"),
        Outcome::Undecided(_) => panic!("undecided\n{text}"),
    }
}

fn forms() -> impl Strategy<Value = Vec<(usize, Form)>> {
    let form = prop::sample::select(vec![
        Form::Plain,
        Form::Loop,
        Form::Bare,
        Form::Value,
        Form::Cast,
        Form::Bracket,
        Form::Block,
        Form::Nested,
        Form::Lines,
        Form::Given,
    ]);
    prop::collection::vec((1_usize..4, form), 1..4)
}

/// A store, what is between, and a load.
fn statements(own: &str, other: &str, into: &str, between: &[u8]) -> Vec<String> {
    let middle = between.iter().map(|kind| match kind % 3 {
        0 => "z = 1;".to_owned(),
        1 => "(void)z;".to_owned(),
        _ => format!("if (z == 5) {{ {own} = 2; }}"),
    });
    let first = std::iter::once(format!("{own} = 1;"));
    first
        .chain(middle)
        .chain([format!("{into} = {other};")])
        .collect()
}

/// Where both the store and the load are in a macro, the fence goes into its definition.
#[test]
fn a_fence_is_written_into_the_definition_of_a_macro() {
    for form in [
        Form::Loop,
        Form::Bare,
        Form::Value,
        Form::Cast,
        Form::Bracket,
        Form::Block,
        Form::Nested,
        Form::Lines,
        Form::Given,
    ] {
        let of =
            |name, own, other, into| thread(name, &statements(own, other, into, &[]), &[(2, form)]);
        let threads = [of("t0", "x", "y", "a"), of("t1", "y", "x", "b")];
        assert_eq!(least(&threads), Some(2), "{form:?}");
        agrees(&threads);
    }
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn fences_around_macros_are_the_cheapest_that_can_be_written(
        left in (prop::collection::vec(any::<u8>(), 0..3), forms()),
        right in (prop::collection::vec(any::<u8>(), 0..3), forms()),
    ) {
        agrees(&[
            thread("t0", &statements("x", "y", "a", &left.0), &left.1),
            thread("t1", &statements("y", "x", "b", &right.0), &right.1),
        ]);
    }
}
