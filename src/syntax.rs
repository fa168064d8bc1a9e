//! From text to program: input files, their expectations, and everything wrong with them.
//!
//! Which language a text is in is its [`Format`]; what depends on that is decided here and nowhere
//! else: [`parse_as`], [`rewrite_as`], [`print_as`]. Trencher's automata are at home in `trencher`,
//! litmus tests in `litmus`, and each header tells what such a text may say. For `.fence` files:
//!
//!   text ──lex──▶ words ──balance──▶ words ──grammar──▶ items ──lower──▶ Program
//!
//! Each stage goes on behind what it cannot read, so that all errors of a file come at once, and
//! each later stage keeps silent about what an earlier one may have lost, so that one typo is one
//! error. How deep a text nests is bounded before the first recursive reader sees it; how much a
//! program unfolds is bounded while it does.
//!
//! A fence may stand in front of a value, in parentheses or as the condition of a branch or loop:
//! `while (fence, x == 1 && (fence store, y))`. So every way through a program has places to write
//! one at, and [`rewrite()`] finds them.
//!
//! The language has two forms, which a file may mix. The *structured form* is what a person writes
//! on a whiteboard; the *automaton form* is that of the papers, extended until it can say all that
//! a [`Program`] can, because it is what [`crate::program::print`] writes:
//!
//! ```text
//! thread worker.0 regs r, k = 5 locations l0, (q1), l2 init l0 begin
//!   @cost 5 l0: r <- cas(mem[x], 0, 1); goto q1;
//!   q1: property r == 0; goto l2;
//! end
//! ```
//!
//! `property e` is the structured form's `assert`, `r <- nondet(lo, hi)`, `barrier all` and the
//! locked instructions are as there, `sfence` is `fence store`, `lock` and `unlock` enter and leave
//! an atomic block. The `locations` clause lists all locations in order; those in parentheses
//! have names that nobody wrote. Any name may be quoted with backticks.
//!
//! **Absent.** Files, terminals.

mod ast;
mod brackets;
mod compiler;
mod diagnostic;
mod expectation;
mod format;
mod grammar;
mod lines;
mod litmus;
mod lower;
mod names;
mod render;
mod rewrite;
mod token;
mod trencher;

pub use compiler::Compiler;
pub use diagnostic::{Diagnostic, Severity, Span};
pub use expectation::{Expectation, ExpectationKind, Outcome};
pub use format::Format;
pub use litmus::{LitmusTest, Quantifier, Shown, is_register_name};
use lower::Positions;
pub use render::render;
pub use rewrite::{Manuscript, Unwritable, rewrite};
pub use trencher::Unprintable;

use crate::program::{Change, Origin, Program, print};
use std::borrow::Cow;

/// No text is longer than this many bytes.
pub const MOST_BYTES: usize = 1 << 24;

/// What some editors put in front of UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What a text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The program; absent exactly if there is an error among the diagnostics.
    pub program: Option<Program>,
    /// What the file says must come out, in the order of its lines. Those that speak of names in
    /// the program are left out if there is none.
    pub expectations: Vec<Expectation>,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// What the text asks as a litmus test, if it is one; present only with a program.
    pub litmus: Option<LitmusTest>,
    /// The program once more, with a location for each position of the text where a statement may
    /// be written, for the search for fences: in front of a loop is not where each iteration
    /// starts. Absent where that makes no difference, for there is none in the format.
    pub apart: Option<Program>,
}

impl Parsed {
    /// The program in which every position of the text is a location of its own.
    pub fn positions(&self) -> Option<&Program> {
        self.apart.as_ref().or(self.program.as_ref())
    }
}

/// Reads a text in the Fencepost language. Returns the same for the same text, and returns for
/// every text.
pub fn parse(text: &str) -> Parsed {
    parse_as(Format::Fence, text)
}

/// Reads a text in this format, with code that any compiler may have made. Returns the same for the
/// same text, and returns for every text.
pub fn parse_as(format: Format, text: &str) -> Parsed {
    parse_for(Compiler::default(), format, text)
}

/// The same with the code that this compiler makes of a text in C.
pub fn parse_for(compiler: Compiler, format: Format, text: &str) -> Parsed {
    if text.len() > MOST_BYTES {
        let message = format!("the text is longer than {MOST_BYTES} bytes");
        return Parsed {
            program: None,
            expectations: Vec::new(),
            diagnostics: vec![Diagnostic::error(message, 0..0)],
            litmus: None,
            apart: None,
        };
    }
    let text = &*lines_of(text);
    match format {
        Format::Fence => parse_fence(text),
        Format::Trencher => trencher::parse(text),
        Format::Litmus | Format::C => litmus::parse(text, compiler),
    }
}

/// The text with a line feed for each carriage return without one: those end lines, too, and nothing
/// below knows. All places stay.
fn lines_of(text: &str) -> Cow<'_, str> {
    let is_alone = |at: usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !text.match_indices('\r').any(|(at, _)| is_alone(at)) {
        return Cow::Borrowed(text);
    }
    let chars = text.char_indices();
    let ended = chars.map(|(at, c)| if c == '\r' && is_alone(at) { '\n' } else { c });
    Cow::Owned(ended.collect())
}

