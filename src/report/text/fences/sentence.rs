//! The first sentence of the report on fences: the result, its bounds, and whether it is optimal.

use super::super::super::view::FencesView;
use super::super::super::writer::Sentence;
use super::super::{bounds_words, counted, open_words};
use crate::fences::{FenceReport, Obstacle, Outcome, Sets, Shortfall, inseparable};
use crate::program::{Aim, FenceKind};

/// The first sentence of the report.
pub(in crate::report) fn sentence(view: &FencesView<'_>) -> Sentence {
    let (report, model) = (view.report, view.common.model);
    if let Some(nothing) = &view.nothing {
        return nothing.clone();
    }
    match &report.outcome {
        Outcome::Found(found) if report.minimise => minimised(view, found),
        Outcome::Found(found) => found_sentence(view, found),
        Outcome::Impossible {
            obstacle: Obstacle::Sequential,
            ..
        } => Sentence::new(
            "Cannot be repaired by fences",
            format!(
                " under {model}: this execution reorders nothing, and is possible under sequential \
                 consistency too."
            ),
        ),
        Outcome::Impossible { .. } if report.minimise => not_by_own(report),
        Outcome::Impossible {
            obstacle: Obstacle::Labels,
            ..
        } => Sentence::new(
            "No allowed fence placement works",
            format!(
                " under {model}: every set of fences that prevents this execution has a fence at a \
                 label in a negated part of a property. After that fence the thread is no longer at \
                 the label, and the property fails."
            ),
        ),
        Outcome::Impossible { .. } => Sentence::new(
            "No allowed fence placement prevents this execution",
            format!(" under {model}.{}", inseparable_words(view)),
        ),
        Outcome::Undecided(_) => {
            let reason = open_words(&view.common);
            let lower = report.lower_bound;
            let least = if lower > 0 {
                format!(" Every sufficient set costs at least {lower}.")
            } else {
                String::new()
            };
            Sentence::new(
                format!("Undecided under {model}"),
                format!(": {reason}.{least}"),
            )
        }
    }
}

/// Where no fence can be written although the text stores and loads there.
fn inseparable_words(view: &FencesView<'_>) -> String {
    let source = &view.common.source;
    let parts = inseparable(source.program);
    let parts: Vec<String> = parts
        .iter()
        .map(|&origin| match source.quote(origin) {
            Some(text) => format!("{} (`{text}`)", source.line_words(origin)),
            None => source.line_words(origin),
        })
        .collect();
    match parts.as_slice() {
        [] => String::new(),
        [one] => format!(
            " None can be written into {one}, which stores and then loads: write it into the definition of \
             the macro, or make that a function."
        ),
        several => format!(
            " None can be written into {}, which store and then load: write them into the definitions of \
             the macros, or make those functions.",
            several.join(", ")
        ),
    }
}

/// The result for the other aim, in one sentence.
pub(super) fn other_sentence(view: &FencesView<'_>) -> String {
    let other = view.report;
    let (to, word) = match other.aim {
        Aim::Robustness => ("make the program robust", "robustness"),
        Aim::Assertions => ("make the program's properties hold", "assertions"),
    };
    let to = format!("{to} under {}", other.model);
    match &other.outcome {
        Outcome::Impossible {
            shortfall: Shortfall::Goal { goal, run },
            obstacle: Obstacle::Sequential,
        } => format!(
            "No fences {to}: even under sequential consistency, {}.",
            view.shown(None, run).source.goal_reached(*goal)
        ),
        Outcome::Impossible { .. } if !other.minimise => {
            format!("No allowed fences {to}.")
        }
        Outcome::Undecided(reason) if reason.is_limit() => {
            format!(
                "Which fences {to} was not decided in a short time: `--for {word}` takes longer."
            )
        }
        Outcome::Found(_) | Outcome::Impossible { .. } | Outcome::Undecided(_) => {
            format!("For comparison, `--for {word}`: {}", sentence(view))
        }
    }
}

fn not_by_own(report: &FenceReport) -> Sentence {
    let model = report.model;
    let (lead, rest) = match (report.aim, report.places == 0) {
        (Aim::Robustness, false) => (
            format!("Even with all its fences, the program is not robust under {model}."),
            String::new(),
        ),
        (Aim::Assertions, false) => (
            format!(
                "Even with all its fences, the program's properties do not hold under {model}."
            ),
            String::new(),
        ),
        (Aim::Robustness, true) => (
            "The program has no fences of its own".to_owned(),
            format!(", and is not robust under {model}."),
        ),
        (Aim::Assertions, true) => (
            "The program has no fences of its own".to_owned(),
            format!(", and its properties do not hold under {model}."),
        ),
    };
    Sentence::new(lead, rest)
}

