//! Litmus tests in C against programs in C: the same threads, once with a condition on their final
//! states, and once with an assertion of `main` when they have ended.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::{
    Compiler, Format, ParseOptions, Parsed, parse_as, parse_with, render, rewrite_as,
};
use fencepost::internals::litmus::FinalStates;
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Change, Fence, FencePlace, Op, Role};
use proptest::prelude::*;
use std::fmt::Write as _;

const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

/// A thread's statements, and the number of its variables `r0`, `r1`, …
type Body = (String, usize);

/// One statement, from random numbers; `r` is the number of variables so far.
fn statement([kind, cell, value, order]: [usize; 4], r: usize) -> Body {
    let x = ["x", "y"][cell % 2];
    let order = ORDERS[order % 5];
    let last = r.checked_sub(1).map(|last| format!("r{last}"));
    let value = match (value % 5, &last) {
        (4, Some(last)) => format!("{last} + 1"),
        (value, _) => (value % 3).to_string(),
    };
    let load = if matches!(order, "release" | "acq_rel") {
        "relaxed"
    } else {
        order
    };
    let store = if matches!(order, "acquire" | "acq_rel") {
        "relaxed"
    } else {
        order
    };
    let add = format!("atomic_fetch_add_explicit({x}, {value}, memory_order_{order})");
    let swap = format!("atomic_exchange_explicit({x}, {value}, memory_order_{order})");
    match kind % 10 {
        0 | 1 => (
            format!("int r{r} = atomic_load_explicit({x}, memory_order_{load});"),
            r + 1,
        ),
        2 | 3 => (
            format!("atomic_store_explicit({x}, {value}, memory_order_{store});"),
            r,
        ),
        4 => (format!("int r{r} = {add};"), r + 1),
        5 => (format!("{add};"), r),
        6 => (format!("int r{r} = {swap};"), r + 1),
        7 => (format!("{swap};"), r),
        8 => (format!("atomic_thread_fence(memory_order_{order});"), r),
        _ => (
            format!("int r{r} = *{x}; if (r{r} == {value}) {{ *{x} = 2; r{r} = 5; }}"),
            r + 1,
        ),
    }
}

fn body(numbers: &[[usize; 4]]) -> Body {
    let mut text = String::new();
    let mut r = 0;
    for numbers in numbers {
        let (statement, after) = statement(*numbers, r);
        text.push_str(&statement);
        text.push('\n');
        r = after;
    }
    (text, r)
}

fn read(format: Format, compiler: Compiler, text: &str) -> Parsed {
    let parsed = parse_with(format, text, &ParseOptions::default().compiler(compiler));
    let shown = render(&parsed.diagnostics, "test", text, false);
    assert!(parsed.program.is_some(), "{text}\n{shown}");
    parsed
}

/// Names of what is observed, in the test and in the program, and the value asked for.
fn observed(bodies: &[Body], picks: &[(usize, i32)]) -> Vec<(String, String, i32)> {
    let mut names = vec![
        ("x".to_owned(), "X".to_owned()),
        ("y".to_owned(), "Y".to_owned()),
    ];
    for (thread, (_, registers)) in bodies.iter().enumerate() {
        for r in 0..*registers {
            names.push((format!("{thread}:r{r}"), format!("out{thread}{r}")));
        }
    }
    let picked = picks.iter().map(|(at, value)| {
        let (test, program) = names[at % names.len()].clone();
        (test, program, *value)
    });
    picked.collect()
}

fn test_of(bodies: &[Body], observed: &[(String, String, i32)]) -> String {
    let atoms = observed
        .iter()
        .map(|(name, _, value)| format!("{name}={value}"));
    let atoms: Vec<String> = atoms.collect();
    let threads = bodies.iter().enumerate().map(|(thread, (body, _))| {
        format!("P{thread} (atomic_int* x, atomic_int* y) {{\n{body}}}\n")
    });
    let threads: String = threads.collect();
    format!("C t\n{{ }}\n{threads}exists ({})\n", atoms.join(" /\\ "))
}

fn program_of(bodies: &[Body], observed: &[(String, String, i32)]) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n".to_owned();
    text.push_str("atomic_int X, Y;\n");
    let mut outs: Vec<&str> = observed.iter().map(|(_, out, _)| out.as_str()).collect();
    outs.retain(|out| out.starts_with("out"));
    outs.sort_unstable();
    outs.dedup();
    for out in &outs {
        writeln!(text, "int {out};").expect("strings grow");
    }
    let (mut create, mut join) = (String::new(), String::new());
    for (thread, (body, _)) in bodies.iter().enumerate() {
        let own = outs.iter().filter_map(|out| {
            let register = out.strip_prefix(&format!("out{thread}"))?;
            Some(format!("{out} = r{register};\n"))
        });
        let own: String = own.collect();
        writeln!(
            text,
            "void *P{thread}(void *unused) {{\natomic_int *x = &X, *y = &Y;\n{body}{own}return 0;\n}}"
        )
        .expect("strings grow");
        writeln!(
            create,
            "pthread_t t{thread};\npthread_create(&t{thread}, 0, P{thread}, 0);"
        )
        .expect("strings grow");
        writeln!(join, "pthread_join(t{thread}, 0);").expect("strings grow");
    }
    let atoms = observed
        .iter()
        .map(|(_, out, value)| format!("{out} == {value}"));
    let atoms: Vec<String> = atoms.collect();
    let condition = atoms.join(" && ");
    text + &format!("int main(void) {{\n{create}{join}assert(!({condition}));\nreturn 0;\n}}\n")
}

