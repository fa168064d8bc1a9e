//! The table of input formats: from the bytes of a file to a program, and back.
//!
//! | format | extension | begins with | front end |
//! |---|---|---|---|
//! | `fence` | `.fence` | anything else | `native` |
//! | `trencher` | `.txt` | a line `thread NAME`, then `initial` or `transition` | `trencher` |
//! | `litmus` | `.litmus` | the word `X86` or `X86_64` | `litmus` |
//! | `litmus-c` | `.litmus` | the word `C` | `litmus` |
//! | `c` | `.c`, `.i` | | `c` |
//! | `rust` | `.rs` | | `rust` |
//!
//! A new language is a module with a `FrontEnd` (see `text`), a variant of [`Format`]
//! and its row in `Format::row`, which the compiler checks. Nothing else depends on the format. A language may be a
//! feature that a build leaves out: `absent` is the front end in its place.
//!
//! **Absent.** Files, terminals.

#[cfg(not(all(feature = "litmus", feature = "rust", feature = "trencher")))]
mod absent;
mod format;

#[cfg(feature = "litmus")]
pub use crate::litmus::is_register_name;
pub use format::Format;

use crate::program::{Change, Expr, Origin, Program, Property, PropertyKind};
pub use crate::text::{
    AssumedEdition, CallModel, Compiler, Crate, Crates, Diagnostic, Edition, Entry, Expectation,
    ExpectationKind, FindFile, FoundFile, Idiom, LeftOut, LitmusTest, MOST_BYTES, Outcome,
    ParseOptions, Parsed, Quantifier, Reached, Rewritten, RewrittenFile, Severity, Shown, Span,
    StartedThread, StatedOption, Unprintable, Unwritable, render,
};
use crate::text::{on_large_stack, unwritable};
use std::borrow::Cow;

/// The stack of the thread that reads a text.
const STACK: usize = 64 << 20;

/// The mark that some editors write before UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Whether a condition of compilation in Rust holds on the target that programs are read for, such as `unix` or
/// `target_arch = "x86_64"`; `None` if it has no meaning.
#[cfg(feature = "rust")]
pub fn holds_for_target(condition: &str) -> Option<bool> {
    crate::rust::holds_for_target(condition)
}

/// Parses a text in the Fencepost language. Total and deterministic.
pub fn parse(text: &str) -> Parsed {
    parse_as(Format::Fence, text)
}

/// Parses a text in this format, with the code that any compiler may emit. Total and deterministic.
pub fn parse_as(format: Format, text: &str) -> Parsed {
    parse_with(format, text, &ParseOptions::default())
}

/// Parses a text in this format with these options. Total, and deterministic if finding files is.
pub fn parse_with(format: Format, text: &str, options: &ParseOptions) -> Parsed {
    if text.len() > MOST_BYTES {
        let message = format!("the text is longer than {MOST_BYTES} bytes");
        return Parsed::failed(Diagnostic::error(message, 0..0));
    }
    let front_end = format.front_end();
    if let Some(option) = options.needs_preprocessor()
        && !front_end.has_preprocessor()
    {
        let message = format!("{option}: only programs in C have this, and not `{format}`");
        return Parsed::failed(Diagnostic::error(message, 0..0));
    }
    if let Some(option) = options.needs_functions()
        && !front_end.has_functions()
    {
        let message =
            format!("{option}: only programs in C and Rust have this, and not `{format}`");
        return Parsed::failed(Diagnostic::error(message, 0..0));
    }
    if let Some(option) = options.needs_builds()
        && !front_end.has_builds()
    {
        let message = format!("{option}: only programs in Rust have this, and not `{format}`");
        return Parsed::failed(Diagnostic::error(message, 0..0));
    }
    let text = lines_of(text);
    let parsed = on_large_stack(STACK, || front_end.parse(&text, options));
    let mut parsed = parsed.unwrap_or_else(|| {
        let message = "there is not enough memory to parse this";
        Parsed::failed(Diagnostic::error(message, 0..0))
    });
    if options.forbid_stuck && !front_end.states_waits() {
        forbid_stuck(&mut parsed);
    }
    match parsed {
        // The rest begins like the given text.
        parsed if parsed.joined.as_deref() == Some(&*text) => Parsed {
            joined: None,
            ..parsed
        },
        parsed => parsed,
    }
}

/// Adds the property that the program is never stuck, unless it is stated.
fn forbid_stuck(parsed: &mut Parsed) {
    for program in [&mut parsed.program, &mut parsed.apart] {
        let Some(given) = program else {
            continue;
        };
        let stated = |property: &Property| property.kind == PropertyKind::Stuck;
        if !given.properties().iter().any(stated) {
            *given = given.with_property(added());
        }
    }
}

/// The property that is added.
fn added() -> Property {
    Property {
        kind: PropertyKind::Stuck,
        predicate: Expr::Const(1),
        origin: Origin::default(),
    }
}

/// The text with a line feed for each carriage return that is not followed by one: these end lines,
/// too, but the front ends only handle line feeds. All positions stay the same.
fn lines_of(text: &str) -> Cow<'_, str> {
    let is_alone = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !text.match_indices('\r').any(|(at, _)| is_alone(at)) {
        return Cow::Borrowed(text);
    }
    let chars = text.char_indices();
    let ended = chars.map(|(at, c)| if c == '\r' && is_alone(at) { '\n' } else { c });
    Cow::Owned(ended.collect())
}

