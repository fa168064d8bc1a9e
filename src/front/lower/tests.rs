//! What depends on options: how many blocks an allocation has that is executed repeatedly.

use crate::c::C;
use crate::model::Model;
use crate::program::{Fault, Goal, Program};
use crate::search::check_all;
use crate::text::{Diagnostic, FrontEnd, ParseOptions};
use crate::verdict::{Budget, Verdict};

fn lowered(text: &str, heap: usize) -> Result<Program, Vec<Diagnostic>> {
    let parsed = C.parse(text, &ParseOptions::new().heap(heap));
    parsed.program.ok_or(parsed.diagnostics)
}

/// Whether a limit is reached, and whether anything is violated.
fn reached(text: &str, heap: usize) -> (bool, bool) {
    let program = lowered(text, heap).unwrap_or_else(|errors| panic!("{errors:?}"));
    let limits = program.limits().iter().copied().map(Goal::Assert);
    let limits: Vec<Goal> = limits.collect();
    let any = |goals: &[Goal]| {
        let answers = check_all(&program, Model::Sc, goals, &Budget::default());
        let mut verdicts = answers.verdicts.into_iter().map(|(_, verdict)| verdict);
        verdicts.any(|verdict| matches!(verdict, Verdict::Violated(_)))
    };
    (any(&limits), any(&program.goals()))
}

/// A thread allocates two blocks, in a loop whose length is known at run time only.
const LOOP: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static volatile int rounds = 2;
static void *thread(void *unused) {
    int *before = 0;
    for (int i = 0; i < rounds; i++) {
        int *p = malloc(sizeof(int));
        *p = i;
        if (before)
            assert(p != before && *before == i - 1);
        before = p;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}";

/// The same with a jump.
fn jump() -> String {
    LOOP.replace(
        "for (int i = 0; i < rounds; i++) {",
        "int i = 0; again: if (i < rounds) {",
    )
    .replace("before = p;", "before = p; i++; goto again;")
}

#[test]
fn an_allocation_in_a_loop_has_as_many_blocks_as_the_option_says() {
    for text in [LOOP.to_owned(), jump()] {
        assert_eq!(reached(&text, 3), (false, false), "{text}");
        assert_eq!(reached(&text, 2), (false, false), "{text}");
        assert_eq!(reached(&text, 1), (true, false), "{text}");
    }
}

#[test]
fn without_blocks_an_allocation_in_a_loop_is_an_error() {
    for (text, message) in [
        (
            LOOP.to_owned(),
            "the number of iterations of this loop is not known",
        ),
        (
            jump(),
            "memory is allocated in a loop whose number of iterations is not known",
        ),
    ] {
        let errors = lowered(&text, 0).expect_err("an error");
        assert_eq!(errors[0].message, message);
    }
}

#[test]
fn each_block_of_a_pool_begins_without_contents_and_has_its_own_end() {
    let text = LOOP.replace("*p = i;", "*p = i; if (i == 1) rounds = p[1];");
    assert_eq!(reached(&text, 2), (false, true));
    let text = LOOP.replace("*p = i;", "if (i == 0) *p = i; else *before = *p;");
    assert_eq!(reached(&text, 2), (false, true));
    let text = LOOP.replace(
        "before = p;",
        "if (i == 1) { free(p); free(before); }\nbefore = p;",
    );
    assert_eq!(reached(&text, 2), (false, false));
    let text = LOOP.replace("before = p;", "before = p; free(before);");
    assert_eq!(reached(&text, 2), (false, true));
}

/// How many accesses are checked for the end of what they reach.
fn checks(text: &str, fault: Fault) -> usize {
    let program = lowered(text, 0).unwrap_or_else(|errors| panic!("{errors:?}"));
    let goals = program.goals().into_iter();
    let such = goals.filter(|goal| match goal {
        Goal::Assert(site) => program.fault(*site) == Some(fault),
        Goal::Outside(_) | Goal::Property(_) => false,
    });
    such.count()
}

/// A reader of a block, which is freed at one of two places.
const READER: &str = "
#include <pthread.h>
#include <stdlib.h>
static int *volatile block;
static int sink;
static void *reader(void *unused) { int *p = block; sink = *p; return 0; }
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof(int));
    *p = 1;
    block = p;
    pthread_create(&t, 0, reader, 0);
    EARLY
    pthread_join(t, 0);
    LATE
    return 0;
}";

#[test]
fn only_accesses_that_may_come_after_the_end_are_checked() {
    let at = |early: &str, late: &str| READER.replace("EARLY", early).replace("LATE", late);
    assert_eq!(checks(&at("free(p);", ""), Fault::Freed), 1);
    assert_eq!(checks(&at("", "free(p);"), Fault::Freed), 0);
    // The own accesses before and after: only these may come later.
    assert_eq!(checks(&at("", "sink = *block; free(p);"), Fault::Freed), 0);
    let late = "free(p); sink = *block;";
    assert_eq!(checks(&at("", late), Fault::Freed), 1);
    // No other thread can know the block when it is written.
    let freed = |early: &str| at(early, "").replace("sink = *p;", "free(p);");
    let own = "int *q = malloc(sizeof(int)); *q = 1; block = q;";
    assert_eq!(checks(&freed(own), Fault::Freed), 0);
    let known = "int *q = malloc(sizeof(int)); block = q; *q = 1;";
    assert_eq!(checks(&freed(known), Fault::Freed), 1);
}

