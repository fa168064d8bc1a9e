//! Random programs in Rust do what they do when they are compiled.
//!
//! Each records the order of its effects in a number `H`: what is called, and what is dropped. The compiled
//! program prints the number. Then the program with the assertion that `H` is this number holds, and with
//! any other number it is violated. Programs that are refused are counted: they have to be few.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::{
    config, drawn_calls, drawn_collections, drawn_counts, drawn_macros, drawn_moves, drawn_numbers,
    drawn_rust, drawn_shapes, drawn_types,
};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Edition, Format, ParseOptions, parse_with, render};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// So many programs are compiled at once.
const TOGETHER: usize = 60;

/// The work of the bounded engine on a program, in bytes of proof; what takes more is decided by the other engine alone.
const MOST_WORK: u64 = 20_000_000;

/// How programs are compiled and read.
#[derive(Clone, Copy, Debug)]
struct Mode {
    edition: Edition,
    /// Whether arithmetic wraps.
    release: bool,
}

/// What these programs leave in `H`, each `None` where it panics; `None` where there is no compiler.
fn run(prelude: &str, programs: &[String], mode: Mode) -> Option<Vec<Option<u32>>> {
    let mut text = format!("{prelude}{}", programs.concat());
    text.push_str("fn main() {\nstd::panic::set_hook(Box::new(|_| {}));\n");
    for number in 0..programs.len() {
        let name = name(number);
        writeln!(
            text,
            "H.store(0, Relaxed); match std::panic::catch_unwind(|| {{ {name}(); }}) {{ \
             Ok(()) => println!(\"{{}}\", H.load(Relaxed)), Err(_) => println!(\"panics\") }}"
        )
        .expect("a text can be written to");
    }
    text.push_str("}\n");
    let folder = TempDir::new().expect("there is room");
    let (source, program) = (folder.path().join("all.rs"), folder.path().join("all"));
    fs::write(&source, &text).expect("it can be written");
    let mut compiler = Command::new("rustc");
    let checks = if mode.release { "off" } else { "on" };
    compiler.args(["--edition", mode.edition.name(), "--cap-lints", "allow"]);
    compiler.args(["-C", &format!("overflow-checks={checks}"), "-o"]);
    let compiled = compiler.arg(&program).arg(&source).output().ok()?;
    let messages = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{messages}\n{text}");
    let ran = Command::new(&program).output().expect("it was compiled");
    let printed = String::from_utf8_lossy(&ran.stdout);
    let results = printed.lines().map(|line| match line {
        "panics" => None,
        value => Some(value.parse().expect("a number")),
    });
    Some(results.collect())
}

fn name(number: usize) -> String {
    format!("p{number}")
}

/// A test that executes a program, perhaps in another thread, and expects this of `H`.
fn expecting(prelude: &str, program: &str, number: usize, value: u32) -> String {
    let name = name(number);
    let call = if number.is_multiple_of(4) {
        format!("{name}();")
    } else {
        format!("std::thread::spawn(|| {{ {name}(); }}).join().unwrap();")
    };
    format!(
        "{prelude}{program}#[test]\nfn test() {{ {call} assert_eq!(H.load(Relaxed), {value}); }}\n"
    )
}

/// The verdict on a text; the message if it is refused.
fn verdict(text: &str, mode: Mode, engine: Engine) -> Result<&'static str, String> {
    let mut options = ParseOptions::new().edition(mode.edition);
    if mode.release {
        options = options.overflow_checks(false);
    }
    let parsed = parse_with(Format::Rust, text, &options);
    let Some(program) = &parsed.program else {
        return Err(render(&parsed.diagnostics, "program", text, false));
    };
    let options = CheckOptions::new(Model::Sc).engine(engine);
    // Formulas about elements of collections may be hard, though little is executed.
    let budget = if engine == Engine::Bmc {
        Budget::default().with_work(MOST_WORK)
    } else {
        Budget::default()
    };
    let report = check(program, &options, &budget).expect("no defect");
    Ok(report.verdict().word())
}

/// How many programs there were.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    all: u32,
    panicking: u32,
    refused: u32,
    undecided: u32,
}

impl Counts {
    fn see(&mut self, verdict: &Result<&'static str, String>, engine: Engine) {
        self.all += 1;
        match verdict {
            Ok("holds" | "violated") => {}
            Ok(_) if engine == Engine::Bmc => {}
            Ok(_) => self.undecided += 1,
            Err(_) => self.refused += 1,
        }
    }
}

