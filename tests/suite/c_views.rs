//! Memory that is looked at through pointers to other types, against a compiler: what the compiled
//! program computes is not refuted, and nothing else holds. Programs may be refused.
//!
//! The programs are random, with seeds 0, 1, 2, …: `PROPTEST_CASES` says how many. Without a compiler
//! on the machine there is nothing to compare with.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the compiler has failed"
)]

use crate::support::{c_programs, c_views, config};
use c_programs::Random;
use c_views::{Mode, Views, views};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const STATES: usize = 50_000;
/// So many programs are compiled at once.
const TOGETHER: usize = 60;

fn has_compiler() -> bool {
    let mut command = Command::new("cc");
    let command = command.arg("--version").stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What these programs compute when they are compiled, in each of so many runs.
fn computed(all: &[Views], runs: usize, directory: &Path) -> Vec<Vec<Vec<i64>>> {
    let (source, binary) = (directory.join("p.c"), directory.join("p"));
    let text = Views::printing(all);
    fs::write(&source, &text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=gnu11",
        "-O0",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-w",
        "-pthread",
    ]);
    let status = compiler
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .status()
        .unwrap();
    assert!(status.success(), "the compiler refuses\n{text}");
    let run = |_| {
        let output = Command::new(&binary).output().unwrap();
        assert!(output.status.success(), "{}\n{text}", output.status);
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut values = printed.lines().map(|line| line.parse().unwrap());
        let of = |one: &Views| values.by_ref().take(one.results()).collect();
        all.iter().map(of).collect()
    };
    (0..runs).map(run).collect()
}

/// The programs of these seeds, together.
fn batches(cases: u64, mode: Mode) -> impl Iterator<Item = Vec<(u64, Views)>> {
    (0..cases).step_by(TOGETHER).map(move |first| {
        let seeds = first..cases.min(first + TOGETHER as u64);
        seeds.map(|seed| (seed, views(seed, mode))).collect()
    })
}

/// What is found out about a program; `None` if it is refused.
fn word(text: &str, model: Model) -> Option<String> {
    let program = parse_as(Format::C, text).program?;
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let report = check(&program, &options, &Budget::default().with_states(STATES));
    Some(report.expect("no defect").verdict().word().to_owned())
}

/// How many of these programs have both answers; none is wrong.
fn decided(mode: Mode) -> (usize, usize) {
    let directory = tempfile::tempdir().unwrap();
    let cases = u64::from(config(60).cases);
    let (mut read, mut decided) = (0, 0);
    for batch in batches(cases, mode) {
        let all: Vec<Views> = batch.iter().map(|(_, one)| one.clone()).collect();
        let values = computed(&all, 1, directory.path()).remove(0);
        for ((seed, one), values) in batch.into_iter().zip(values) {
            let mut changed = values.clone();
            let at = Random(seed).below(changed.len());
            changed[at] ^= 1;
            let text = one.asserting(&values);
            let right = word(&text, Model::Sc);
            let shown = right.as_deref().unwrap_or("refused");
            let is_fine = shown != "violated" || !one.is_strict;
            assert!(is_fine, "seed {seed}: {shown} in\n{text}");
            let text = one.asserting(&changed);
            let wrong = word(&text, Model::Sc);
            let other = wrong.as_deref().unwrap_or("refused");
            assert_ne!(other, "holds", "seed {seed} in\n{text}");
            read += usize::from(right.is_some());
            decided += usize::from(shown == "holds" && other == "violated");
        }
    }
    (read, decided)
}

#[test]
fn main_alone_sees_memory_through_other_types_as_the_compiled_program_does() {
    if has_compiler() {
        let (read, decided) = decided(Mode::Alone);
        assert!(
            decided * 3 >= config(60).cases as usize,
            "{decided} of {read}"
        );
    }
}

#[test]
fn a_thread_sees_memory_through_other_types_as_the_compiled_program_does() {
    if has_compiler() {
        let (read, decided) = decided(Mode::InThread);
        assert!(
            decided * 3 >= config(60).cases as usize,
            "{decided} of {read}"
        );
    }
}

/// A result that a run has is one of some execution under TSO: the processor may be no other.
#[test]
fn what_two_threads_see_through_other_types_in_a_run_is_not_excluded() {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let runs = 10;
    let (mut found, mut all_of_them) = (0, 0);
    for batch in batches(u64::from(config(60).cases), Mode::Racing) {
        let all: Vec<Views> = batch.iter().map(|(_, one)| one.clone()).collect();
        let computed = computed(&all, runs, directory.path());
        for (at, (seed, one)) in batch.into_iter().enumerate() {
            let results: BTreeSet<&Vec<i64>> = computed.iter().map(|run| &run[at]).collect();
            for values in results {
                let text = one.excluding(values);
                let word = word(&text, Model::Tso);
                let shown = word.as_deref().unwrap_or("refused");
                assert_ne!(shown, "holds", "seed {seed} in\n{text}");
                found += usize::from(shown == "violated");
                all_of_them += 1;
            }
        }
    }
    assert!(found * 3 >= all_of_them, "{found} of {all_of_them}");
}

/// What a program computes from the number of an address depends on where the machine puts objects.
#[test]
fn what_depends_on_where_objects_are_is_never_decided() {
    let statements = [
        "assert(n > m);",
        "assert(m - n == 8);",
        "assert((n >> 4) % 8 == 1);",
        "assert((int)n);",
        "assert(-n);",
        "assert(~n > 9);",
        "assert((n ^ m) & 8);",
        "assert(n * 2 > 9);",
        "assert((n & 8) == 0);",
        "assert(n + 8 == m);",
        "assert(n == 0x10000010);",
        "assert((long *)0x10000010 != &a);",
        "switch (n) { case 0x10000008: case 0x10000010: case 0x10000018: assert(0); }",
        "assert(__builtin_ctzl(n) < 9);",
        "assert(memcmp(&n, &m, 8) < 0);",
        "uintptr_t most = n > m ? n : m; assert(most == m);",
        "unsigned short low = (unsigned short)n; assert(low);",
        "_Atomic(uintptr_t) own = n; atomic_fetch_add(&own, 16); assert(own != m);",
        "assert(((uintptr_t)&c & 1) == 0);",
        "assert(((uintptr_t)words[zero] & 7) == 0);",
    ];
    for statement in statements {
        for (first, second) in [("&a", "&b"), ("some[zero]", "some[zero + 1]")] {
            let text = format!(
                "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n\
                 #include <string.h>\n\
                 static long a, b; static char c; static int w[2]; static volatile int zero;\n\
                 static long *some[2] = {{ &a, &b }}; static int *words[2] = {{ &w[0], &w[1] }};\n\
                 static void *run(void *unused) {{\n\
                 uintptr_t n = (uintptr_t){first}, m = (uintptr_t){second};\n{statement}\nreturn 0; }}\n\
                 int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); }}\n"
            );
            let word = word(&text, Model::Sc);
            let is_open = word.as_deref().is_none_or(|word| word == "unknown");
            assert!(is_open, "{statement} with {first}: {word:?}");
        }
    }
}
