//! Data races of programs in C and Rust: those that the corpus names, and no others.
//!
//! A line `// race: `x` (lines 3 and 7)` at the end of a file names the objects and the lines.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read the corpus has failed"
)]

use fencepost::internals::formats::{Format, FoundFile, ParseOptions, parse_as, parse_with};
use fencepost::internals::races::{RaceWarning, race_warnings};
use fencepost::internals::verdict::Budget;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is said of the races of a text.
fn races(text: &str) -> Vec<String> {
    races_in(Format::C, text)
}

fn races_in(format: Format, text: &str) -> Vec<String> {
    let parsed = parse_as(format, text);
    assert!(parsed.program.is_some(), "{:?}", parsed.diagnostics);
    let warnings = race_warnings(&parsed, &Budget::default());
    warnings.iter().map(RaceWarning::message).collect()
}

/// The programs below a directory; files of packages are modules of one another.
fn programs(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    if directory.join("Cargo.toml").exists() {
        return;
    }
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let is_program = path.extension().is_some_and(|found| found == extension);
        match (path.is_dir(), is_program) {
            (true, false) => programs(&path, extension, found),
            (false, true) => found.push(path),
            // A program of several files, and expectations of others.
            (true, true) | (false, false) => {}
        }
    }
}

#[test]
fn the_corpus_has_the_races_that_it_names_and_no_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut wrong = Vec::new();
    for (format, directory, extension) in [(Format::C, "c", "c"), (Format::Rust, "rust", "rs")] {
        let mut files = Vec::new();
        programs(&root.join(directory), extension, &mut files);
        files.sort();
        assert!(files.len() > 60);
        wrong.extend(files.iter().filter_map(|file| check_races(format, file)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong where the races of a file of the corpus are not those that it names.
fn check_races(format: Format, file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).expect("a program");
    if text.starts_with("//: error") {
        return None;
    }
    let lines = text.lines();
    let named: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("// race: "))
        .collect();
    let said = races_in(format, &text);
    // The words between are those of the warning.
    let said: Vec<String> = said
        .iter()
        .map(|message| {
            let objects = message.split_once(" to ").expect("objects").1;
            assert!(!objects.contains("may race"), "{message}");
            objects.replacen(" race ", " ", 1)
        })
        .collect();
    (said != named).then(|| format!("{}: {said:?}, but it names {named:?}", file.display()))
}

/// A program with two threads, which execute these statements.
fn two(globals: &str, one: &str, other: &str) -> String {
    format!(
        "#include <pthread.h>
         #include <stdatomic.h>
         #include <semaphore.h>
         #include <linux/spinlock.h>
         {globals}
         void *a(void *u) {{
             {one}
             return 0;
         }}
         void *b(void *u) {{
             {other}
             return 0;
         }}
         int main(void) {{
             pthread_t s, t;
             pthread_create(&s, 0, a, 0);
             pthread_create(&t, 0, b, 0);
             pthread_join(s, 0);
             pthread_join(t, 0);
             return x;
         }}"
    )
}

#[test]
fn whatever_orders_accesses_prevents_a_race() {
    let ordered = [
        (
            "int x; pthread_mutex_t m;",
            "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        ),
        (
            "int x; spinlock_t m;",
            "spin_lock(&m); x = 1; spin_unlock(&m);",
        ),
        (
            "int x; pthread_rwlock_t m;",
            "pthread_rwlock_wrlock(&m); x = 1; pthread_rwlock_unlock(&m);",
        ),
        (
            "int x; pthread_mutex_t m;",
            "if (!pthread_mutex_trylock(&m)) { x = 1; pthread_mutex_unlock(&m); }",
        ),
        (
            "int x; atomic_flag f;",
            "while (atomic_flag_test_and_set(&f)); x = 1; atomic_flag_clear(&f);",
        ),
        ("int x; _Atomic short s;", "if (s++ == 0) x = 1;"),
        (
            "int x; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);",
            "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();",
        ),
        ("_Atomic int x;", "x = 1;"),
        ("volatile int x;", "x = 1;"),
        ("int x; _Thread_local int y;", "y = 1; y++;"),
        ("int x;", "int y = 0; y++; int z = x;"),
    ];
    for (globals, body) in ordered {
        assert_eq!(
            races(&two(globals, body, body)),
            [""; 0],
            "{globals} {body}"
        );
    }
}

#[test]
fn what_orders_nothing_leaves_a_race() {
    let racing = [
        ("int x;", "x = 1;", "x = 1;"),
        ("int x;", "x = 1;", "int r = x; if (r) r = 0;"),
        // Readers do not exclude each other.
        (
            "int x; pthread_rwlock_t m;",
            "pthread_rwlock_rdlock(&m); x = 1; pthread_rwlock_unlock(&m);",
            "x = 1;",
        ),
        // A failed attempt takes no lock.
        (
            "int x; pthread_mutex_t m;",
            "pthread_mutex_trylock(&m); x = 1;",
            "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        ),
        // A relaxed update of a narrow counter is atomic, and orders nothing.
        (
            "int x; _Atomic short s;",
            "if (atomic_fetch_add_explicit(&s, 1, memory_order_relaxed) == 0) x = 1;",
            "if (atomic_fetch_add_explicit(&s, 1, memory_order_relaxed) == 1) x = 2;",
        ),
        // Only the second half of an exchange is released.
        (
            "int x; atomic_int f;",
            "x = 1; atomic_exchange_explicit(&f, 1, memory_order_acquire);",
            "if (atomic_exchange_explicit(&f, 2, memory_order_acq_rel) == 1) x = 2;",
        ),
    ];
    for (globals, one, other) in racing {
        let races = races(&two(globals, one, other));
        assert_eq!(races.len(), 1, "{globals} {one} {other}");
        assert!(
            races[0].starts_with("plain accesses to `x` race (lines 7 and 11)"),
            "{races:?}"
        );
    }
}

#[test]
fn a_release_sequence_goes_on_through_read_modify_writes() {
    let globals = "int x; atomic_int f;";
    let three = |middle: &str| {
        format!(
            "#include <pthread.h>
             #include <stdatomic.h>
             {globals}
             void *a(void *u) {{ x = 1; atomic_store_explicit(&f, 1, memory_order_release); return 0; }}
             void *b(void *u) {{ {middle} return 0; }}
             int main(void) {{
                 pthread_t s, t;
                 pthread_create(&s, 0, a, 0);
                 pthread_create(&t, 0, b, 0);
                 if (atomic_load_explicit(&f, memory_order_acquire) == 2)
                     x = 2;
                 pthread_join(s, 0);
                 pthread_join(t, 0);
             }}"
        )
    };
    let goes_on = "int one = 1; atomic_compare_exchange_strong_explicit(&f, &one, 2, \
                   memory_order_relaxed, memory_order_relaxed);";
    assert_eq!(races(&three(goes_on)), [""; 0]);
    let ends = "if (atomic_load_explicit(&f, memory_order_relaxed) == 1) \
                atomic_store_explicit(&f, 2, memory_order_relaxed);";
    assert_eq!(
        races(&three(ends)),
        ["plain accesses to `x` race (lines 4 and 11)"]
    );
}

const ATOMIC_BLOCKS: &str = "int x, f; atomic_int g; void __VERIFIER_atomic_begin(void); \
                             void __VERIFIER_atomic_end(void);";

#[test]
fn an_atomic_block_orders_what_is_before_an_earlier_one() {
    let before = "x = 1; __VERIFIER_atomic_begin(); f = 1; __VERIFIER_atomic_end();";
    let after =
        "__VERIFIER_atomic_begin(); int seen = f; __VERIFIER_atomic_end(); if (seen) x = 2;";
    assert_eq!(races(&two(ATOMIC_BLOCKS, before, after)), [""; 0]);
}

/// The second access is not released, and comes before that of the other thread in all executions.
#[test]
fn a_release_covers_no_later_access() {
    let later = "x = 2; atomic_store_explicit(&g, 1, memory_order_relaxed);";
    let relaxed = "atomic_load_explicit(&g, memory_order_relaxed)";
    let by_store = (
        "int x; atomic_int f, g;",
        format!("x = 1; atomic_store_explicit(&f, 1, memory_order_release); {later}"),
        format!("if ({relaxed} && atomic_load_explicit(&f, memory_order_acquire)) x = 3;"),
    );
    let by_block = (
        ATOMIC_BLOCKS,
        format!("x = 1; __VERIFIER_atomic_begin(); f = 1; __VERIFIER_atomic_end(); {later}"),
        format!(
            "if ({relaxed}) {{ __VERIFIER_atomic_begin(); int seen = f; __VERIFIER_atomic_end(); \
             if (seen) x = 3; }}"
        ),
    );
    for (globals, one, other) in [by_store, by_block] {
        assert_eq!(
            races(&two(globals, &one, &other)),
            ["plain accesses to `x` race (lines 7 and 11)"],
            "{one} {other}"
        );
    }
}

#[test]
fn locks_and_joins_prevent_races_in_programs_of_any_size() {
    // Far too many states for a search.
    let text = |lock: &str| {
        format!(
            "#include <pthread.h>
             pthread_mutex_t m; pthread_rwlock_t r;
             void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
             int x, y, before;
             void *w(void *u) {{
                 for (int i = 0; i < 9; i++) {{
                     {lock}
                     y += before;
                     __VERIFIER_atomic_begin();
                     y += before;
                     __VERIFIER_atomic_end();
                 }}
                 return 0;
             }}
             int main(void) {{
                 pthread_t t[6];
                 pthread_create(&t[0], 0, w, 0);
                 pthread_join(t[0], 0);
                 before = 3;
                 for (int i = 1; i < 6; i++) pthread_create(&t[i], 0, w, 0);
                 for (int i = 1; i < 6; i++) pthread_join(t[i], 0);
                 before = 2;
                 return x + y;
             }}"
        )
    };
    let about = |lock: &str, name: &str| {
        let races = races(&text(lock).replace(
            "                     y += before;\n                     __",
            "                     __",
        ));
        races.iter().any(|race| race.contains(name))
    };
    let mutex = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
    assert!(!about(mutex, "`x`"));
    assert!(!about(mutex, "`y`"));
    assert!(!about(mutex, "`before`"));
    assert!(!about(
        "pthread_rwlock_wrlock(&r); x++; pthread_rwlock_unlock(&r);",
        "`x`"
    ));
    assert!(about(
        "pthread_rwlock_rdlock(&r); x++; pthread_rwlock_unlock(&r);",
        "`x`"
    ));
    assert!(about(
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;",
        "`x`"
    ));
    assert!(races(&text(mutex)).iter().any(|race| race.contains("`y`")));
}

#[test]
fn a_compare_exchange_that_fails_has_its_own_order_and_stores_nothing() {
    let fails = |success: &str, failure: &str| {
        two(
            "int x; atomic_int f;",
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            &format!(
                "int e = 0; if (!atomic_compare_exchange_strong_explicit(&f, &e, 0, \
                 memory_order_{success}, memory_order_{failure})) x = 2;"
            ),
        )
    };
    // It fails if it reads the 1 that was released.
    let racing = races(&fails("acq_rel", "relaxed"));
    assert_eq!(racing, ["plain accesses to `x` race (lines 7 and 11)"]);
    assert_eq!(races(&fails("acq_rel", "acquire")), [""; 0]);
    assert_eq!(races(&fails("relaxed", "acquire")), [""; 0]);
    // Of two loads, none is a store.
    let compares = |expected: i32| {
        two(
            "int x = 5;",
            &format!("int e = {expected}; __atomic_compare_exchange_n(&x, &e, 6, 0, 5, 5);"),
            "int r = x; if (r) r = 0;",
        )
    };
    assert_eq!(races(&compares(0)), [""; 0]);
    assert_eq!(
        races(&compares(5)),
        ["a plain access and an atomic one to `x` race (lines 7 and 11)"]
    );
}

#[test]
fn lines_of_other_files_have_their_names() {
    let header = "int x, w, v;\n\nstatic void *right(void *u) { x = 2; return 0; }\n\
                  static void *third(void *u) { v = 1; return 0; }\n";
    let text = "#include <pthread.h>\n#include \"sub/b.h\"\n\
                void *left(void *u) { x = 1; return 0; } void *twice(void *u) { w = 1; return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, left, 0);\n\
                pthread_create(&t, 0, right, 0); pthread_create(&t, 0, twice, 0);\n\
                pthread_create(&t, 0, twice, 0); pthread_create(&t, 0, third, 0);\n\
                pthread_create(&t, 0, third, 0); }\n";
    let find = move |name: &str, _: Option<&str>| {
        let (name, text) = (name.to_owned(), header.to_owned());
        let system = false;
        Ok((name == "sub/b.h").then_some(FoundFile { name, text, system }))
    };
    let options = ParseOptions::new().name("main.c").files(Arc::new(find));
    let parsed = parse_with(Format::C, text, &options);
    assert!(parsed.program.is_some(), "{:?}", parsed.diagnostics);
    let warnings = race_warnings(&parsed, &Budget::default());
    let said: Vec<String> = warnings.iter().map(RaceWarning::message).collect();
    // The lines of the first two have the same numbers.
    assert_eq!(
        said,
        [
            "plain accesses to `x` race (line 3, and line 3 of b.h)",
            "plain accesses to `w` race (line 3 in two threads)",
            "plain accesses to `v` race (line 4 of b.h in two threads)",
        ]
    );
    let files = warnings[0]
        .files
        .each_ref()
        .map(|file| file.as_ref().map(|file| file.name.as_str()));
    assert_eq!(files, [None, Some("sub/b.h")]);
}
