//! Random programs in Rust do what they do when they are compiled.
//!
//! Each records the order of its effects in a number `H`: what is called, and what is dropped. The compiled
//! program prints the number. Then the program with the assertion that `H` is this number holds, and with
//! any other number it is violated. Programs that are refused are counted: they have to be few.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::{config, drawn_rust};
use config::config;
use drawn_rust::{PRELUDE, function};
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

/// What these programs leave in `H`, in this edition; `None` where there is no compiler.
fn run(programs: &[String], edition: Edition) -> Option<Vec<u32>> {
    let mut text = format!("{PRELUDE}{}", programs.concat());
    text.push_str("fn main() {\n");
    for number in 0..programs.len() {
        writeln!(
            text,
            "H.store(0, Relaxed); {}(); println!(\"{{}}\", H.load(Relaxed));",
            name(number)
        )
        .expect("a text can be written to");
    }
    text.push_str("}\n");
    let folder = TempDir::new().expect("there is room");
    let (source, program) = (folder.path().join("all.rs"), folder.path().join("all"));
    fs::write(&source, &text).expect("it can be written");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", edition.name(), "-A", "warnings", "-o"]);
    let compiled = compiler.arg(&program).arg(&source).output().ok()?;
    let messages = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{messages}\n{text}");
    let ran = Command::new(&program).output().expect("it was compiled");
    let printed = String::from_utf8_lossy(&ran.stdout);
    Some(
        printed
            .lines()
            .map(|line| line.parse().expect("a number"))
            .collect(),
    )
}

fn name(number: usize) -> String {
    format!("p{number}")
}

/// A test that executes a program, perhaps in another thread, and expects this of `H`.
fn expecting(program: &str, name: &str, value: u32, apart: bool) -> String {
    let call = if apart {
        format!("std::thread::spawn(|| {{ {name}(); }}).join().unwrap();")
    } else {
        format!("{name}();")
    };
    format!(
        "{PRELUDE}{program}#[test]\nfn test() {{ {call} assert_eq!(H.load(Relaxed), {value}); }}\n"
    )
}

/// The verdict on a text; the message if it is refused.
fn verdict(text: &str, edition: Edition) -> Result<&'static str, String> {
    let parsed = parse_with(Format::Rust, text, &ParseOptions::new().edition(edition));
    let Some(program) = &parsed.program else {
        return Err(render(&parsed.diagnostics, "program", text, false));
    };
    let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
    let report = check(program, &options, &Budget::default()).expect("no defect");
    Ok(report.verdict().word())
}

#[test]
fn values_are_dropped_where_the_compiler_drops_them() {
    let batches = config(2);
    let tape = prop::collection::vec(any::<u8>(), 0..60);
    let batch = prop::collection::vec(tape, 1..=TOGETHER);
    let editions = prop::sample::select(vec![Edition::E2021, Edition::E2024]);
    let mut runner = TestRunner::new(batches);
    let counts = std::cell::RefCell::new((0, 0));
    let done = runner.run(&(batch, editions), |(tapes, edition)| {
        let numbered = tapes.iter().enumerate();
        let programs: Vec<String> = numbered.map(|(n, tape)| function(&name(n), tape)).collect();
        let Some(expected) = run(&programs, edition) else {
            return Ok(());
        };
        for (number, (program, value)) in programs.iter().zip(expected).enumerate() {
            let text = expecting(program, &name(number), value, number % 2 == 1);
            let mut counts = counts.borrow_mut();
            counts.1 += 1;
            let Ok(found) = verdict(&text, edition) else {
                counts.0 += 1;
                continue;
            };
            prop_assert_eq!(found, "holds", "{}\n{}", edition, text);
            let text = expecting(program, &name(number), (value + 1) % 1009, number % 2 == 1);
            prop_assert_eq!(
                verdict(&text, edition),
                Ok("violated"),
                "{}\n{}",
                edition,
                text
            );
        }
        Ok(())
    });
    let (refused, all) = counts.into_inner();
    if let Err(failed) = done {
        panic!("{failed}");
    }
    assert!(refused * 4 <= all, "{refused} of {all} were refused");
}
