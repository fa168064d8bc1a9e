//! The result of `fence`, prepared for output.

use super::{Certified, Common, next};
use crate::fences::pairs::PairAnswer;
use crate::fences::{FenceReport, Needed, Place, Sets};
use crate::formats::Idiom;
use crate::program::{Aim, Change, FenceKind, Goal, Site};
use crate::reference::Run;
use crate::report::writer::Sentence;
use crate::report::{Measured, ShownRun, Source};
use std::collections::BTreeSet;

/// The repaired program, if it was requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repair<'a> {
    /// The change to the text as a unified diff, if it was requested; empty if nothing changes.
    pub diff: Option<&'a str>,
    /// The files that were written.
    pub written: &'a [String],
    /// Whether they are the program's own.
    pub in_place: bool,
    /// The change for each place of the first set alone or, with `--minimise`, for each fence that can be
    /// removed; `None` where the text cannot be changed that way. Empty if they were not requested.
    pub fixes: &'a [Option<Fix>],
}

/// The change to the text for one place alone: the files that change.
pub type Fix = Vec<Edited>;

/// A file that changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    /// Its name.
    pub name: String,
    /// Its text.
    pub before: String,
    /// Its new text.
    pub after: String,
}

/// A place of the first set that suffices.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Chosen<'a> {
    pub(in crate::report) place: &'a Place,
    /// Why it is needed, if that was found out.
    pub(in crate::report) needed: Option<&'a Needed>,
    /// The change of the text for this place alone, if that is known.
    pub(in crate::report) fix: Option<&'a Fix>,
}

/// The result of `fence`.
#[derive(Debug)]
pub struct FencesView<'a> {
    pub(in crate::report) common: Common<'a>,
    pub(in crate::report) report: &'a FenceReport,
    /// The sets that suffice, if there are any.
    pub(in crate::report) found: Option<&'a Sets>,
    /// The places of the first of them.
    pub(in crate::report) set: Vec<Chosen<'a>>,
    /// A sentence that the program has no property to preserve, if that is so.
    pub(in crate::report) nothing: Option<Sentence>,
    /// The program's own fences that can be removed (`--minimise`).
    pub(in crate::report) removable: Vec<Site>,
    /// The statement pairs that must stay in order, if an algorithm found them.
    pub(in crate::report) pairs: Option<&'a [(Site, Site)]>,
    /// An execution that no fences exclude, with the goal that it reaches.
    pub(in crate::report) evidence: Option<ShownRun<'a>>,
    /// The result for the other aim, if it adds information.
    pub(in crate::report) other: Option<Box<FencesView<'a>>>,
    pub(in crate::report) repair: Repair<'a>,
    /// The kinds of fences in the first set, ascending.
    pub(in crate::report) kinds: Vec<FenceKind>,
    /// The vocabulary that the fences are spelled in, if there is one.
    pub(in crate::report) idiom: Option<Idiom>,
}

impl<'a> FencesView<'a> {
    /// The result for this program; `other` is the report for the other aim.
    pub fn new(
        source: Source<'a>,
        report: &'a FenceReport,
        other: Option<&'a FenceReport>,
        repair: Repair<'a>,
        measured: Measured,
    ) -> Self {
        let other = other.map(|other| Self::new(source, other, None, Repair::default(), measured));
        let mut view = Self {
            common: Common {
                stats: report.stats,
                measured,
                ..Common::new("fence", source, report.model, report.verdict(), None)
            },
            found: report.found(),
            set: report
                .found()
                .map_or_else(Vec::new, |found| chosen(found, repair)),
            nothing: match report.aim {
                Aim::Assertions => source.nothing_to_keep(),
                Aim::Robustness => None,
            },
            removable: removable(source, report),
            pairs: report
                .pairs
                .as_ref()
                .and_then(|report| match &report.answer {
                    PairAnswer::Found { pairs, .. } => Some(&pairs[..]),
                    PairAnswer::Unrepairable(..) | PairAnswer::Undecided(_) => None,
                }),
            evidence: report
                .verdict()
                .violation()
                .map(|shortfall| shown(source, report, shortfall.goal(), shortfall.run())),
            other: other.map(Box::new),
            repair,
            kinds: Vec::new(),
            idiom: source.format.idiom(source.text),
            report,
        };
        view.kinds = kinds(&view.set);
        view.common.next = next::fences(&view);
        view
    }

    /// A computation that fences are about, as one of the instance that all are of, if there is one.
    pub(in crate::report) fn shown(&self, goal: Option<Goal>, run: &'a Run) -> ShownRun<'a> {
        shown(self.common.source, self.report, goal, run)
    }

    /// The number of fences in the first set.
    pub(in crate::report) fn fences(&self) -> usize {
        let set = self.set.iter();
        set.map(|chosen| chosen.place.points.len()).sum()
    }

    /// Whether each fence of the first set costs 1.
    pub(in crate::report) fn costs_as_many(&self) -> bool {
        let fences = self.fences() as u64;
        self.found.is_none_or(|found| found.cost == fences)
    }

    /// What is possible without a place.
    pub(in crate::report) fn without(&self, needed: &'a Needed) -> ShownRun<'a> {
        self.shown(needed.without.goal(), needed.without.run())
    }

    /// Adds the certificate, if one was requested.
    #[must_use]
    pub fn certified(mut self, certificate: Option<Certified<'a>>) -> Self {
        self.common.certificate = certificate;
        self
    }

    /// With the fences spelled in this vocabulary, instead of that of the text.
    #[must_use]
    pub fn idiom(self, idiom: Option<Idiom>) -> Self {
        Self {
            idiom: idiom.or(self.idiom),
            ..self
        }
    }
}

fn shown<'a>(
    source: Source<'a>,
    report: &'a FenceReport,
    goal: Option<Goal>,
    run: &'a Run,
) -> ShownRun<'a> {
    ShownRun::within(source, report.instance.as_ref(), goal, run)
}

/// The places of the first of these sets.
fn chosen<'a>(found: &'a Sets, repair: Repair<'a>) -> Vec<Chosen<'a>> {
    let places = found.sets[0].iter().enumerate();
    let places = places.map(|(number, place)| Chosen {
        place,
        needed: found.needed.iter().find(|needed| needed.place == number),
        fix: repair.fixes.get(number).and_then(Option::as_ref),
    });
    places.collect()
}

/// The kinds of fences in the first set, ascending.
fn kinds(set: &[Chosen<'_>]) -> Vec<FenceKind> {
    let kinds: BTreeSet<FenceKind> = set.iter().map(|chosen| chosen.place.kind).collect();
    kinds.into_iter().collect()
}

fn removable(source: Source<'_>, report: &FenceReport) -> Vec<Site> {
    let changes = report.changes(source.program).unwrap_or_default();
    let removed = changes.into_iter().filter_map(|change| match change {
        Change::Remove(site) => Some(site),
        Change::Fence { .. } | Change::Exchange(_) => None,
    });
    removed.collect()
}
