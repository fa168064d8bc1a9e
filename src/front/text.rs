//! What all input languages share: diagnostics, line numbers, expectations, text edits, and the
//! trait that every front end implements.
//!
//! A front end ([`FrontEnd`]) is a module next to `native`, `litmus` and `trencher`. It calls this
//! module and no other front end; `formats` holds the table of them.
//!
//! | module | defines |
//! |---|---|
//! | `diagnostic`, `render` | errors and warnings with their spans, and how they are drawn |
//! | `lines` | byte positions as lines and columns |
//! | `expression` | the expression language of `.fence` files and of all predicates |
//! | `expectation`, `names` | the `//:` lines: the expected results of a file |
//! | `litmus` | the condition of a litmus test |
//! | `edit`, `change`, `canonical` | edits of a text, and the check that an edited text means what it should |
//! | `options` | how a text is parsed, where the text itself does not say it |
//! | `compiler` | which compilers may have produced the machine code of a C program |
//! | `edition` | the editions of Rust |
//! | `crates` | the crates that a text in Rust belongs to and reaches |

mod canonical;
mod change;
mod compiler;
mod crates;
mod diagnostic;
mod edit;
mod edition;
pub(crate) mod expectation;
pub(crate) mod expression;
pub(crate) mod foreign;
mod idiom;
mod lines;
mod litmus;
mod names;
mod options;
mod place;
mod render;
mod rewritten;
mod stack;
mod web;

pub use change::Unwritable;
pub(crate) use change::{implements_changes, observed, unwritable, written_labels};
pub use compiler::Compiler;
pub use crates::{Crate, Crates, Reached};
pub(crate) use diagnostic::by_cause;
pub use diagnostic::{Diagnostic, Severity, Span};
pub use diagnostic::{MOST_ERRORS, edit_distance, has_errors, nearest, sort_and_truncate};
pub(crate) use edit::{Edits, Ending, Layer};
pub use edition::{AssumedEdition, Edition};
pub use expectation::{Expectation, ExpectationKind, Outcome};
pub use expression::{SIGNS, TokenKind, WORDS, token_kinds};
pub use idiom::Idiom;
pub use lines::Lines;
pub(crate) use litmus::shown_number;
pub use litmus::{Bits, LitmusTest, Quantifier, Shown};
pub(crate) use names::Names;
pub(crate) use options::Loads;
pub use options::{CallModel, FindFile, FoundFile, ParseOptions, StartedThread, Threads};
pub(crate) use place::{FileId, Place};
pub use render::render;
pub(crate) use render::render_files;
pub use rewritten::{Rewritten, RewrittenFile};
pub(crate) use stack::on_large_stack;

use crate::program::{Change, Files, Ordered, Origin, Program};
use std::fmt;

/// Texts are limited to this many bytes, and so is all that a program is read from in Rust.
pub const MOST_BYTES: usize = 1 << 24;

/// The result of parsing a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The program; `None` exactly if there is an error among the diagnostics.
    pub program: Option<Program>,
    /// The expected results, in the order of their lines. Those that refer to parts of the program
    /// are omitted if there is no program.
    #[doc(hidden)]
    pub expectations: Vec<Expectation>,
    /// Errors and warnings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The condition of a litmus test, if the text is one; `Some` only with a program.
    pub litmus: Option<LitmusTest>,
    /// The same program, but with a separate location for each position of the text where a
    /// statement can be inserted, for the fence search: the position before a loop differs from the
    /// one where each iteration starts. `None` where that makes no difference.
    #[doc(hidden)]
    pub apart: Option<Program>,
    /// The text that all positions refer to, if it is not the given one: the given text, followed by
    /// those of the other files that were read.
    #[doc(hidden)]
    pub joined: Option<String>,
    /// Which part of that text belongs to which file.
    #[doc(hidden)]
    pub files: Files,
    /// The same program with the orders that the language promises, for the search for data races;
    /// `None` if the language has no data races.
    #[doc(hidden)]
    pub ordered: Option<Ordered>,
    /// The edition of Rust, if the text depends on it and does not state it.
    #[doc(hidden)]
    pub assumed_edition: Option<AssumedEdition>,
}

/// A function that is a program of its own: a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, with its modules if the text needs them.
    pub name: String,
    /// Its name with its modules, as `cargo test` has it.
    pub path: String,
    /// Whether it may create threads.
    pub creates_threads: bool,
    /// What its attribute `#[fencepost::test(…)]` says, if it has one.
    pub stated: Option<Vec<StatedOption>>,
}

/// An option of the attribute `#[fencepost::test(name = value)]`: its name, and its value as it is written, without quotes.
pub type StatedOption = (String, Option<String>);