#[test]
fn a_variable_is_not_checked_where_it_certainly_lives() {
    let text = READER.replace("EARLY", "").replace(
        "LATE",
        "for (int i = 0; i < 2; i++) {
             int local = i;
             block = &local;
             sink = *block;
             AFTER
         }",
    );
    assert_eq!(checks(&text.replace("AFTER", ""), Fault::Ended), 0);
    let after = text
        .replace("AFTER", "")
        .replace("return 0;\n}", "sink = *block; return 0;\n}");
    assert_eq!(checks(&after, Fault::Ended), 1);
}

/// Objects of several types, and a pointer that leads to one of them at run time.
const CONVERTED: &str = "
#include <pthread.h>
struct pair { int first, second; };
static struct pair pairs[2];
static long wide;
static void *volatile p = POINTER;
static volatile int none;
static void *thread(void *unused) { void *q = p; TYPE *r = q; STATEMENT; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}";

#[test]
fn a_pointer_is_converted_to_one_to_what_is_there() {
    let limits = |pointer: &str, ty: &str, statement: &str| {
        let text = CONVERTED.replace("POINTER", pointer).replace("TYPE", ty);
        reached(&text.replace("STATEMENT", statement), 0)
    };
    let pair = "struct pair";
    for (pointer, ty, is_other) in [
        ("&pairs[1]", pair, false),
        ("&pairs[1].second", pair, true),
        ("pairs + 2", pair, false),
        ("&wide", pair, true),
        ("&wide", "long", false),
        ("&wide + 1", "long", false),
        ("&pairs[0]", "long", true),
        ("&pairs[0].second", "int", false),
        ("0", "long", false),
        ("(void *)3", "long", false),
    ] {
        let found = limits(pointer, ty, "(void)(r == 0)");
        assert_eq!(found, (is_other, false), "{pointer} as {ty}");
    }
    // A number is moved in the guise of a pointer.
    let moved = "long *next = r + 1 + none; (void)(next == 0)";
    assert_eq!(limits("(void *)3", "long", moved), (false, false));
}

/// A thread that calls itself as often as another one says.
const DEPTH: &str = "
#include <pthread.h>
static volatile int levels;
static int down(int left) { return left > 0 ? 1 + down(left - 1) : 0; }
static void *writer(void *unused) { levels = LEVELS; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    down(levels);
    pthread_join(t, 0);
    return 0;
}";

#[test]
fn a_recursion_that_is_deeper_than_it_is_followed_is_a_limit() {
    let deep = |levels: &str| reached(&DEPTH.replace("LEVELS", levels), 0);
    assert_eq!(deep("4"), (false, false));
    assert_eq!(deep("5"), (true, false));
}

#[test]
fn a_recursion_that_constants_end_may_be_deeper() {
    let known = DEPTH
        .replace("down(levels)", "down(12)")
        .replace("LEVELS", "1");
    assert_eq!(reached(&known, 0), (false, false));
}

/// Forty functions that call each other in a circle are nested as deep as calls may be before one is active for the
/// third time.
#[test]
fn a_recursion_of_many_functions_is_a_limit() {
    use std::fmt::Write;
    let mut text = "
#include <pthread.h>
static volatile int again;
static void *writer(void *unused) { again = AGAIN; return 0; }
static void f0(void);
"
    .to_owned();
    for number in (0..40).rev() {
        let next = (number + 1) % 40;
        let written = write!(
            text,
            "static void f{number}(void) {{ if (again) f{next}(); }}"
        );
        written.expect("a string takes everything");
    }
    text.push_str(
        "int main(void) { pthread_t t; pthread_create(&t, 0, writer, 0); f0(); pthread_join(t, 0); return 0; }",
    );
    assert_eq!(reached(&text.replace("AGAIN", "0"), 0), (false, false));
    assert_eq!(reached(&text.replace("AGAIN", "1"), 0), (true, false));
}

/// Work that gets another function, or the same again, before it queues itself.
const REQUEUED: &str = "
#include <linux/workqueue.h>
static void last(struct work_struct *unused) {}
static void first(struct work_struct *work) { work->func = NEXT; schedule_work(work); }
static DECLARE_WORK(work, first);
int main(void) { schedule_work(&work); return 0; }";

#[test]
fn another_function_of_work_that_queues_itself_is_a_limit() {
    let next = |name: &str| reached(&REQUEUED.replace("NEXT", name), 0);
    assert_eq!(next("last"), (true, false));
    assert_eq!(next("first"), (false, false));
}
