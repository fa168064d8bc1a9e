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
