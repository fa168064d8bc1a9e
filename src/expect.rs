//! Expectations: what a file says must come out, compared with what does.
//!
//! An expectation that this version cannot execute is *skipped*, which is a judgement of its own:
//! whoever runs a corpus can count them. A file that expects nothing, or that has errors which it
//! does not expect, is wrong as a whole.

use crate::check::{CheckOptions, Until, check, check_goals};
use crate::fences::{self, FenceOptions, Place, cheapest_fences};
use crate::model::Model;
use crate::program::{
    Expr, Goal, LocId, Observable, Origin, Program, Property, PropertyKind, ThreadId,
};
use crate::robustness::{RobustOptions, RobustReport, robust};
use crate::solve::SolverKind;
use crate::syntax::{Aim, Expectation, ExpectationKind, Outcome, Parsed, Severity};
use crate::verdict::{Budget, Verdict};
use std::collections::BTreeSet;
use std::ops::Range;

/// What became of an expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It came out.
    Met,
    /// Something else did.
    Missed {
        /// What should have come out.
        expected: String,
        /// What did.
        found: String,
    },
    /// This version cannot tell.
    Skipped,
}

/// The kind of an expectation by its key; `None` if it expects nothing.
pub fn kind(expectation: &Expectation) -> Option<&'static str> {
    match expectation.kind {
        ExpectationKind::About(_) => None,
        ExpectationKind::Check(..) => Some("check"),
        ExpectationKind::Robust(..) => Some("robust"),
        ExpectationKind::Attacks { .. } => Some("attacks"),
        ExpectationKind::Fence { .. } => Some("fence"),
        ExpectationKind::Observed(..) => Some("observed"),
        ExpectationKind::Error(_) => Some("error"),
    }
}

/// Whether this version can execute it: whether [`judge`] returns anything but
/// [`Judgement::Skipped`].
pub fn is_executable(expectation: &Expectation) -> bool {
    match expectation.kind {
        ExpectationKind::About(_)
        | ExpectationKind::Check(..)
        | ExpectationKind::Robust(..)
        | ExpectationKind::Attacks { .. }
        | ExpectationKind::Fence { .. }
        | ExpectationKind::Observed(..)
        | ExpectationKind::Error(_) => true,
    }
}

/// The expectation in the file's own words, given the file's text.
pub fn words(text: &str, expectation: &Expectation) -> String {
    text.get(span(expectation)).unwrap_or_default().to_owned()
}

/// What should come out, in one word where there is one.
pub fn expected(expectation: &Expectation) -> String {
    match &expectation.kind {
        ExpectationKind::About(_) => "nothing".to_owned(),
        ExpectationKind::Check(_, outcome) => outcome_word(*outcome).to_owned(),
        ExpectationKind::Robust(_, yes) | ExpectationKind::Observed(_, _, yes) => {
            yes_or_no(*yes).to_owned()
        }
        ExpectationKind::Attacks {
            feasible,
            candidates,
            ..
        } => format!("{feasible}/{candidates}"),
        ExpectationKind::Fence { cost, .. } => {
            cost.map_or_else(|| "none".to_owned(), |cost| format!("cost {cost}"))
        }
        ExpectationKind::Error(text) => format!("an error with `{text}`"),
    }
}

/// Executes one expectation of a file with the default solver.
///
/// # Errors
///
/// If Fencepost itself has a defect.
pub fn judge(
    parsed: &Parsed,
    expectation: &Expectation,
    budget: &Budget,
) -> Result<Judgement, String> {
    judge_with(parsed, expectation, SolverKind::default(), budget)
}

