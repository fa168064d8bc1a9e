//! A pager for texts that are longer than a terminal.
//!
//! `$PAGER` is a program and its arguments, separated by blanks; without it, `less` is used if it is there. `cat`, or
//! an empty text, means none.

use super::exit::Exit;
use super::streams;
use std::env;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};

/// Shows a text of our own on the terminal that standard output is.
pub(super) fn show(text: &str) -> Exit {
    let Some(mut pager) = started() else {
        return streams::print(text);
    };
    if let Some(mut input) = pager.stdin.take() {
        // A pager that is left before the end has closed its input, which is not an error.
        let _ = input.write_all(text.as_bytes());
    }
    // How the pager ended says nothing about the text.
    let _ = pager.wait();
    Exit::Holds
}

/// The pager; `None` if there is none, or if none is wanted.
fn started() -> Option<Child> {
    let wanted = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = wanted.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    // Ends at once if all of it fits, shows colours, and leaves the text on the screen.
    if env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}
