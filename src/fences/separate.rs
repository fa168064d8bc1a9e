//! Goals, each decided on the part of the program that it concerns.
//!
//! Threads that no chain of shared cells connects do not influence each other (`groups` in
//! [`robustness`](crate::robustness)); a goal concerns the groups of the threads and cells that it
//! observes. The *part* of a goal is the program in which only these groups have instructions.
//!
//! **Theorem.** Let a goal be a predicate. (1) If the part does not reach it, the program does not.
//! (2) If the part reaches it, and it is not decided where all threads have ended (`final assert`,
//! `exists`), the program does.
//!
//! (1) Omit the steps of all other threads from a computation of the program. Every other step can
//! still be taken and does the same: no omitted thread writes a cell that the part accesses; a
//! `barrier all` waits for fewer buffers; and an atomic block of an omitted thread only kept others
//! from acting. If all threads have ended, so have those of the part, and a thread without
//! instructions has ended. (2) A computation of the part is one of the program in which the other
//! threads do not move. They are at their entries, outside blocks and with empty buffers, so
//! everything is drained if it is drained in the part. For the others they would have to end, and may
//! not be able to.
//!
//! So goals that several groups share join these groups, and a goal that is about waiting, to which
//! all threads matter, is decided on the whole program. So is a program that ends where a value
//! leaves 32 bits: every thread can end it.