/// Executes one expectation of a file with this solver.
///
/// # Errors
///
/// If Fencepost itself has a defect.
pub fn judge_with(
    parsed: &Parsed,
    expectation: &Expectation,
    solver: SolverKind,
    budget: &Budget,
) -> Result<Judgement, String> {
    let options = |model: Model| CheckOptions {
        solver,
        ..CheckOptions::new(model)
    };
    let program = parsed.program.as_ref();
    let found = match (&expectation.kind, program) {
        (ExpectationKind::About(_), _) => return Ok(Judgement::Met),
        (ExpectationKind::Error(text), _) => {
            if errors(parsed).any(|message| message.contains(text.as_str())) {
                return Ok(Judgement::Met);
            }
            let messages: Vec<&str> = errors(parsed).collect();
            if messages.is_empty() {
                "no errors".to_owned()
            } else {
                messages.join("; ")
            }
        }
        (_, None) => "no program".to_owned(),
        (ExpectationKind::Check(model, _), Some(program)) => {
            let report = check(program, &options(*model), budget).map_err(|d| d.to_string())?;
            said(&report.verdict(), report.verdict().word())
        }
        (ExpectationKind::Observed(model, predicate, _), Some(program)) => {
            observed(program, &options(*model), predicate, budget)?
        }
        (ExpectationKind::Robust(model, _), Some(program)) => {
            let report = attacked(program, *model, Until::Violated, solver, budget)?;
            match report.verdict() {
                Verdict::Holds => yes_or_no(true).to_owned(),
                Verdict::Violated(_) => yes_or_no(false).to_owned(),
                open @ (Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => said(&open, open.word()),
            }
        }
        (ExpectationKind::Attacks { model, .. }, Some(program)) => {
            let report = attacked(program, *model, Until::AllAnswered, solver, budget)?;
            let open = report
                .answers
                .iter()
                .map(|answer| answer.verdict.as_ref())
                .find(|v| matches!(v, Verdict::HoldsWithin(_) | Verdict::Unknown(_)));
            match open {
                Some(open) => said(&open, open.word()),
                None => format!("{}/{}", report.feasible().count(), report.candidates()),
            }
        }
        (
            ExpectationKind::Fence {
                model, aim, places, ..
            },
            Some(program),
        ) => {
            let apart = parsed.positions().unwrap_or(program);
            let places = renumbered(program, apart, places);
            fenced(apart, *model, *aim, &places, solver, budget)?
        }
    };
    let expected = expected(expectation);
    Ok(if found == expected {
        Judgement::Met
    } else {
        Judgement::Missed { expected, found }
    })
}

/// Places of a program as places of the other one of its text, by their names.
fn renumbered(
    program: &Program,
    apart: &Program,
    places: &[(ThreadId, LocId)],
) -> Vec<(ThreadId, LocId)> {
    let named = |&(thread, loc): &(ThreadId, LocId)| {
        let name = &program.thread(thread).location(loc).name;
        let locations = apart.thread(thread).locations().iter();
        let at = locations
            .clone()
            .position(|location| location.name == *name);
        (thread, at.map_or(loc, LocId::from))
    };
    places.iter().map(named).collect()
}

fn attacked(
    program: &Program,
    model: Model,
    until: Until,
    solver: SolverKind,
    budget: &Budget,
) -> Result<RobustReport, String> {
    let options = RobustOptions {
        solver,
        until,
        ..RobustOptions::new(model)
    };
    robust(program, &options, budget).map_err(|defect| defect.to_string())
}

/// The least cost of fences, or why that is open; with places stated, whether they are among the
/// cheapest.
fn fenced(
    program: &Program,
    model: Model,
    aim: Aim,
    places: &[(ThreadId, LocId)],
    solver: SolverKind,
    budget: &Budget,
) -> Result<String, String> {
    let options = FenceOptions {
        solver,
        all: !places.is_empty(),
        ..FenceOptions::new(model, aim)
    };
    let report = cheapest_fences(program, &options, budget).map_err(|d| d.to_string())?;
    let wanted: BTreeSet<(ThreadId, LocId)> = places.iter().copied().collect();
    Ok(match report.outcome {
        fences::Outcome::Found(found) => {
            let points = |set: &Vec<Place>| -> BTreeSet<(ThreadId, LocId)> {
                set.iter().flat_map(|place| place.points.clone()).collect()
            };
            let known = wanted.is_empty() || found.sets.iter().any(|set| points(set) == wanted);
            let elsewhere = if known { "" } else { ", at other places" };
            if found.optimal && found.bounds.is_none() {
                format!("cost {}{elsewhere}", found.cost)
            } else {
                format!("cost {} at most", found.cost)
            }
        }
        fences::Outcome::Impossible { .. } => "none".to_owned(),
        fences::Outcome::Undecided(reason) => format!("unknown: {reason}"),
    })
}

/// Whether some final configuration satisfies the predicate: `yes`, `no`, or why that is open.
fn observed(
    program: &Program,
    options: &CheckOptions,
    predicate: &Expr<Observable>,
    budget: &Budget,
) -> Result<String, String> {
    let asking = program.with_property(Property {
        kind: PropertyKind::Exists,
        predicate: predicate.clone(),
        origin: Origin::default(),
    });
    let goal = Goal::Property(program.properties().len());
    let report = check_goals(&asking, &[goal], options, budget).map_err(|d| d.to_string())?;
    let verdict = report.observations.into_iter().next();
    Ok(match verdict.map(|answer| answer.verdict) {
        Some(Verdict::Holds) => yes_or_no(false).to_owned(),
        Some(Verdict::Violated(_)) => yes_or_no(true).to_owned(),
        Some(open) => said(&open, open.word()),
        None => "no answer".to_owned(),
    })
}

/// What is wrong with the file as a whole: it expects nothing, or it has errors that it does not
/// expect. Empty for a good file.
pub fn whole_file(parsed: &Parsed) -> Vec<String> {
    let expects = |text: &str| {
        parsed.expectations.iter().any(|e| match &e.kind {
            ExpectationKind::Error(expected) => text.contains(expected.as_str()),
            ExpectationKind::About(_)
            | ExpectationKind::Check(..)
            | ExpectationKind::Robust(..)
            | ExpectationKind::Attacks { .. }
            | ExpectationKind::Fence { .. }
            | ExpectationKind::Observed(..) => false,
        })
    };
    let mut complaints: Vec<String> = errors(parsed)
        .filter(|message| !expects(message))
        .map(|message| format!("an error that it does not expect: {message}"))
        .collect();
    if parsed.expectations.iter().all(|e| kind(e).is_none()) && complaints.is_empty() {
        complaints.push("no expectations".to_owned());
    }
    complaints
}

/// Where the file's text would have to say `found` for the expectation to be met; `None` unless
/// the expectation is a `check` or `observed` line and `found` a word that may stand there.
pub fn blessable(text: &str, expectation: &Expectation, found: &str) -> Option<Range<usize>> {
    let words: &[&str] = match expectation.kind {
        ExpectationKind::Check(..) => &["holds", "within", "violated"],
        ExpectationKind::Observed(..) => &["yes", "no"],
        ExpectationKind::About(_)
        | ExpectationKind::Robust(..)
        | ExpectationKind::Attacks { .. }
        | ExpectationKind::Fence { .. }
        | ExpectationKind::Error(_) => return None,
    };
    if !words.contains(&found) {
        return None;
    }
    // The value is the last of its words in front of the reason, which two spaces announce: the
    // key, model and predicate before it may be padded with spaces too.
    let span = span(expectation);
    let line = text.get(span.clone())?;
    let old = expected(expectation);
    let mut places = line.match_indices(old.as_str()).filter(|&(at, word)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + word.len()..];
        before.is_some_and(char::is_whitespace) && (after.is_empty() || after.starts_with("  "))
    });
    let (at, word) = places.next()?;
    let start = span.start + at;
    Some(start..start + word.len())
}

/// Whether `found` in its place would make the expectation say less than it does: that nothing is
/// found within bounds, where there is a proof or a violation.
pub fn weakens(expectation: &Expectation, found: &str) -> bool {
    match expectation.kind {
        ExpectationKind::Check(_, Outcome::Holds | Outcome::Violated) => {
            found == outcome_word(Outcome::Within)
        }
        ExpectationKind::Check(_, Outcome::Within)
        | ExpectationKind::About(_)
        | ExpectationKind::Observed(..)
        | ExpectationKind::Robust(..)
        | ExpectationKind::Attacks { .. }
        | ExpectationKind::Fence { .. }
        | ExpectationKind::Error(_) => false,
    }
}

fn errors(parsed: &Parsed) -> impl Iterator<Item = &str> {
    parsed
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.message.as_str())
}

fn span(expectation: &Expectation) -> Range<usize> {
    expectation.origin.start as usize..expectation.origin.end as usize
}

/// The word for a verdict, with the reason where there is one to tell.
fn said<W>(verdict: &Verdict<W>, word: &str) -> String {
    match verdict {
        Verdict::Unknown(reason) => format!("{word}: {reason}"),
        Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => word.to_owned(),
    }
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::Within => "within",
        Outcome::Violated => "violated",
    }
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
