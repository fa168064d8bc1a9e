//! How the lazy engine came to its answer.

use super::super::paper::Paper;
use super::super::{Detail, Source};
use super::counted;
use crate::lazy::{Asked, Story};
use crate::program::Site;
use crate::verdict::Verdict;

/// The chain of questions, in a sentence; question by question where everything is shown.
pub(super) fn story<W>(out: &mut Paper, source: &Source<'_>, story: &Story, verdict: &Verdict<W>) {
    let extensions = story
        .rounds
        .iter()
        .filter(|round| !round.sequences.is_empty());
    let extensions = counted(extensions.count() as u64, "extension");
    let extended = story.rounds.iter().any(|round| !round.sequences.is_empty());
    let what = match (verdict, extended) {
        (Verdict::Holds, false) => {
            "nothing that must not happen does under SC, and the program is \
                                    robust: under TSO it does nothing else"
                .to_owned()
        }
        (Verdict::Holds, true) => format!(
            "after {extensions} by what may be delayed nothing that must not happen does under SC, \
             and the extended program is robust: the program under TSO does nothing else"
        ),
        (Verdict::Violated(_), false) => "found under SC".to_owned(),
        (Verdict::Violated(_), true) => {
            format!("found under SC after {extensions} by what may be delayed")
        }
        (Verdict::HoldsWithin(_) | Verdict::Unknown(_), _) => {
            format!("{extensions} by what may be delayed did not decide it")
        }
    };
    let questions = counted(story.questions() as u64, "question");
    let unrolled = story.unrolled.map_or_else(String::new, |times| {
        format!(", loops followed {}", counted(times.into(), "time"))
    });
    out.blank();
    out.paragraph(&format!(
        "Lazily: {what} ({questions} under SC, {} extension{unrolled}).",
        story.extension.name()
    ));
    if out.style.detail != Detail::Everything {
        return;
    }
    for (index, round) in story.rounds.iter().enumerate() {
        let instructions = counted(round.instructions as u64, "instruction");
        let robustness = round.robustness.as_ref().map_or_else(String::new, |asked| {
            format!(", robustness {}", asked_words(asked))
        });
        out.item(&format!(
            "{}. {instructions}: goals {}{robustness}",
            index + 1,
            asked_words(&round.reachability)
        ));
        for sequence in &round.sequences {
            out.item(&format!("   {}", path(source, sequence)));
        }
    }
}

fn asked_words(asked: &Asked) -> String {
    let Some(engine) = asked.engine else {
        return "by the text".to_owned();
    };
    let questions = counted(asked.questions as u64, "question");
    let effort = match asked.queries() {
        1 => "one formula or search".to_owned(),
        more => format!("{more} formulas and searches"),
    };
    format!("by {} ({questions}, {effort})", engine.name())
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
