//! Text reports: the verdict in one sentence, the evidence as source lines, and the next step.
//!
//! ```text
//! Violated under TSO: `forbid t0@critical && t1@critical;` (line 33) is reached, after 12 steps.
//!
//!      t0                          t1                          store buffers
//!  1   16: flag0 = 1;                                          t0: flag0=1
//!  …
//! ```
//!
//! **Invariant.** A bounded result is never worded as a proof, and no row is shown that the reference
//! has not replayed.

pub(super) mod corpus;
pub(super) mod fences;
mod invariant;
mod lazy;
pub(super) mod races;
pub(super) mod robust;

use super::litmus::{litmus, sentence};
use super::view::{Bounds, Certified, CheckView, Common, Report, UnderSc};
use super::writer::{Color, Sentence, TextWriter, Title, Writer, word_color};
use super::{Detail, Source, Style};
use crate::certificate::Certificate;
use crate::check::{AnyNumber, CheckReport};
use crate::formats::LitmusTest;
use crate::litmus::LitmusReport;
use crate::program::Goal;
use crate::reference::Run;
use crate::verdict::{Reason, Verdict};

/// The report as text, escaped, each line terminated.
pub fn write(report: &Report<'_>, style: Style) -> String {
    let mut out = TextWriter::new(style);
    into(&mut out, report);
    out.finish()
}

/// Writes a report.
pub(super) fn into(out: &mut dyn Writer, report: &Report<'_>) {
    let certificate = match report {
        Report::Check(view) => view.common.certificate,
        Report::Robust(view) => view.common.certificate,
        Report::Fences(view) => view.common.certificate,
        Report::Races(_) | Report::Corpus(_) | Report::Unread(_) | Report::Failed(_) => None,
    };
    result(out, report);
    if let Some(certified) = certificate
        && out.detail() != Detail::Verdict
    {
        out.blank();
        out.paragraph(&certificate_sentence(certified));
    }
}

/// Where the certificate is, or why there is none.
pub(super) fn certificate_sentence(certified: Certified<'_>) -> String {
    match certified.certificate {
        Certificate::Made { text, evidence } => format!(
            "Certificate: `{}` ({evidence}, {}), checked. Others can check it: `fencepost-verify {}`.",
            certified.file,
            counted(text.len() as u64, "byte"),
            certified.file,
        ),
        Certificate::None(why) => format!("No certificate: {why}."),
    }
}

fn result(out: &mut dyn Writer, report: &Report<'_>) {
    match report {
        Report::Check(view) => match view.litmus {
            None => check(out, view),
            Some((test, answer)) => {
                out.verbatim(&states(view, test, answer, out.detail()));
                // The final states alone do not show accesses outside shared memory, nor threads that
                // wait forever.
                if out.detail() == Detail::Everything || answer.leaves_memory() || answer.waits() {
                    out.blank();
                    check(out, view);
                }
            }
        },
        Report::Robust(view) => robust::robust(out, view),
        Report::Races(view) => races::races(out, view),
        Report::Fences(view) => fences::fences(out, view),
        Report::Corpus(file) => out.verbatim(&corpus::corpus(file, out.detail())),
        Report::Unread(_) | Report::Failed(_) => {}
    }
}

/// The result in one sentence; empty for a file of a corpus, which has one per expectation.
pub(super) fn headline(report: &Report<'_>) -> String {
    match report {
        Report::Check(view) => verdict_sentence(view).to_string(),
        Report::Robust(view) => robust::summary(view).to_string(),
        Report::Races(view) => races::sentence(view).to_string(),
        Report::Fences(view) => fences::sentence(view).to_string(),
        Report::Corpus(_) | Report::Unread(_) | Report::Failed(_) => String::new(),
    }
}

/// The final states of a litmus test; with `-q` only the `Observation` line, and the model if there
/// are several.
fn states(
    view: &CheckView<'_>,
    test: &LitmusTest,
    answer: &LitmusReport,
    detail: Detail,
) -> String {
    let (states, model) = (&answer.states, view.common.model);
    match (detail, view.is_one_of_several) {
        (Detail::Verdict, false) => sentence(test, states),
        (Detail::Verdict, true) => format!("{}Model {model}\n", sentence(test, states)),
        (Detail::Evidence | Detail::Everything, _) => {
            litmus(view.common.source.program, test, states, model)
        }
    }
}