/// Whether a condition can hold in the end, by the test and by the program.
fn answers(
    bodies: &[Body],
    observed: &[(String, String, i32)],
    compiler: Compiler,
    model: Model,
) -> Option<[bool; 2]> {
    let budget = Budget::default().with_states(200_000);
    let text = test_of(bodies, observed);
    let parsed = read(Format::LitmusC, compiler, &text);
    let (program, test) = (parsed.program?, parsed.litmus?);
    let explored = explore(&program, model, &budget);
    let first = FinalStates::new(&test, &explored).positive() > 0;
    let text = program_of(bodies, observed);
    let program = read(Format::C, compiler, &text).program?;
    let report = check(&program, &CheckOptions::new(model), &budget).expect("no defect");
    match report.verdict() {
        Verdict::Holds => Some([first, false]),
        Verdict::Violated(_) => Some([first, true]),
        Verdict::HoldsWithin(..) | Verdict::Unknown(_) => None,
    }
}

fn threads() -> BoxedStrategy<Vec<Vec<[usize; 4]>>> {
    let statement = prop::array::uniform4(0_usize..60);
    prop::collection::vec(prop::collection::vec(statement, 1..4), 1..3).boxed()
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_test_and_a_program_of_the_same_threads_get_the_same_answer(
        threads in threads(),
        picks in prop::collection::vec((0_usize..60, 0..4), 1..4),
        (model, compiler) in (prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]), 0..2_usize),
    ) {
        let bodies: Vec<Body> = threads.iter().map(|thread| body(thread)).collect();
        let observed = observed(&bodies, &picks);
        let compiler = Compiler::ALL[compiler];
        if let Some([test, program]) = answers(&bodies, &observed, compiler, model) {
            prop_assert_eq!(test, program, "{}\n{}", test_of(&bodies, &observed), program_of(&bodies, &observed));
        }
    }
}

/// Tests that are not robust, each with its fences.
#[test]
fn fences_are_written_into_tests() {
    let c11 = "C SB\n{}\nP0 (atomic_int *x, atomic_int *y) {\n  \
               atomic_store_explicit(x, 1, memory_order_relaxed);\n  \
               int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\n\
               P1 (atomic_int *x, atomic_int *y) {\n  \
               atomic_store_explicit(y, 1, memory_order_relaxed);\n  int r1;\n  \
               if (atomic_load_explicit(y, memory_order_relaxed) && \
               atomic_load_explicit(x, memory_order_relaxed)) r1 = 1; else r1 = 0;\n}\n\
               exists (0:r0=0 /\\ 1:r1=0)\n";
    let kernel = "C SB\n{}\nP0 (int *x, int *y) {\n  WRITE_ONCE(*x, 1);\n  \
                  while (READ_ONCE(*y) == 2) ;\n  int r0 = READ_ONCE(*y);\n}\n\
                  P1 (int *x, int *y) {\n  WRITE_ONCE(*y, 1);\n  int r1 = READ_ONCE(*x);\n}\n\
                  exists (0:r0=0 /\\ 1:r1=0)\n";
    let budget = Budget::default();
    for (text, fence) in [
        (c11, "atomic_thread_fence(memory_order_seq_cst)"),
        (kernel, "smp_mb()"),
    ] {
        let parsed = parse_as(Format::LitmusC, text);
        let program = parsed.positions().expect("it has no errors");
        let options = FenceOptions::new(Model::Tso, Aim::Robustness);
        let report = cheapest_fences(program, &options, &budget).expect("no defect");
        let changes = report.changes(program).expect("a set was found");
        let fenced = rewrite_as(Format::LitmusC, text, program, &changes);
        let fenced = fenced.unwrap_or_else(|why| panic!("{why}:\n{text}"));
        assert_eq!(fenced.matches(fence).count(), 2, "{fenced}");
        let again = parse_as(Format::LitmusC, &fenced)
            .program
            .expect("no errors");
        let report = robust(&again, &RobustOptions::new(Model::Tso), &budget).expect("no defect");
        assert_eq!(report.verdict(), Verdict::Holds, "{fenced}");
    }
}

/// Every place of a test, also inside expressions.
#[test]
fn a_fence_at_any_place_of_a_test_can_be_written() {
    let text = "C all\n{ x = 1; }\nP0 (atomic_int *x, atomic_int *y) {\n  \
                int r0 = *x && *y;\n  while (*y || *x) *x = 0;\n  do *y = 1; while (*x, *y == 2);\n  \
                if (*x) { *y = 3; } else *y = 4;\n}\n\
                P1 (atomic_int *x) { for (int i = *x; *x < 2; i++) *x = 2; }\nexists (0:r0=0)\n";
    let parsed = parse_as(Format::LitmusC, text);
    let program = parsed.positions().expect("it has no errors");
    let mut inside = 0;
    for (site, instruction) in program.sites() {
        if instruction.op != Op::Skip || instruction.place != FencePlace::Default {
            continue;
        }
        let (thread, loc, fence) = (site.thread, instruction.from, Fence::Full);
        let fence = Change::Fence { thread, loc, fence };
        let fenced = rewrite_as(Format::LitmusC, text, program, &[fence]);
        assert!(fenced.is_ok(), "{fenced:?}");
        inside += usize::from(instruction.role == Role::Inside);
    }
    // `*y`; the first condition and `*x`; the second one and `*y == 2`; `*x < 2`.
    assert_eq!(inside, 6);
}
