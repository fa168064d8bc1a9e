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
//! | `compiler` | which compilers may have produced the machine code of a C program |

mod canonical;
mod change;
mod compiler;
mod diagnostic;
mod edit;
pub(crate) mod expectation;
pub(crate) mod expression;
mod lines;
mod litmus;
mod names;
mod render;
mod web;

pub use change::Unwritable;
pub(crate) use change::{implements_changes, observed, unwritable, written_labels};
pub use compiler::Compiler;
pub use diagnostic::{Diagnostic, Severity, Span};
pub(crate) use diagnostic::{MOST_ERRORS, has_errors, nearest, sort_and_truncate};
pub(crate) use edit::{Edits, Layer};
pub use expectation::{Expectation, ExpectationKind, Outcome};
pub(crate) use lines::Lines;
pub use litmus::{LitmusTest, Quantifier, Shown};
pub(crate) use names::Names;
pub use render::render;

use crate::program::{Change, Ordered, Origin, Program};
use std::fmt;

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
    /// The same program with the orders that the language promises, for the search for data races;
    /// `None` if the language has no data races.
    #[doc(hidden)]
    pub ordered: Option<Ordered>,
}

impl Parsed {
    /// The result for a text that has no program because of this error.
    pub(crate) fn failed(error: Diagnostic) -> Self {
        Self {
            program: None,
            expectations: Vec::new(),
            diagnostics: vec![error],
            litmus: None,
            apart: None,
            ordered: None,
        }
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

    /// Parses a text; where it matters, as the machine code that this compiler produces.
    fn parse(&self, text: &str, compiler: Compiler) -> Parsed;

    /// The text with these changes made and everything else unchanged.
    ///
    /// # Errors
    ///
    /// The first change that no edit of the text can make, with the reason.
    fn rewrite(
        &self,
        text: &str,
        program: &Program,
        changes: &[Change],
    ) -> Result<String, Unwritable>;

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
