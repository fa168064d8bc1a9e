//! Fences in C: each program of the corpus that needs some gets them as a patch, after which it is
//! robust and still C.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the corpus has failed"
)]

use crate::support::{config, patches};
use config::config;
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{
    Compiler, Format, ParseOptions, parse_as, parse_with, rewrite_as,
};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Change, Fence, FenceKind, FencePlace, Op, Origin, Program, Role};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn programs() -> Vec<PathBuf> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/c");
    let mut files: Vec<PathBuf> = ["real", "mutex"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(corpus.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    files
}

/// Whether a compiler accepts a text; true where there is none.
fn compiles(text: &str) -> bool {
    // The kernel's headers are no system headers.
    if text.contains("<linux/") || text.contains("<asm/") {
        return true;
    }
    let compiler = Command::new("cc")
        .args(["-fsyntax-only", "-x", "c", "-std=gnu11", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut compiler) = compiler else {
        return true;
    };
    let mut input = compiler.stdin.take().expect("it was piped");
    input.write_all(text.as_bytes()).expect("it is read");
    drop(input);
    compiler.wait().expect("it ends").success()
}

/// How many patches of these kinds were made. Each was verified.
fn patched(kinds: &[(FenceKind, u32)]) -> usize {
    patches::patched(Format::C, programs(), kinds, |text| {
        let refusal = if compiles(text) { "" } else { "it is no C" };
        refusal.to_owned()
    })
}

#[test]
fn a_program_with_fences_is_robust_and_compiles() {
    let patched = patched(&[(FenceKind::Full, 1)]);
    assert!(patched >= 20, "{patched}");
}

/// Stores that are atomic and weak become exchanges, where that is enough.
#[test]
fn a_program_with_stronger_stores_is_robust_and_compiles() {
    let patched = patched(&[(FenceKind::Exchange, 1)]);
    assert!(patched >= 10, "{patched}");
}

/// Where fences cost more, both kinds are in one patch.
#[test]
fn a_program_with_fences_and_stronger_stores_is_robust_and_compiles() {
    let kinds = [
        (FenceKind::Full, 3),
        (FenceKind::Store, 2),
        (FenceKind::Exchange, 2),
    ];
    let patched = patched(&kinds);
    assert!(patched >= 20, "{patched}");
}

#[test]
fn a_program_with_weak_operations_is_patched_whichever_compiler_it_is_read_for() {
    let budget = Budget::default();
    let text = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int r = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_fetch_add_explicit(&z, 0, memory_order_acq_rel);
    return 0;
}
void *right(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&z, 0, memory_order_acq_rel);
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
}
";
    // gcc's code for the addition is a fence, and that of other compilers is none.
    for (compiler, fences) in [(Compiler::Gcc, 1), (Compiler::Any, 2)] {
        let parsed = parse_with(Format::C, text, &ParseOptions::default().compiler(compiler));
        let program = parsed.positions().expect("it has no errors");
        let options = FenceOptions::new(Model::Tso, Aim::Robustness);
        let report = cheapest_fences(program, &options, &budget).expect("no defect");
        let changes = report.changes(program).expect("a set was found");
        let fenced = rewrite_as(Format::C, text, program, &changes);
        let fenced = fenced.unwrap_or_else(|why| panic!("{compiler}: {why}"));
        let found = fenced.matches("atomic_thread_fence").count();
        assert_eq!(found, fences, "{compiler}:\n{fenced}");
    }
}

/// Which words a random program uses for its accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    C11,
    /// With statement expressions.
    Gnu,
    Kernel,
}

impl Style {
    fn load(self, cell: &str) -> String {
        match self {
            Style::C11 | Style::Gnu => {
                format!("atomic_load_explicit(&{cell}, memory_order_relaxed)")
            }
            Style::Kernel => format!("READ_ONCE({cell})"),
        }
    }

    fn store(self, cell: &str, value: &str) -> String {
        match self {
            Style::C11 | Style::Gnu => {
                format!("atomic_store_explicit(&{cell}, {value}, memory_order_relaxed)")
            }
            Style::Kernel => format!("WRITE_ONCE({cell}, {value})"),
        }
    }
}

