//! Results prepared for output: the decisions that all formats share.
//!
//! ```text
//! CheckReport, RobustReport, RaceReport, FenceReport ──▶ Report ──▶ text, JSON
//! ```
//!
//! This module determines the bounds of a result, the runs that are its evidence, what is listed, and
//! the next step. A format chooses the words or keys, and how much to show.

mod corpus;
mod fences;
mod invariant;
mod next;

pub use corpus::{CorpusFile, CorpusLine, LineResult};
pub(super) use fences::Chosen;
pub use fences::{Edited, FencesView, Fix, Repair};
pub(super) use invariant::InvariantView;
pub(super) use next::NextStep;

use super::{Failed, Measured, ShownRun, Source, Unread};
use crate::certificate::Certificate;
use crate::check::{CheckReport, Engine, Stats};
use crate::formats::LitmusTest;
use crate::litmus::LitmusReport;
use crate::model::Model;
use crate::program::Goal;
use crate::reference::Run;
use crate::robustness::{Attack, Race, RaceReport, RobustReport};
use crate::verdict::{self, Reached, Reason, Verdict};
#[cfg(feature = "cli")]
use schemars::JsonSchema;
#[cfg(feature = "cli")]
use serde::{Deserialize, Serialize, Serializer};

/// A result, prepared for output.
#[derive(Debug)]
pub enum Report<'a> {
    /// Whether the program violates a property.
    Check(Box<CheckView<'a>>),
    /// Whether weak memory adds any behaviour.
    Robust(Box<RobustView<'a>>),
    /// Whether there are triangular races.
    Races(Box<RacesView<'a>>),
    /// Where to insert fences.
    Fences(Box<FencesView<'a>>),
    /// The results of the expectations of a file.
    Corpus(&'a CorpusFile),
    /// A file that is no program. People see the errors with the lines, on standard error.
    Unread(Unread<'a>),
    /// A file without a result because of a defect. People see the message on standard error.
    Failed(Failed<'a>),
}

/// The parts that all results about a program have.
#[derive(Debug)]
pub(super) struct Common<'a> {
    /// The command that computed the result.
    pub(super) command: &'static str,
    pub(super) source: Source<'a>,
    pub(super) model: Model,
    pub(super) verdict: Verdict<()>,
    /// The bounds within which the verdict holds; `None` if it holds for all executions.
    pub(super) bounds: Option<Bounds>,
    /// The reason if the verdict is "violated" or "unknown", in words.
    pub(super) reason: Option<String>,
    /// The suggested next step.
    pub(super) next: Option<NextStep>,
    pub(super) engine: Option<Engine>,
    pub(super) stats: Stats,
    pub(super) measured: Measured,
    /// The certificate, if one was requested.
    pub(super) certificate: Option<Certified<'a>>,
}

/// A certificate that was requested.
#[derive(Clone, Copy, Debug)]
pub struct Certified<'a> {
    /// The file that it is written to.
    pub file: &'a str,
    /// The certificate, or why there is none.
    pub certificate: &'a Certificate,
}

impl<'a> Common<'a> {
    fn new<W>(
        command: &'static str,
        source: Source<'a>,
        model: Model,
        verdict: Verdict<W>,
        unroll: Option<u32>,
    ) -> Self {
        let bounds = verdict.bounds();
        Self {
            command,
            source,
            model,
            bounds: bounds.map(|bounds| Bounds::new(&source, bounds, unroll)),
            reason: verdict.reason().map(|reason| source.why(reason)),
            verdict: verdict.map(|_| ()),
            next: None,
            engine: None,
            stats: Stats::default(),
            measured: Measured::default(),
            certificate: None,
        }
    }
}

impl Common<'_> {
    /// What the search had reached, if a limit ended it.
    pub(super) fn reached(&self) -> Option<Reached> {
        let is_limit = self.verdict.reason().is_some_and(Reason::is_limit);
        self.measured.reached.filter(|_| is_limit)
    }
}

/// How far loops were unrolled.
#[derive(Debug)]
#[cfg_attr(feature = "cli", derive(JsonSchema, Serialize))]
pub(super) struct Bounds {
    /// The unroll bound, if the engine unrolls loops.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) unroll: Option<u32>,
    /// The loops that were cut.
    pub(super) loops: Vec<LoopCut>,
}

/// A loop that was cut.
#[derive(Debug)]
#[cfg_attr(feature = "cli", derive(JsonSchema, Serialize))]
pub(super) struct LoopCut {
    pub(super) thread: String,
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) line: Option<u32>,
    /// The file of that line, if it is not the one that was given.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) file: Option<String>,
    /// The name of its first location, if the program has that location.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) head: Option<String>,
    pub(super) iterations: u32,
}

impl Bounds {
    fn new(source: &Source<'_>, bounds: &verdict::Bounds, unroll: Option<u32>) -> Self {
        let loops = bounds.loops.iter().map(|cut| {
            let thread = source.program.thread(cut.thread);
            let locations = thread.locations();
            // Instrumented programs have copies of locations, which keep their origin.
            let head = locations.get(cut.head.index()).or_else(|| {
                let mut locations = locations.iter();
                locations.find(|location| location.origin == cut.origin)
            });
            LoopCut {
                thread: thread.name().to_owned(),
                line: cut.origin.known_line(),
                file: source.program.file(cut.origin).map(str::to_owned),
                head: head.map(|head| head.name.clone()),
                iterations: cut.iterations,
            }
        });
        Self {
            unroll,
            loops: loops.collect(),
        }
    }
}

/// The result of `check`.
#[derive(Debug)]
pub struct CheckView<'a> {
    pub(super) common: Common<'a>,
    pub(super) report: &'a CheckReport,
    /// The litmus test that the program was read from, if any, and its result.
    pub(super) litmus: Option<(&'a LitmusTest, &'a LitmusReport)>,
    /// Whether there are results for other models, too.
    pub(super) is_one_of_several: bool,
    /// The run of the violation or, if a value that leaves 32 bits keeps the verdict open, a run with
    /// such a value.
    pub(super) witness: Option<ShownRun<'a>>,
    /// The runs to show: that of the violation or, without one, those of the observations; and one in
    /// which a value leaves 32 bits, if there is one.
    pub(super) evidence: Vec<ShownRun<'a>>,
    /// Whether the program has only observations, and all are decided: then they are the result.
    pub(super) only_observes: bool,
    /// The number of open goals, and of all goals.
    pub(super) open: (usize, usize),
    /// Whether the violation can happen under SC too, if that was decided.
    pub(super) under_sc: Option<UnderSc>,
    /// The invariant that proves what holds, if the inductive engine decided.
    pub(super) invariant: Option<InvariantView>,
}

/// Whether a violation can happen under SC too.
#[derive(Debug)]
#[cfg_attr(
    feature = "cli",
    derive(JsonSchema, Serialize),
    schemars(rename = "UnderScJson")
)]
pub(super) struct UnderSc {
    #[cfg_attr(
        feature = "cli",
        serde(serialize_with = "word"),
        schemars(with = "&'static str")
    )]
    pub(super) verdict: Verdict<()>,
    // The bounds within which it was not found.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) bounds: Option<Bounds>,
}

