//! What the front ends over the typed program, those of C and Rust, share: the expectations of a text are
//! read before it is parsed, and the result is put together after it was lowered.

use super::Spots;
use crate::program::{Ordered, Program};
use crate::text::expectation::{self, Draft};
use crate::text::{
    CallModel, Diagnostic, Edition, Lines, Names, Parsed, Span, has_errors, sort_and_truncate,
};

/// What a text states about itself.
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
}

/// The expectations in the comments of a text. They are found by their lines in the text itself, whatever
/// line markers say.
pub(crate) fn stated(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Stated {
    let is_line = |what: &'static str| move |(line, _): &(&str, Span)| line.trim() == what;
    let comments = expectation::comments(text).into_iter();
    let (stuck, comments): (Vec<_>, Vec<_>) =
        comments.partition(is_line(expectation::FORBID_STUCK));
    let comments = comments.into_iter();
    let (any, comments): (Vec<_>, Vec<_>) = comments.partition(is_line(expectation::ANY_NUMBER));
    let is_edition =
        |(line, _): &(&str, Span)| line.split_whitespace().next() == Some(expectation::EDITION);
    let (editions, comments): (Vec<_>, Vec<_>) = comments.into_iter().partition(is_edition);
    let is_call =
        |(line, _): &(&str, Span)| line.split_whitespace().next() == Some(expectation::CALL);
    let (calls, comments): (Vec<_>, Vec<_>) = comments.into_iter().partition(is_call);
    let mut models = Vec::new();
    for (line, span) in calls {
        let rest = line.trim_start().trim_start_matches(expectation::CALL);
        let Some((name, model)) = rest.split_once('=') else {
            let error = Diagnostic::error("this line does not say what calls do", span);
            diagnostics.push(error.note("write `call FUNCTION = nondet`"));
            continue;
        };
        match model.trim().parse::<CallModel>() {
            Ok(model) => models.push((name.trim().to_owned(), model, span)),
            Err(message) => diagnostics.push(Diagnostic::error(message, span)),
        }
    }
    let mut edition = None;
    for (line, span) in editions {
        let word = line.trim_start().trim_start_matches(expectation::EDITION);
        match word.trim().parse() {
            Ok(_) if edition.is_some() => {
                diagnostics.push(Diagnostic::error("the edition is stated twice", span));
            }
            Ok(stated) => edition = Some((stated, span)),
            Err(message) => diagnostics
                .push(Diagnostic::error(message, span).label("expected 2015, 2018, 2021 or 2024")),
        }
    }
    Stated {
        edition,
        models,
        drafts: expectation::read(&comments, &Lines::new(text), diagnostics),
        forbids_stuck: !stuck.is_empty(),
        any_number: !any.is_empty(),
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
