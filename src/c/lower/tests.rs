//! What depends on options: how many blocks an allocation has that is executed repeatedly.

use crate::c::parse;
use crate::explicit::check_all;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::text::{Diagnostic, ParseOptions};
use crate::verdict::{Budget, Verdict};

fn lowered(text: &str, heap: usize) -> Result<Program, Vec<Diagnostic>> {
    let parsed = parse(text, &ParseOptions::new().heap(heap)).parsed;
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