/// `, for all executions`, or the bounds of the result.
fn extent(view: &FencesView<'_>) -> String {
    match &view.common.bounds {
        None if view.report.instance.is_some() => ", for any number of threads".to_owned(),
        None => ", for all executions".to_owned(),
        Some(bounds) => format!(
            ", within bounds ({}; this is not a proof)",
            bounds_words(bounds)
        ),
    }
}

fn is_so(report: &FenceReport) -> String {
    match report.aim {
        Aim::Robustness => format!("The program is robust under {}", report.model),
        Aim::Assertions => format!("The program's properties hold under {}", report.model),
    }
}

fn aim(report: &FenceReport) -> String {
    match report.aim {
        Aim::Robustness => format!("the program robust under {}", report.model),
        Aim::Assertions => format!("the program's properties hold under {}", report.model),
    }
}

/// ` (cost 7)`, unless each of these fences costs 1.
fn cost(view: &FencesView<'_>, found: &Sets) -> String {
    if view.costs_as_many() {
        String::new()
    } else {
        format!(" (cost {})", found.cost)
    }
}

fn found_sentence(view: &FencesView<'_>, found: &Sets) -> Sentence {
    let (report, count) = (view.report, view.fences());
    let how = extent(view);
    if view.set.is_empty() {
        return Sentence::new(
            format!("{} as it is", is_so(report)),
            format!("{how}: no fences are needed."),
        );
    }
    let verb = if count == 1 { "makes" } else { "make" };
    let optimal = if found.optimal {
        "nothing cheaper does".to_owned()
    } else if report.pairs.is_some() {
        "the statement pairs below must stay in order, and no smaller set of pairs suffices"
            .to_owned()
    } else {
        let lower = report.lower_bound;
        format!("a cheaper set (cost {lower} or more) has not been ruled out")
    };
    let (changes, cost) = (counted_changes(view), cost(view, found));
    Sentence::new(
        format!("{changes}{cost} {verb} {}", aim(report)),
        format!("{how}; {optimal}."),
    )
}

/// Which of the program's own fences are needed.
fn minimised(view: &FencesView<'_>, found: &Sets) -> Sentence {
    let report = view.report;
    let stay = view.fences();
    let all = stay + view.removable.len();
    let how = extent(view);
    if all == 0 {
        return Sentence::new(
            is_so(report),
            format!("{how}, and has no fences to remove."),
        );
    }
    if stay == 0 {
        return Sentence::new(
            format!("{} without any of its fences", is_so(report)),
            format!("{how}."),
        );
    }
    let optimal = match found.optimal {
        true if stay == all => "none can be removed".to_owned(),
        true => "no cheaper subset is enough".to_owned(),
        false => {
            let lower = report.lower_bound;
            format!("a cheaper subset (cost {lower} or more) has not been ruled out")
        }
    };
    let which = match (stay, all) {
        (1, 1) => "The program's only fence".to_owned(),
        (2, 2) => "Both fences of the program".to_owned(),
        (stay, all) if stay == all => format!("All {all} fences of the program"),
        (1, all) => format!("1 of the program's {all} fences"),
        (stay, all) => format!("{stay} of the program's {all} fences"),
    };
    Sentence::new(
        format!(
            "{which} must stay{} to keep {}",
            cost(view, found),
            aim(report)
        ),
        format!("{how}; {optimal}."),
    )
}

/// `2 fences`, `1 fence and 1 exchange`
fn counted_changes(view: &FencesView<'_>) -> String {
    let all = view.fences();
    let places = view.set.iter().map(|chosen| chosen.place);
    let exchanges = places.filter(|place| place.kind == FenceKind::Exchange);
    let exchanges: usize = exchanges.map(|place| place.points.len()).sum();
    let fences = counted((all - exchanges) as u64, "fence");
    match (all - exchanges, exchanges) {
        (_, 0) => fences,
        (0, n) => counted(n as u64, "exchange"),
        (_, n) => format!("{fences} and {}", counted(n as u64, "exchange")),
    }
}
