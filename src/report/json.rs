//! JSON reports: one object per file and model, schema 1.
//!
//! Keys that do not apply are omitted. So are unknown values: a figure that was not measured has no
//! key, and a program without source text has no line numbers.

mod any_number;
mod certificate;
mod corpus;
mod error;
mod fences;
mod lazy;
mod litmus;
mod open;
mod place;
mod program;
mod races;
mod robust;
mod schema;
mod stats;
mod waits;
mod witness;

pub(super) use corpus::corpus_line;
pub use program::{attacks, program};
pub use schema::schema;

use super::view::{Bounds, CheckView, Common, InvariantView, Report, UnderSc};
use super::{Source, evidence};
use crate::check::Engine;
use crate::program::{Goal, PropertyKind, Role};
use crate::reference::Run;
use crate::verdict::{Reason, Verdict};
use certificate::CertificateJson;
use open::ReachedJson;
use place::{Place, file, known, place, vacuous};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{StatsJson, stats};
use witness::{Witness, witness};

/// The version of the schema, which changes when the meaning of a key changes.
pub const SCHEMA: u32 = 1;

/// The keys that every report begins with.
#[derive(JsonSchema, Serialize)]
struct Header<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    notion: Option<&'static str>,
    file: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    program: &'a str,
    model: &'static str,
    verdict: &'static str,
    /// What ended the search, if the verdict is "unknown": `time`, `interrupted`, `memory`, `states`,
    /// `stopped`, or `overflow`, `decided`, `unsupported`.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_because: Option<&'static str>,
    /// What it had reached, if a limit ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<ReachedJson>,
    /// If there are any, the verdict says nothing about compiled code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_races: Vec<DataRaceJson<'a>>,
    /// If it is there, the verdict is about this edition of Rust, which the text does not state.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed_edition: Option<AssumedEditionJson>,
    /// If there are any, the verdict is about all other executions only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutJson<'a>>,
    /// The certificate, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateJson<'a>>,
}

/// Executions of the text that the verdict is not about.
#[derive(JsonSchema, Serialize)]
struct LeftOutJson<'a> {
    /// Which, as in "executions where …".
    executions: &'a str,
    line: u32,
}

/// An edition, and where other editions have another meaning.
#[derive(JsonSchema, Serialize)]
struct AssumedEditionJson {
    edition: &'static str,
    line: u32,
}

/// Accesses that compilers may reorder.
#[derive(JsonSchema, Serialize)]
struct DataRaceJson<'a> {
    objects: &'a [String],
    lines: [u32; 2],
    /// The files of these lines.
    files: [&'a str; 2],
    certain: bool,
}

impl<'a> Header<'a> {
    fn new(common: &Common<'a>) -> Self {
        let source = common.source;
        let data_races = source.races.iter().map(|race| DataRaceJson {
            objects: &race.objects,
            lines: race.origins.map(|origin| origin.line),
            files: race.files.each_ref().map(|file| {
                let name = file.as_ref().map(|file| file.name.as_str());
                name.unwrap_or(source.file)
            }),
            certain: race.certain,
        });
        let left_out = source.left_out.iter().map(|one| LeftOutJson {
            executions: &one.executions,
            line: one.origin.line,
        });
        Self {
            schema: SCHEMA,
            tool: "fencepost",
            version: env!("CARGO_PKG_VERSION"),
            command: common.command,
            notion: None,
            file: common.source.file,
            program: common.source.program.name(),
            model: common.model.name(),
            verdict: common.verdict.word(),
            open_because: common.verdict.reason().map(Reason::word),
            reached: open::reached(common),
            data_races: data_races.collect(),
            assumed_edition: source.assumed_edition.map(|assumed| AssumedEditionJson {
                edition: assumed.edition.name(),
                line: assumed.origin.line,
            }),
            left_out: left_out.collect(),
            certificate: common
                .certificate
                .map(|made| CertificateJson::new(Some(made.file), made.certificate)),
        }
    }
}

#[derive(JsonSchema, Serialize)]
struct CheckJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<&'a Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    goals: Vec<GoalJson<'a>>,
    /// Whether the program states a property; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    states_property: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
    /// Whether the violation can happen under SC too, if that was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    under_sc: Option<&'a UnderSc>,
    /// The threads that wait forever at the end of some execution, if that was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<Vec<waits::WaitJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<Vec<Place>>,
    /// How it was decided, if the program has threads in any number of copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    any_number: Option<any_number::AnyNumberJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lazy: Option<lazy::LazyJson>,
    /// What proves the goals that hold, if the inductive engine decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<&'a InvariantView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    litmus: Option<litmus::LitmusJson<'a>>,
    stats: StatsJson,
}

