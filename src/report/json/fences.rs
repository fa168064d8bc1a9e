//! Fence reports as JSON.

use super::{Header, Place, StatsJson, Witness, file, place, stats, witness};
use crate::check::Engine;
use crate::fences::{self, Interval, Needed, Obstacle, Outcome, Proof, Shortfall, Until};
use crate::program::{Aim, Fence, FenceKind, Op, Origin, Site};
use crate::report::view::{Bounds, FencesView};
use crate::report::{Idiom, Source};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(JsonSchema, Serialize)]
pub(super) struct FencesJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(rename = "for")]
    aim: &'static str,
    algorithm: &'static str,
    /// Whether the fences are the program's own that must stay (`--minimise`).
    #[serde(skip_serializing_if = "Option::is_none")]
    minimise: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<&'a Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fences: Option<Vec<FenceJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
    lower_bound: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    optimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Vec<FenceJson>>>,
    /// The program's own fences that can be removed (`--minimise`).
    #[serde(skip_serializing_if = "Option::is_none")]
    removable: Option<Vec<FenceJson>>,
    /// For each place of the set, an execution that is possible without its fences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needed: Vec<NeededJson>,
    /// How the fences were re-verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    validated: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
    /// The statement pairs that must stay in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[Place; 2]>>,
    /// How the fences are written: the vocabulary, and the words by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    idiom: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    spelling: BTreeMap<&'static str, &'static str>,
    places: usize,
    probes: u64,
    cuts: u64,
    /// The result for the other aim.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OtherJson>,
    /// The change to the text that inserts the fences, as a unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    /// The file that the changed program was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a str>,
    /// All files that were written, if the program's own files changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    written_files: Option<&'a [String]>,
    stats: StatsJson,
}

#[derive(JsonSchema, Serialize)]
struct NeededJson {
    /// The fences of the place, which are removed together.
    fences: Vec<FenceJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delayed: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<Place>,
    /// The line of the property or assertion that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_line: Option<u32>,
    /// The file of that line, if it is not that of the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_file: Option<String>,
    witness: Witness,
}

#[derive(JsonSchema, Serialize)]
struct OtherJson {
    #[serde(rename = "for")]
    aim: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fences: Option<Vec<FenceJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
    /// For each place of the set, an execution that is possible without its fences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needed: Vec<NeededJson>,
}

#[derive(JsonSchema, Serialize)]
struct FenceJson {
    #[serde(flatten)]
    place: Place,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u32>,
    /// Where else the fence may be instead, if there are positions on other lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<IntervalJson>,
}

/// Positions of a fence that do the same, since nothing but registers is used in between. The lines are in
/// the file of the fence.
#[derive(Clone, Copy, JsonSchema, Serialize)]
struct IntervalJson {
    /// The line of the access before all of them, if there is a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u32>,
    /// The line of the statement after the first position.
    first: u32,
    /// The line of what follows the last position.
    last: u32,
    /// What that is.
    until: UntilJson,
}

#[derive(Clone, Copy, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
enum UntilJson {
    /// A statement.
    Statement,
    /// A part of the head of a loop, such as the test of `do … while`.
    Head,
    /// The next test of the loop that the fence is in. Its line may be above that of the first position.
    NextTest,
}

/// The report on fences.
pub(super) fn fences<'a>(view: &'a FencesView<'_>) -> FencesJson<'a> {
    let (source, report) = (&view.common.source, view.report);
    let found = view.found;
    FencesJson {
        header: Header::new(&view.common),
        aim: aim(report.aim),
        algorithm: report.algorithm.name(),
        minimise: report.minimise.then_some(true),
        bounds: view.common.bounds.as_ref(),
        reason: match &report.outcome {
            Outcome::Undecided(_) => view.common.reason.clone(),
            Outcome::Impossible {
                obstacle: Obstacle::Sequential,
                ..
            } => Some("an execution without reordering is wrong".to_owned()),
            Outcome::Impossible {
                obstacle: Obstacle::Labels,
                ..
            } => Some("fences that suffice otherwise break a property at a label".to_owned()),
            Outcome::Impossible {
                obstacle: Obstacle::Remains,
                ..
            } => Some("fences at all places do not suffice".to_owned()),
            Outcome::Found(_) => view.nothing.as_ref().map(ToString::to_string),
        },
        fences: first(view),
        cost: found.map(|found| found.cost),
        lower_bound: report.lower_bound,
        optimal: found.map(|found| found.optimal),
        all: found
            .filter(|found| found.all || found.sets.len() > 1)
            .map(|found| found.sets.iter().map(|s| set(source, s)).collect()),
        removable: (report.minimise && found.is_some()).then(|| {
            let sites = view.removable.iter();
            sites.map(|&site| removable(source, site)).collect()
        }),
        needed: all_needed(view),
        validated: found
            .and_then(|found| found.proof)
            .map(|proof| match proof {
                Proof::Text => "text",
                Proof::Engine(engine) => Engine::name(engine),
            }),
        witness: view.evidence.map(|shown| witness(&shown)),
        pairs: view.pairs.map(|pairs| {
            let pairs = pairs.iter();
            pairs
                .map(|&(a, b)| [place(source, a), place(source, b)])
                .collect()
        }),
        idiom: view
            .idiom
            .filter(|_| !view.kinds.is_empty())
            .map(Idiom::name),
        spelling: spelling(view),
        places: report.places,
        probes: report.probes,
        cuts: report.cuts,
        other: view.other.as_deref().map(|other| OtherJson {
            aim: aim(other.report.aim),
            verdict: other.common.verdict.word(),
            fences: first(other),
            cost: other.found.map(|found| found.cost),
            needed: all_needed(other),
        }),
        diff: view.repair.diff,
        written: view.repair.written.first().map(String::as_str),
        written_files: view.repair.in_place.then_some(view.repair.written),
        stats: stats(&view.common),
    }
}