/// Writes the word for a verdict.
#[cfg(feature = "cli")]
fn word<S: Serializer>(verdict: &Verdict<()>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

impl UnderSc {
    fn new(source: &Source<'_>, verdict: &Verdict<()>) -> Self {
        Self {
            bounds: verdict
                .bounds()
                .map(|bounds| Bounds::new(source, bounds, None)),
            verdict: verdict.clone(),
        }
    }
}

impl<'a> CheckView<'a> {
    /// The result for this program.
    pub fn new(source: Source<'a>, report: &'a CheckReport, measured: Measured) -> Self {
        let verdict = report.verdict();
        let violation = verdict.violation().copied();
        let overflow = report.overflow.as_ref();
        let shown = |goal: Option<Goal>, run| shown(source, report, goal, run);
        let mut evidence: Vec<ShownRun<'_>> = Vec::new();
        if let Some((goal, run)) = violation {
            evidence.push(shown(Some(goal), run));
        } else {
            let observations = report.observations.iter();
            evidence.extend(observations.filter_map(|answer| {
                let run = answer.verdict.violation()?;
                Some(shown(Some(answer.goal), run))
            }));
        }
        evidence.extend(overflow.map(|run| shown(None, run)));
        let witness = match &verdict {
            Verdict::Violated((goal, run)) => Some(shown(Some(*goal), run)),
            Verdict::Unknown(_) => overflow.map(|run| shown(None, run)),
            Verdict::Holds | Verdict::HoldsWithin(_) => None,
        };
        let goals = || report.answers.iter().chain(&report.observations);
        let open = goals().filter(|answer| answer.verdict.reason().is_some());
        let next = next::check(report, &verdict, source.format);
        let holds = matches!(verdict, Verdict::Holds);
        let common = Common::new("check", source, report.model, verdict, report.unroll);
        Self {
            witness,
            evidence,
            only_observes: report.answers.is_empty() && !report.observations.is_empty() && holds,
            open: (open.count(), goals().count()),
            under_sc: report
                .under_sc
                .as_ref()
                .map(|verdict| UnderSc::new(&source, verdict)),
            litmus: None,
            is_one_of_several: false,
            invariant: report.invariant.as_ref().map(InvariantView::new),
            common: Common {
                reason: match violation {
                    Some((goal, run)) => Some(shown(Some(goal), run).source.goal_reached(goal)),
                    None => common.reason,
                },
                next,
                engine: report.engine,
                stats: report.stats,
                measured,
                ..common
            },
            report,
        }
    }

    /// The run of a goal, or one in which a value leaves 32 bits.
    pub(super) fn shown(&self, goal: Option<Goal>, run: &'a Run) -> ShownRun<'a> {
        shown(self.common.source, self.report, goal, run)
    }

    /// The run to show first: of the violation, or else of the first observation.
    pub fn run(&self) -> Option<ShownRun<'a>> {
        self.evidence.iter().copied().find(|run| run.goal.is_some())
    }

    /// The run of the violation.
    pub fn violation(&self) -> Option<ShownRun<'a>> {
        self.witness.filter(|run| run.goal.is_some())
    }

    /// Adds the final states of the litmus test that the program was read from, if any.
    #[must_use]
    pub fn with_litmus(self, litmus: Option<(&'a LitmusTest, &'a LitmusReport)>) -> Self {
        Self { litmus, ..self }
    }

    /// Lists the clauses of the invariant, if there is one.
    #[must_use]
    pub fn listing_invariant(mut self, is_listed: bool) -> Self {
        if let (Some(invariant), true) = (&self.report.invariant, is_listed) {
            let listed = InvariantView::listed(&self.common.source, invariant);
            self.invariant = Some(listed);
        }
        self
    }

    /// Adds the certificate, if one was requested.
    #[must_use]
    pub fn certified(mut self, certificate: Option<Certified<'a>>) -> Self {
        self.common.certificate = certificate;
        self
    }

    /// Sets whether there are results for other models, too.
    #[must_use]
    pub fn one_of_several(self, is_one_of_several: bool) -> Self {
        Self {
            is_one_of_several,
            ..self
        }
    }
}

