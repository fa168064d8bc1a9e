//! Programs from files and from standard input.
//!
//! Reading is subject to the limits of time and memory, since a pipe may never deliver anything. It is
//! also limited to the maximum length of a program, since an input may be endless.

use super::exit::Exit;
use super::limits::Limits;
use super::program::{self, ProgramArgs};
use super::{Global, streams};
use crate::formats::{
    self, AssumedEdition, BYTE_ORDER_MARK, Format, LeftOut, LitmusTest, MOST_BYTES, ParseOptions,
};
use crate::program::{Overlap, Program, Property, PropertyKind};
use crate::races::{self, RaceWarning};
use crate::report::{Problem, Source};
use crate::verdict::Budget;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// A file that was read and parsed.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The file name in reports.
    pub(super) file: String,
    /// The arguments by which it was read.
    arguments: String,
    /// The byte order mark of the file; empty if it has none.
    pub(super) mark: &'static str,
    /// The whole text: that of the file, followed by those of the other files that were read.
    pub(super) text: String,
    /// How much of it is that of the file.
    own: usize,
    /// How it was parsed.
    pub(super) options: ParseOptions,
    /// The format of the text.
    pub(super) format: Format,
    /// The parsed program.
    pub(super) program: Program,
    /// Its condition and the values to list, if it is a litmus test.
    pub(super) litmus: Option<LitmusTest>,
    /// The data races of the text.
    races: Vec<RaceWarning>,
    /// The edition of Rust, if the text depends on it and does not state it.
    assumed_edition: Option<AssumedEdition>,
    /// The executions of the text that the program lacks.
    left_out: Vec<LeftOut>,
    /// The program with a separate location for each position, if `program` is not that already.
    apart: Option<Program>,
}

impl Input {
    /// The program and its text, for reports.
    pub(super) fn source(&self) -> Source<'_> {
        Source {
            file: &self.file,
            arguments: &self.arguments,
            text: &self.text,
            format: self.format,
            program: &self.program,
            races: &self.races,
            assumed_edition: self.assumed_edition,
            left_out: &self.left_out,
        }
    }

    /// The text of the file.
    pub(super) fn own_text(&self) -> &str {
        &self.text[..self.own]
    }

    /// The program of the same text that says what threads wait for, and forbids that they wait forever; `None` if this one
    /// does, or there is none.
    pub(super) fn asking_for_waits(&self) -> Option<Program> {
        let is_asked = |property: &Property| property.kind == PropertyKind::Stuck;
        if self.program.properties().iter().any(is_asked) {
            return None;
        }
        let options = self.options.clone().forbid_stuck();
        formats::parse_with(self.format, self.own_text(), &options).program
    }

    /// The same input, in which loads of several cells do this with own stores that overlap them.
    pub(super) fn with_overlap(self: Arc<Self>, overlap: Overlap) -> Arc<Self> {
        match overlap {
            // As the program says.
            Overlap::Combine => self,
            Overlap::Wait => Arc::new(Self {
                program: self.program.with_overlap(overlap),
                ..(*self).clone()
            }),
        }
    }

    /// The same input, with a separate location for each position of the text.
    pub(super) fn with_positions_apart(&self) -> Self {
        let mut other = self.clone();
        if let Some(apart) = other.apart.take() {
            other.program = apart;
        }
        other
    }
}

/// Why there is no program.
pub(super) struct Failure {
    pub(super) exit: Exit,
    /// What is wrong with its text, which has been printed.
    pub(super) problems: Vec<Problem>,
}

/// Reads a program within the limits; `-` is standard input. Errors are printed to standard error.
///
/// # Errors
///
/// [`Exit::Usage`] if the program cannot be read or is invalid, [`Exit::Undecided`] if a limit was
/// reached first.
pub(super) fn read(
    program: &ProgramArgs,
    global: &Global,
    limits: Limits,
) -> Result<Arc<Input>, Failure> {
    let (program, global) = (program.clone(), global.clone());
    let read = limits.work(move || parse(&program, &global));
    match read.complete("reading the program") {
        Ok(read) => read.map(Arc::new),
        Err(exit) => Err(Failure {
            exit,
            problems: Vec::new(),
        }),
    }
}

fn parse(program: &ProgramArgs, global: &Global) -> Result<Input, Failure> {
    let arguments = program.words();
    let usage = |message: String| {
        if !global.brief {
            streams::print_message(&message);
        }
        Failure {
            exit: Exit::Usage,
            problems: vec![Problem::whole(&program.file(), &message)],
        }
    };
    let (path, options) = program.options(global).map_err(usage)?;
    let file = path.display().to_string();
    let bytes = bytes(&path).map_err(usage)?;
    if global.input_format().is_none()
        && let Some(language) = Format::not_read(&file)
    {
        let as_c = if language == "C++" {
            " (`--format c` reads it as C)"
        } else {
            ""
        };
        return Err(usage(format!(
            "{file}: {language} is not read; C11, Rust, litmus tests and Fencepost's own language are{as_c}"
        )));
    }
    let (own, format, mut parsed) =
        formats::parse_bytes_with(&options, &bytes, &file, global.input_format());
    if let Some(option) = program.includes()
        && !format.has_preprocessor()
    {
        return Err(usage(format!(
            "{option}: only programs in C have headers, and not `{format}`"
        )));
    }
    let races = races::race_warnings(&parsed, &Budget::default());
    parsed.diagnostics.extend(races::diagnostics(&races));
    let color = streams::color_on_stderr(global);
    if !global.brief {
        streams::diagnose(&parsed.render(&program::shown(&path), &own, color));
    }
    let left_out = parsed.left_out(&own);
    let text = parsed.text(&own).to_owned();
    let own = own.len();
    let problems = match &parsed.program {
        Some(_) => Vec::new(),
        None => Problem::all(&parsed, &text, &file),
    };
    let program = parsed.program.ok_or(Failure {
        exit: Exit::Usage,
        problems,
    })?;
    let mark = if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
        BYTE_ORDER_MARK
    } else {
        ""
    };
    Ok(Input {
        file,
        arguments,
        mark,
        text,
        own,
        options,
        format,
        program,
        litmus: parsed.litmus,
        races,
        assumed_edition: parsed.assumed_edition,
        left_out,
        apart: parsed.apart,
    })
}

/// The contents of a file, or an error message. Reads at most one byte more than a text may have.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let read = if path.as_os_str() == "-" {
        up_to_limit(io::stdin().lock(), 0)
    } else {
        File::open(path).and_then(|file| {
            let expected = file.metadata().map_or(0, |about| about.len());
            up_to_limit(file, expected)
        })
    };
    read.map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

/// All bytes of a source, which has about so many; an error if there are more than a text may have.
fn up_to_limit(source: impl Read, expected: u64) -> io::Result<Vec<u8>> {
    let most = MOST_BYTES as u64;
    // One byte more, so that the end is seen without more room.
    let mut bytes = Vec::with_capacity(expected.min(most) as usize + 1);
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
        let text = up_to_limit(io::repeat(b' ').take(MOST_BYTES as u64), 0);
        assert_eq!(text.ok().map(|text| text.len()), Some(MOST_BYTES));
        let endless = up_to_limit(io::repeat(b' '), 0);
        let message = endless.err().map(|error| error.to_string());
        assert_eq!(
            message.as_deref(),
            Some("the file is longer than 16777216 bytes")
        );
    }
}