/// An expression with a value.
fn value(style: Style) -> BoxedStrategy<String> {
    let cell = prop_oneof![Just("x"), Just("y")];
    let leaf = prop_oneof![
        4 => cell.clone().prop_map(move |cell| style.load(cell)),
        1 => Just("r".to_owned()),
        1 => (0..3_i32).prop_map(|number: i32| number.to_string()),
    ];
    leaf.prop_recursive(3, 8, 3, move |inner| {
        let both = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        let store = (cell.clone(), 1..3_i32, inner.clone());
        prop_oneof![
            2 => both.clone().prop_map(|(a, b)| format!("({a} && {b})")),
            2 => both.clone().prop_map(|(a, b)| format!("({a} || {b})")),
            2 => three.prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            1 => inner.clone().prop_map(|a| format!("!{a}")),
            1 => both.clone().prop_map(|(a, b)| format!("({a} != {b})")),
            1 => both.prop_map(|(a, b)| format!("(s = {a}, {b})")),
            2 => store.prop_map(move |(cell, number, after): (&str, i32, String)| {
                let store = style.store(cell, &number.to_string());
                if style == Style::C11 {
                    format!("({store}, {after})")
                } else {
                    format!("({{ {store}; {after}; }})")
                }
            }),
        ]
        .boxed()
    })
    .boxed()
}

/// An expression without the brackets around it, as in a condition.
fn bare(e: &str) -> &str {
    let Some(inner) = e.strip_prefix('(').and_then(|e| e.strip_suffix(')')) else {
        return e;
    };
    let mut depth = 0_i32;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    };
    if inner.starts_with('{') || inner.chars().any(closes) {
        e
    } else {
        inner
    }
}

fn statement(style: Style) -> BoxedStrategy<String> {
    let cell = prop_oneof![Just("x"), Just("y")];
    let e = value(style);
    let leaf = prop_oneof![
        3 => (cell, 1..3_i32).prop_map(move |(cell, number): (&str, i32)| {
            format!("{};", style.store(cell, &number.to_string()))
        }),
        3 => e.clone().prop_map(|e: String| format!("r = {e};")),
        1 => e.clone().prop_map(|e: String| format!("{};", bare(&e))),
        1 => Just(";".to_owned()),
    ];
    leaf.prop_recursive(2, 6, 3, move |inner| {
        let with = (e.clone(), inner.clone());
        let block = prop::collection::vec(inner.clone(), 0..3);
        let many = (e.clone(), e.clone(), e.clone(), inner.clone());
        prop_oneof![
            2 => with.clone().prop_map(|(e, s): (String, String)| format!("if ({}) {s}", bare(&e))),
            2 => (e.clone(), inner.clone(), inner.clone())
                .prop_map(|(e, s, t): (String, String, String)| format!("if ({}) {{ {s} }} else {t}", bare(&e))),
            2 => with.clone().prop_map(|(e, s): (String, String)| format!("while ({})\n    {s}", bare(&e))),
            2 => with.prop_map(|(e, s): (String, String)| format!("do {s} while ({});", bare(&e))),
            1 => many.prop_map(|(a, b, c, s): (String, String, String, String)| {
                format!("for (s = {a}; {}; {})\n    {s}", bare(&b), bare(&c))
            }),
            1 => block.prop_map(|stmts| format!("{{ {} }}", stmts.join(" "))),
        ]
        .boxed()
    })
    .boxed()
}

/// A program of two threads, in one of the styles.
fn program() -> BoxedStrategy<(Style, String)> {
    let style = prop_oneof![Just(Style::C11), Just(Style::Gnu), Just(Style::Kernel)];
    style
        .prop_flat_map(|style| {
            let thread = || prop::collection::vec(statement(style), 1..4);
            (Just(style), thread(), thread()).prop_map(|(style, one, other)| {
                let (header, ty) = match style {
                    Style::C11 => ("<stdatomic.h>", "atomic_int"),
                    Style::Gnu => ("<stdatomic.h>\n#define ONE ({ 1; })", "atomic_int"),
                    Style::Kernel => ("<linux/atomic.h>", "int"),
                };
                let thread = |name: &str, body: &[String]| {
                    let body = body.join("\n  ");
                    format!("void *{name}(void *u)\n{{\n  int r = 0, s = 0;\n  {body}\n  return 0;\n}}\n")
                };
                let text = format!(
                    "#include <pthread.h>\n#include {header}\n{ty} x, y;\n{}{}int main(void)\n{{\n  \
                     pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n  \
                     pthread_create(&b, 0, other, 0);\n  return 0;\n}}\n",
                    thread("one", &one),
                    thread("other", &other),
                );
                (style, text)
            })
        })
        .boxed()
}

/// The places of full fences that a text can express: of each, all locations.
fn places(program: &Program) -> Vec<Vec<Change>> {
    let mut places: BTreeMap<Origin, Vec<Change>> = BTreeMap::new();
    for (site, instruction) in program.sites() {
        if instruction.op == Op::Skip && instruction.place == FencePlace::Default {
            let (thread, loc, fence) = (site.thread, instruction.from, Fence::Full);
            let change = Change::Fence { thread, loc, fence };
            places.entry(instruction.origin).or_default().push(change);
        }
    }
    places.into_values().collect()
}

