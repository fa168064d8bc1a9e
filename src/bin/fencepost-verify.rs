//! `fencepost-verify CERTIFICATE [PROGRAM]`: does a certificate prove what it claims?
//!
//! All it does beyond reading files and printing is in [`fencepost::verify`]. Exit codes: 0 it does, 1 it
//! does not, 2 it cannot be read.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "this is a program for the command line"
)]

use fencepost::verify::{Refusal, Refuted, is_same_program, refutes, verify};
use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::{env, fs, io, thread};

const HELP: &str = "\
Check a certificate that `fencepost` wrote with `--certificate`

Usage: fencepost-verify CERTIFICATE [PROGRAM]
       fencepost-verify --drat FORMULA PROOF

  CERTIFICATE  The certificate; `-` for standard input
  PROGRAM      The program that it has to be about, as `fencepost show` prints it; `-` for standard input
  FORMULA      A formula in DIMACS, as `fencepost export --cnf` writes it
  PROOF        A proof in DRAT that it has no model, as `fencepost export --proof` writes it

Exit codes: 0 it proves what it claims, 1 it does not, or is about another program, 2 it cannot be read.
";

/// The size of the stack, for expressions that are nested deeply.
const STACK: usize = 64 << 20;

/// A longer file is refused: 256 MiB. Fencepost writes none, as its sets have at most two million states;
/// and a file that packs as many states as it can needs about ten times its size as memory.
const MOST_BYTES: u64 = 256 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h")
    {
        return say(HELP, 0);
    }
    if arguments.iter().any(|argument| argument == "--version") {
        return say(
            concat!("fencepost-verify ", env!("CARGO_PKG_VERSION"), "\n"),
            0,
        );
    }
    let checks = move || match arguments.as_slice() {
        [option, formula, proof] if option == "--drat" => Some(refutation(formula, proof)),
        [option, ..] if option == "--drat" => None,
        [certificate] => Some(check(certificate, None)),
        [certificate, program] => Some(check(certificate, Some(program))),
        _ => None,
    };
    let done = thread::Builder::new().stack_size(STACK).spawn(checks);
    match done.map(thread::JoinHandle::join) {
        Ok(Ok(None)) => {
            eprint!("{HELP}");
            ExitCode::from(2)
        }
        Ok(Ok(Some(Ok(sentence)))) => say(&format!("verified: {sentence}\n"), 0),
        Ok(Ok(Some(Err(Refusal::Refuted(why))))) => say(&format!("refused: {}\n", shown(&why)), 1),
        Ok(Ok(Some(Err(Refusal::Unreadable(why))))) => {
            eprintln!("error: {}", shown(&why));
            ExitCode::from(2)
        }
        Ok(Err(_)) | Err(_) => ExitCode::from(2),
    }
}

fn check(certificate: &str, program: Option<&str>) -> Result<String, Refusal> {
    let verified = verify(&read(certificate)?)?;
    if let Some(program) = program
        && !is_same_program(&verified, &read(program)?)?
    {
        return Err(Refusal::Refuted(format!(
            "the certificate is about another program than {program}"
        )));
    }
    Ok(format!("{} ({})", verified.sentence, verified.evidence))
}

fn refutation(formula: &str, proof: &str) -> Result<String, Refusal> {
    let Refuted { clauses, steps } = refutes(&read(formula)?, &read(proof)?)?;
    Ok(format!(
        "the formula has no model ({clauses} clauses, {steps} steps); what it says about a program is \
         the word of the encoder"
    ))
}

fn read(path: &str) -> Result<String, Refusal> {
    let wrong = |error: io::Error| Refusal::Unreadable(format!("{path}: {error}"));
    let mut text = String::new();
    // One byte more, so as to see that there is one.
    let read = if path == "-" {
        io::stdin().take(MOST_BYTES + 1).read_to_string(&mut text)
    } else {
        fs::File::open(path)
            .map_err(wrong)?
            .take(MOST_BYTES + 1)
            .read_to_string(&mut text)
    };
    read.map_err(wrong)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Refusal::Unreadable(format!(
            "{path}: the file is longer than {} MiB",
            MOST_BYTES >> 20
        )));
    }
    Ok(text)
}

/// The text without characters that control a terminal.
fn shown(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// Prints a text. A reader that has gone away is no error.
fn say(text: &str, code: u8) -> ExitCode {
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(code)
}
