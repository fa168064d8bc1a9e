//! Cells that nothing changes: what the front end computes from them, against programs that load every cell.
//!
//! The programs look at structures through all kinds of pointers, and change some of their members.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::cli::{corpus_files, corpus_options};
use fencepost::internals::formats::{Format, ParseOptions, Parsed, parse_bytes_with, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const DECLARATIONS: &str = "#include <pthread.h>
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct link { int tag; struct link *to; };
struct obj {
    int a;
    int b[2];
    int *p;
    struct obj *next;
    struct link l;
    struct link *lp;
    void *any;
    unsigned u;
};
struct pair { struct obj first; int n; struct obj all[2]; int *end; };
static int x;
static struct obj s;
static struct pair two;
static void set(struct obj *o) { o->u = 2; }
#define AROUND(l_) ((struct obj *)((char *)(l_) - offsetof(struct obj, l)))
";

const OBJECTS: [&str; 5] = ["s", "two.first", "two.all[0]", "two.all[1]", "(*heap)"];

/// An object that is known.
fn object() -> impl Strategy<Value = &'static str> {
    select(vec![
        "s",
        "two.first",
        "two.all[0]",
        "two.all[1]",
        "(*heap)",
    ])
}

/// A pointer to an object, maybe null.
fn pointer() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("q".to_owned()),
        2 => object().prop_map(|object| format!("(&{object})")),
        2 => object().prop_map(|object| format!("{object}.next")),
        1 => Just("q->next".to_owned()),
        1 => Just("(&two.all[q->a & 1])".to_owned()),
    ]
}

/// The address of an integer.
fn address() -> impl Strategy<Value = String> {
    let member = select(vec!["a", "b[0]", "b[1]", "l.tag"]);
    prop_oneof![
        1 => Just("&x".to_owned()),
        1 => Just("&two.n".to_owned()),
        4 => (object(), member).prop_map(|(object, member)| format!("&{object}.{member}")),
    ]
}

/// What a pointer that is a member is changed to, `of` being a pointer to its structure.
fn leads(of: &str, from: &str, (number, address, object): (usize, String, &str)) -> String {
    let to = match number {
        0 => format!("p = {address}"),
        1 => format!("next = &{object}"),
        2 => format!("lp = &{object}.l"),
        3 => format!("any = &{object}"),
        _ => format!("l.to = &{object}.l"),
    };
    format!("{of}{from}{to};")
}

fn target() -> impl Strategy<Value = (usize, String, &'static str)> {
    (0..5_usize, address(), object())
}

/// How memory is changed: a condition, and what is done then.
const KINDS: [(&str, &str); 24] = [
    ("@", "@->a = $;"),
    ("@", "@->b[1] = $;"),
    ("@", "@->l.tag = $;"),
    ("@ && @->p", "*@->p = $;"),
    ("@ && @->p", "x = *@->p;"),
    ("@ && @->next", "@->next->u = $;"),
    ("@ && @->next", "q = @->next;"),
    ("@ && @->lp", "AROUND(@->lp)->a = $;"),
    ("@ && @->lp", "@->lp->tag = $;"),
    (
        "@ && (@->lp == &two.all[0].l || @->lp == &two.all[1].l)",
        "struct obj *w = AROUND(@->lp); w += w == two.all ? 1 : -1; w->u = $;",
    ),
    (
        "@ && (@->p == &s.a || @->p == &heap->a)",
        "void (*f)(int *) = (void (*)(int *))set; f(@->p);",
    ),
    (
        "@",
        "unsigned **r = (unsigned **)&@->p; *r = (unsigned *)&x;",
    ),
    (
        "@ && (@->p == &s.b[1] || @->p == &heap->b[1])",
        "int *r = @->p + 1; r -= 2; *r = $;",
    ),
    ("@ && @->l.to", "AROUND(@->l.to)->u += 1;"),
    ("@ && @->any", "((struct obj *)@->any)->b[1] = $;"),
    ("@ && @->any", "*(int *)@->any = $;"),
    (
        "@ && (@->p == &s.a || @->p == &heap->a || @->p == &two.first.a)",
        "((struct obj *)@->p)->u = $;",
    ),
    ("@", "memset(@->b, -1, sizeof @->b);"),
    ("@ && q != @", "*q = *@;"),
    ("@", "int *r = @->b; r += x & 1; *r = $;"),
    ("@", "__atomic_fetch_add(&@->a, $, __ATOMIC_SEQ_CST);"),
    ("@", "int **r = &@->p; *r = &x;"),
    ("@", "*(void **)&@->next = &s;"),
    (
        "@ && @->p",
        "unsigned long n = (unsigned long)@->p; *(int *)n = $;",
    ),
];

fn statement(kinds: Vec<usize>) -> impl Strategy<Value = String> {
    let (kinds, change) = (select(kinds), (pointer(), target()));
    prop_oneof![
        4 => (kinds, pointer(), 1..3).prop_map(|(kind, q, v): (usize, String, i32)| {
            let (when, then) = KINDS[kind];
            let text = format!("if ({when}) {{ {then} }}");
            text.replace('@', &q).replace('$', &v.to_string())
        }),
        1 => change.prop_map(|(q, to)| format!("if ({q}) {{ {} }}", leads(&q, "->", to))),
    ]
}

