//! Programs from files and from standard input.

use super::{Exit, Global, streams};
use crate::program::Program;
use crate::syntax::{self, Format, LitmusTest};
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// A file that was read and understood.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The name that reports use.
    pub(super) file: String,
    /// The whole text.
    pub(super) text: String,
    /// What it is written in.
    pub(super) format: Format,
    /// What it says.
    pub(super) program: Program,
    /// What it asks as a litmus test, if it is one.
    pub(super) litmus: Option<LitmusTest>,
}

/// Reads a program; `-` is standard input. What is wrong with it is said on standard error.
///
/// # Errors
///
/// [`Exit::Usage`] if there is no program.
pub(super) fn read(path: &Path, global: &Global) -> Result<Input, Exit> {
    let file = path.display().to_string();
    let bytes = bytes(path).map_err(|message| {
        streams::complain(&message);
        Exit::Usage
    })?;
    let (text, format, parsed) =
        syntax::parse_bytes_for(global.compiler, &bytes, &file, global.format());
    let shown = if file == "-" { "<stdin>" } else { &file };
    let color = streams::color_on_stderr(global);
    streams::diagnose(&syntax::render(&parsed.diagnostics, shown, &text, color));
    let program = parsed.program.ok_or(Exit::Usage)?;
    Ok(Input {
        file,
        text: text.into_owned(),
        format,
        program,
        litmus: parsed.litmus,
    })
}

/// What a file holds, or why that cannot be told.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}
