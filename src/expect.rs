//! Expectations: the results stated in a file, compared with the actual results.
//!
//! Both are values ([`Finding`]) and become text only when they are displayed. A file is invalid as
//! a whole if it expects nothing, or has errors that it does not expect.

mod certify;
mod finding;

pub use certify::certify;
pub use finding::Finding;

use crate::check::{CheckOptions, Until, check, check_goals};
use crate::fences::{self, FenceOptions, Place, cheapest_fences};
use crate::formats::{Expectation, ExpectationKind, Outcome, Parsed, Severity};
use crate::model::Model;
use crate::program::{
    Aim, Expr, Goal, LocId, Observable, Origin, Program, Property, PropertyKind, ThreadId,
};
use crate::robustness::{RobustOptions, RobustReport, robust};
use crate::solve::SolverKind;
use crate::techniques::Techniques;
use crate::verdict::{Budget, Reason, Verdict};
use std::collections::BTreeSet;
use std::ops::Range;

/// The result of checking an expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The expected result was found.
    Met,
    /// Another result was found.
    Missed {
        /// The expected result.
        expected: Finding,
        /// The actual result.
        found: Finding,
    },
}

/// The keyword of an expectation; `None` if it expects nothing.
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

/// The source text of the expectation, given the file's text.
pub fn words(text: &str, expectation: &Expectation) -> String {
    text.get(span(expectation)).unwrap_or_default().to_owned()
}

/// With what expectations are checked. No answer depends on it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tools {
    /// The solver.
    pub solver: SolverKind,
    /// What makes questions easier.
    pub techniques: Techniques,
}

/// Checks one expectation of a file with these tools.
///
/// # Errors
///
/// If Fencepost itself has a defect.
pub fn judge(
    parsed: &Parsed,
    expectation: &Expectation,
    tools: Tools,
    budget: &Budget,
) -> Result<Judgement, String> {
    let options = |model: Model| {
        // No expectation is about what no execution reaches, and it may cost more than the answer.
        CheckOptions::new(model)
            .solver(tools.solver)
            .techniques(tools.techniques)
            .note_unreachable(false)
    };
    let found = match (&expectation.kind, &parsed.program) {
        (ExpectationKind::About(_), _) => Finding::Nothing,
        (ExpectationKind::Error(text), _) => {
            let messages: Vec<&str> = errors(parsed).collect();
            if messages.iter().any(|message| message.contains(text)) {
                Finding::Error(text.clone())
            } else {
                Finding::OtherErrors(messages.into_iter().map(str::to_owned).collect())
            }
        }
        (_, None) => Finding::NoProgram,
        (ExpectationKind::Check(model, _), Some(program)) => {
            let report = check(program, &options(*model), budget).map_err(|d| d.to_string())?;
            match report.verdict() {
                Verdict::Holds if report.checks_nothing() => Finding::Check(Outcome::Nothing),
                Verdict::Holds => Finding::Check(Outcome::Holds),
                Verdict::HoldsWithin(_) => Finding::Check(Outcome::Within),
                Verdict::Violated(_) => Finding::Check(Outcome::Violated),
                Verdict::Unknown(reason) => Finding::Open(reason),
            }
        }
        (ExpectationKind::Observed(model, predicate, _), Some(program)) => {
            observed(program, &options(*model), predicate, budget)?
        }
        (ExpectationKind::Robust(model, _), Some(program)) => {
            let report = attacked(program, *model, Until::Violated, tools, budget)?;
            match report.verdict() {
                Verdict::Holds => Finding::Answer(true),
                Verdict::Violated(_) => Finding::Answer(false),
                Verdict::HoldsWithin(_) => Finding::Within,
                Verdict::Unknown(reason) => Finding::Open(reason),
            }
        }
        (ExpectationKind::Attacks { model, .. }, Some(program)) => {
            let report = attacked(program, *model, Until::AllAnswered, tools, budget)?;
            counted(&report)
        }
        (
            ExpectationKind::Fence {
                model, aim, places, ..
            },
            Some(program),
        ) => {
            let apart = parsed.positions().unwrap_or(program);
            let places = renumbered(program, apart, places);
            fenced(apart, *model, *aim, &places, tools, budget)?
        }
    };
    let expected = Finding::expected(expectation);
    Ok(if found == expected {
        Judgement::Met
    } else {
        Judgement::Missed { expected, found }
    })
}

