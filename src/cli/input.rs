//! Programs from files and from standard input.
//!
//! Reading is bounded like any other work: by the limits of time and memory, since a pipe may never
//! end or never begin, and by the length that a program may have, since one may also never stop.

use super::exit::Exit;
use super::limits::Limits;
use super::{Global, streams};
use crate::formats::{self, BYTE_ORDER_MARK, Format, LitmusTest, MOST_BYTES};
use crate::program::Program;
use crate::report::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// A file that was read and understood.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The name that reports use.
    pub(super) file: String,
    /// What the file has before its text: a byte order mark, or nothing.
    pub(super) mark: &'static str,
    /// The whole text.
    pub(super) text: String,
    /// What it is written in.
    pub(super) format: Format,
    /// What it says.
    pub(super) program: Program,
    /// What it asks as a litmus test, if it is one.
    pub(super) litmus: Option<LitmusTest>,
    /// The program with its positions apart, if they are not.
    apart: Option<Program>,
}

impl Input {
    /// The program and its text, for reports.
    pub(super) fn source(&self) -> Source<'_> {
        Source {
            file: &self.file,
            text: &self.text,
            format: self.format,
            program: &self.program,
        }
    }

    /// The same with each position of the text at a location of its own.
    pub(super) fn with_positions_apart(&self) -> Self {
        let mut other = self.clone();
        if let Some(apart) = other.apart.take() {
            other.program = apart;
        }
        other
    }
}

/// Reads a program within the limits; `-` is standard input. What is wrong with it is said on
/// standard error.
///
/// # Errors
///
/// [`Exit::Usage`] if there is no program, [`Exit::Undecided`] if it was not read in time.
pub(super) fn read(path: &Path, global: &Global, limits: Limits) -> Result<Arc<Input>, Exit> {
    let (path, global) = (path.to_owned(), global.clone());
    let read = limits.work(move || parse(&path, &global));
    read.whole("reading the program")?.map(Arc::new)
}

fn parse(path: &Path, global: &Global) -> Result<Input, Exit> {
    let file = path.display().to_string();
    let bytes = bytes(path).map_err(|message| {
        streams::complain(&message);
        Exit::Usage
    })?;
    let (text, format, parsed) =
        formats::parse_bytes_for(global.compiler, &bytes, &file, global.input_format());
    let shown = if file == "-" { "<stdin>" } else { &file };
    let color = streams::color_on_stderr(global);
    streams::diagnose(&formats::render(&parsed.diagnostics, shown, &text, color));
    let program = parsed.program.ok_or(Exit::Usage)?;
    let mark = if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
        BYTE_ORDER_MARK
    } else {
        ""
    };
    Ok(Input {
        file,
        mark,
        text: text.into_owned(),
        format,
        program,
        litmus: parsed.litmus,
        apart: parsed.apart,
    })
}

/// What a file holds, or why that cannot be told. No more is read than a text may have.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let read = if path.as_os_str() == "-" {
        up_to_limit(io::stdin().lock())
    } else {
        File::open(path).and_then(up_to_limit)
    };
    read.map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

fn up_to_limit(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64;
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES {
        let message = format!("the file is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_a_text_may_have() {
        let text = up_to_limit(io::repeat(b' ').take(MOST_BYTES as u64));
        assert_eq!(text.ok().map(|text| text.len()), Some(MOST_BYTES));
        let endless = up_to_limit(io::repeat(b' '));
        let message = endless.err().map(|error| error.to_string());
        assert_eq!(
            message.as_deref(),
            Some("the file is longer than 16777216 bytes")
        );
    }
}
