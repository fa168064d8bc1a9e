//! Fences, as machines read them.

use super::{BoundsJson, Header, Place, StatsJson, Witness, bounds_json, place, stats, witness};
use crate::check::Engine;
use crate::encode::FenceKind;
use crate::fences::pairs::PairAnswer;
use crate::fences::{self, FenceReport, Needed, Obstacle, Outcome, Proof, Shortfall};
use crate::program::{Change, Fence, Op, Site};
use crate::report::{Measured, Repair, Source};
use crate::syntax::Aim;
use crate::verdict::{Reason, Verdict};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(rename = "for")]
    aim: &'static str,
    algorithm: &'static str,
    /// Whether the fences are those of the program that have to stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimise: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsJson>,
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
    /// The program's own fences that need not stay, where that was the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    removable: Option<Vec<FenceJson>>,
    /// What is possible without each place of the set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needed: Vec<NeededJson>,
    /// Who else says that the fences suffice.
    #[serde(skip_serializing_if = "Option::is_none")]
    validated: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
    /// The statement pairs that have to stay in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[Place; 2]>>,
    places: usize,
    probes: u64,
    cuts: u64,
    /// The answer for the other aim.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OtherJson>,
    /// What putting the fences changes in the text, in the unified format.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    /// Where the changed program was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a str>,
    stats: StatsJson,
}

#[derive(Serialize)]
struct NeededJson {
    /// The fences of the place, which go together.
    fences: Vec<FenceJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delayed: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<Place>,
    /// The line of the property or assertion that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_line: Option<u32>,
    witness: Witness,
}

#[derive(Serialize)]
struct OtherJson {
    #[serde(rename = "for")]
    aim: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fences: Option<Vec<FenceJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
}

#[derive(Serialize)]
struct FenceJson {
    #[serde(flatten)]
    place: Place,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u32>,
}

/// The report on fences as one line of JSON, not ended.
///
/// # Errors
///
/// If the serializer refuses, which no value here gives it a reason to.
pub fn fences(
    source: &Source<'_>,
    report: &FenceReport,
    other: Option<&FenceReport>,
    repair: Repair<'_>,
    measured: &Measured,
) -> Result<String, serde_json::Error> {
    let verdict = verdict(report);
    let found = match &report.outcome {
        Outcome::Found(found) => Some(found),
        Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
    };
    let first = |report: &FenceReport| match &report.outcome {
        Outcome::Found(found) => Some(set(source, &found.sets[0])),
        Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
    };
    serde_json::to_string(&Report {
        header: Header::new("fence", source, report.model, &verdict),
        aim: aim(report.aim),
        algorithm: report.algorithm.name(),
        minimise: report.minimise.then_some(true),
        bounds: match &verdict {
            Verdict::HoldsWithin(bounds) => Some(bounds_json(source, None, bounds)),
            Verdict::Holds | Verdict::Violated(()) | Verdict::Unknown(_) => None,
        },
        reason: match &report.outcome {
            Outcome::Undecided(reason) => Some(source.why(reason)),
            Outcome::Found(_) if report.aim == Aim::Assertions => {
                source.nothing_to_keep().map(str::to_owned)
            }
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
            Outcome::Found(_) => None,
        },
        fences: first(report),
        cost: found.map(|found| found.cost),
        lower_bound: report.lower_bound,
        optimal: found.map(|found| found.optimal),
        all: found
            .filter(|found| found.all || found.sets.len() > 1)
            .map(|found| found.sets.iter().map(|s| set(source, s)).collect()),
        removable: removable(source, report),
        needed: found.map_or_else(Vec::new, |found| {
            let needed = found.needed.iter();
            needed
                .map(|needed| needed_json(source, &found.sets[0], needed))
                .collect()
        }),
        validated: found
            .and_then(|found| found.proof)
            .map(|proof| match proof {
                Proof::Text => "text",
                Proof::Engine(engine) => Engine::name(engine),
            }),
        witness: match &report.outcome {
            Outcome::Impossible { shortfall, .. } => Some(witness(source, shortfall.run())),
            Outcome::Found(_) | Outcome::Undecided(_) => None,
        },
        pairs: report
            .pairs
            .as_ref()
            .and_then(|report| match &report.answer {
                PairAnswer::Found { pairs, .. } => {
                    let pairs = pairs.iter();
                    Some(
                        pairs
                            .map(|&(a, b)| [place(source, a), place(source, b)])
                            .collect(),
                    )
                }
                PairAnswer::Unrepairable(..) | PairAnswer::Undecided(_) => None,
            }),
        places: report.places,
        probes: report.probes,
        cuts: report.cuts,
        other: other.map(|other| OtherJson {
            aim: aim(other.aim),
            verdict: self::verdict(other).word(),
            fences: first(other),
            cost: match &other.outcome {
                Outcome::Found(found) => Some(found.cost),
                Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
            },
        }),
        diff: repair.diff,
        written: repair.written,
        stats: stats(&report.stats, measured),
    })
}

