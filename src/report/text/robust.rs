//! The report on robustness.
//!
//! ```text
//! Not robust under TSO: 2 of 2 attacks are feasible.
//!   t0 delays `x = 1;` (line 4) past `r = y;` (line 5): store buffering (SB).
//!   …
//! ```
//!
//! The computation of the first attack follows, with the buffers and the cycle; with `-v`, those of all
//! attacks.

use super::super::view::RobustView;
use super::super::writer::{Color, Sentence, TextWriter, word_color};
use super::super::{Detail, ShownRun, Source, Style};
use super::{counted, open_words, views_words, with_copies, within};
use crate::fences;
use crate::program::{Goal, Site};
use crate::robustness::{Attack, Dependence, LoadBearing, RobustReport, Weakenable};
use crate::verdict::Verdict;
use std::collections::BTreeSet;

/// The report on robustness, each line terminated.
pub(super) fn robust(view: &RobustView<'_>, style: Style) -> String {
    let mut out = TextWriter::new(style);
    let (source, report) = (&view.common.source, view.report);
    let summary = summary(view).and(&source.about_text());
    out.sentence(&summary, word_color(&view.common.verdict));
    if style.detail == Detail::Verdict {
        return out.finish();
    }
    for &(attack, run) in &view.feasible {
        out.item(&attack_words(attack, &view.shown(run)));
    }
    if report.harmless {
        out.blank();
        out.paragraph(&harmless(view));
    }
    let shown = if style.detail == Detail::Everything {
        usize::MAX
    } else {
        1
    };
    for &(attack, run) in view.feasible.iter().take(shown) {
        if view.feasible.len() > 1 {
            out.blank();
            let text = format!("{}:", delays(&view.shown(run).source, attack));
            let title = out.paint(&text, Color::Heading);
            out.lines(&[title]);
        }
        out.run(&view.shown(run));
    }
    if let Some(Verdict::Violated(run)) = report.by_definition() {
        out.run(&view.shown(run));
    }
    if let Some(run) = &report.overflow {
        out.run(&view.shown(run));
    }
    load_bearing(&mut out, source, report);
    if let Some(vacuity) = &report.vacuity {
        out.vacuity(source, vacuity);
    }
    out.next(&view.common);
    if style.detail == Detail::Everything {
        out.figures(&view.common);
    }
    out.finish()
}

