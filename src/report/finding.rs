//! What a report finds, one item per problem: for formats that show results beside the code.
//!
//! ```text
//! Report ──▶ Finding*: a rule, a level, a sentence, a place, an execution, a change that repairs it
//! ```
//!
//! The rules are the shapes of happens-before cycles, and the kinds of goals. A result that holds has no
//! finding. One that is open has: an empty list would look like a proof.

mod place;
mod rule;

pub(super) use place::Place;
pub(super) use rule::{Level, Rule};

use super::text::{self, corpus, fences, headline, races, robust};
use super::view::{CheckView, CorpusFile, FencesView, Fix, LineResult, Report, RobustView};
use super::{Failed, Problem, ShownRun, Source, evidence};
use crate::fences::{Outcome, Shortfall};
use crate::program::{Goal, Site};
use crate::reference::Run;
use crate::verdict::Verdict;

/// One problem.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) rule: Rule,
    pub(super) level: Level,
    /// What is wrong, in a sentence.
    pub(super) message: String,
    pub(super) place: Place<'a>,
    /// The other place that it is about, such as the access that overtakes the store.
    pub(super) other: Option<Place<'a>>,
    /// Where threads wait forever, with what each waits for.
    pub(super) waits: Vec<(Place<'a>, String)>,
    /// What makes it the same problem as one in an earlier text: the model and the statements, without
    /// their lines.
    pub(super) identity: Vec<String>,
    /// An execution with the problem.
    pub(super) run: Option<ShownRun<'a>>,
    /// The change that repairs it.
    pub(super) fix: Option<&'a Fix>,
}

impl<'a> Finding<'a> {
    fn new(rule: Rule, message: String, place: Place<'a>) -> Self {
        Self {
            rule,
            level: Level::Error,
            message,
            place,
            other: None,
            waits: Vec::new(),
            identity: Vec::new(),
            run: None,
            fix: None,
        }
    }

    fn level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    fn other(self, place: Place<'a>) -> Self {
        let other = Some(place);
        Self { other, ..self }
    }

    fn run(self, run: ShownRun<'a>) -> Self {
        let run = Some(run);
        Self { run, ..self }
    }

    /// With what identifies it, in addition to its rule.
    fn identified(self, by: impl IntoIterator<Item = String>) -> Self {
        let identity = by.into_iter().collect();
        Self { identity, ..self }
    }
}

/// That there is no result because of a defect.
fn defect<'a>(failed: &Failed<'a>) -> Finding<'a> {
    let message = Failed::MESSAGE.to_owned() + ".";
    Finding::new(Rule::Internal, message, Place::line(failed.file, 0))
}

/// What is wrong with a text that is no program.
fn problem(problem: &Problem) -> Finding<'_> {
    // Labels such as `here` add nothing where the code is not beside them.
    let label = Some(&problem.label).filter(|label| label.contains(' '));
    let more = label.into_iter().chain(&problem.suggestions);
    let new = more.filter(|one| !problem.message.contains(one.as_str()));
    let message = new.fold(problem.message.clone(), |all, one| format!("{all}; {one}"));
    Finding {
        rule: Rule::Input,
        level: if problem.is_error() {
            Level::Error
        } else {
            Level::Warning
        },
        message: message + ".",
        place: Place {
            file: &problem.file,
            line: problem.line,
            column: problem.column,
            end_line: problem.end_line,
            end_column: problem.end_column,
        },
        other: None,
        waits: Vec::new(),
        identity: vec![problem.message.clone()],
        run: None,
        fix: None,
    }
}

