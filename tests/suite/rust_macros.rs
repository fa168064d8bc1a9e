//! Macros of other files and crates stand for what the compiler makes of them.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a text that cannot be compiled or read has failed"
)]

use crate::support::config::config;
use crate::support::drawn_scopes::{Files, Program, program};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{
    Crate, Crates, Edition, Format, FoundFile, ParseOptions, Parsed, Reached, parse_with, print_as,
    render,
};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// So many programs are compiled at once.
const TOGETHER: usize = 40;

/// The value of each program when it is compiled; `None` where there is no compiler.
fn run(programs: &[Program]) -> Option<Vec<u32>> {
    let mut main = String::new();
    let mut other = String::new();
    for (number, program) in programs.iter().enumerate() {
        writeln!(main, "pub mod p{number} {{\n{}}}", program.whole).unwrap();
        writeln!(other, "pub mod q{number} {{\n{}}}", program.other).unwrap();
    }
    main.push_str("fn main() {\n");
    for number in 0..programs.len() {
        writeln!(main, "println!(\"{{}}\", p{number}::value());").unwrap();
    }
    main.push_str("}\n");
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("dep.rs"), &other).unwrap();
    fs::write(path("main.rs"), &main).unwrap();
    let compile = |arguments: &[&str], source: &Path| {
        let mut compiler = Command::new("rustc");
        compiler.args([
            "--edition",
            "2021",
            "--cap-lints",
            "allow",
            "-C",
            "overflow-checks=off",
            "--out-dir",
        ]);
        compiler.arg(folder.path()).args(arguments).arg(source);
        compiler.output().ok()
    };
    let search = format!("dep={}", path("libdep.rlib").display());
    for (arguments, source) in [
        (&["--crate-type", "rlib"][..], path("dep.rs")),
        (&["--extern", &search], path("main.rs")),
    ] {
        let compiled = compile(arguments, &source)?;
        let messages = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{messages}\n{main}\n{other}");
    }
    let ran = Command::new(path("main")).output().unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    Some(printed.lines().map(|line| line.parse().unwrap()).collect())
}

/// The text of the crate that has a program, which expects a value.
fn test_of(number: usize, value: u32) -> String {
    format!(
        "#[test] fn t() {{ let v = std::thread::spawn(|| p{number}::value()).join().unwrap(); assert_eq!(v, {value}); }}\n"
    )
}

/// A program with the other crate, of these files.
fn read(main: &str, mut files: Files, program: &Program, number: usize) -> Parsed {
    files.insert(
        "dep/lib.rs".to_owned(),
        format!("pub mod q{number} {{\n{}}}\n", program.other),
    );
    let own = Crate {
        edition: Some(Edition::E2021),
        names: [("dep".to_owned(), Reached::Crate(1))].into(),
        ..Crate::default()
    };
    let dep = Crate {
        root: "dep/lib.rs".to_owned(),
        edition: Some(Edition::E2021),
        ..Crate::default()
    };
    let find = move |name: &str, from: Option<&str>| -> Result<Option<FoundFile>, String> {
        let folder = from.and_then(|from| from.rsplit_once('/'));
        let path = match folder {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        Ok(files.get(&path).map(|text| FoundFile {
            name: path,
            text: text.clone(),
            system: false,
        }))
    };
    let options = ParseOptions::new()
        .name("src/lib.rs")
        .overflow_checks(false)
        .crates(Crates(vec![own, dep]))
        .files(Arc::new(find));
    parse_with(Format::Rust, main, &options)
}

fn in_files(program: &Program, number: usize, value: u32) -> Parsed {
    let main = format!("pub mod p{number};\n{}", test_of(number, value));
    let own = program.files.iter().map(|(path, text)| {
        let path = if path.is_empty() {
            format!("src/p{number}.rs")
        } else {
            format!("src/p{number}/{path}")
        };
        (path, text.clone())
    });
    read(&main, own.collect(), program, number)
}

fn in_one_text(program: &Program, number: usize, value: u32) -> Parsed {
    let main = format!(
        "pub mod p{number} {{\n{}}}\n{}",
        program.whole,
        test_of(number, value)
    );
    read(&main, Files::new(), program, number)
}

/// The verdict; the message if it is refused.
fn verdict(parsed: &Parsed) -> Result<&'static str, String> {
    let Some(program) = &parsed.program else {
        return Err(render(&parsed.diagnostics, "program", "", false));
    };
    let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
    Ok(check(program, &options, &Budget::default())
        .expect("no defect")
        .verdict()
        .word())
}

#[test]
fn macros_of_other_files_stand_for_what_the_compiler_makes_of_them() {
    let tape = prop::collection::vec(any::<u8>(), 0..120);
    let batch = prop::collection::vec(tape, 1..=TOGETHER);
    // Each step of shrinking compiles a batch.
    let mut runner = TestRunner::new(ProptestConfig {
        max_shrink_time: 120_000,
        ..config(2)
    });
    let done = runner.run(&batch, |tapes| {
        let numbered = tapes.iter().enumerate();
        let programs: Vec<Program> = numbered
            .map(|(number, tape)| program(tape, number))
            .collect();
        let Some(values) = run(&programs) else {
            return Ok(());
        };
        for (number, (program, value)) in programs.iter().zip(values).enumerate() {
            let apart = in_files(program, number, value);
            prop_assert_eq!(verdict(&apart), Ok("holds"), "{}\n{:#?}", value, program);
            let wrong = in_files(program, number, value.wrapping_add(1));
            prop_assert_eq!(verdict(&wrong), Ok("violated"), "{}\n{:#?}", value, program);
            let together = in_one_text(program, number, value);
            let shown =
                |parsed: &Parsed| print_as(Format::Fence, parsed.program.as_ref().unwrap()).ok();
            prop_assert!(together.program.is_some());
            prop_assert_eq!(shown(&apart), shown(&together), "{:#?}", program);
        }
        Ok(())
    });
    if let Err(failed) = done {
        panic!("{failed}");
    }
}