/// What the program's own properties have to do with it: nothing.
pub(in crate::report) fn harmless(view: &RobustView<'_>) -> String {
    let source = &view.common.source;
    let mut lines: Vec<String> = Vec::new();
    for goal in fences::goals(source.program) {
        let origin = source.goal_origin(goal);
        let line = source.line_words(origin);
        if origin.line > 0 && !matches!(goal, Goal::Outside(_)) && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let (where_, model) = (lines.join(", "), view.common.model);
    let of = match lines.len() {
        1..=4 => format!(" ({where_})"),
        _ => String::new(),
    };
    format!(
        "The program's own properties{of} hold under {model} all the same: for them, what is delayed is \
         harmless."
    )
}

/// The first sentence, and the part that was checked if it is not the whole.
pub(super) fn summary(view: &RobustView<'_>) -> Sentence {
    let summary = sentence(view);
    // The definition decides the whole.
    match view.shard.filter(|_| view.report.by_definition().is_none()) {
        None => summary,
        Some((index, of)) => summary.and(&format!(
            " Only part {index} of {of} of the attacks was checked."
        )),
    }
}

fn sentence(view: &RobustView<'_>) -> Sentence {
    let (report, model, counts) = (view.report, view.common.model, view.counts);
    let attacks = counted(counts.candidates as u64, "attack");
    let (text, search) = (counts.pruned, counts.infeasible);
    match &view.common.verdict {
        Verdict::Holds if report.by_definition().is_some() && view.shard.is_some() => {
            Sentence::new(
                format!("No execution has a happens-before cycle under {model}"),
                ". (Attacks by one thread do not decide this program, so each shard enumerates its \
                 executions.)",
            )
        }
        Verdict::Holds if report.by_definition().is_some() => Sentence::new(
            format!("Robust under {model}"),
            ", for all executions: none has a happens-before cycle. (Attacks by one thread do not \
             decide this program, so its executions were enumerated.)",
        ),
        Verdict::Violated(()) if report.by_definition().is_some() => Sentence::new(
            format!("Not robust under {model}"),
            ": this execution has a happens-before cycle. (Attacks by one thread do not decide this \
             program, so its executions were enumerated.)",
        ),
        Verdict::Holds if view.shard.is_some() => Sentence::new(
            format!("No attack in this part is feasible under {model}"),
            format!(": {attacks} ({text} ruled out statically, {search} by search)."),
        ),
        Verdict::Holds if counts.candidates == 0 => Sentence::new(
            format!("Robust under {model}"),
            if report.any_number().is_some() {
                ", for any number of threads: none has a store that a later access could overtake."
            } else {
                ": no thread has a store that a later access could overtake."
            },
        ),
        Verdict::Holds => {
            let which = match counts.candidates {
                1 => "the only candidate attack was".to_owned(),
                2 => "both candidate attacks were".to_owned(),
                all => format!("all {all} candidate attacks were"),
            };
            let how = match (text, search) {
                (_, 0) => "statically".to_owned(),
                (0, _) => "by search".to_owned(),
                _ => format!("({text} statically, {search} by search)"),
            };
            let (all, views) = match report.any_number() {
                Some(any) => (
                    "for any number of threads",
                    views_words(any).map_or_else(String::new, |views| format!(", with {views}")),
                ),
                None => ("for all executions", String::new()),
            };
            Sentence::new(
                format!("Robust under {model}"),
                format!(", {all}: {which} ruled out {how}{views}."),
            )
        }
        Verdict::Violated(()) => {
            let feasible = counts.feasible;
            let verb = if feasible == 1 { "is" } else { "are" };
            let rest = match counts.open {
                0 => String::new(),
                1 => "; 1 is undecided".to_owned(),
                open => format!("; {open} are undecided"),
            };
            let how = if report.leaves_some() {
                " (`--every` goes on)"
            } else {
                ""
            };
            let copies = with_copies(report.any_number().map(|any| any.copies.as_slice()));
            Sentence::new(
                format!("Not robust under {model}{copies}"),
                format!(": {feasible} of {attacks} {verb} feasible{rest}{how}."),
            )
        }
        Verdict::HoldsWithin(_) => Sentence::new(
            format!("No attack found under {model}"),
            within(view.common.bounds.as_ref()),
        ),
        Verdict::Unknown(_) => {
            let reason = open_words(&view.common);
            Sentence::new(format!("Undecided under {model}"), format!(": {reason}."))
        }
    }
}

/// `t0 delays `x = 1;` (line 4) past `r = y;` (line 5)`
pub(in crate::report) fn delays(source: &Source<'_>, attack: Attack) -> String {
    let thread = source.thread(attack.thread);
    let (store, last) = (attack.store_site(), attack.last_site());
    format!(
        "{thread} delays `{}` ({}) past `{}` ({})",
        source.statement(store),
        source.place(store),
        source.statement(last),
        source.place(last),
    )
}

pub(in crate::report) fn attack_words(attack: Attack, of: &ShownRun<'_>) -> String {
    let shape = of.run.happens_before().shape();
    let shape = shape.map_or(String::new(), |shape| format!(": {shape}"));
    format!("{}{shape}.", delays(&of.source, attack))
}

/// The fences and locked instructions that the answer "robust" depends on.
fn load_bearing(out: &mut TextWriter, source: &Source<'_>, report: &RobustReport) {
    let Dependence { needed, undecided } = &report.load_bearing;
    let site = |site: Site| {
        let kind = match Weakenable::of(&source.program.instruction(site).op) {
            Some(Weakenable::Fence) => "fence",
            Some(Weakenable::Lock) => "locked instruction",
            None => "instruction",
        };
        let thread = source.thread(site.thread);
        let (place, statement) = (source.place(site), source.statement(site));
        format!("{thread} {place}: the {kind} `{statement}`")
    };
    let list = |out: &mut TextWriter, title, items: Vec<String>| {
        if items.is_empty() {
            return;
        }
        out.blank();
        let title = out.paint(title, Color::Heading);
        out.lines(&[title]);
        // What is on several paths, of a function that is called in several places, reads the same.
        let mut seen = BTreeSet::new();
        for item in items.iter().filter(|item| seen.insert(*item)) {
            out.item(item);
        }
    };
    let why = |bearing: &LoadBearing| {
        let delays = delays(source, bearing.attack);
        format!("{}; without it {delays}.", site(bearing.site))
    };
    let open_title = if needed.is_empty() {
        "Whether this result depends on these was not decided:"
    } else {
        "Whether it depends on these, too, was not decided:"
    };
    let needed = needed.iter().map(why).collect();
    list(out, "This result depends on:", needed);
    let open = undecided.iter().map(|&other| format!("{}.", site(other)));
    list(out, open_title, open.collect());
}