/// The problems that a report finds, in its order.
pub(super) fn findings<'a>(report: &'a Report<'a>) -> Vec<Finding<'a>> {
    let (common, mut found) = match report {
        Report::Check(view) => (&view.common, check(view)),
        Report::Robust(view) => (&view.common, robustness(view)),
        Report::Races(view) => {
            let (source, model) = (&view.common.source, view.common.model);
            let found = view.found().map(|(race, run)| {
                let message = format!(
                    "Triangular race under {model}: {}",
                    races::words(source, race)
                );
                let sites = [race.access, race.other];
                let [place, other] = sites.map(|site| Place::of_site(source, site));
                Finding::new(Rule::TriangularRace, message, place)
                    .other(other)
                    .identified(sites.map(|site| statement(source, site)))
                    .run(ShownRun::new(*source, run))
            });
            (&view.common, found.collect())
        }
        Report::Fences(view) => (&view.common, needed(view)),
        Report::Corpus(file) => return expectations(file),
        Report::Unread(unread) => return unread.problems.iter().map(problem).collect(),
        Report::Failed(failed) => return vec![defect(failed)],
    };
    let source = &common.source;
    let is_open = match &common.verdict {
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => true,
        // A part of the attacks does not decide robustness.
        Verdict::Holds => matches!(report, Report::Robust(view) if view.shard.is_some()),
        Verdict::Violated(()) => false,
    };
    if is_open {
        let place = Place::line(source.file, 0);
        let open = Finding::new(Rule::Undecided, headline(report), place);
        found.push(open.level(Level::Open));
    }
    for finding in &mut found {
        finding.identity.insert(0, common.model.name().to_owned());
    }
    // They are those of the text, whatever the model.
    found.extend(data_races(source));
    found
}

/// `t0: x = 1;`
fn statement(source: &Source<'_>, site: Site) -> String {
    let thread = source.thread(site.thread);
    format!("{thread}: {}", source.statement(site))
}

fn goal_text(source: &Source<'_>, goal: Goal) -> String {
    match goal {
        Goal::Assert(site) | Goal::Outside(site) => statement(source, site),
        Goal::Property(_) => source.goal_text(goal),
    }
}

fn check<'a>(view: &'a CheckView<'a>) -> Vec<Finding<'a>> {
    let model = view.common.model;
    let mut found = Vec::new();
    for answer in &view.report.answers {
        let Verdict::Violated(run) = &answer.verdict else {
            continue;
        };
        let goal = answer.goal;
        let shown = view.shown(Some(goal), run);
        let source = &shown.source;
        let shape = run.happens_before().shape();
        let shape = shape.map_or_else(String::new, |shape| {
            format!(" Happens-before cycle: {shape}.")
        });
        let steps = text::counted(run.moments.len() as u64, "step");
        let reached = source.goal_reached(goal);
        // The report compares its first violation only.
        let compared = view.under_sc.as_ref().filter(|_| found.is_empty());
        let compared = compared.map_or_else(String::new, |under_sc| {
            format!(" {}", text::compared(under_sc))
        });
        let waits = evidence::waits(&shown);
        let waiting = evidence::waiting(source, &waits);
        let waiting = waiting.map_or_else(String::new, |words| format!(" {words}"));
        let message =
            format!("Violated under {model}: {reached}, after {steps}.{waiting}{shape}{compared}");
        let place = Place::of(source, source.goal_origin(goal));
        let mut finding = Finding::new(Rule::of_goal(source, goal), message, place);
        let waits = waits.iter();
        let waits = waits.map(|wait| (Place::of_site(source, wait.site), wait.words(source)));
        finding.waits = waits.collect();
        let finding = finding.identified([goal_text(source, goal)]);
        found.push(finding.run(shown));
    }
    found
}

fn robustness<'a>(view: &'a RobustView<'a>) -> Vec<Finding<'a>> {
    let model = view.common.model;
    if let Some(Verdict::Violated(run)) = view.report.by_definition() {
        let message = headline_of_run(&format!("Not robust under {model}"), run);
        return vec![of_cycle(message, view.shown(run))];
    }
    let attacks = view.feasible.iter().map(|&(attack, run)| {
        let shown = view.shown(run);
        let source = &shown.source;
        let delays = robust::delays(source, attack);
        let message = headline_of_run(&format!("Not robust under {model}: {delays}"), run);
        let sites = [attack.store_site(), attack.last_site()];
        let [place, other] = sites.map(|site| Place::of_site(source, site));
        Finding::new(Rule::of_run(run), message, place)
            .other(other)
            .identified(sites.map(|site| statement(source, site)))
            .run(shown)
    });
    attacks.collect()
}

fn headline_of_run(lead: &str, run: &Run) -> String {
    match run.happens_before().shape() {
        Some(shape) => format!("{lead}: {shape}."),
        None => format!("{lead}."),
    }
}

