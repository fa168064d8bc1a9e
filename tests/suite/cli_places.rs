//! Where `fencepost fence` puts fences in C and Rust: in the library rather than where it is called, in one place for
//! threads that are alike, in place of a weaker fence; and what `--within` restricts it to.

use crate::support::process;
use process::{code, fencepost, stderr, stdout};

/// Two threads that call the same functions, which store and load.
const CALLS: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static int put(atomic_int *p)
{
    atomic_store_explicit(p, 1, memory_order_relaxed);
    return 0;
}
static int get(atomic_int *p)
{
    return atomic_load_explicit(p, memory_order_relaxed);
}
static void *t0(void *unused)
{
    put(&x);
    a = get(&y);
    return 0;
}
static void *t1(void *unused)
{
    put(&y);
    b = get(&x);
    return 0;
}
int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, t0, 0);
    pthread_create(&q, 0, t1, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}
";

/// A test in Rust with a fence that orders no store before a load.
const WEAKER: &str = "\
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, fence};
fn announce(own: &AtomicU32, other: &AtomicU32) -> u32 {
    own.store(1, Ordering::Relaxed);
    fence(Ordering::AcqRel);
    other.load(Ordering::Relaxed)
}
#[test]
fn one_sees_the_other() {
    let cells = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
    let theirs = cells.clone();
    let thread = std::thread::spawn(move || announce(&theirs.0, &theirs.1));
    let mine = announce(&cells.1, &cells.0);
    assert!(mine + thread.join().unwrap() > 0);
}
";

/// The lines that a patch adds and removes.
fn changes(format: &str, arguments: &[&str], program: &str) -> Vec<String> {
    let command = [
        "fence",
        "-",
        "--format",
        format,
        "--for",
        "assertions",
        "--diff",
    ];
    let output = fencepost(&[&command, arguments].concat(), program);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let lines = text.lines().filter(|line| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    });
    lines.map(str::to_owned).collect()
}

#[test]
fn a_function_that_both_threads_call_gets_the_fence() {
    assert_eq!(
        changes("c", &[], CALLS),
        ["+    atomic_thread_fence(memory_order_seq_cst);"]
    );
}

#[test]
fn fences_are_only_within_the_functions_that_are_named() {
    let fence = "+    atomic_thread_fence(memory_order_seq_cst);";
    assert_eq!(changes("c", &["--within", "put"], CALLS), [fence]);
    assert_eq!(changes("c", &["--within", "t0,t1"], CALLS), [fence, fence]);
    let command = [
        "fence",
        "-",
        "--format",
        "c",
        "--for",
        "assertions",
        "--within",
    ];
    let elsewhere = fencepost(&[&command[..], &["main"]].concat(), CALLS);
    assert_eq!(code(&elsewhere), 1);
    let unknown = fencepost(&[&command[..], &["push"]].concat(), CALLS);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains("`--within push`"));
}

#[test]
fn a_weaker_fence_becomes_the_one_that_is_needed() {
    assert_eq!(
        changes("rust", &[], WEAKER),
        [
            "-    fence(Ordering::AcqRel);",
            "+    fence(Ordering::SeqCst);"
        ]
    );
    for order in ["release", "acq_rel"] {
        let weaker = format!("    atomic_thread_fence(memory_order_{order});");
        let program = CALLS.replace(
            "    return 0;\n}\nstatic int get",
            &format!("{weaker}\n    return 0;\n}}\nstatic int get"),
        );
        assert_eq!(
            changes("c", &["--within", "put"], &program),
            [
                format!("-{weaker}"),
                "+    atomic_thread_fence(memory_order_seq_cst);".to_owned()
            ]
        );
    }
}
