//! What every input language shares: diagnostics, lines, expectations, edits of a text, and what a
//! front end promises.
//!
//! A front end ([`FrontEnd`]) is a module beside `native`, `litmus` and `trencher`. It calls this
//! module and no other front end; `formats` has the table of them.
//!
//! | module | defines |
//! |---|---|
//! | `diagnostic`, `render` | errors and warnings with their places, and how they are drawn |
//! | `lines` | byte positions as lines and columns |
//! | `expression` | the expression language of `.fence` files and of all predicates |
//! | `expectation`, `names` | the `//:` lines: the expected results of a file |
//! | `litmus` | the question that a litmus test asks |
//! | `edit`, `change`, `same` | edits of a text, and the check that an edited text means what it should |
//! | `compiler` | whose machine code a C program becomes |

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
mod same;
mod web;

pub use change::Unwritable;
pub(crate) use change::{is_meant, observed, unwritable, written_labels};
pub use compiler::Compiler;
pub use diagnostic::{Diagnostic, Severity, Span};
pub(crate) use diagnostic::{MOST_ERRORS, has_errors, nearest, settle};
pub(crate) use edit::{Edits, Layer};
pub use expectation::{Expectation, ExpectationKind, Outcome};
pub(crate) use lines::Lines;
pub use litmus::{LitmusTest, Quantifier, Shown};
pub(crate) use names::Names;
pub use render::render;

use crate::program::{Change, Origin, Program};
use std::fmt;

/// The contents of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The program; `None` exactly if there is an error among the diagnostics.
    pub program: Option<Program>,
    /// The expected results, in the order of their lines. Those that name parts of the program are
    /// left out if there is none.
    #[doc(hidden)]
    pub expectations: Vec<Expectation>,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The question of a litmus test, if the text is one; `Some` only with a program.
    pub litmus: Option<LitmusTest>,
    /// The program once more, with a location for each position of the text where a statement may
    /// be written, for the search for fences: the position before a loop is not the one where each
    /// iteration starts. `None` where that makes no difference.
    #[doc(hidden)]
    pub apart: Option<Program>,
}

impl Parsed {
    /// A text without a program, for this reason.
    pub(crate) fn failed(error: Diagnostic) -> Self {
        Self {
            program: None,
            expectations: Vec::new(),
            diagnostics: vec![error],
            litmus: None,
            apart: None,
        }
    }

    /// The program in which every position of the text is a location of its own.
    #[doc(hidden)]
    pub fn positions(&self) -> Option<&Program> {
        self.apart.as_ref().or(self.program.as_ref())
    }
}

/// Which positions of the text have a location of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Positions {
    /// Those that control can tell apart: in front of a loop is where each iteration starts, and
    /// the end of a block is what comes after it.
    Merged,
    /// All where a statement may be written. A step that does nothing leads on from those in front
    /// of loops and jumps, at the ends of blocks, and in unwritten `else` branches: what is
    /// put there is passed on the way in, and not by every way that leads to the same location. Such
    /// a step also leads to each branch of a free choice. In the automaton form these are the labels,
    /// and the ends of edges where several lead to one label.
    Apart,
}

/// Reads and writes texts in one language.
///
/// All functions are total and deterministic. Texts have line feeds at the ends of all lines.
pub(crate) trait FrontEnd: Sync {
    /// Whether a text begins as texts in this language do, and as those in no other.
    fn begins(&self, text: &str) -> bool;

    /// Reads a text, with the machine code that this compiler makes of it where that matters.
    fn parse(&self, text: &str, compiler: Compiler) -> Parsed;

    /// The text with these changes made, and everything else as it was.
    ///
    /// # Errors
    ///
    /// The first change that no edit of the text makes, and why.
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
    /// What it is and why not, as a sentence without a full stop.
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