fn block(statements: &[String]) -> String {
    let lines = statements.iter().flat_map(|line| ["    ", line, "\n"]);
    lines.collect()
}

/// Looks at each member that was 0.
fn checks() -> String {
    let mut text = "    switch (__VERIFIER_nondet_int()) {\n".to_owned();
    let members = ["a", "b[0]", "b[1]", "u", "l.tag", "next", "lp", "any"];
    let all = OBJECTS
        .iter()
        .flat_map(|object| members.map(|member| format!("{object}.{member}")));
    for (number, member) in all.chain(["two.n".to_owned()]).enumerate() {
        let _ = writeln!(text, "    case {number}: assert({member} == 0); break;");
    }
    for (number, object) in (100..).zip(OBJECTS) {
        let _ = writeln!(text, "    case {number}: assert({object}.p != &x); break;");
    }
    text + "    }\n    return 0;\n}\n"
}

fn text() -> impl Strategy<Value = String> {
    // A few kinds in each program: some make everything else doubtful.
    let all: Vec<usize> = (0..KINDS.len()).collect();
    prop::sample::subsequence(all, 1..4).prop_flat_map(program)
}

fn program(kinds: Vec<usize>) -> impl Strategy<Value = String> {
    let some = move |most| prop::collection::vec(statement(kinds.clone()), 1..most);
    let before = prop::collection::vec((object(), target()), 0..12);
    // What is known before is known no longer.
    let own = prop::collection::vec((object(), target()), 0..4);
    let given = prop::collection::vec(object(), 1..3);
    (before, given, some(4), some(4), own).prop_map(|(before, given, first, second, own)| {
        let mut text = format!("{DECLARATIONS}static struct obj *heap;\n");
        let bodies = [first, second];
        for (number, body) in bodies.iter().enumerate().take(given.len()) {
            let _ = write!(
                text,
                "static void *run{number}(void *of) {{\n    struct obj *q = of;\n{}    \
                     return NULL;\n}}\n",
                block(body)
            );
        }
        text += "int main(void) {\n    pthread_t t[2];\n    heap = calloc(1, sizeof *heap);\n";
        for (object, to) in before {
            let _ = writeln!(text, "    {}", leads(object, ".", to));
        }
        for (number, object) in given.iter().enumerate() {
            let _ = writeln!(
                text,
                "    pthread_create(&t[{number}], NULL, run{number}, &{object});"
            );
        }
        for (object, to) in own {
            let _ = writeln!(text, "    {}", leads(object, ".", to));
        }
        for number in 0..given.len() {
            let _ = writeln!(text, "    pthread_join(t[{number}], NULL);");
        }
        text + &checks()
    })
}

/// Where the text is violated; `None` if not everything is decided.
fn violated(program: &Program, model: Model) -> Option<BTreeSet<u32>> {
    let mut budget = Budget::default();
    budget.states = 20_000;
    let mut options = CheckOptions::new(model);
    options.engine = Engine::Explicit;
    options.until = Until::AllAnswered;
    let report = check(program, &options, &budget).expect("no defect");
    let mut found = BTreeSet::new();
    for answer in &report.answers {
        match &answer.verdict {
            Verdict::Holds => {}
            Verdict::Violated(_) => {
                if let Goal::Assert(site) = answer.goal {
                    found.insert(program.instruction(site).origin.start);
                }
            }
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => return None,
        }
    }
    Some(found)
}

fn agree(known: &Parsed, loaded: &Parsed, shown: &str) -> Result<(), TestCaseError> {
    let (Some(known), Some(loaded)) = (&known.program, &loaded.program) else {
        return Ok(());
    };
    for model in [Model::Sc, Model::Tso] {
        let both = (violated(known, model), violated(loaded, model));
        if let (Some(known), Some(loaded)) = both {
            prop_assert_eq!(known, loaded, "under {:?}\n{}", model, shown);
        }
    }
    Ok(())
}

static CORPUS: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for part in ["corpus/c", "corpus/rust"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(part);
        corpus_files(&root, &mut files).expect("it is there");
    }
    let of_code = |file: &PathBuf| {
        file.extension()
            .is_some_and(|end| end == "c" || end == "rs")
    };
    files.retain(of_code);
    files.sort();
    files
});

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn what_nothing_changes_need_not_be_loaded(text in text()) {
        let read = |options: &ParseOptions| parse_with(Format::C, &text, options);
        let known = read(&ParseOptions::new());
        let messages: Vec<_> = known.diagnostics.iter().map(|one| &one.message).collect();
        prop_assert!(known.program.is_some(), "{messages:?}\n{text}");
        agree(&known, &read(&ParseOptions::new().load_all()), &text)?;
    }
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn programs_of_the_corpus_need_not_load_what_nothing_changes(file in any::<Index>()) {
        let file = file.get(&CORPUS);
        let text = std::fs::read(file).expect("it is there");
        let options = corpus_options(file).expect("it has options");
        let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
        let read = |options: &ParseOptions| parse_bytes_with(options, &text, &name, None).2;
        agree(&read(&options), &read(&options.clone().load_all()), &name)?;
    }
}