proptest! {
    #![proptest_config(config(48))]

    /// Whatever the search may choose can be written: the rewriter reads its result again, and compares
    /// it with the program that has the fence at the location.
    #[test]
    fn a_fence_at_any_place_can_be_written_and_compiles((style, text) in program()) {
        let parsed = parse_as(Format::C, &text);
        let rendered = parsed.render("main.c", &text, false);
        let program = parsed.positions();
        prop_assert!(program.is_some(), "{}", rendered);
        let program = program.expect("it is there");
        let places = places(program);
        for place in &places {
            let fenced = rewrite_as(Format::C, &text, program, place);
            prop_assert!(fenced.is_ok(), "{}\n{:?}", text, fenced);
        }
        let all: Vec<Change> = places.into_iter().flatten().collect();
        let fenced = rewrite_as(Format::C, &text, program, &all);
        let fenced = fenced.map_err(|why| TestCaseError::fail(format!("{text}\n{why}")))?;
        prop_assert!(style == Style::Kernel || compiles(&fenced), "{}", fenced);
    }

    /// With the cheapest fences written into its text, a program is robust.
    #[test]
    fn a_random_program_with_its_fences_is_robust((_, text) in program()) {
        let budget = Budget::default().with_states(20_000);
        let parsed = parse_as(Format::C, &text);
        let program = parsed.positions().expect("it has no errors");
        for model in [Model::Tso, Model::Pso] {
            let options = FenceOptions::new(model, Aim::Robustness);
            let report = cheapest_fences(program, &options, &budget).expect("no defect");
            let Outcome::Found(_) = report.outcome() else {
                continue;
            };
            let changes = report.changes(program).expect("a set was found");
            let fenced = rewrite_as(Format::C, &text, program, &changes);
            let fenced = fenced.map_err(|why| TestCaseError::fail(format!("{text}\n{why}")))?;
            let again = parse_as(Format::C, &fenced).program.expect("a patch has no errors");
            let report = robust(&again, &RobustOptions::new(model), &budget).expect("no defect");
            let is_violated = matches!(report.verdict(), Verdict::Violated(_));
            prop_assert!(!is_violated, "{}:\n{}", model, fenced);
        }
    }
}

/// The text with a fence at the place that is written like this.
fn fenced_at(header: &str, body: &str, wanted: &str) -> String {
    let text = format!(
        "#include <pthread.h>\n{header}\nvoid *t(void *u)\n{{\n    int r = 0;\n{body}    return 0;\n}}\n\
         int main(void)\n{{\n    pthread_t h;\n    pthread_create(&h, 0, t, 0);\n    y = 1;\n}}\n"
    );
    let parsed = parse_as(Format::C, &text);
    let program = parsed.positions().expect("it has no errors");
    let here = |place: &&Vec<Change>| {
        let [Change::Fence { thread, loc, .. }, ..] = &place[..] else {
            return false;
        };
        let automaton = program.thread(*thread);
        let origin = automaton.instruction(automaton.outgoing(*loc)[0]).origin;
        text.get(origin.start as usize..origin.end as usize) == Some(wanted)
    };
    let places = places(program);
    let place = places.iter().find(here);
    let place = place.unwrap_or_else(|| panic!("there is no place before `{wanted}` in {body}"));
    let fenced = rewrite_as(Format::C, &text, program, place);
    let fenced = fenced.unwrap_or_else(|why| panic!("{why}: {body}"));
    assert!(compiles(&fenced), "{fenced}");
    let start = fenced.find("int r = 0;\n").expect("the beginning") + "int r = 0;\n".len();
    let end = fenced.find("    return 0;\n}\nint main").expect("the end");
    fenced[start..end].to_owned()
}