/// The run of a goal that was reached, as an execution of the instance that reaches it if there is one, or
/// one in which a value leaves 32 bits.
fn shown<'a>(
    source: Source<'a>,
    report: &'a CheckReport,
    goal: Option<Goal>,
    run: &'a Run,
) -> ShownRun<'a> {
    let instance = match goal {
        Some(goal) => report.instance_of(goal),
        None => report.instance(),
    };
    ShownRun::within(source, instance, goal, run)
}

/// The numbers of attacks, by result.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "cli", derive(JsonSchema, Serialize, Deserialize))]
pub(super) struct Counts {
    pub(super) candidates: usize,
    /// Ruled out statically.
    pub(super) pruned: usize,
    /// Ruled out by a search.
    pub(super) infeasible: usize,
    pub(super) feasible: usize,
    pub(super) open: usize,
}

/// The attacks of all shards together.
#[cfg(feature = "cli")]
impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let zero = Self {
            candidates: 0,
            pruned: 0,
            infeasible: 0,
            feasible: 0,
            open: 0,
        };
        all.fold(zero, |sum, one| Self {
            candidates: sum.candidates + one.candidates,
            pruned: sum.pruned + one.pruned,
            infeasible: sum.infeasible + one.infeasible,
            feasible: sum.feasible + one.feasible,
            open: sum.open + one.open,
        })
    }
}

