//! The report on triangular-race freedom.

use super::super::view::RacesView;
use super::super::writer::{Sentence, Title, Writer, word_color};
use super::super::{Detail, ShownRun, Source};
use super::{counted, open_words};
use crate::program::Site;
use crate::robustness::Race;
use crate::verdict::Verdict;

/// Writes the report on triangular-race freedom.
pub(super) fn races(out: &mut dyn Writer, view: &RacesView<'_>) {
    let source = &view.common.source;
    let sentence = sentence(view).and(&source.about_text());
    out.sentence(&sentence, word_color(&view.common.verdict));
    if out.detail() == Detail::Verdict {
        return;
    }
    for (race, _) in view.found() {
        out.item(&words(source, race));
    }
    let shown = match out.detail() {
        Detail::Everything => usize::MAX,
        Detail::Verdict | Detail::Evidence => 1,
    };
    for (race, run) in view.found().take(shown) {
        let title = Title {
            words: words(source, race),
            is_needed: shown > 1,
        };
        out.run(&title, &ShownRun::new(*source, run));
    }
    out.next(&view.common);
    if out.detail() == Detail::Everything {
        out.figures(&view.common);
    }
}

/// The race as a sentence.
pub(in crate::report) fn words(source: &Source<'_>, race: &Race) -> String {
    let thread = |site: Site| source.thread(site.thread);
    format!(
        "{}, with a store pending, is about to execute `{}` ({}) while {} is about to execute `{}` \
         ({}).",
        thread(race.access),
        source.statement(race.access),
        source.place(race.access),
        thread(race.other),
        source.statement(race.other),
        source.place(race.other),
    )
}

pub(super) fn sentence(view: &RacesView<'_>) -> Sentence {
    let model = view.common.model;
    match &view.common.verdict {
        Verdict::Holds => Sentence::new(
            format!("Free of triangular races under {model}"),
            ", for all executions, and therefore robust.",
        ),
        Verdict::Violated(()) => {
            let races = counted(view.found().count() as u64, "triangular race");
            Sentence::new(
                format!("Not free of triangular races under {model}"),
                format!(": {races}. The program may still be robust."),
            )
        }
        Verdict::HoldsWithin(_) => Sentence::new(
            format!("No triangular race found under {model}"),
            ", within loop bounds. This is not a proof.",
        ),
        Verdict::Unknown(_) => {
            let reason = open_words(&view.common);
            Sentence::new(format!("Undecided under {model}"), format!(": {reason}."))
        }
    }
}