/// The number of feasible attacks, or why it is unknown.
fn counted(report: &RobustReport) -> Finding {
    for answer in &report.answers {
        match &answer.verdict {
            Verdict::HoldsWithin(_) => return Finding::Within,
            Verdict::Unknown(reason) => return Finding::Open(reason.clone()),
            Verdict::Holds | Verdict::Violated(_) => {}
        }
    }
    Finding::Attacks {
        feasible: report.feasible().count(),
        candidates: report.candidates(),
    }
}

/// Maps places of a program to the other program made from the same text, by location name.
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
    tools: Tools,
    budget: &Budget,
) -> Result<RobustReport, String> {
    // Every one, as the attacks may be counted.
    let options = RobustOptions::new(model)
        .solver(tools.solver)
        .techniques(tools.techniques)
        .until(until)
        .every(true);
    robust(program, &options, budget).map_err(|defect| defect.to_string())
}

/// The least cost of fences, or why it is unknown. If places are stated, also whether they are one
/// of the cheapest sets.
fn fenced(
    program: &Program,
    model: Model,
    aim: Aim,
    places: &[(ThreadId, LocId)],
    tools: Tools,
    budget: &Budget,
) -> Result<Finding, String> {
    let mut options = FenceOptions::new(model, aim)
        .solver(tools.solver)
        .techniques(tools.techniques);
    options.all = !places.is_empty();
    let report = cheapest_fences(program, &options, budget).map_err(|d| d.to_string())?;
    let wanted: BTreeSet<(ThreadId, LocId)> = places.iter().copied().collect();
    Ok(match report.outcome {
        fences::Outcome::Found(found) => {
            let points = |set: &Vec<Place>| -> BTreeSet<(ThreadId, LocId)> {
                set.iter().flat_map(|place| place.points.clone()).collect()
            };
            let known = wanted.is_empty() || found.sets.iter().any(|set| points(set) == wanted);
            let cost = found.cost;
            match (found.optimal && found.bounds.is_none(), known) {
                (true, true) => Finding::Cost(cost),
                (true, false) => Finding::CostElsewhere(cost),
                (false, _) => Finding::CostAtMost(cost),
            }
        }
        fences::Outcome::Impossible { .. } => Finding::NoFences,
        fences::Outcome::Undecided(reason) => Finding::Open(reason),
    })
}

/// Whether some final configuration satisfies the predicate, or why that is unknown.
fn observed(
    program: &Program,
    options: &CheckOptions,
    predicate: &Expr<Observable>,
    budget: &Budget,
) -> Result<Finding, String> {
    let extended = program.with_property(Property {
        kind: PropertyKind::Exists,
        predicate: predicate.clone(),
        origin: Origin::default(),
    });
    let goal = Goal::Property(program.properties().len());
    let report = check_goals(&extended, &[goal], options, budget).map_err(|d| d.to_string())?;
    let verdict = report.observations.into_iter().next();
    Ok(match verdict.map(|answer| answer.verdict) {
        Some(Verdict::Holds) => Finding::Answer(false),
        Some(Verdict::Violated(_)) => Finding::Answer(true),
        Some(Verdict::HoldsWithin(_)) => Finding::Within,
        Some(Verdict::Unknown(reason)) => Finding::Open(reason),
        None => Finding::Open(Reason::Unsupported("no answer".to_owned())),
    })
}

