//! Words of 64 bits and the parts of words, against the bytes of the objects: what a program computes is not refuted, and
//! nothing else holds. Programs may be refused, and answers may be open.
//!
//! The programs are random, with seeds 0, 1, 2, …: `PROPTEST_CASES` says how many. What they compute is known from the
//! bytes, without the front end; where there is a compiler, the compiled programs agree.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the compiler has failed"
)]

use crate::support::c_programs::Random;
use crate::support::c_words::{Mode, Race, Words, race, words};
use crate::support::config::config;
use crate::support::outside::{exists, skipped};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const STATES: usize = 50_000;
/// So many programs are compiled at once.
const TOGETHER: u64 = 60;
/// So often are threads run.
const ROUNDS: usize = 4_000;
const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// What a program prints when it is compiled and run.
fn printed(text: &str, directory: &Path) -> String {
    let (source, binary) = (directory.join("p.c"), directory.join("p"));
    fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=gnu11",
        "-O0",
        "-fno-strict-aliasing",
        "-w",
        "-pthread",
    ]);
    let compiler = compiler.arg("-o").arg(&binary).arg(&source);
    assert!(compiler.status().unwrap().success(), "refused\n{text}");
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{}\n{text}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Every assertion of these programs holds when they are compiled.
fn agree(all: &[Words], directory: &Path) {
    let text = Words::printing(all);
    let wrong = printed(&text, directory);
    assert_eq!(wrong, "", "numbers of programs that disagree\n{text}");
}

fn has_compiler() -> bool {
    let has = exists("cc");
    if !has {
        skipped("comparing words with a compiled program: there is no `cc`");
    }
    has
}

fn show(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// What is found out about a program; `None` if it is refused.
fn word(text: &str, model: Model, engine: Engine) -> Option<String> {
    let program = parse_as(Format::C, text).program?;
    let options = CheckOptions::new(model).engine(engine);
    let report = check(&program, &options, &Budget::default().with_states(STATES));
    Some(report.expect("no defect").verdict().word().to_owned())
}

/// No program is answered wrongly; of a hundred, at least so many are answered.
fn none_is_wrong(mode: Mode, least: u64) {
    let cases = u64::from(config(100).cases);
    let directory = tempfile::tempdir().unwrap();
    let has_compiler = has_compiler();
    let (mut read, mut decided, mut wrong) = (0, 0, Vec::new());
    for first in (0..cases).step_by(TOGETHER as usize) {
        let seeds: Vec<u64> = (first..cases.min(first + TOGETHER)).collect();
        let all: Vec<Words> = seeds.iter().map(|seed| words(*seed, mode)).collect();
        if has_compiler {
            agree(&all, directory.path());
        }
        for (seed, one) in seeds.iter().zip(&all) {
            let mut random = Random(*seed);
            let model = random.of(&MODELS);
            // One thread has few states, and formulas are small.
            let engine = if mode != Mode::TwoThreads && random.rarely(10) {
                Engine::Auto
            } else {
                Engine::Explicit
            };
            let text = one.asserting(None);
            let right = word(&text, model, engine);
            let shown = right.as_deref().unwrap_or("refused");
            if shown == "violated" {
                wrong.push(format!("seed {seed}, {model}: {shown}\n{text}"));
            }
            let changed = (random.below(one.checks()), random.below(64) as u32);
            let text = one.asserting(Some(changed));
            let changed = word(&text, model, engine);
            let other = changed.as_deref().unwrap_or("refused");
            if other == "holds" {
                wrong.push(format!("seed {seed}, {model}: {other}\n{text}"));
            }
            read += u64::from(right.is_some());
            decided += u64::from(shown == "holds" && other == "violated");
        }
    }
    let shown = format!("{mode:?}: {decided} decided, {read} read, of {cases}");
    show(&shown);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided * 100 >= cases * least, "{shown}");
}

#[test]
fn main_alone_computes_with_words_as_their_bytes_say() {
    none_is_wrong(Mode::Alone, 50);
}

#[test]
fn a_thread_computes_with_words_as_their_bytes_say() {
    none_is_wrong(Mode::InThread, 40);
}