/// Executions of a source that its program lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct LeftOut {
    /// Which, as in "executions where …".
    pub executions: String,
    /// What makes the difference.
    pub origin: Origin,
}

impl Parsed {
    /// Nothing.
    pub(crate) fn empty() -> Self {
        Self {
            program: None,
            expectations: Vec::new(),
            diagnostics: Vec::new(),
            litmus: None,
            apart: None,
            joined: None,
            files: Files::default(),
            ordered: None,
            assumed_edition: None,
        }
    }

    /// The result for a text that has no program because of this error.
    pub(crate) fn failed(error: Diagnostic) -> Self {
        Self {
            diagnostics: vec![error],
            ..Self::empty()
        }
    }

    /// The text that all positions refer to: the given one, or a longer one that begins with it if
    /// other files were read.
    pub fn text<'a>(&'a self, given: &'a str) -> &'a str {
        self.joined.as_deref().unwrap_or(given)
    }

    /// The diagnostics with the lines that they refer to, as by [`render`](render()), in whichever file
    /// they are.
    pub fn render(&self, file_name: &str, given: &str, color: bool) -> String {
        let text = self.text(given);
        render_files(&self.diagnostics, file_name, text, &self.files, color)
    }

    /// The executions of the source that the program lacks: what a verdict must say.
    #[doc(hidden)]
    pub fn left_out(&self, given: &str) -> Vec<LeftOut> {
        let lines = Lines::new(self.text(given)).of_files(&self.files);
        let all = self.diagnostics.iter();
        let left_out = all.filter_map(|one| {
            Some(LeftOut {
                executions: one.leaves_out()?.to_owned(),
                origin: lines.origin(&one.span),
            })
        });
        left_out.collect()
    }

    /// The program in which every position of the text has its own location.
    #[doc(hidden)]
    pub fn positions(&self) -> Option<&Program> {
        self.apart.as_ref().or(self.program.as_ref())
    }
}

/// Which positions of the text have their own location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Positions {
    /// Those that control flow distinguishes: the position before a loop is the one where each
    /// iteration starts, and the end of a block is the position after the block.
    Merged,
    /// Every position where a statement can be inserted. A step that does nothing leads on from the
    /// position before a loop or jump, the end of a block, and an unwritten `else` branch: a
    /// statement inserted there is executed on this path only, not on every path that leads to the
    /// same location. Such a step also leads to each branch of a nondeterministic choice. In the
    /// automaton form these positions are the labels, and the ends of edges where several edges
    /// lead to one label.
    Apart,
}

/// Reads and writes texts in one language.
///
/// All functions are total and deterministic. Texts have line feeds at the ends of all lines.
pub(crate) trait FrontEnd: Sync {
    /// Whether a text begins the way texts in this language do and texts in no other language do.
    fn begins(&self, text: &str) -> bool;

    /// Whether texts in this language are preprocessed, so that [`ParseOptions`] about that have a
    /// meaning.
    fn has_preprocessor(&self) -> bool {
        false
    }

    /// Whether texts in this language consist of functions, one of which the program executes.
    fn has_functions(&self) -> bool {
        self.has_preprocessor()
    }

    /// Whether arithmetic depends on the kind of build, and the meaning on an edition.
    fn has_builds(&self) -> bool {
        false
    }

    /// Whether it states `forbid stuck` itself if the options ask for it, because what a thread waits
    /// for depends on that.
    fn states_waits(&self) -> bool {
        false
    }

    /// The words for fences that a text uses; `None` for a language with fences of its own.
    fn idiom(&self, _text: &str) -> Option<Idiom> {
        None
    }

    /// The functions that are programs of their own; `None` if the text cannot be read.
    fn entries(&self, _text: &str, _options: &ParseOptions) -> Option<Vec<Entry>> {
        Some(Vec::new())
    }

    /// Parses a text.
    fn parse(&self, text: &str, options: &ParseOptions) -> Parsed;

    /// The text with these changes made and everything else unchanged. The program was parsed with the
    /// same options.
    ///
    /// # Errors
    ///
    /// The first change that no edit of the text can make, with the reason.
    fn rewrite(
        &self,
        text: &str,
        options: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable>;

    /// The program as a text in this language that can be parsed again.
    ///
    /// # Errors
    ///
    /// Everything in the program that the language cannot express.
    fn print(&self, program: &Program) -> Result<String, Vec<Unprintable>>;
}

/// Something in a program that a format cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unprintable {
    /// Where it was written.
    pub origin: Origin,
    /// What it is and why it cannot be expressed, as a sentence without a full stop.
    pub why: String,
}

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin.line {
            0 => f.write_str(&self.why),
            line => write!(f, "line {line}: {}", self.why),
        }
    }
}

impl std::error::Error for Unprintable {}
