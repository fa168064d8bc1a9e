//! Certificates of cheapest fences: the program with them holds, and every cheaper set leaves a run.
//!
//! The search that found the fences had its own computations, over formulas. Here they are collected
//! again: as long as some cheaper set hits the cuts of all runs so far, an engine finds a violation of the
//! program with that set, which is one more run. Its cut has no place of the set, so this ends.

use super::{Certificate, NotMade, Subject, finished};
use crate::check::Until;
use crate::check::{CheckOptions, check_goals};
use crate::fences::{Costs, FenceOptions, FenceReport, Outcome, Place, goals, places};
use crate::program::{Aim, Change, FenceKind, Program};
use crate::reference::{Run, Step};
use crate::robustness::{RobustOptions, robust};
use crate::verdict::{Budget, Defect, Verdict};
use crate::verify::{self, Machine, Replayed, cheaper, cut_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// More runs than this are not collected.
const MOST_RUNS: usize = 300;

/// The certificate that no cheaper set of fences suffices, if that is the result.
///
/// # Errors
///
/// If an engine contradicts the report, or the checker refuses the certificate.
pub fn of_fences(
    program: &Program,
    report: &FenceReport,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Certificate, Defect> {
    finished(made(program, report, options, budget))
}

fn made(
    program: &Program,
    report: &FenceReport,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<Certificate, NotMade> {
    let Outcome::Found(found) = &report.outcome else {
        return Err(NotMade::because("no sufficient set of fences was found"));
    };
    if !found.optimal || found.bounds.is_some() {
        return Err(NotMade::because(
            "the fences are not known to be the cheapest, for all executions",
        ));
    }
    if report.minimise
        || options
            .kinds
            .0
            .iter()
            .any(|(kind, _)| *kind != FenceKind::Full)
    {
        return Err(NotMade::because(
            "only full fences that are added are covered",
        ));
    }
    let subject = Subject::new(program, report.model)?;
    if subject.program.is_parametric() {
        return Err(NotMade::because(
            "fences of threads in any number of copies (`[*]`) are not covered",
        ));
    }
    let list = places(
        program,
        program,
        report.model,
        &options.kinds,
        &options.costs,
    );
    let listed: BTreeSet<(usize, usize)> = list.iter().flat_map(points).collect();
    let useful = verify::useful(&subject.program, subject.model);
    if !useful.is_subset(&listed) {
        return Err(NotMade::because(
            "a fence may be of use where none is proposed, as its statement is in an atomic block as well",
        ));
    }
    let number = |place: &Place| list.iter().position(|other| other.points == place.points);
    let set: Option<Vec<usize>> = found.sets[0].iter().map(number).collect();
    let set = set.ok_or_else(|| NotMade::because("a fence is at none of the listed places"))?;
    let collection = Collection {
        program,
        subject: &subject,
        places: &list,
        options,
        budget,
    };
    let runs = collection.runs(report.aim, found.cost)?;

    let points: Vec<(usize, usize)> = set.iter().flat_map(|&place| points(&list[place])).collect();
    let fenced = subject.program.fenced(&points);
    let fenced =
        fenced.map_err(|_| NotMade::because("a fence is where the checker allows none"))?;
    let fenced = subject.of(fenced);
    let (aim, leaves) = match report.aim {
        Aim::Robustness => {
            let mut leaves = Vec::new();
            fenced.robust(&mut leaves, budget)?;
            fenced.is_whole(&mut leaves, budget)?;
            ("robustness", leaves)
        }
        Aim::Assertions => ("assertions", fenced.safe(&[], budget)?),
    };
    let list: Vec<Value> = list
        .iter()
        .map(|place| json!({ "points": points_of(place), "each": place.each }))
        .collect();
    let mut claim = json!({
        "question": "fence",
        "aim": aim,
        "cost": found.cost,
        "costs": if usual(&options.costs).is_some() { "unit" } else { "stated" },
        "factor": options.kinds.0.first().map_or(1, |&(_, factor)| factor),
        "set": set,
        "places": list,
        "runs": runs.iter().map(|run| run.iter().map(step_json).collect()).collect::<Vec<Value>>(),
    });
    if let Some(usual) = usual(&options.costs).filter(|&usual| usual != 1) {
        claim["usual"] = json!(usual);
    }
    subject.certificate(claim, leaves)
}

/// What a full fence costs wherever the program does not say it; `None` if that depends on the place.
fn usual(costs: &Costs) -> Option<u32> {
    match costs {
        Costs::Unit => Some(1),
        Costs::X86(cycles) if !cycles.loops => Some(cycles.of(FenceKind::Full)),
        Costs::X86(_) | Costs::Loops | Costs::Stated(_) => None,
    }
}

fn points(place: &Place) -> impl Iterator<Item = (usize, usize)> {
    place
        .points
        .iter()
        .map(|(thread, loc)| (thread.index(), loc.index()))
}

fn points_of(place: &Place) -> Vec<[usize; 2]> {
    points(place).map(|(thread, loc)| [thread, loc]).collect()
}

fn step_json(step: &verify::Step) -> Value {
    match *step {
        verify::Step::Execute {
            thread,
            instruction,
            choice: None,
        } => json!(["x", thread, instruction]),
        verify::Step::Execute {
            thread,
            instruction,
            choice: Some(value),
        } => {
            json!(["x", thread, instruction, value])
        }
        verify::Step::Advance { thread, cell } => json!(["a", thread, cell]),
        verify::Step::Flush { thread, cell } => json!(["f", thread, cell]),
        verify::Step::Retire { thread } => json!(["r", thread]),
    }
}

struct Collection<'c> {
    program: &'c Program,
    subject: &'c Subject<'c>,
    places: &'c [Place],
    options: &'c FenceOptions,
    budget: &'c Budget,
}

impl Collection<'_> {
    /// Runs of which no set of places below the cost excludes all.
    fn runs(&self, aim: Aim, cost: u64) -> Result<Vec<Vec<verify::Step>>, NotMade> {
        let machine = Machine::new(&self.subject.program, self.subject.model, &[]);
        let costs: Vec<u64> = self.places.iter().map(|place| place.cost.into()).collect();
        let all: Vec<Vec<(usize, usize)>> = self
            .places
            .iter()
            .map(|place| points(place).collect())
            .collect();
        let (mut runs, mut cuts): (Vec<Vec<verify::Step>>, Vec<BTreeSet<usize>>) =
            (Vec::new(), Vec::new());
        while let Some(set) = cheaper(&cuts, &costs, cost).map_err(NotMade::Reason)? {
            if runs.len() >= MOST_RUNS {
                return Err(NotMade::because(format!(
                    "{MOST_RUNS} runs do not exclude all cheaper sets"
                )));
            }
            let changes = set
                .iter()
                .flat_map(|&place| self.places[place].changes(self.program));
            let run = self.violation(aim, &changes.collect::<Vec<Change>>())?;
            let steps = self.without_fences(&run);
            let shown = match aim {
                Aim::Robustness => Some(steps),
                Aim::Assertions => beginning(&machine, &steps),
            };
            let shown =
                shown.ok_or_else(|| NotMade::because("a violation cannot be ended early"))?;
            let cut = cut_of(&machine, &shown, aim == Aim::Robustness, &all);
            let cut = cut.filter(|cut| !set.iter().any(|place| cut.contains(place)));
            let cut =
                cut.ok_or_else(|| NotMade::because("the checker does not follow a violation"))?;
            runs.push(shown);
            cuts.push(cut);
        }
        Ok(runs)
    }

    /// A violation of the program with a set of fences that is too cheap.
    fn violation(&self, aim: Aim, changes: &[Change]) -> Result<Run, NotMade> {
        let fenced = self.program.changed(changes);
        let verdict = match aim {
            Aim::Robustness => {
                let options = RobustOptions::new(self.options.model)
                    .until(Until::Violated)
                    .solver(self.options.solver);
                let report = robust(&fenced, &options, self.budget)?;
                report.verdict().map(Run::clone)
            }
            Aim::Assertions => {
                let options = CheckOptions::new(self.options.model)
                    .until(Until::Violated)
                    .solver(self.options.solver)
                    .note_waiting(false)
                    .note_unreachable(false);
                let report = check_goals(&fenced, &goals(&fenced), &options, self.budget)?;
                report.verdict().map(|(_, run)| run.clone())
            }
        };
        match verdict {
            Verdict::Violated(run) => Ok(run),
            Verdict::Holds => {
                Err(Defect::new("a set of fences below the least cost suffices").into())
            }
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => Err(NotMade::because(
                "no violation of some cheaper set was found again",
            )),
        }
    }

    /// The steps without those of the inserted fences, which come after the program's own instructions.
    fn without_fences(&self, run: &Run) -> Vec<verify::Step> {
        let mut steps = Vec::new();
        for moment in &run.moments {
            steps.push(match moment.step {
                Step::Execute {
                    thread,
                    instr,
                    choice,
                } => {
                    if instr.index() >= self.program.thread(thread).instructions().len() {
                        continue;
                    }
                    let (thread, instruction) = (thread.index(), instr.index());
                    verify::Step::Execute {
                        thread,
                        instruction,
                        choice,
                    }
                }
                Step::Advance { thread, addr } => verify::Step::Advance {
                    thread: thread.index(),
                    cell: addr.index(),
                },
                Step::Flush { thread, addr } => verify::Step::Flush {
                    thread: thread.index(),
                    cell: addr.index(),
                },
                Step::Retire { thread } => verify::Step::Retire {
                    thread: thread.index(),
                },
            });
        }
        steps
    }
}

/// The shortest beginning of a computation that reaches a goal once the buffers are emptied.
fn beginning(machine: &Machine<'_>, steps: &[verify::Step]) -> Option<Vec<verify::Step>> {
    (0..=steps.len()).find_map(|length| {
        let mut shown = steps[..length].to_vec();
        loop {
            let replayed = Replayed::of(machine, &shown)?;
            if replayed.is_drained {
                return replayed.reached.map(|_| shown);
            }
            let mut moves = Vec::new();
            machine.proposals(&replayed.end, &mut moves);
            let moved = moves.into_iter().find(|step| {
                let executes = matches!(step, verify::Step::Execute { .. });
                !executes && machine.after(&replayed.end, *step).is_some()
            });
            shown.push(moved?);
        }
    })
}