/// The first of the sets found.
fn first(view: &FencesView<'_>) -> Option<Vec<FenceJson>> {
    let found = view.found?;
    Some(set(&view.common.source, &found.sets[0]))
}

/// The words for each kind of fence in the first set.
fn spelling(view: &FencesView<'_>) -> BTreeMap<&'static str, &'static str> {
    let kinds = view.idiom.into_iter().flat_map(|idiom| {
        let words = view.kinds.iter();
        words.map(move |&kind| (word(kind), idiom.spelling(kind)))
    });
    kinds.collect()
}

/// The word for a kind of fence.
fn word(kind: FenceKind) -> &'static str {
    match kind {
        FenceKind::Full => "full",
        FenceKind::Store => "store",
        FenceKind::Exchange => "xchg",
    }
}

/// What is possible without each place of the first set.
fn all_needed(view: &FencesView<'_>) -> Vec<NeededJson> {
    let Some(found) = view.found else {
        return Vec::new();
    };
    let needed = found.needed.iter();
    let needed = needed.map(|needed| needed_json(view, &found.sets[0], needed));
    needed.collect()
}

fn aim(aim: Aim) -> &'static str {
    match aim {
        Aim::Robustness => "robustness",
        Aim::Assertions => "assertions",
    }
}

/// One fence per location of each place.
fn set(source: &Source<'_>, places: &[fences::Place]) -> Vec<FenceJson> {
    let mut fences = Vec::new();
    for place in places {
        let elsewhere = fences::interval(source.program, place);
        let elsewhere = elsewhere.filter(Interval::has_several_lines);
        for (number, &(thread, loc)) in place.points.iter().enumerate() {
            let automaton = source.program.thread(thread);
            let instr = automaton.outgoing(loc)[0];
            let origin = source.program.instruction(Site { thread, instr }).origin;
            fences.push(FenceJson {
                place: Place {
                    thread: automaton.name().to_owned(),
                    label: Some(automaton.location(loc).name.clone()),
                    line: origin.known_line(),
                    file: file(source, origin),
                    ends: None,
                },
                kind: word(place.kind),
                cost: Some(place.each[number]),
                interval: elsewhere.map(interval),
            });
        }
    }
    fences
}

/// A fence that can be removed.
fn removable(source: &Source<'_>, site: Site) -> FenceJson {
    let store = source.program.instruction(site).op == Op::Fence(Fence::Store);
    FenceJson {
        place: place(source, site),
        kind: if store { "store" } else { "full" },
        cost: None,
        interval: None,
    }
}

fn interval(interval: Interval) -> IntervalJson {
    IntervalJson {
        after: interval.after.map(|origin| origin.line),
        first: interval.first.line,
        last: interval.last.origin().line,
        until: match interval.last {
            Until::Before(_) => UntilJson::Statement,
            Until::Head(_) => UntilJson::Head,
            Until::NextTest(_) => UntilJson::NextTest,
        },
    }
}

fn needed_json(view: &FencesView<'_>, places: &[fences::Place], needed: &Needed) -> NeededJson {
    let source = &view.common.source;
    let without = view.without(needed);
    let (delayed, past, goal) = match &needed.without {
        Shortfall::Attack { attack, .. } => (
            Some(place(source, attack.store_site())),
            Some(place(source, attack.last_site())),
            None,
        ),
        Shortfall::Cycle(_) => (None, None, None),
        Shortfall::Goal { goal, .. } => {
            let origin = source.goal_origin(*goal);
            (None, None, Some(origin))
        }
    };
    NeededJson {
        fences: set(source, &places[needed.place..=needed.place]),
        delayed,
        past,
        goal_line: goal.and_then(Origin::known_line),
        goal_file: goal.and_then(|origin| file(source, origin)),
        witness: witness(&without),
    }
}
