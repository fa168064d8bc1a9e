//! Fences in C: each program of the corpus that needs some gets them as a patch, after which it is
//! robust and still C.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the corpus has failed"
)]

use fencepost::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::formats::{Compiler, Format, ParseOptions, parse_as, parse_with, rewrite_as};
use fencepost::model::Model;
use fencepost::program::{Aim, FenceKind};
use fencepost::robustness::{RobustOptions, robust};
use fencepost::verdict::{Budget, Verdict};
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

/// How many patches of these kinds were made, for TSO and PSO. Each was verified.
fn patched(kinds: &[(FenceKind, u32)]) -> usize {
    let budget = Budget::default().with_states(200_000);
    let mut patched = 0;
    for path in programs() {
        let text = fs::read_to_string(&path).expect("it is text");
        let name = path.display();
        let parsed = parse_as(Format::C, &text);
        let program = parsed.positions().expect("it has no errors");
        for model in [Model::Tso, Model::Pso] {
            let options = FenceOptions::new(model, Aim::Robustness).kinds(kinds.to_vec());
            let report = cheapest_fences(program, &options, &budget).expect("no defect");
            let Outcome::Found(_) = report.outcome() else {
                continue;
            };
            let changes = report.changes(program).expect("a set was found");
            if changes.is_empty() {
                continue;
            }
            let fenced = rewrite_as(Format::C, &text, program, &changes)
                .unwrap_or_else(|why| panic!("{name} {model}: {why}"));
            assert!(compiles(&fenced), "{name}:\n{fenced}");
            let again = parse_as(Format::C, &fenced);
            let again = again.program.expect("a patch has no errors");
            let report = robust(&again, &RobustOptions::new(model), &budget).expect("no defect");
            assert_eq!(
                report.verdict(),
                Verdict::Holds,
                "{name} {model}:\n{fenced}"
            );
            patched += 1;
        }
    }
    patched
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