fn parse_fence(text: &str) -> Parsed {
    let mut diagnostics = Vec::new();
    let lexed = token::lex(text);
    diagnostics.extend(lexed.diagnostics);
    let lines = lines::Lines::new(text);
    let (mut program, mut apart) = (None, None);
    let mut expectations = expectation::read(&lexed.expectations, &lines, &mut diagnostics);
    if let Err(too_deep) = brackets::check_depth(&lexed.tokens) {
        diagnostics.push(too_deep);
    } else {
        let words = brackets::balance(lexed.tokens, &mut diagnostics);
        let grammar = grammar::parse(text, &words, &mut diagnostics);
        if grammar.items.is_empty() && diagnostics.is_empty() {
            diagnostics.push(
                Diagnostic::error("the text has no program", 0..0)
                    .note("a program declares threads, as in `shared x; thread t { x = 1; }`"),
            );
        }
        let (items, doubtful) = (&grammar.items, &grammar.doubtful);
        let mut lowered = lower::lower(items, doubtful, &lexed.lost, &lines, Positions::Merged);
        diagnostics.append(&mut lowered.take_diagnostics());
        if lowered.program.is_some() {
            expectation::resolve(&mut expectations, &mut lowered);
            diagnostics.append(&mut lowered.take_diagnostics());
        }
        program = lowered.program;
        apart = lower::lower(items, doubtful, &lexed.lost, &lines, Positions::Apart).program;
    }
    diagnostic::settle(&mut diagnostics);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        program = None;
    }
    apart = apart.filter(|_| program.is_some());
    Parsed {
        program,
        expectations: expectation::finish(expectations),
        diagnostics,
        litmus: None,
        apart,
    }
}

/// The text, which is in this format, with these changes made. See [`rewrite()`].
///
/// # Errors
///
/// As [`rewrite()`].
pub fn rewrite_as(
    format: Format,
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    let text = &*lines_of(text);
    match format {
        Format::Fence => rewrite(text, program, changes),
        Format::Trencher => trencher::rewrite(text, program, changes),
        Format::Litmus | Format::C => litmus::rewrite(text, program, changes),
    }
}

/// A program as a text in this format: as automata, which read back.
///
/// # Errors
///
/// Everything in it that the format cannot say. Litmus tests are no format for whole programs:
/// what can be said in one is the racing core of a run ([`crate::report::core()`]).
pub fn print_as(format: Format, program: &Program) -> Result<String, Vec<Unprintable>> {
    match format {
        Format::Fence => Ok(print(program)),
        Format::Trencher => trencher::print(program),
        Format::Litmus | Format::C => Err(vec![Unprintable {
            origin: Origin::default(),
            why: "no program is printed as a litmus test".to_owned(),
        }]),
    }
}

/// Reads the bytes of a file, which should be UTF-8, in the format given or guessed. If they are
/// not, that is the one error, at its position; the expectations are read all the same. Also
/// returns the text as it can be shown, without a byte order mark and with line feeds at the ends of
/// lines that end with carriage returns alone, and the format.
pub fn parse_bytes<'a>(
    bytes: &'a [u8],
    file_name: &str,
    format: Option<Format>,
) -> (Cow<'a, str>, Format, Parsed) {
    parse_bytes_for(Compiler::default(), bytes, file_name, format)
}

/// The same with the code that this compiler makes of a text in C.
pub fn parse_bytes_for<'a>(
    compiler: Compiler,
    bytes: &'a [u8],
    file_name: &str,
    format: Option<Format>,
) -> (Cow<'a, str>, Format, Parsed) {
    // A mark at the start says that what follows is UTF-8. It is no part of the text.
    let body = bytes
        .strip_prefix(BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(bytes);
    let text = match String::from_utf8_lossy(body) {
        Cow::Borrowed(text) => lines_of(text),
        Cow::Owned(text) => Cow::Owned(lines_of(&text).into_owned()),
    };
    let read_as = format.unwrap_or_else(|| Format::guess(file_name, &text));
    let mut parsed = parse_for(compiler, read_as, &text);
    // Whoever says which format it is has heard what that one's reader has to say.
    if format.is_none()
        && parsed.program.is_none()
        && let Some(other) = Format::begun(&text).filter(|other| *other != read_as)
    {
        let start = text.len() - text.trim_start().len();
        let end = start + text[start..].find('\n').unwrap_or(text.len() - start);
        let message = format!("the text begins like `{other}` and is read as `{read_as}`");
        parsed.diagnostics = vec![
            Diagnostic::error(message, start..end)
                .label(format!("`--format {other}` reads it"))
                .note(format!("the file's name says `{read_as}`")),
        ];
    }
    let format = read_as;
    let Err(error) = std::str::from_utf8(body) else {
        return (text, format, parsed);
    };
    let at = error.valid_up_to();
    // What stands for the bad bytes in the text that is shown is three bytes long.
    let diagnostic = Diagnostic::error("the text is not valid UTF-8", at..at + 3)
        .label(format!(
            "byte {} of the file, 0x{:02x}",
            bytes.len() - body.len() + at,
            body[at]
        ))
        .note("nothing of the program was read");
    let parsed = Parsed {
        program: None,
        expectations: parsed.expectations,
        diagnostics: vec![diagnostic],
        litmus: None,
        apart: None,
    };
    (text, format, parsed)
}

#[cfg(test)]
mod tests;
