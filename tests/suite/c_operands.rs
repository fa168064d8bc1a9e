//! Every operand is evaluated once: operations of the library and of the language with effects in all
//! operands, which are counted. The count is that of the generator, and that of the compiled program where
//! there is a compiler.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot run a program has failed"
)]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// Objects at file scope, and statements; `#` is a number of its own, `[[e]]` an operand.
const OPERATIONS: &[(&str, &str)] = &[
    (
        "static pthread_mutex_t m#;",
        "pthread_mutex_init([[&m#]], [[(void *)0]]); pthread_mutex_lock([[&m#]]);
        (void)pthread_mutex_trylock([[&m#]]); pthread_mutex_unlock([[&m#]]); pthread_mutex_destroy([[&m#]]);",
    ),
    (
        "static void *f#(void *u) { return u; }",
        "pthread_t p#; pthread_create([[&p#]], [[(void *)0]], [[f#]], [[(void *)0]]);
        pthread_join([[p#]], [[(void **)0]]);",
    ),
    (
        "static void *f#(void *u) { return u; }",
        "pthread_t p#; void *r#[3]; int i# = 0; pthread_create(&p#, 0, f#, [[(void *)0]]);
        pthread_join([[p#]], [[&r#[i#++]]]); assert(i# == 1); assert(!r#[0]);",
    ),
    (
        "static void *f#(void *u) { return u; }",
        "pthread_t p#[2]; int i# = 0; pthread_create(&p#[i#++], [[(void *)0]], f#, (void *)0);
        assert(i# == 1); pthread_join(p#[--i#], [[(void **)0]]); assert(i# == 0);",
    ),
    (
        "static sem_t s#;",
        "sem_init([[&s#]], [[0]], [[2]]); sem_wait([[&s#]]); (void)sem_trywait([[&s#]]);
        (void)sem_trywait([[&s#]]); sem_post([[&s#]]); sem_destroy([[&s#]]);",
    ),
    (
        "static pthread_barrier_t b#;",
        "pthread_barrier_init([[&b#]], [[(void *)0]], [[1]]); pthread_barrier_wait([[&b#]]);",
    ),
    (
        "static pthread_once_t o# = PTHREAD_ONCE_INIT; static void g#(void) { ran++; }",
        "pthread_once([[&o#]], [[g#]]); pthread_once([[&o#]], [[g#]]); assert(ran == 1); ran = 0;",
    ),
    (
        "static pthread_cond_t c#; static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;
        static struct timespec t#;",
        "pthread_cond_init([[&c#]], [[(void *)0]]); pthread_cond_signal([[&c#]]);
        pthread_cond_broadcast([[&c#]]); pthread_mutex_lock(&m#);
        (void)pthread_cond_timedwait([[&c#]], [[&m#]], [[&t#]]); pthread_mutex_unlock(&m#);",
    ),
    (
        "static pthread_rwlock_t w#;",
        "pthread_rwlock_init([[&w#]], [[(void *)0]]); pthread_rwlock_rdlock([[&w#]]);
        (void)pthread_rwlock_trywrlock([[&w#]]); pthread_rwlock_unlock([[&w#]]);
        pthread_rwlock_wrlock([[&w#]]); (void)pthread_rwlock_tryrdlock([[&w#]]);
        pthread_rwlock_unlock([[&w#]]);",
    ),
    (
        "static pthread_spinlock_t l#;",
        "pthread_spin_init([[&l#]], [[0]]); pthread_spin_lock([[&l#]]);
        (void)pthread_spin_trylock([[&l#]]); pthread_spin_unlock([[&l#]]);",
    ),
    (
        "static mtx_t m#; static cnd_t c#;",
        "mtx_init([[&m#]], [[mtx_plain]]); cnd_init([[&c#]]); mtx_lock([[&m#]]); mtx_unlock([[&m#]]);
        (void)mtx_trylock([[&m#]]); mtx_unlock([[&m#]]); cnd_signal([[&c#]]); cnd_broadcast([[&c#]]);",
    ),
    (
        "static int f#(void *u) { return 3; }",
        "thrd_t p#; int r# = 0; thrd_create([[&p#]], [[f#]], [[(void *)0]]);
        thrd_join([[p#]], [[&r#]]); assert(r# == 3);",
    ),
    (
        "static atomic_int v#;",
        "atomic_store([[&v#]], [[2]]); assert(atomic_load([[&v#]]) == 2);
        assert(atomic_exchange([[&v#]], [[5]]) == 2); assert(atomic_fetch_add([[&v#]], [[1]]) == 5);
        atomic_fetch_or_explicit([[&v#]], [[8]], memory_order_relaxed);
        assert(atomic_load_explicit([[&v#]], memory_order_acquire) == 14);",
    ),
    (
        "static atomic_int v#; static int e#;",
        "e# = 0; atomic_compare_exchange_strong([[&v#]], [[&e#]], [[3]]);
        atomic_compare_exchange_weak([[&v#]], [[&e#]], [[4]]); assert(e# == 3);",
    ),
    (
        "static int v#, e#;",
        "__atomic_store_n([[&v#]], [[2]], [[__ATOMIC_RELEASE]]);
        assert(__atomic_add_fetch([[&v#]], [[3]], [[__ATOMIC_RELAXED]]) == 5);
        e# = 5; __atomic_compare_exchange_n([[&v#]], [[&e#]], [[1]], 0, [[__ATOMIC_SEQ_CST]], [[__ATOMIC_RELAXED]]);
        assert(__atomic_load_n([[&v#]], [[__ATOMIC_ACQUIRE]]) == 1);
        __atomic_thread_fence([[__ATOMIC_SEQ_CST]]);",
    ),
    (
        "static int v#;",
        "__sync_fetch_and_add([[&v#]], [[2]]); __sync_bool_compare_and_swap([[&v#]], [[2]], [[7]]);
        assert(__sync_lock_test_and_set([[&v#]], [[1]]) == 7); __sync_lock_release([[&v#]]);",
    ),
    (
        "",
        "int *q# = malloc([[sizeof(int)]]); free([[q#]]); q# = calloc([[1]], [[sizeof(int)]]);
        assert(*q# == 0); free([[q#]]);",
    ),
    (
        "",
        "printf(\"%d%d\", [[1]], [[2]]); (void)usleep([[0]]); srand([[3]]); (void)putchar([[65]]);",
    ),
    (
        "static int a#[4];",
        "a#[[[1]]] = [[3]]; a#[[[1]]] += [[2]]; a#[[[1]]]++; a#[[[2]]] = a#[[[1]]] << [[1]];
        assert(a#[[[2]]] == [[12]]);",
    ),
    (
        "struct s# { int a, b; }; static struct s# x#[2];",
        "x#[[[0]]].a = [[3]]; x#[[[1]]] = x#[[[0]]]; assert(x#[1].a == 3);",
    ),
    (
        "static _Atomic int v#;",
        "v# += [[2]]; v# |= [[4]]; v# *= [[3]]; assert(v# == 18);",
    ),
    (
        "static int a#;",
        "switch ([[1]]) { case 1: a# = [[2]]; break; default: a# = 3; }
        a# = [[1]] ? [[a#]] : 0; assert(([[a#]], [[2]]) == 2); assert([[1]] && [[1]]);",
    ),
];

/// An operation with effects of these kinds in its operands; their number.
fn operation(number: usize, at: usize, kinds: &[u8]) -> (String, String, usize) {
    let (objects, statements) = OPERATIONS[at];
    let own = |text: &str| text.replace('#', &number.to_string());
    let mut text = String::new();
    let mut count = 0;
    let statements = own(statements);
    let mut rest = statements.as_str();
    while let Some((before, after)) = rest.split_once("[[") {
        // The bracket of an index is before that of the operand in it.
        let extra = after.len() - after.trim_start_matches('[').len();
        let (indices, after) = after.split_at(extra);
        let mut depth = 0_usize;
        let end = after
            .char_indices()
            .find(|&(i, c)| {
                match c {
                    '[' => depth += 1,
                    ']' if depth > 0 => depth -= 1,
                    ']' => return after[i..].starts_with("]]"),
                    _ => {}
                }
                false
            })
            .map_or(after.len(), |(i, _)| i);
        let operand = &after[..end];
        let effect = match kinds[count % kinds.len()] % 3 {
            0 => "n++",
            1 => "count()",
            _ => "atomic_fetch_add(&k, 1)",
        };
        write!(text, "{before}{indices}({effect}, {operand})").expect("a string");
        count += 1;
        rest = &after[end + 2..];
    }
    text.push_str(rest);
    (own(objects), text, count)
}

fn program(chosen: &[(usize, Vec<u8>)]) -> String {
    let (mut objects, mut statements, mut total) = (String::new(), String::new(), 0);
    for (number, (at, kinds)) in chosen.iter().enumerate() {
        let (own, text, count) = operation(number, *at, kinds);
        writeln!(objects, "{own}").expect("a string");
        writeln!(statements, "    {text}").expect("a string");
        total += count;
    }
    format!(
        "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static int n, ran;
static atomic_int k;
static void count(void) {{ n++; }}
{objects}
static void *body(void *unused)
{{
{statements}
    return 0;
}}
int main(void)
{{
    pthread_t t;
    pthread_create(&t, 0, body, 0);
    pthread_join(t, 0);
    assert(n + k == {total});
    return 0;
}}
"
    )
}

fn holds(text: &str) {
    let parsed = parse_with(Format::C, text, &ParseOptions::new().name("t.c"));
    let rendered = parsed.render("t.c", text, false);
    let program = parsed
        .program
        .unwrap_or_else(|| panic!("{rendered}\n{text}"));
    let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
    let report = check(&program, &options, &Budget::default()).expect("no defect");
    assert_eq!(report.verdict().word(), "holds", "{text}");
}

/// Whether the compiled program ends well; `None` without a compiler.
fn runs(text: &str, number: usize) -> Option<bool> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("operands-{}-{number}", std::process::id());
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(&name));
    std::fs::write(&source, text).expect("the folder of the tests is writable");
    let compiled = Command::new("gcc")
        .args(["-w", "-O1", "-pthread", "-o"])
        .args([&binary, &source])
        .output()
        .ok();
    let ended = compiled.map(|compiled| {
        let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
        assert!(compiled.status.success(), "{messages}\n{text}");
        let ran = Command::new(&binary).output().expect("it runs");
        ran.status.success()
    });
    let _ = std::fs::remove_file(source);
    let _ = std::fs::remove_file(binary);
    ended
}

#[test]
fn each_operation_evaluates_its_operands_once() {
    for at in 0..OPERATIONS.len() {
        for kind in 0..3 {
            holds(&program(&[(at, vec![kind])]));
        }
    }
}

#[test]
fn compiled_programs_count_the_same_operands() {
    let all: Vec<(usize, Vec<u8>)> = (0..OPERATIONS.len())
        .map(|at| (at, vec![0, 1, 2]))
        .collect();
    let ended = runs(&program(&all), 0);
    assert_ne!(ended, Some(false), "{}", program(&all));
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn operations_evaluate_their_operands_once(
        chosen in prop::collection::vec(
            (0..OPERATIONS.len(), prop::collection::vec(any::<u8>(), 1..6)),
            1..4,
        )
    ) {
        holds(&program(&chosen));
    }
}
