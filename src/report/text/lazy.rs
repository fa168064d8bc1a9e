//! The queries that led the lazy engine to its answer.

use super::super::writer::Writer;
use super::super::{Detail, Source};
use super::counted;
use crate::check::Extension;
use crate::lazy::{Attempt, End, LazyHistory, QueryCost};
use crate::program::Site;

/// The number of queries in a sentence; with `-v`, also the list of queries.
pub(super) fn lazy(out: &mut dyn Writer, source: &Source<'_>, history: &LazyHistory) {
    let Some(last) = history.last() else {
        return;
    };
    let queries = match history.questions() as u64 {
        1 => "1 SC query".to_owned(),
        more => format!("{more} SC queries"),
    };
    let after = match last.extensions() {
        0 => String::new(),
        some => format!("after {}", counted(some as u64, "extension")),
    };
    // A claim about the unrolled program does not carry over to the original one.
    let within = match last.unrolled {
        Some(times) => format!(
            ", with each loop unrolled {}",
            counted(times.into(), "time")
        ),
        None => String::new(),
    };
    let answer = match &last.end {
        // The model was SC: no buffer was modelled.
        End::Sc => return,
        End::Reached if after.is_empty() => format!("found this with {queries}{within}"),
        End::Reached => format!("found this with {queries}{within}, {after}"),
        End::Robust => {
            let lead = if after.is_empty() {
                "the"
            } else {
                &format!("{after} the")
            };
            format!(
                "proved this with {queries}{within}: {lead} program is robust, so TSO adds no \
                 behaviour"
            )
        }
        End::Open(why) => {
            let after = if after.is_empty() {
                after
            } else {
                format!(", {after}")
            };
            format!("stopped after {queries}{within}{after}: {why}")
        }
    };
    let extension = match (last.extensions(), history.extension) {
        (0, _) | (_, Extension::Exact) => "",
        (_, Extension::Amended) => " with the amended extension",
    };
    let list = match out.detail() {
        Detail::Everything => "",
        Detail::Verdict | Detail::Evidence => " (`-v` lists the queries.)",
    };
    out.blank();
    out.paragraph(&format!("The lazy engine{extension} {answer}.{list}"));
    if out.detail() == Detail::Everything {
        for attempt in &history.attempts {
            rounds(out, source, attempt);
        }
    }
}

fn rounds(out: &mut dyn Writer, source: &Source<'_>, attempt: &Attempt) {
    if let Some(times) = attempt.unrolled {
        out.item(&format!(
            "Each loop unrolled {}:",
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
            "robustness undecided"
        };
        let robustness = round
            .robustness
            .as_ref()
            .map_or_else(String::new, |asked| format!("; {robust}: {}", words(asked)));
        out.item(&format!(
            "{}. {instructions}; goals: {}{robustness}",
            index + 1,
            words(&round.reachability)
        ));
        for sequence in &round.sequences {
            out.item(&format!("   {}", path(source, sequence)));
        }
    }
}

fn words(asked: &QueryCost) -> String {
    let Some(engine) = asked.engine else {
        return "statically".to_owned();
    };
    let questions = match asked.questions {
        1 => "1 query".to_owned(),
        more => format!("{more} queries"),
    };
    let effort = match asked.queries() {
        1 => "1 formula or search".to_owned(),
        more => format!("{more} formulas or searches"),
    };
    format!("{}, {questions} ({effort})", engine.name())
}

/// The instructions of a path, without local steps, with their places.
fn path(source: &Source<'_>, sites: &[Site]) -> String {
    let Some(first) = sites.first() else {
        return "the delay from the round before continues".to_owned();
    };
    let relevant = sites.iter().filter(|&&site| source.is_relevant(site));
    let mut steps: Vec<String> = relevant
        .map(|&site| format!("`{}` ({})", source.statement(site), source.place(site)))
        .collect();
    let thread = source.thread(first.thread);
    if !source.program.instruction(*first).op.is_store() || steps.len() < 2 {
        let steps = steps.join(", ");
        return format!("{thread} continues the delay from the round before: past {steps}");
    }
    let rest = steps.split_off(1).join(", ");
    format!("{thread} delays {} past {rest}", steps.concat())
}