/// Holds if the fences found suffice for all executions.
fn verdict(report: &FenceReport) -> Verdict<()> {
    match &report.outcome {
        Outcome::Found(found) => match &found.bounds {
            Some(bounds) => Verdict::HoldsWithin(bounds.clone()),
            None => Verdict::Holds,
        },
        Outcome::Impossible { .. } => Verdict::Violated(()),
        Outcome::Undecided(reason) => Verdict::Unknown(Reason::clone(reason)),
    }
}

fn aim(aim: Aim) -> &'static str {
    match aim {
        Aim::Robustness => "robustness",
        Aim::Assertions => "assertions",
    }
}

/// A fence for each location of each place.
fn set(source: &Source<'_>, places: &[fences::Place]) -> Vec<FenceJson> {
    let mut fences = Vec::new();
    for place in places {
        for (number, &(thread, loc)) in place.points.iter().enumerate() {
            let automaton = source.program.thread(thread);
            let instr = automaton.outgoing(loc)[0];
            let line = source
                .program
                .instruction(Site { thread, instr })
                .origin
                .line;
            fences.push(FenceJson {
                place: Place {
                    thread: automaton.name().to_owned(),
                    label: Some(automaton.location(loc).name.clone()),
                    line: (line > 0).then_some(line),
                    ends: None,
                },
                kind: match place.kind {
                    FenceKind::Full => "full",
                    FenceKind::Store => "store",
                    FenceKind::Exchange => "xchg",
                },
                cost: Some(place.each[number]),
            });
        }
    }
    fences
}

/// The fences that go, with `--minimise`.
fn removable(source: &Source<'_>, report: &FenceReport) -> Option<Vec<FenceJson>> {
    let changes = report.changes(source.program).filter(|_| report.minimise)?;
    let fences = changes.into_iter().filter_map(|change| match change {
        Change::Remove(site) => {
            let store = source.program.instruction(site).op == Op::Fence(Fence::Store);
            let kind = if store { "store" } else { "full" };
            Some(FenceJson {
                place: place(source, site),
                kind,
                cost: None,
            })
        }
        Change::Fence { .. } | Change::Exchange(_) => None,
    });
    Some(fences.collect())
}

fn needed_json(source: &Source<'_>, places: &[fences::Place], needed: &Needed) -> NeededJson {
    let (delayed, past, goal_line) = match &needed.without {
        Shortfall::Attack { attack, .. } => (
            Some(place(source, attack.store_site())),
            Some(place(source, attack.last_site())),
            None,
        ),
        Shortfall::Cycle(_) => (None, None, None),
        Shortfall::Goal { goal, .. } => {
            let line = source.goal_origin(*goal).line;
            (None, None, (line > 0).then_some(line))
        }
    };
    NeededJson {
        fences: set(source, &places[needed.place..=needed.place]),
        delayed,
        past,
        goal_line,
        witness: witness(source, needed.without.run()),
    }
}