#[test]
fn values_are_dropped_where_the_compiler_drops_them() {
    let counts = agree(drawn_rust::PRELUDE, drawn_rust::function, 60, false);
    assert!(counts.refused * 4 <= counts.all + 8, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn variants_traits_and_closures_do_what_they_do_when_compiled() {
    let counts = agree(drawn_types::PRELUDE, drawn_types::function, 60, false);
    assert!(counts.refused * 8 <= counts.all + 8, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn collections_and_iterators_do_what_they_do_when_compiled() {
    let counts = agree(
        drawn_collections::PRELUDE,
        drawn_collections::function,
        60,
        false,
    );
    assert!(counts.refused * 8 <= counts.all + 8, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn counts_cells_and_times_are_what_they_are_when_compiled() {
    let counts = agree(drawn_counts::PRELUDE, drawn_counts::function, 60, false);
    assert!(counts.refused * 8 <= counts.all + 8, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn a_vector_with_more_elements_than_are_followed_is_not_decided() {
    let mode = Mode {
        edition: Edition::E2021,
        release: false,
    };
    for (count, expected) in [(16, "holds"), (17, "unknown")] {
        let text = format!(
            "fn main() {{ let mut all = Vec::new(); for i in 0..{count}u32 {{ all.push(i); }} \
             assert_eq!(all.len(), {count}); }}"
        );
        assert_eq!(verdict(&text, mode, Engine::Explicit), Ok(expected));
    }
}

#[test]
fn operators_held_closures_and_objects_do_what_they_do_when_compiled() {
    let counts = agree(drawn_calls::PRELUDE, drawn_calls::function, 60, false);
    assert!(counts.refused * 8 <= counts.all + 8, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn macros_stand_for_what_the_compiler_makes_of_them() {
    let counts = agree(drawn_macros::PRELUDE, drawn_macros::function, 120, false);
    assert!(counts.refused * 20 <= counts.all + 40, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn parts_end_where_the_compiler_ends_them() {
    let counts = agree(drawn_moves::PRELUDE, drawn_moves::function, 90, false);
    assert!(counts.refused * 20 <= counts.all + 20, "{counts:?}");
    assert_eq!(counts.undecided, 0, "{counts:?}");
}

#[test]
fn shapes_of_values_do_what_they_do_when_compiled() {
    let counts = agree(drawn_shapes::PRELUDE, drawn_shapes::function, 120, false);
    assert!(counts.refused * 2 <= counts.all + 20, "{counts:?}");
    assert!(counts.undecided * 20 <= counts.all + 20, "{counts:?}");
}

#[test]
fn numbers_are_what_the_compiler_computes() {
    let prelude = drawn_numbers::prelude();
    let counts = agree(&prelude, drawn_numbers::function, 400, true);
    assert!(counts.refused * 4 <= counts.all + 8, "{counts:?}");
    assert!(counts.undecided * 4 <= counts.all + 8, "{counts:?}");
}

/// Draws programs by tapes of up to this length, and compares what they do with the verdicts.
fn agree(
    prelude: &str,
    function: fn(&str, &[u8]) -> String,
    length: usize,
    may_wrap: bool,
) -> Counts {
    let batches = config(2);
    let tape = prop::collection::vec(any::<u8>(), 0..length);
    let batch = prop::collection::vec(tape, 1..=TOGETHER);
    let editions = prop::sample::select(vec![Edition::E2021, Edition::E2024]);
    // Each step of shrinking compiles a batch.
    let mut runner = TestRunner::new(ProptestConfig {
        max_shrink_time: 120_000,
        ..batches
    });
    let counts = std::cell::RefCell::new(Counts::default());
    let done = runner.run(&(batch, editions, 0..4), |(tapes, edition, wraps)| {
        let mode = Mode {
            edition,
            release: may_wrap && wraps == 3,
        };
        let numbered = tapes.iter().enumerate();
        let programs: Vec<String> = numbered.map(|(n, tape)| function(&name(n), tape)).collect();
        let Some(expected) = run(prelude, &programs, mode) else {
            return Ok(());
        };
        for (number, (program, value)) in programs.iter().zip(expected).enumerate() {
            let engine = if number % 8 == 7 {
                Engine::Bmc
            } else {
                Engine::Explicit
            };
            let text = expecting(prelude, program, number, value.unwrap_or(0));
            let found = verdict(&text, mode, engine);
            counts.borrow_mut().see(&found, engine);
            if found
                .as_ref()
                .map_or(true, |word| !["holds", "violated"].contains(word))
            {
                continue;
            }
            let expected = if value.is_some() { "holds" } else { "violated" };
            prop_assert_eq!(found, Ok(expected), "{:?}\n{}", mode, text);
            let Some(value) = value else {
                counts.borrow_mut().panicking += 1;
                continue;
            };
            let text = expecting(prelude, program, number, value.wrapping_add(1));
            let found = verdict(&text, mode, engine);
            prop_assert_eq!(found, Ok("violated"), "{:?}\n{}", mode, text);
        }
        Ok(())
    });
    if let Err(failed) = done {
        panic!("{failed}");
    }
    counts.into_inner()
}