/// The result of `robust`.
#[derive(Debug)]
pub struct RobustView<'a> {
    pub(super) common: Common<'a>,
    pub(super) report: &'a RobustReport,
    /// Whether the program is robust; `None` if undecided. With `--shard`, only a feasible attack
    /// decides it.
    pub(super) robust: Option<bool>,
    pub(super) counts: Counts,
    /// The feasible attacks with their witnesses.
    pub(super) feasible: Vec<(Attack, &'a Run)>,
    /// The witness of the first attack or, if a value that leaves 32 bits keeps the verdict open, a run
    /// with such a value.
    pub(super) witness: Option<&'a Run>,
    /// The shard that was searched, from 1, and the number of shards.
    pub(super) shard: Option<(usize, usize)>,
}

impl<'a> RobustView<'a> {
    /// The result for this program.
    pub fn new(source: Source<'a>, report: &'a RobustReport, measured: Measured) -> Self {
        let verdict = report.verdict();
        let (robust, witness) = match &verdict {
            Verdict::Holds => (report.shard.is_none().then_some(true), None),
            Verdict::HoldsWithin(_) => (None, None),
            Verdict::Unknown(_) => (None, report.overflow.as_ref()),
            Verdict::Violated(run) => (Some(false), Some(*run)),
        };
        let feasible: Vec<(Attack, &Run)> = report.feasible().collect();
        let infeasible = report.infeasible();
        Self {
            robust,
            counts: Counts {
                candidates: report.candidates(),
                pruned: report.pruned.len(),
                infeasible,
                feasible: feasible.len(),
                open: report.answers.len() - infeasible - feasible.len(),
            },
            feasible,
            witness,
            shard: report.shard.map(|(index, of)| (index + 1, of)),
            common: Common {
                next: next::robust(report, &verdict),
                engine: report.engine,
                stats: report.stats,
                measured,
                ..Common::new("robust", source, report.model, verdict, report.unroll)
            },
            report,
        }
    }

    /// A witness, as an execution of the instance that all witnesses are executions of, if there is one.
    pub(super) fn shown(&self, run: &'a Run) -> ShownRun<'a> {
        ShownRun::within(self.common.source, self.report.instance(), None, run)
    }

    /// The run to show first: the witness that the program is not robust.
    pub fn run(&self) -> Option<ShownRun<'a>> {
        let is_violated = self.common.verdict == Verdict::Violated(());
        let witness = self.witness.filter(|_| is_violated);
        witness.map(|run| self.shown(run))
    }

    /// Adds the certificate, if one was requested.
    #[must_use]
    pub fn certified(mut self, certificate: Option<Certified<'a>>) -> Self {
        self.common.certificate = certificate;
        self
    }
}

/// The result of `robust --notion trf`.
#[derive(Debug)]
pub struct RacesView<'a> {
    pub(super) common: Common<'a>,
    /// The pairs that race or are undecided.
    pub(super) listed: Vec<&'a Race>,
}

impl<'a> RacesView<'a> {
    /// The result for this program.
    pub fn new(source: Source<'a>, report: &'a RaceReport, measured: Measured) -> Self {
        let verdict = report.verdict();
        let races = report.races.iter();
        Self {
            listed: races.filter(|r| r.verdict != Verdict::Holds).collect(),
            common: Common {
                next: verdict.violation().map(|_| NextStep::DecideRobustness),
                stats: report.stats,
                measured,
                ..Common::new("robust", source, report.model, verdict, None)
            },
        }
    }

    /// The pairs that race, each with a run in which they do.
    pub(super) fn found(&self) -> impl Iterator<Item = (&'a Race, &'a Run)> {
        let listed = self.listed.iter();
        listed.filter_map(|race| Some((*race, race.verdict.violation()?)))
    }
}