/// What is wrong with the file as a whole: it expects nothing, or it has errors that it does not
/// expect. Empty for a valid file.
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
        .map(|message| format!("unexpected error: {message}"))
        .collect();
    if parsed.expectations.iter().all(|e| kind(e).is_none()) && complaints.is_empty() {
        complaints.push("no expectations".to_owned());
    }
    complaints
}

/// The edit that makes the file's text state the finding, as a range and its replacement. `None`
/// unless this is a `check` or `observed` line and the line can state the finding.
pub fn blessable(
    text: &str,
    expectation: &Expectation,
    found: &Finding,
) -> Option<(Range<usize>, String)> {
    match (&expectation.kind, found) {
        (ExpectationKind::Check(..), Finding::Check(_))
        | (ExpectationKind::Observed(..), Finding::Answer(_)) => {}
        (
            ExpectationKind::About(_)
            | ExpectationKind::Check(..)
            | ExpectationKind::Robust(..)
            | ExpectationKind::Attacks { .. }
            | ExpectationKind::Fence { .. }
            | ExpectationKind::Observed(..)
            | ExpectationKind::Error(_),
            _,
        ) => return None,
    }
    // The value is the last word before the reason, which starts after two spaces. The key, model
    // and predicate may be padded with spaces too.
    let span = span(expectation);
    let line = text.get(span.clone())?;
    let old = Finding::expected(expectation).to_string();
    let mut places = line.match_indices(old.as_str()).filter(|&(at, word)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + word.len()..];
        before.is_some_and(char::is_whitespace) && (after.is_empty() || after.starts_with("  "))
    });
    let (at, word) = places.next()?;
    let start = span.start + at;
    Some((start..start + word.len(), found.to_string()))
}

/// Whether stating this finding would weaken the expectation: from a proof or a violation to a
/// bounded result.
pub fn weakens(expectation: &Expectation, found: &Finding) -> bool {
    let stated = Finding::expected(expectation);
    stated != *found
        && matches!(stated, Finding::Check(_))
        && *found == Finding::Check(Outcome::Within)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    #[test]
    fn whether_a_line_can_state_a_finding_depends_on_its_value_not_on_its_text() {
        let text = "//: check sc holds\n//: robust tso yes\n//: check tso violated\n\
                    shared x;\nthread t { x = 1; }\n";
        let parsed = parse(text);
        let [check, robust, violated] = &parsed.expectations[..] else {
            panic!("three lines expect something");
        };
        let within = Finding::Check(Outcome::Within);
        assert_eq!(within.to_string(), Finding::Within.to_string());
        let blessed = blessable(text, check, &within);
        assert_eq!(blessed, Some((13..18, "within".to_owned())));
        assert_eq!(blessable(text, check, &Finding::Within), None);
        assert_eq!(blessable(text, robust, &Finding::Answer(false)), None);
        assert!(weakens(check, &within));
        assert!(weakens(violated, &within));
        assert!(!weakens(check, &Finding::Check(Outcome::Violated)));
    }

    #[test]
    fn fences_at_other_places_do_not_meet_the_expectation() {
        let text = "//: fence tso robustness 2 t0@a t1@b\n\
                    shared x, y;\n\
                    thread t0 { local r; x = 1; a: r = y; skip; c: skip; }\n\
                    thread t1 { local r; y = 1; b: r = x; }\n";
        for (text, met) in [
            (text.to_owned(), true),
            (text.replace("t0@a", "t0@c"), false),
        ] {
            let parsed = parse(&text);
            let tools = Tools::default();
            let judged = judge(&parsed, &parsed.expectations[0], tools, &Budget::default());
            let expected = Finding::Cost(2);
            let found = Finding::CostElsewhere(2);
            let missed = Judgement::Missed { expected, found };
            let judgement = if met { Judgement::Met } else { missed };
            assert_eq!(judged, Ok(judgement), "{text}");
        }
    }
}