#[test]
fn two_threads_compute_with_words_as_their_bytes_say() {
    none_is_wrong(Mode::TwoThreads, 25);
}

/// A result of compiled threads is one of some execution under TSO: the processor may be no other.
#[test]
fn what_two_threads_see_of_words_in_a_run_is_not_excluded() {
    if !has_compiler() {
        return;
    }
    let cases = u64::from(config(40).cases);
    let directory = tempfile::tempdir().unwrap();
    let (mut found, mut results) = (0, 0);
    for first in (0..cases).step_by(TOGETHER as usize) {
        let seeds: Vec<u64> = (first..cases.min(first + TOGETHER)).collect();
        let all: Vec<Race> = seeds.iter().map(|seed| race(*seed)).collect();
        let printed = printed(&Race::printing(&all, ROUNDS), directory.path());
        for line in printed.lines() {
            let mut numbers = line.split(' ').map(|number| number.parse().unwrap());
            let number: u64 = numbers.next().unwrap();
            let values: Vec<u64> = numbers.collect();
            let text = all[number as usize].excluding(&values);
            let word = word(&text, Model::Tso, Engine::Explicit);
            let shown = word.as_deref().unwrap_or("refused");
            assert_ne!(shown, "holds", "seed {} in\n{text}", seeds[number as usize]);
            results += 1;
            found += u64::from(shown == "violated");
        }
    }
    let shown = format!("Racing: {found} decided of {results} results of {cases}");
    show(&shown);
    assert!(found * 3 >= results, "{shown}");
}

/// A program in which a thread does this to a word between a store and a load, and another one looks.
fn between(word: &str, operation: &str) -> String {
    format!(
        "#include <assert.h>
         #include <pthread.h>
         #include <stdatomic.h>
         #include <stdint.h>
         {word}
         static atomic_int x, y; static int r, s; static volatile int zero; static volatile uint64_t seen;
         static void *a(void *unused) {{
             atomic_store_explicit(&x, 1, memory_order_relaxed);
             int none = zero; (void)none;
             {operation};
             r = atomic_load_explicit(&y, memory_order_relaxed);
             return unused;
         }}
         static void *b(void *unused) {{ atomic_store(&y, 1); s = atomic_load(&x); return unused; }}
         int main(void) {{
             pthread_t t, u;
             pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0);
             pthread_join(t, 0); pthread_join(u, 0);
             assert(r || s);
             return 0;
         }}"
    )
}

#[test]
fn compilers_may_weaken_operations_on_words_as_those_on_cells() {
    // One cell, two halves, and four bytes.
    let words = [
        "static _Atomic uint64_t w = 1;",
        "static _Atomic uint64_t w = 1UL << 40 | 1;",
        "static union { _Atomic uint32_t w; uint8_t b[4]; } u; static volatile uint8_t *c = &u.b[1];\n\
         #define w (*(c + 1 == &u.b[2] ? &u.w : 0))",
    ];
    let operations = [
        ("exchange", "5"),
        ("exchange", "none"),
        ("fetch_or", "0"),
        ("fetch_or", "-1"),
        ("fetch_or", "none"),
        ("fetch_and", "0"),
        ("fetch_and", "-1"),
        ("fetch_and", "none"),
        ("fetch_xor", "0"),
        ("fetch_add", "0"),
        ("fetch_add", "3"),
        ("fetch_sub", "none"),
    ];
    let mut kinds = [0; 2];
    for (name, operand) in operations {
        for order in ["relaxed", "acquire", "release", "acq_rel", "seq_cst"] {
            for result in ["", "seen = "] {
                let operation =
                    format!("{result}atomic_{name}_explicit(&w, {operand}, memory_order_{order})");
                let answers = words.map(|one| {
                    let text = between(one, &operation);
                    [Model::Tso, Model::Pso].map(|model| word(&text, model, Engine::Explicit))
                });
                assert!(answers[0][0].is_some(), "{operation}");
                assert_eq!(answers[0], answers[1], "{operation}");
                assert_eq!(answers[0], answers[2], "{operation}");
                kinds[usize::from(answers[0][0].as_deref() == Some("violated"))] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}
