//! Programs from files and from standard input.

use super::{Exit, Global, streams};
use crate::program::Program;
use crate::syntax::{self, Expectation};
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
    /// What it says.
    pub(super) program: Program,
    /// What it expects.
    pub(super) expectations: Vec<Expectation>,
}

/// Reads a program; `-` is standard input. What is wrong with it is said on standard error.
///
/// # Errors
///
/// [`Exit::Usage`] if there is no program.
pub(super) fn read(path: &Path, global: &Global) -> Result<Input, Exit> {
    let file = path.display().to_string();
    let text = text(path).map_err(|message| {
        streams::complain(&message);
        Exit::Usage
    })?;
    let parsed = syntax::parse(&text);
    let shown = if file == "-" { "<stdin>" } else { &file };
    let color = streams::color_on_stderr(global);
    streams::diagnose(&syntax::render(&parsed.diagnostics, shown, &text, color));
    let program = parsed.program.ok_or(Exit::Usage)?;
    Ok(Input {
        file,
        text,
        program,
        expectations: parsed.expectations,
    })
}

/// The text of a file, or why there is none.
pub(super) fn text(path: &Path) -> Result<String, String> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = valid.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
        format!("{}:{line}:{column}: this is not UTF-8 text", path.display())
    })
}
