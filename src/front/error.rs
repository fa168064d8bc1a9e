//! The one error type of the public interface.
//!
//! Modules report what goes wrong in types of their own ([`Defect`], [`BuildError`], [`Diagnostic`],
//! …). Each of these converts into an [`Error`], so `?` works on everything that the crate exports.

use crate::program::{BuildError, Program};
use crate::text::{Diagnostic, Parsed, Severity, Unprintable, Unwritable};
use crate::verdict::Defect;
use std::fmt;

/// Why a function of this crate returned no result.
///
/// A verdict is never an error: a program that violates its assertions, and a question that is not
/// decided, are both answers ([`Verdict`](crate::verdict::Verdict)).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text is not a program: all its errors and warnings, in the order of their places.
    Parse(Vec<Diagnostic>),
    /// The parts given to a [`ProgramBuilder`](crate::program::ProgramBuilder) do not form a program: all
    /// defects.
    Build(Vec<BuildError>),
    /// A format cannot express a program: everything in the program that it cannot express.
    Print(Vec<Unprintable>),
    /// A change cannot be made in the text of a program.
    Rewrite(Unwritable),
    /// A bug in Fencepost: two of its methods contradict each other, so the answer is withheld. The
    /// text says what was contradicted.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Parse(diagnostics) => {
                let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
                let errors = diagnostics.iter().filter(is_error);
                several(f, "the text is not a program", errors.map(|d| &d.message))
            }
            Error::Build(errors) => several(f, "the parts do not form a program", errors),
            Error::Print(parts) => several(f, "the format cannot express the program", parts),
            Error::Rewrite(change) => change.fmt(f),
            Error::Internal(contradiction) => write!(f, "internal error: {contradiction}"),
        }
    }
}

/// `what: the first of these (and 2 more)`.
fn several<E: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    errors: impl IntoIterator<Item = E>,
) -> fmt::Result {
    let mut errors = errors.into_iter();
    f.write_str(what)?;
    if let Some(first) = errors.next() {
        write!(f, ": {first}")?;
    }
    match errors.count() {
        0 => Ok(()),
        more => write!(f, " (and {more} more)"),
    }
}

impl std::error::Error for Error {}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Error::Parse(diagnostics)
    }
}

impl From<Vec<BuildError>> for Error {
    fn from(errors: Vec<BuildError>) -> Self {
        Error::Build(errors)
    }
}

impl From<Vec<Unprintable>> for Error {
    fn from(parts: Vec<Unprintable>) -> Self {
        Error::Print(parts)
    }
}

impl From<Unwritable> for Error {
    fn from(change: Unwritable) -> Self {
        Error::Rewrite(change)
    }
}

impl From<Defect> for Error {
    fn from(defect: Defect) -> Self {
        Error::Internal(defect.message)
    }
}

impl Parsed {
    /// The program, without its expectations and warnings.
    ///
    /// # Errors
    ///
    /// [`Error::Parse`] if the text has errors.
    pub fn into_program(self) -> Result<Program, Error> {
        self.program.ok_or(Error::Parse(self.diagnostics))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;
    use crate::program::{Copies, Origin, ProgramBuilder};

    #[test]
    fn a_text_with_errors_is_one_error_that_counts_them() {
        let one = parse("thread t0 { x = 1; }").into_program();
        let one = one.expect_err("`x` is not declared").to_string();
        assert!(one.starts_with("the text is not a program: "), "{one}");
        assert!(one.contains("`x`") && !one.contains("more)"), "{one}");
        let two = parse("thread t0 { x = 1; y = 1; }").into_program();
        let two = two.expect_err("neither is declared").to_string();
        assert!(two.ends_with(" (and 1 more)"), "{two}");
    }

    #[test]
    fn the_defects_of_a_builder_become_one_error() {
        let mut builder = ProgramBuilder::new("no entry");
        builder.thread("t0", Copies::One, Origin::default());
        let built = builder.build().map_err(Error::from);
        let message = built.expect_err("the thread has no entry").to_string();
        assert!(message.contains("t0"), "{message}");
    }

    #[test]
    fn a_defect_is_called_an_internal_error() {
        let error = Error::from(Defect::new("the engines disagree"));
        assert_eq!(error.to_string(), "internal error: the engines disagree");
    }
}
