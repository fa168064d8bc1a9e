//! What the front ends over the typed program, those of C and Rust, share: the expectations of a text are
//! read before it is parsed, and the result is put together after it was lowered.

use super::Spots;
use crate::program::{Ordered, Program};
use crate::text::expectation::{self, Draft};
use crate::text::{
    CallModel, Diagnostic, Edition, Lines, Names, Parsed, Span, StartedThread, has_errors,
    sort_and_truncate,
};

/// What a text states about itself.
#[derive(Default)]
pub(crate) struct Stated {
    /// Its expectations, before names are resolved.
    drafts: Vec<Draft>,
    /// Whether it has a line `forbid stuck`.
    pub(crate) forbids_stuck: bool,
    /// Whether it has a line `any number`: each loop that creates threads creates any number of them.
    pub(crate) any_number: bool,
    /// The edition that a line states, and where.
    pub(crate) edition: Option<(Edition, Span)>,
    /// What lines say of functions without a body, and where.
    pub(crate) models: Vec<(String, CallModel, Span)>,
    /// The functions that threads execute, and where lines say so.
    pub(crate) threads: Vec<(StartedThread, Span)>,
    /// What is called before such threads begin.
    pub(crate) setup: Option<(String, Span)>,
}

/// The expectations in the comments of a text. They are found by their lines in the text itself, whatever
/// line markers say.
pub(crate) fn stated(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Stated {
    let mut stated = Stated::default();
    let mut expectations = Vec::new();
    for (line, span) in expectation::comments(text) {
        if let Err(error) = stated.take(line, &span) {
            diagnostics.push(*error);
        } else if !is_about_the_text(line) {
            expectations.push((line, span));
        }
    }
    stated.drafts = expectation::read(&expectations, &Lines::new(text), diagnostics);
    stated
}

/// Whether a line says something about the text itself, and is no expectation.
fn is_about_the_text(line: &str) -> bool {
    let line = line.trim();
    let words = [
        expectation::EDITION,
        expectation::CALL,
        expectation::THREAD,
        expectation::SETUP,
    ];
    let first = line.split_whitespace().next().unwrap_or_default();
    [expectation::FORBID_STUCK, expectation::ANY_NUMBER].contains(&line) || words.contains(&first)
}

impl Stated {
    /// Takes note of a line that is no expectation; of any other, nothing.
    fn take(&mut self, line: &str, span: &Span) -> Result<(), Box<Diagnostic>> {
        let line = line.trim();
        let wrong = |message: String| Box::new(Diagnostic::error(message, span.clone()));
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            _ if line == expectation::FORBID_STUCK => self.forbids_stuck = true,
            _ if line == expectation::ANY_NUMBER => self.any_number = true,
            expectation::EDITION if self.edition.is_some() => {
                return Err(wrong("the edition is stated twice".to_owned()));
            }
            expectation::EDITION => {
                let years = "expected 2015, 2018, 2021 or 2024";
                let edition = rest.parse().map_err(wrong);
                let edition = edition.map_err(|error| Box::new(error.label(years)))?;
                self.edition = Some((edition, span.clone()));
            }
            expectation::CALL => {
                let Some((name, model)) = rest.split_once('=') else {
                    let error = wrong("this line does not say what calls do".to_owned());
                    return Err(Box::new(error.note("write `call FUNCTION = nondet`")));
                };
                let model = model.trim().parse().map_err(wrong)?;
                let name = name.trim().to_owned();
                self.models.push((name, model, span.clone()));
            }
            expectation::SETUP | expectation::THREAD if rest.is_empty() => {
                return Err(wrong("this line names no function".to_owned()));
            }
            expectation::THREAD => {
                let thread = rest.parse().map_err(wrong)?;
                self.threads.push((thread, span.clone()));
            }
            expectation::SETUP if self.setup.is_some() => {
                return Err(wrong("the setup is stated twice".to_owned()));
            }
            expectation::SETUP => self.setup = Some((rest.to_owned(), span.clone())),
            _ => {}
        }
        Ok(())
    }
}

/// What a text becomes.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// The same with a location for each position where a statement can be inserted.
    pub(crate) apart: Program,
    /// The same with the orders that the text asks for.
    pub(crate) ordered: Ordered,
    /// The positions of the text.
    pub(crate) spots: Spots,
}

/// The result of parsing, and the positions of the text. There is no program if there is an error.
pub(crate) fn parsed(
    lowered: Option<Lowered>,
    Stated { mut drafts, .. }: Stated,
    mut diagnostics: Vec<Diagnostic>,
) -> (Parsed, Spots) {
    if let Some(lowered) = &lowered {
        let mut names = Names::new(&lowered.program);
        expectation::resolve(&mut drafts, &mut names);
        diagnostics.extend(names.into_diagnostics());
    }
    sort_and_truncate(&mut diagnostics);
    let is_valid = !has_errors(&diagnostics);
    let nothing = Parsed {
        expectations: expectation::finish(drafts),
        diagnostics,
        ..Parsed::empty()
    };
    match lowered.filter(|_| is_valid) {
        Some(lowered) => {
            let parsed = Parsed {
                program: Some(lowered.program),
                apart: Some(lowered.apart),
                ordered: Some(lowered.ordered),
                ..nothing
            };
            (parsed, lowered.spots)
        }
        None => (nothing, Spots::new()),
    }
}
