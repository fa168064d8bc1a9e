//! The report on fences.
//!
//! ```text
//! 2 fences make the program robust under TSO, for all executions; nothing cheaper does.
//!   t0: a fence before `r = y;` (line 5); without it t0 delays `x = 1;` (line 4) past `r = y;` …
//!   …
//! ```

mod position;
mod sentence;

use super::super::view::{Chosen, FencesView, Fix, Repair};
use super::super::writer::{Color, Title, Writer};
use super::super::{Detail, Source};
use super::counted;
use super::robust::delays;
use crate::fences::{FenceReport, Outcome, Place, Proof, Sets, Shortfall};
use crate::model::Model;
use crate::program::{Aim, FenceKind, Op, Site};
use crate::report::idiom::{free_fences, noun};
use position::{placed, position};

pub(in crate::report) use sentence::sentence;

use sentence::other_sentence;

/// The maximum number of sets that are listed without `-v`.
const SHOWN: usize = 20;

/// Writes the report on fences.
pub(super) fn fences(out: &mut dyn Writer, view: &FencesView<'_>) {
    let (source, report) = (&view.common.source, view.report);
    let color = match report.outcome {
        Outcome::Found(_) => Color::Good,
        Outcome::Impossible { .. } => Color::Bad,
        Outcome::Undecided(_) => Color::Open,
    };
    out.sentence(&sentence(view).and(&source.about_text()), color);
    if out.detail() == Detail::Verdict {
        difference(out, view.repair);
        return;
    }
    if let Some(found) = view.found {
        pairs(out, view);
        set(out, view);
        spelling(out, view);
        removable(out, view);
        checked_again(out, report, found);
        alternatives(out, source, report, found);
        if out.detail() == Detail::Everything && !report.minimise {
            without_each(out, view);
        }
    }
    if let Some(shown) = &view.evidence {
        out.run(&Title::known("No fence prevents this"), shown);
    }
    if let Some(other) = &view.other {
        out.blank();
        out.paragraph(&other_sentence(other));
        for chosen in &other.set {
            out.item(&explained(other, chosen));
        }
    }
    written(out, view.repair);
    out.next(&view.common);
    if out.detail() == Detail::Everything {
        let (places, probes, cuts) = (report.places as u64, report.probes, report.cuts);
        out.blank();
        out.paragraph(&format!(
            "{}: {}, {}, {}.",
            report.algorithm.name(),
            counted(places, "place"),
            counted(probes, "probe"),
            counted(cuts, "cut"),
        ));
        out.figures(&view.common);
    }
    difference(out, view.repair);
}

/// The files that were written, if there are several.
fn written(out: &mut dyn Writer, repair: Repair<'_>) {
    if repair.written.len() > 1 {
        out.blank();
        out.paragraph(&format!("Written: {}.", repair.written.join(", ")));
    }
}

/// The change to the text, if it was requested.
fn difference(out: &mut dyn Writer, repair: Repair<'_>) {
    let Some(diff) = repair.diff else {
        return;
    };
    out.blank();
    if diff.is_empty() {
        out.paragraph("The text does not change.");
    } else {
        out.change(diff);
    }
}

fn pairs(out: &mut dyn Writer, view: &FencesView<'_>) {
    let source = &view.common.source;
    for &(first, second) in view.pairs.unwrap_or_default() {
        out.item(&format!(
            "{}: `{}` ({}) stays before `{}` ({}).",
            source.thread(first.thread),
            source.statement(first),
            source.place(first),
            source.statement(second),
            source.place(second),
        ));
    }
}

fn set(out: &mut dyn Writer, view: &FencesView<'_>) {
    for chosen in &view.set {
        let prevents = chosen.needed.is_some() && !view.report.minimise;
        out.fence(&explained(view, chosen), prevents);
    }
}