fn check(out: &mut dyn Writer, view: &CheckView<'_>) {
    let (source, report) = (&view.common.source, view.report);
    if !view.only_observes {
        let sentence = verdict_sentence(view).and(&source.about_text());
        out.sentence(&sentence, word_color(&view.common.verdict));
    }
    observations(out, source, report);
    if out.detail() == Detail::Verdict {
        return;
    }
    if let Some(others) = also_violated(view) {
        out.paragraph(&others);
    }
    for shown in &view.evidence {
        let title = match shown.goal {
            Some(goal) => shown.source.goal_reached(goal),
            None => LEAVES.to_owned(),
        };
        out.run(&Title::known(title), shown);
    }
    if let Some(under_sc) = &view.under_sc {
        out.blank();
        out.paragraph(&compared(under_sc));
    }
    if let Some(history) = &report.history {
        lazy::lazy(out, source, history);
    }
    if let Some(shown) = &view.invariant {
        invariant::invariant(out, report.model, shown);
    }
    if let Some(vacuity) = &report.vacuity {
        out.vacuity(source, vacuity);
    }
    if let Some(found) = &report.unfinished {
        out.unfinished(&source.instance(found.of.as_deref()), &found.run);
    }
    out.next(&view.common);
    if out.detail() == Detail::Everything {
        out.figures(&view.common);
    }
}

/// What an execution shows in which a value leaves 32 bits.
const LEAVES: &str = "A value leaves 32 bits";

/// If more goals are violated than the one that is shown and so many others, the rest is counted.
const MOST_LISTED: usize = 3;

/// The violated goals other than the first, which is shown with its evidence. A user who has repaired that one
/// should not be surprised by these.
fn also_violated(view: &CheckView<'_>) -> Option<String> {
    let answers = view.report.answers.iter();
    let violated = answers.filter_map(|answer| Some((answer.goal, answer.verdict.violation()?)));
    let goals: Vec<(Goal, &Run)> = violated.skip(1).collect();
    let listed = goals.iter().copied().take(MOST_LISTED);
    let mut listed: Vec<String> = listed
        .map(|(goal, run)| view.shown(Some(goal), run).source.goal_reached(goal))
        .collect();
    if goals.len() > MOST_LISTED {
        listed.push(format!("and {} more", goals.len() - MOST_LISTED));
    }
    (!goals.is_empty()).then(|| format!("Also violated: {}.", listed.join("; ")))
}

/// Whether the violation can happen under SC too, in a sentence.
pub(super) fn compared(under_sc: &UnderSc) -> String {
    match &under_sc.verdict {
        Verdict::Holds => "Under SC this cannot happen: delayed stores are the cause.".to_owned(),
        Verdict::HoldsWithin(_) => format!(
            "Under SC this was not found, within bounds: {}.",
            under_sc
                .bounds
                .as_ref()
                .map_or_else(String::new, bounds_words)
        ),
        Verdict::Violated(()) => {
            "This can happen under SC, too: no fence can prevent it.".to_owned()
        }
        Verdict::Unknown(_) => {
            "Whether this can happen under SC, too, is not known: a short search did not decide it."
                .to_owned()
        }
    }
}