#[test]
fn fences_go_into_conditions() {
    const C11: &str = "#include <stdatomic.h>\natomic_int x, y, z;";
    const GNU: &str = "#include <stdatomic.h>\n#define ONE ({ 1; })\natomic_int x, y, z;";
    const KERNEL: &str = "#include <linux/atomic.h>\nint x, y, z;";
    let f = "atomic_thread_fence(memory_order_seq_cst)";
    for (header, body, before, after) in [
        (C11, "while (x) ;", "x", "while (F, x) ;"),
        (C11, "while (x) ;", "", "while (x) { F; ; }"),
        (
            C11,
            "while (x)\n        y = 1;",
            "y = 1",
            "while (x)\n        { F; y = 1; }",
        ),
        (C11, "do z = 1; while (x);", "x", "do z = 1; while (F, x);"),
        (
            C11,
            "do z = 1; while (x);",
            "z = 1",
            "do { F; z = 1; } while (x);",
        ),
        (C11, "for (; x; y = 1) ;", "x", "for (; F, x; y = 1) ;"),
        (C11, "for (; x; y = 1) ;", "y = 1", "for (; x; F, y = 1) ;"),
        (C11, "for (r = x; y;) ;", "for", "F;\n    for (r = x; y;) ;"),
        (C11, "if (x && y) z = 1;", "y", "if (x && (F, y)) z = 1;"),
        (C11, "if (x || !y) z = 1;", "!y", "if (x || (F, !y)) z = 1;"),
        (
            C11,
            "if (x) z = 1; else z = 2;",
            "z = 2",
            "if (x) z = 1; else { F; z = 2; }",
        ),
        (C11, "r = x ? y : z;", "y", "r = x ? (F, y) : z;"),
        (C11, "r = x ? y : z;", "z", "r = x ? y : (F, z);"),
        (C11, "r = (x = 1, y);", "y", "r = (x = 1, F, y);"),
        (C11, "x = 1, r = y;", "r = y", "x = 1, F, r = y;"),
        (
            C11,
            "while (x = 1, y) ;",
            "x = 1, y",
            "while (F, x = 1, y) ;",
        ),
        (GNU, "while (x) ;", "x", "while (({ F; x; })) ;"),
        (GNU, "r = x && y;", "y", "r = x && ({ F; y; });"),
        (GNU, "r = ({ x = 1; y; });", "y", "r = ({ x = 1; F; y; });"),
        (
            KERNEL,
            "while (READ_ONCE(x)) ;",
            "READ_ONCE(x)",
            "while (({ smp_mb(); READ_ONCE(x); })) ;",
        ),
        (
            KERNEL,
            "for (; READ_ONCE(x);) ;",
            "READ_ONCE(x)",
            "for (; ({ smp_mb(); READ_ONCE(x); });) ;",
        ),
    ] {
        let made = fenced_at(header, &format!("    {body}\n"), before);
        assert_eq!(made, format!("    {}\n", after.replace('F', f)), "{body}");
    }
}

#[test]
fn a_condition_without_memory_has_no_place_of_its_own() {
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                #define BOTH(a, b) ((a) && (b))\n\
                void *t(void *u)\n{\n    for (int i = 0; i < 3 && u; i++)\n        x = 1;\n    \
                while (BOTH(x, x))\n        x = 2;\n    return 0;\n}\n\
                int main(void)\n{\n    pthread_t h;\n    pthread_create(&h, 0, t, &h);\n    x = 1;\n}\n";
    let parsed = parse_as(Format::C, text);
    let program = parsed.positions().expect("it has no errors");
    let inside: Vec<&str> = program
        .sites()
        .filter(|(_, instruction)| instruction.role == Role::Inside)
        .map(|(_, i)| &text[i.origin.start as usize..i.origin.end as usize])
        .collect();
    // The operands of the macro have no text of their own.
    assert_eq!(inside, ["BOTH(x, x)"]);
}

/// Where a fence between statements suffices, it is not put into an expression.
#[test]
fn statements_are_preferred_to_expressions() {
    let fenced = |body: &str| {
        let text = format!(
            "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nvoid *t(void *u)\n\
             {{\n    {body}\n    return 0;\n}}\nvoid *s(void *u)\n{{\n    y = 1;\n    \
             int r = x;\n    return 0;\n}}\nint main(void)\n{{\n    pthread_t h;\n    \
             pthread_create(&h, 0, t, 0);\n    pthread_create(&h, 0, s, 0);\n}}\n"
        );
        let parsed = parse_as(Format::C, &text);
        let program = parsed.positions().expect("it has no errors");
        let options = FenceOptions::new(Model::Tso, Aim::Robustness);
        let report = cheapest_fences(program, &options, &Budget::default()).expect("no defect");
        let changes = report.changes(program).expect("a set was found");
        assert_eq!(changes.len(), 1, "{body}");
        let fenced = rewrite_as(Format::C, &text, program, &changes).expect("it is written");
        let start = fenced.find("{\n    ").expect("the beginning") + 6;
        let end = fenced.find("\n    return").expect("the end");
        fenced[start..end].replace("atomic_thread_fence(memory_order_seq_cst)", "F")
    };
    let store = "atomic_store_explicit(&x, 1, memory_order_relaxed)";
    // Once, before the loop.
    assert_eq!(
        fenced(&format!("{store};\n    while (y) ;")),
        format!("{store};\n    F;\n    while (y) ;")
    );
    // In each iteration.
    assert_eq!(
        fenced(&format!("do {{\n        {store};\n    }} while (y);")),
        format!("do {{\n        {store};\n        F;\n    }} while (y);")
    );
    assert_eq!(
        fenced(&format!("do\n        {store};\n    while (y);")),
        format!("do\n        {store};\n    while (F, y);")
    );
    assert_eq!(
        fenced(&format!("while ({store}, y) ;")),
        format!("while ({store}, F, y) ;")
    );
}
