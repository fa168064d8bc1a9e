//! How the lazy engine came to its answer.

use super::super::paper::Paper;
use super::super::{Detail, Source};
use super::counted;
use crate::lazy::{Asked, Attempt, End, Story};
use crate::program::Site;

/// The chain of questions, in a sentence; question by question where everything is shown.
pub(super) fn story(out: &mut Paper, source: &Source<'_>, story: &Story) {
    let Some(last) = story.last() else {
        return;
    };
    let after = match last.extensions() {
        0 => String::new(),
        some => format!(
            ", after {} by what may be delayed",
            counted(some as u64, "extension")
        ),
    };
    // What is said of a program whose loops are cut off is said of no other.
    let unrolled = last.unrolled.map(|times| counted(times.into(), "time"));
    let (cut, it) = match &unrolled {
        Some(times) => (
            format!("with each loop followed {times} and no further, "),
            "the program cut off there",
        ),
        None => (String::new(), "the program"),
    };
    let what = match &last.end {
        // Nothing was done lazily.
        End::Sc => return,
        End::Reached => format!("found under SC{after}"),
        End::Robust => {
            let round = last.rounds.last();
            let goals = round.map_or_else(String::new, |round| words(&round.reachability));
            let robust = round.and_then(|round| round.robustness.as_ref());
            format!(
                "SC shows what there is to see{after} (goals {goals}), and {it}{} is robust ({}): \
                 under TSO it does nothing else",
                if last.extensions() == 0 {
                    ""
                } else {
                    ", thus extended,"
                },
                robust.map_or_else(String::new, words),
            )
        }
        End::Open(why) => format!("undecided{after}: {why}"),
    };
    let questions = counted(story.questions() as u64, "question");
    out.blank();
    out.paragraph(&format!(
        "Lazily, with {questions} under SC and the {} extension: {cut}{what}.",
        story.extension.name()
    ));
    if out.style.detail == Detail::Everything {
        for attempt in &story.attempts {
            rounds(out, source, attempt);
        }
    }
}

fn rounds(out: &mut Paper, source: &Source<'_>, attempt: &Attempt) {
    if let Some(times) = attempt.unrolled {
        out.item(&format!(
            "Each loop followed {}:",
            counted(times.into(), "time")
        ));
    }
    for (index, round) in attempt.rounds.iter().enumerate() {
        let instructions = counted(round.instructions as u64, "instruction");
        let robust = if !round.sequences.is_empty() {
            "not robust"
        } else if index + 1 == attempt.rounds.len() && attempt.end == End::Robust {
            "robust"
        } else {
            "robustness open"
        };
        let robustness = round
            .robustness
            .as_ref()
            .map_or_else(String::new, |asked| format!(", {robust} {}", words(asked)));
        out.item(&format!(
            "{}. {instructions}: goals {}{robustness}",
            index + 1,
            words(&round.reachability)
        ));
        for sequence in &round.sequences {
            out.item(&format!("   {}", path(source, sequence)));
        }
    }
}

fn words(asked: &Asked) -> String {
    let Some(engine) = asked.engine else {
        return "by the text".to_owned();
    };
    let questions = counted(asked.questions as u64, "question");
    let effort = match asked.queries() {
        1 => "one formula or search".to_owned(),
        more => format!("{more} formulas and searches"),
    };
    format!("by {}: {questions}, {effort}", engine.name())
}

/// The instructions of a path that say something, with their places.
fn path(source: &Source<'_>, sites: &[Site]) -> String {
    let Some(first) = sites.first() else {
        return "what was delayed before is delayed further".to_owned();
    };
    let telling = sites.iter().filter(|&&site| source.is_telling(site));
    let mut steps: Vec<String> = telling
        .map(|&site| format!("`{}` ({})", source.statement(site), source.place(site)))
        .collect();
    let thread = source.program.thread(first.thread).name();
    if !source.program.instruction(*first).op.is_store() || steps.len() < 2 {
        let steps = steps.join(", ");
        return format!("{thread} delays further what was delayed before: past {steps}");
    }
    let rest = steps.split_off(1).join(", ");
    format!("{thread} delays {} past {rest}", steps.concat())
}