/// A place of the first set, with its cost and what is possible without it, as a sentence.
pub(in crate::report) fn explained(view: &FencesView<'_>, chosen: &Chosen<'_>) -> String {
    let (source, report) = (&view.common.source, view.report);
    let Chosen { place, needed, fix } = *chosen;
    let why = needed.map(|needed| match &needed.without {
        Shortfall::Attack { attack, run } => {
            let shape = run.happens_before().shape();
            let shape = shape.map_or(String::new(), |shape| format!(": {shape}"));
            let without = view.without(needed).source;
            format!("; without it {}{shape}", delays(&without, *attack))
        }
        Shortfall::Cycle(_) => "; without it happens-before has a cycle".to_owned(),
        Shortfall::Goal { goal, .. } => {
            let without = view.without(needed).source;
            format!("; without it {}", without.goal_reached(*goal))
        }
    });
    let why = why.unwrap_or_default();
    let cost = if view.costs_as_many() {
        String::new()
    } else {
        format!(", cost {}", place.cost)
    };
    format!("{}{cost}{why}.", words(source, report, place, fix))
}

/// How the fences are written in the user's world, and which of the text's own fences are no help.
fn spelling(out: &mut dyn Writer, view: &FencesView<'_>) {
    let report = view.report;
    if report.minimise || view.set.is_empty() {
        return;
    }
    if let Some(idiom) = view.idiom {
        let kinds = view.kinds.iter();
        let words = kinds.map(|&kind| format!("{} is `{}`", noun(kind), idiom.spelling(kind)));
        let words: Vec<String> = words.collect();
        out.blank();
        out.paragraph(&format!(
            "{}, {}. That is enough on x86; ARM and Power need more.",
            idiom.place(),
            words.join(", and "),
        ));
    }
    if report.model == Model::Tso {
        for (written, line) in free_fences(&view.common.source) {
            out.blank();
            out.paragraph(&format!(
                "`{written}` (line {line}) costs nothing on x86, and does not help here: it does not make \
                 a load wait for earlier stores."
            ));
        }
    }
}

/// The program's own fences that can be removed, with `--minimise`.
fn removable(out: &mut dyn Writer, view: &FencesView<'_>) {
    if !view.removable.is_empty() {
        let source = &view.common.source;
        let sites = view.removable.iter().map(|&site| {
            let thread = source.thread(site.thread);
            format!("{thread} {}", place_of_fence(source, site))
        });
        let sites: Vec<String> = sites.collect();
        out.item(&format!("Can be removed: {}.", sites.join(", ")));
    }
}

fn checked_again(out: &mut dyn Writer, report: &FenceReport, found: &Sets) {
    let proof = match (found.proof, report.aim) {
        (Some(Proof::Text), _) => "every attack is ruled out statically".to_owned(),
        (Some(Proof::Engine(engine)), Aim::Robustness) => format!(
            "the instrumented programs have no attack (engine {})",
            engine.name()
        ),
        (Some(Proof::Engine(engine)), Aim::Assertions) => {
            format!("no goal is reachable (engine {})", engine.name())
        }
        (None, _) => return,
    };
    let these = match (report.minimise, found.sets[0].is_empty()) {
        (true, true) => "without any fences",
        (true, false) => "with these fences only",
        (false, true) => return,
        (false, false) => "with these fences in place",
    };
    out.blank();
    out.paragraph(&format!("Re-verified {these}: {proof}."));
}

/// For each fence, an execution that is possible without it.
fn without_each(out: &mut dyn Writer, view: &FencesView<'_>) {
    let source = &view.common.source;
    for Chosen { place, needed, .. } in &view.set {
        let Some(needed) = needed else {
            continue;
        };
        let title = match place.kind {
            FenceKind::Full | FenceKind::Store => "Without the fence before",
            FenceKind::Exchange => "Without the exchange in",
        };
        let title = Title::needed(format!("{title} {}:", statement(source, place)));
        out.run(&title, &view.without(needed));
    }
}