use crate::analysis::Values;
use crate::check::{CheckReport, decide_goals};
use crate::engines::{CheckOptions, Stats};
use crate::explicit::Run;
use crate::program::{Goal, Observable, Program, PropertyKind, ThreadId};
use crate::robustness::{groups, join, least};
use crate::verdict::{Budget, Defect, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The verdicts on some goals, and the cost of finding them.
pub(super) struct Decided {
    pub(super) verdicts: Vec<(Goal, Verdict<Run>)>,
    pub(super) stats: Stats,
}

impl Decided {
    /// Violated if one of the goals is reached.
    pub(super) fn verdict(&self) -> Verdict<(Goal, &Run)> {
        let verdicts = self.verdicts.iter();
        Verdict::all(verdicts.map(|(goal, verdict)| verdict.as_ref().map(|run| (*goal, run))))
    }

    fn add(&mut self, report: CheckReport) {
        self.stats = self.stats.plus(report.stats);
        let answers = report.answers.into_iter();
        self.verdicts.extend(answers.map(|a| (a.goal, a.verdict)));
    }
}

/// Decides goals, each on its part.
///
/// # Errors
///
/// If evidence does not replay.
pub(super) fn decide(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Decided, Defect> {
    let mut decided = Decided {
        verdicts: Vec::new(),
        stats: Stats::default(),
    };
    let mut whole = Vec::new();
    for (threads, goals) in parts(program, goals) {
        if threads.len() == program.threads().len() {
            whole.extend(goals);
            continue;
        }
        let part = program.with_only(|thread| threads.contains(&thread));
        let report = decide_goals(&part, &goals, options, budget)?;
        let is_final = |goal: Goal| match goal {
            Goal::Property(n) => match program.properties()[n].kind {
                PropertyKind::FinalAssert | PropertyKind::Exists => true,
                PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
            },
            Goal::Assert(_) | Goal::Outside(_) => false,
        };
        let open = |(goal, verdict): (Goal, &Verdict<Run>)| {
            is_final(goal) && matches!(verdict, Verdict::Violated(_))
        };
        if report.answers.iter().any(|a| open((a.goal, &a.verdict))) {
            decided.stats = decided.stats.plus(report.stats);
            whole.extend(goals);
        } else {
            decided.add(report);
        }
    }
    if !whole.is_empty() {
        decided.add(decide_goals(program, &whole, options, budget)?);
    }
    Ok(decided)
}

/// The threads of each part with goals, and the goals.
fn parts(program: &Program, goals: &[Goal]) -> Vec<(BTreeSet<ThreadId>, Vec<Goal>)> {
    let values = Values::of(program);
    let mut links = groups(program, &values);
    let all: BTreeSet<usize> = links.iter().copied().collect();
    if all.len() < 2 || !program.limits().is_empty() {
        return vec![(program.thread_ids().collect(), goals.to_vec())];
    }
    let mut writers = BTreeMap::new();
    for (site, instruction) in program.sites() {
        if instruction.op.writes() == Some(true) {
            let cells = values.addresses(program, site).cells;
            writers.extend(cells.into_iter().map(|cell| (cell, site.thread)));
        }
    }
    let mut concerned = Vec::new();
    for &goal in goals {
        let mut threads: BTreeSet<ThreadId> = BTreeSet::new();
        match goal {
            Goal::Assert(site) | Goal::Outside(site) => {
                threads.insert(site.thread);
            }
            Goal::Property(number) => {
                let property = &program.properties()[number];
                if property.kind.is_about_waiting() {
                    threads.extend(program.thread_ids());
                }
                property.predicate.for_each_var(&mut |var| match var {
                    Observable::Register(thread, _) | Observable::At(thread, _) => {
                        threads.insert(thread);
                    }
                    Observable::Cell(cell) => threads.extend(writers.get(&cell)),
                });
            }
        }
        let first = threads.first().map_or(0, |thread| thread.index());
        for thread in threads {
            join(&mut links, first, thread.index());
        }
        concerned.push((first, goal));
    }
    let mut parts: BTreeMap<usize, (BTreeSet<ThreadId>, Vec<Goal>)> = BTreeMap::new();
    for (thread, goal) in concerned {
        parts
            .entry(least(&mut links, thread))
            .or_default()
            .1
            .push(goal);
    }
    for thread in program.thread_ids() {
        if let Some((threads, _)) = parts.get_mut(&least(&mut links, thread.index())) {
            threads.insert(thread);
        }
    }
    parts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Engine;
    use crate::formats::parse;
    use crate::model::Model;

    fn program(text: &str) -> Program {
        parse(text).program.expect("no errors in the text")
    }

    fn words(text: &str) -> Vec<&'static str> {
        let program = program(text);
        let options = CheckOptions {
            engine: Engine::Explicit,
            ..CheckOptions::new(Model::Tso)
        };
        let goals = program.goals();
        let decided = decide(&program, &goals, &options, &Budget::default());
        let decided = decided.expect("no defect");
        let mut words = Vec::new();
        for goal in goals {
            let of_goal = decided.verdicts.iter().filter(|(other, _)| *other == goal);
            words.extend(of_goal.map(|(_, verdict)| verdict.word()));
        }
        words
    }

    #[test]
    fn goals_join_the_groups_that_they_observe() {
        let text = "shared a, b, c; thread s { local r; a = 1; r = c; } thread t { a = 2; }
                    thread u { b = 1; } thread v { local r; r = c; assert(r == 0); }
                    forbid a == 1 && b == 1; forbid c == 1; forbid b == 2;";
        let program = program(text);
        let parts = parts(&program, &program.goals());
        let shape = |(threads, goals): &(BTreeSet<ThreadId>, Vec<Goal>)| {
            let threads: Vec<usize> = threads.iter().map(|t| t.index()).collect();
            (threads, goals.len())
        };
        // Reads of a cell that no thread writes connect nothing. The property about such a cell
        // concerns no thread, and is decided with the first part.
        let shapes: Vec<_> = parts.iter().map(shape).collect();
        assert_eq!(shapes, [(vec![0, 1, 2], 3), (vec![3], 1)]);
    }

    #[test]
    fn a_final_assert_does_not_fail_if_another_part_never_ends() {
        let waits = "shared a, b, c; thread s { a = 1; } thread t { while (b == 0) { } } ";
        assert_eq!(words(&format!("{waits} final assert a == 0;")), ["holds"]);
        assert_eq!(words(&format!("{waits} forbid a == 1;")), ["violated"]);
        let ends = "shared a, b, c; thread s { a = 1; } thread t { b = 1; } ";
        assert_eq!(words(&format!("{ends} final assert a == 0;")), ["violated"]);
        assert_eq!(words(&format!("{ends} final assert a == 1;")), ["holds"]);
    }
}