/// Why the result is open, and what was reached before a limit ended the search: `the time limit of 5 s is
/// reached (after 5.0 s: 120000 states visited)`
pub(super) fn open_words(common: &Common<'_>) -> String {
    let reason = common.reason.as_deref().unwrap_or_default();
    let Some(reached) = common.reached() else {
        return reason.to_owned();
    };
    let count = |count: u64, noun: &str, done: &str| {
        (count > 0).then(|| format!("{} {done}", counted(count, noun)))
    };
    let attacks = (reached.attacks > 0 && reached.sets == 0)
        .then(|| format!("{} of {} attacks decided", reached.decided, reached.attacks));
    let unrolled = (reached.unroll > 0)
        .then(|| format!("loops unrolled up to {}", counted(reached.unroll, "time")));
    let parts = [
        count(reached.sets, "probe", "of sets of fences"),
        attacks,
        count(reached.states, "state", "visited"),
        unrolled,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let seconds = common.measured.seconds;
    let after = seconds.map(|seconds| format!("after {seconds:.1} s"));
    match (after, parts.is_empty()) {
        (Some(after), true) => format!("{reason} ({after})"),
        (Some(after), false) => format!("{reason} ({after}: {})", parts.join(", ")),
        (None, true) => reason.to_owned(),
        (None, false) => format!("{reason} ({})", parts.join(", ")),
    }
}

fn verdict_sentence(view: &CheckView<'_>) -> Sentence {
    let (report, model) = (view.report, view.common.model);
    let reason = view.common.reason.as_deref().unwrap_or_default();
    match &view.common.verdict {
        Verdict::Violated(()) => {
            let steps = view.witness.map_or(0, |shown| shown.run.moments.len());
            let steps = counted(steps as u64, "step");
            Sentence::new(
                format!(
                    "Violated under {model}{}",
                    with_copies(report.any_number().map(|any| any.copies.as_slice()))
                ),
                format!(": {reason}, after {steps}."),
            )
        }
        Verdict::Holds if report.answers.is_empty() => Sentence::new(
            format!("Nothing to check under {model}"),
            ": the program has no assertion, no forbidden state, and no address that could be outside \
             shared memory.",
        ),
        Verdict::Holds => {
            let goals = counted(report.answers.len() as u64, "goal");
            let effort = match report.any_number() {
                Some(any) => views_words(any),
                None => report.stats.states.map(|states| counted(states, "state")),
            };
            let effort: Vec<String> = [Some(goals), effort].into_iter().flatten().collect();
            let all = match report.any_number() {
                Some(_) => "for any number of threads",
                None => "for all executions",
            };
            Sentence::new(
                format!("Holds under {model}"),
                format!(", {all} ({}).", effort.join(", ")),
            )
        }
        Verdict::HoldsWithin(_) => {
            let within = within(view.common.bounds.as_ref());
            let stopped = view.report.stopped.as_ref();
            let stopped = stopped.map_or_else(String::new, |limit| {
                format!(" No engine had a proof when {}.", limit_words(limit))
            });
            Sentence::new(
                format!("No violation found under {model}"),
                format!("{within}{stopped}"),
            )
        }
        Verdict::Unknown(_) => {
            let (open, all) = view.open;
            let share = if open == all {
                String::new()
            } else {
                format!(" ({open} of {all} goals are open)")
            };
            Sentence::new(
                format!("Undecided under {model}{share}"),
                format!(": {}.", open_words(&view.common)),
            )
        }
    }
}

/// A limit that was reached, as the end of a sentence.
fn limit_words(limit: &Reason) -> String {
    if let Reason::Time(time) = limit {
        format!("the time limit of {} s was reached", time.as_secs_f64())
    } else {
        limit.to_string()
    }
}

/// The numbers of copies that an execution needs: ` with 5 copies of w`
pub(super) fn with_copies(copies: Option<&[(String, usize)]>) -> String {
    let copies = copies.unwrap_or_default();
    let each: Vec<String> = copies
        .iter()
        .map(|(name, count)| match count {
            1 => format!("one copy of {name}"),
            count => format!("{count} copies of {name}"),
        })
        .collect();
    if each.is_empty() {
        String::new()
    } else {
        format!(" with {}", each.join(" and "))
    }
}

/// The views that decided: `38 views of 2 copies`
pub(super) fn views_words(any: &AnyNumber) -> Option<String> {
    let views = any.views.map(|(size, count)| {
        let copies = if size == 1 { "copy" } else { "copies" };
        format!("{} of {size} {copies}", counted(count as u64, "view"))
    });
    let counts = any.counts.map(|count| {
        let counts = counted(count as u64, "count");
        format!("{counts} of copies")
    });
    let effort: Vec<String> = [views, counts].into_iter().flatten().collect();
    if effort.is_empty() {
        return None;
    }
    let effort = effort.join(", ");
    let robust = if any.through_robustness {
        ", robust, so as under SC"
    } else {
        ""
    };
    Some(format!("{effort}{robust}"))
}

/// `2 goals`, `1 goal`
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The end of a sentence that nothing was found within these bounds.
fn within(bounds: Option<&Bounds>) -> String {
    let bounds = bounds.map_or_else(String::new, bounds_words);
    format!(", within bounds: {bounds}. This is not a proof.")
}

fn bounds_words(bounds: &Bounds) -> String {
    let loops: Vec<String> = bounds
        .loops
        .iter()
        .map(|cut| {
            let place = match (cut.line, &cut.head) {
                (Some(line), _) => match &cut.file {
                    Some(file) => format!(" in line {line} of {file}"),
                    None => format!(" in line {line}"),
                },
                (None, Some(head)) => format!(" at {head}"),
                (None, None) => String::new(),
            };
            let times = counted(cut.iterations.into(), "time");
            format!("the loop{place} of {} was unrolled {times}", cut.thread)
        })
        .collect();
    match (loops.is_empty(), bounds.unroll) {
        (false, _) => loops.join(", "),
        (true, Some(times)) => format!("loops were unrolled {times} times"),
        (true, None) => "loops were cut off".to_owned(),
    }
}

fn observations(out: &mut dyn Writer, source: &Source<'_>, report: &CheckReport) {
    for observation in &report.observations {
        let quoted = source.goal_text(observation.goal);
        let model = report.model;
        let lead = match &observation.verdict {
            Verdict::Violated(_) => "Observed",
            Verdict::Holds => "Never observed",
            Verdict::HoldsWithin(_) => "Not observed within bounds",
            Verdict::Unknown(_) => "Undecided",
        };
        let any = report.any_number();
        let reached = any.and_then(|any| any.reached_goal(observation.goal));
        let copies = with_copies(reached.map(|reached| reached.copies.as_slice()));
        let lead = format!("{lead} under {model}{copies}");
        let sentence = Sentence::new(lead, format!(": `{quoted}`"));
        out.sentence(&sentence, Color::Heading);
    }
}