fn alternatives(out: &mut dyn Writer, source: &Source<'_>, report: &FenceReport, found: &Sets) {
    if found.sets.len() < 2 {
        if found.all && !found.sets[0].is_empty() {
            out.blank();
            out.paragraph("No other set is as cheap.");
        }
        return;
    }
    out.blank();
    let known = if found.all { "" } else { "at least " };
    let title = format!("{known}{} equally cheap sets:", found.sets.len());
    out.heading(&title);
    let shown = if out.detail() == Detail::Everything {
        usize::MAX
    } else {
        SHOWN
    };
    for set in found.sets.iter().take(shown) {
        let places = set.iter().map(|place| {
            if report.minimise {
                words(source, report, place, None)
            } else {
                brief(source, place)
            }
        });
        out.item(&places.collect::<Vec<_>>().join(", "));
    }
    if found.sets.len() > shown {
        out.item("… (`-v` lists all)");
    }
}

/// `t0: a fence before `r = y;` (line 5)`, or `t0: keep the fence in line 5`
fn words(source: &Source<'_>, report: &FenceReport, place: &Place, fix: Option<&Fix>) -> String {
    let at_places = places(source, place, ", ");
    let site = first_site(source, place);
    let statement = source.statement(site);
    let at = source.place(site);
    let what = match place.kind {
        FenceKind::Full | FenceKind::Store if report.minimise => {
            let at = place_of_fence(source, site);
            let kind = if place.kind == FenceKind::Store {
                "store fence"
            } else {
                "fence"
            };
            format!("keep the {kind} in {at}")
        }
        FenceKind::Full => format!("a fence {}", placed(source, place, fix)),
        FenceKind::Store => format!("a store fence {}", placed(source, place, fix)),
        FenceKind::Exchange => format!("make `{statement}` ({at}) a locked exchange"),
    };
    format!("{at_places}: {what}")
}

/// `line 5`, with the column if the line has several fences.
pub(in crate::report) fn place_of_fence(source: &Source<'_>, site: Site) -> String {
    let origin = source.program.instruction(site).origin;
    let several = source.program.sites().any(|(_, other)| {
        matches!(other.op, Op::Fence(_))
            && source.program.is_same_line(other.origin, origin)
            && other.origin.column != origin.column
    });
    let at = source.place(site);
    if several && origin.line > 0 {
        format!("{at}, column {}", origin.column)
    } else {
        at
    }
}

/// The statement after a place, with its threads and line.
fn statement(source: &Source<'_>, place: &Place) -> String {
    let threads: Vec<&str> = place.threads(source.program).collect();
    let site = first_site(source, place);
    let (statement, at) = (source.statement(site), source.place(site));
    format!("`{statement}` ({} {at})", threads.join(" and "))
}

/// ``t0 line 5 before `r = y;` ``
fn brief(source: &Source<'_>, place: &Place) -> String {
    let at_places = places(source, place, " and ");
    let site = first_site(source, place);
    let kind = match place.kind {
        FenceKind::Full => "",
        FenceKind::Store => " (store fence)",
        FenceKind::Exchange => " (exchange)",
    };
    let at = source.place(site);
    let what = match place.kind {
        FenceKind::Exchange => format!("`{}`", source.statement(site)),
        FenceKind::Full | FenceKind::Store => position(source, site),
    };
    format!("{at_places} {at} {what}{kind}")
}

/// The places of fences in the format's notation or, if it has none, their threads, separated by
/// `joint`.
fn places(source: &Source<'_>, place: &Place, joint: &str) -> String {
    source.fence_places(&place.points).unwrap_or_else(|| {
        let threads: Vec<&str> = place.threads(source.program).collect();
        threads.join(joint)
    })
}

/// The first instruction after the fence.
pub(in crate::report) fn first_site(source: &Source<'_>, place: &Place) -> Site {
    let (thread, loc) = place.points[0];
    let instr = source.program.thread(thread).outgoing(loc)[0];
    Site { thread, instr }
}