/// The text, which is in this format, with these changes made and everything else unchanged.
/// Requires that the program was parsed from the text.
///
/// # Errors
///
/// The first change for which no edit of the text was found, and why.
pub fn rewrite_as(
    format: Format,
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    rewrite_with(format, text, &ParseOptions::default(), program, changes)
        .map(|rewritten| rewritten.text)
}

/// The same for a text that was parsed with these options, and for the other files that were read.
///
/// # Errors
///
/// As [`rewrite_as`].
pub fn rewrite_with(
    format: Format,
    text: &str,
    options: &ParseOptions,
    program: &Program,
    changes: &[Change],
) -> Result<Rewritten, Unwritable> {
    let front_end = format.front_end();
    let mut program = Cow::Borrowed(program);
    if options.forbid_stuck && !front_end.states_waits() {
        // The front end has not seen the property that was added.
        program = Cow::Owned(program.without_last_property(&added()));
    }
    let text = lines_of(text);
    let rewrite = || front_end.rewrite(&text, options, &program, changes);
    on_large_stack(STACK, rewrite).unwrap_or_else(|| match changes.first() {
        Some(first) => {
            let why = "there is not enough memory to parse the text";
            Err(unwritable(&program, first, why))
        }
        None => rewrite(),
    })
}

/// The same for a text in the Fencepost language.
///
/// # Errors
///
/// As [`rewrite_as`].
pub fn rewrite(text: &str, program: &Program, changes: &[Change]) -> Result<String, Unwritable> {
    rewrite_as(Format::Fence, text, program, changes)
}

/// The program, as automata, in a text in this format that can be parsed again.
///
/// # Errors
///
/// Everything in it that the format cannot express. Litmus tests are not a format for whole
/// programs: `core` of the reports writes the racing core of a run as one.
pub fn print_as(format: Format, program: &Program) -> Result<String, Vec<Unprintable>> {
    format.front_end().print(program)
}

/// The text that these bytes are, as it is parsed.
///
/// # Errors
///
/// If they are not UTF-8: a sentence without a full stop.
pub fn decoded(bytes: &[u8]) -> Result<String, String> {
    let mark = BYTE_ORDER_MARK.as_bytes();
    let body = bytes.strip_prefix(mark).unwrap_or(bytes);
    match std::str::from_utf8(body) {
        Ok(text) => Ok(lines_of(text).into_owned()),
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes.len() - body.len() + at;
            Err(format!(
                "the text is not valid UTF-8: byte {byte} of the file is 0x{:02x}",
                body[at]
            ))
        }
    }
}

/// Parses the bytes of a file, which should be UTF-8, in the given or guessed format. If they are
/// not UTF-8, that is the only error, at its position; the expectations are parsed nevertheless.
/// Also returns the format, and the text as it can be shown: without a byte order mark, and with a
/// line feed for each carriage return that ends a line by itself.
pub fn parse_bytes<'a>(
    bytes: &'a [u8],
    file_name: &str,
    format: Option<Format>,
) -> (Cow<'a, str>, Format, Parsed) {
    parse_bytes_with(&ParseOptions::default(), bytes, file_name, format)
}

/// The same with these options.
pub fn parse_bytes_with<'a>(
    options: &ParseOptions,
    bytes: &'a [u8],
    file_name: &str,
    format: Option<Format>,
) -> (Cow<'a, str>, Format, Parsed) {
    // A mark at the start means that what follows is UTF-8. It is not part of the text.
    let body = bytes
        .strip_prefix(BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(bytes);
    let text = match String::from_utf8_lossy(body) {
        Cow::Borrowed(text) => lines_of(text),
        Cow::Owned(text) => Cow::Owned(lines_of(&text).into_owned()),
    };
    let read_as = match format {
        // `--format c` reads litmus tests in C, too.
        Some(Format::C) => Format::begun(&text)
            .filter(|begun| *begun == Format::LitmusC)
            .unwrap_or(Format::C),
        Some(format) => format,
        None => Format::guess(file_name, &text),
    };
    let mut parsed = parse_with(read_as, &text, options);
    // If the caller gave the format, the errors of its front end are the relevant ones.
    if format.is_none()
        && parsed.program.is_none()
        && let Some(other) = Format::begun(&text).filter(|other| *other != read_as)
    {
        let start = text.len() - text.trim_start().len();
        let end = start + text[start..].find('\n').unwrap_or(text.len() - start);
        let message = format!("this file begins like `{other}` but is parsed as `{read_as}`");
        parsed.diagnostics = vec![
            Diagnostic::error(message, start..end)
                .label(format!("use `--format {other}` to parse it as `{other}`"))
                .note(format!("the name of the file implies `{read_as}`")),
        ];
    }
    let format = read_as;
    let Err(error) = std::str::from_utf8(body) else {
        return (text, format, parsed);
    };
    let at = error.valid_up_to();
    // The replacement character for invalid bytes in the shown text is three bytes long.
    let diagnostic = Diagnostic::error("the text is not valid UTF-8", at..at + 3)
        .label(format!(
            "byte {} of the file, 0x{:02x}",
            bytes.len() - body.len() + at,
            body[at]
        ))
        .note("the program was not parsed");
    let parsed = Parsed {
        expectations: parsed.expectations,
        ..Parsed::failed(diagnostic)
    };
    (text, format, parsed)
}

#[cfg(test)]
pub(crate) mod tests;