/// A goal as stated in the program.
#[derive(JsonSchema, Serialize)]
struct Stated {
    /// The number that `export --goal` takes; `None` for a goal that the program does not state.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The file of that line, if it is not that of the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: String,
    /// The text of an `assert(e, "text")`.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(JsonSchema, Serialize)]
struct GoalJson<'a> {
    #[serde(flatten)]
    stated: Stated,
    verdict: &'static str,
    /// If the goal is reached and threads are in any number of copies: the number of copies of each in
    /// the instance that reaches it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<any_number::CopiesJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
}

/// The report as lines of JSON, each terminated.
///
/// # Errors
///
/// If serialization fails, which no value is expected to cause.
pub fn write(report: &Report<'_>) -> Result<String, serde_json::Error> {
    match report {
        Report::Check(view) => line(&check(view)),
        Report::Robust(view) => line(&robust::robust(view)),
        Report::Races(view) => line(&races::races(view)),
        Report::Fences(view) => line(&fences::fences(view)),
        Report::Corpus(file) => corpus::lines(file).map(|json| line(&json)).collect(),
        Report::Unread(unread) => line(&error::error(unread)),
        Report::Failed(failed) => line(&error::failed(failed, &failed.problems())),
    }
}

fn line(json: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(json).map(|line| line + "\n")
}

fn check<'a>(view: &'a CheckView<'_>) -> CheckJson<'a> {
    let (source, report) = (&view.common.source, view.report);
    let goals = report
        .answers
        .iter()
        .chain(&report.observations)
        .map(|answer| goal_json(view, answer.goal, &answer.verdict))
        .collect();
    let states = view.litmus;
    CheckJson {
        header: Header::new(&view.common),
        engine: view.common.engine.map(Engine::name),
        bounds: view.common.bounds.as_ref(),
        reason: view.common.reason.as_deref(),
        goals,
        states_property: (!source.program.states_property()).then_some(false),
        witness: view.witness.map(|shown| witness(&shown)),
        under_sc: view.under_sc.as_ref(),
        unfinished: report.unfinished.as_ref().map(|found| {
            let source = source.instance(found.of.as_deref());
            waits::waiting(&source, evidence::waits_at_end(source.program, &found.run))
        }),
        vacuous: report
            .vacuity
            .as_ref()
            .map(|vacuity| vacuous(source, vacuity)),
        any_number: report.any_number().map(any_number::any_number),
        lazy: report
            .history
            .as_ref()
            .map(|history| lazy::lazy(source, history)),
        invariant: view.invariant.as_ref(),
        litmus: states.map(|(test, report)| litmus::litmus(source.program, test, &report.states)),
        stats: stats(&view.common),
    }
}

fn goal_json<'a>(view: &'a CheckView<'_>, goal: Goal, verdict: &Verdict<Run>) -> GoalJson<'a> {
    let source = &view.common.source;
    let stated = stated(source, goal);
    let any = view.report.any_number();
    let reached = any.and_then(|any| any.reached_goal(goal));
    let observes = match goal {
        Goal::Assert(_) | Goal::Outside(_) => false,
        Goal::Property(index) => source.program.properties()[index].kind == PropertyKind::Exists,
    };
    // An observation has its own witness; the run of a violation is the witness of the whole report.
    let observed = verdict.violation().filter(|_| observes);
    GoalJson {
        stated,
        verdict: verdict.word(),
        copies: reached.map_or_else(Vec::new, |reached| any_number::copies(&reached.copies)),
        observed: observed
            .map(|_| true)
            .or((observes && *verdict == Verdict::Holds).then_some(false)),
        witness: observed.map(|run| witness(&view.shown(Some(goal), run))),
    }
}

fn stated(source: &Source<'_>, goal: Goal) -> Stated {
    let origin = source.goal_origin(goal);
    let (kind, site) = match goal {
        Goal::Assert(site) if source.program.instruction(site).role == Role::Unlock => {
            ("unlock", Some(site))
        }
        Goal::Assert(site) => ("assert", Some(site)),
        Goal::Outside(site) => ("outside", Some(site)),
        Goal::Property(index) => (source.program.properties()[index].kind.keyword(), None),
    };
    let goals = source.program.goals();
    Stated {
        number: goals
            .iter()
            .position(|other| *other == goal)
            .map(|at| at + 1),
        kind,
        thread: site.map(|site| source.thread(site.thread).to_owned()),
        line: origin.known_line(),
        file: file(source, origin),
        text: source.goal_text(goal),
        message: site
            .and_then(|site| source.program.reason(site))
            .map(str::to_owned),
    }
}
