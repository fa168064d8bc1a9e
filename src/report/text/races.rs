//! The report on triangular race freedom.

use super::super::paper::{Paper, word_color};
use super::super::{Detail, Measured, Source, Style};
use super::counted;
use crate::robustness::{Race, RaceReport};
use crate::verdict::Verdict;

/// The report on triangular race freedom, each line ended.
pub fn races(
    source: &Source<'_>,
    report: &RaceReport,
    measured: &Measured,
    style: Style,
) -> String {
    let mut out = Paper::new(style);
    let verdict = report.verdict();
    let model = report.model;
    let found: Vec<&Race> = report
        .races
        .iter()
        .filter(|race| matches!(race.verdict, Verdict::Violated(_)))
        .collect();
    let sentence = match &verdict {
        Verdict::Holds => {
            format!("Free of triangular races under {model}, for all executions, hence robust.")
        }
        Verdict::Violated(_) => {
            let races = counted(found.len() as u64, "triangular race");
            format!(
                "Not free of triangular races under {model}: {races}. This does not say that the \
                 program is not robust."
            )
        }
        Verdict::HoldsWithin(_) => format!(
            "No triangular race found under {model}, within bounds of its loops. This is not a \
             proof."
        ),
        Verdict::Unknown(reason) => format!("Undecided under {model}: {reason}."),
    };
    out.sentence(&sentence, word_color(&verdict));
    if style.detail == Detail::Verdict {
        return out.finish();
    }
    for race in &found {
        let thread = |site: crate::program::Site| source.program.thread(site.thread).name();
        out.item(&format!(
            "{}, with a store pending, is about to execute `{}` ({}) while {} is about to execute \
             `{}` ({}).",
            thread(race.access),
            source.statement(race.access),
            source.place(race.access),
            thread(race.other),
            source.statement(race.other),
            source.place(race.other),
        ));
    }
    if let Some(Verdict::Violated(run)) = found.first().map(|race| &race.verdict) {
        out.run(source, None, run);
        out.blank();
        out.paragraph(&format!(
            "Next: `fencepost robust {} --model {}` decides whether weak memory adds any behaviour.",
            source.file,
            model.name(),
        ));
    }
    if style.detail == Detail::Everything {
        out.figures(None, &report.stats, measured);
    }
    out.finish()
}