/// A cycle, at its first access.
fn of_cycle(message: String, shown: ShownRun<'_>) -> Finding<'_> {
    let (source, run) = (&shown.source, shown.run);
    let edges = evidence::cycle(run).map_or_else(Vec::new, |cycle| cycle.edges);
    let first = edges.first().map(|edge| edge.from);
    let place = first.map_or(Place::line(source.file, 0), |site| {
        Place::of_site(source, site)
    });
    Finding::new(Rule::of_run(run), message, place)
        .identified(edges.iter().map(|edge| statement(source, edge.from)))
        .run(shown)
}

fn needed<'a>(view: &'a FencesView<'a>) -> Vec<Finding<'a>> {
    let (source, report) = (&view.common.source, view.report);
    if let Outcome::Impossible { shortfall, .. } = &report.outcome {
        let message = fences::sentence(view).to_string();
        let shown = view.shown(shortfall.goal(), shortfall.run());
        return vec![of_shortfall(message, shortfall, shown)];
    }
    if report.minimise {
        let removable = view.removable.iter().enumerate();
        let superfluous = removable.map(|(number, &site)| Finding {
            fix: view.repair.fixes.get(number).and_then(Option::as_ref),
            ..Finding::new(
                Rule::Superfluous,
                format!(
                    "The fence of {} in {} can be removed under {}.",
                    source.thread(site.thread),
                    fences::place_of_fence(source, site),
                    report.model,
                ),
                Place::of_site(source, site),
            )
            .level(Level::Note)
            .identified([statement(source, site)])
        });
        return superfluous.collect();
    }
    let places = view.set.iter().map(|chosen| {
        let explained = fences::explained(view, chosen);
        let message = format!("Needed under {}: {explained}", report.model);
        let first = fences::first_site(source, chosen.place);
        let at = Place::of_site(source, first);
        let mut finding = match chosen.needed {
            Some(needed) => of_shortfall(message, &needed.without, view.without(needed)),
            None => Finding::new(Rule::Cycle, message, at).identified([statement(source, first)]),
        };
        finding.fix = chosen.fix;
        finding.place = at;
        finding.level(Level::Warning)
    });
    places.collect()
}

fn of_shortfall<'a>(message: String, shortfall: &'a Shortfall, shown: ShownRun<'a>) -> Finding<'a> {
    let source = &shown.source;
    match shortfall {
        Shortfall::Attack { attack, run } => {
            let sites = [attack.store_site(), attack.last_site()];
            let [place, other] = sites.map(|site| Place::of_site(source, site));
            Finding::new(Rule::of_run(run), message, place)
                .other(other)
                .identified(sites.map(|site| statement(source, site)))
                .run(shown)
        }
        Shortfall::Cycle(_) => of_cycle(message, shown),
        Shortfall::Goal { goal, .. } => {
            let place = Place::of(source, source.goal_origin(*goal));
            Finding::new(Rule::of_goal(source, *goal), message, place)
                .identified([goal_text(source, *goal)])
                .run(shown)
        }
    }
}

fn data_races<'a>(source: &Source<'a>) -> Vec<Finding<'a>> {
    let races = source.races.iter().map(|race| {
        let [place, other] = race.origins.map(|origin| Place::of(source, origin));
        let message = format!("Data race: {}.", race.message());
        let quoted = race
            .origins
            .map(|origin| source.quote(origin).unwrap_or_default());
        Finding::new(Rule::DataRace, message, place)
            .level(Level::Warning)
            .other(other)
            .identified(race.objects.iter().cloned().chain(quoted))
    });
    races.collect()
}

fn expectations(file: &CorpusFile) -> Vec<Finding<'_>> {
    let lines = file.lines.iter().filter_map(|line| {
        let (rule, level) = match &line.result {
            LineResult::Met => return None,
            LineResult::Missed { .. } => (Rule::Expectation, Level::Error),
            LineResult::NotRun(_) => (Rule::Undecided, Level::Open),
        };
        Some(Finding {
            rule,
            level,
            message: corpus::sentence(line),
            place: Place::line(&file.path, line.number),
            other: None,
            waits: Vec::new(),
            identity: vec![line.text.clone()],
            run: None,
            fix: None,
        })
    });
    lines.collect()
}
