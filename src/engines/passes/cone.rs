//! Goals, each decided on the threads that it depends on.
//!
//! The *cone* of a goal has the threads that the goal observes, those that may write a cell that it
//! observes, and with each thread those that may write a cell that this thread accesses.
//!
//! **Theorem.** Let a goal be a predicate. (1) If the cone does not reach it, the program does not.
//! (2) If the cone reaches it, and it is not decided where all threads have ended (`final assert`,
//! `exists`), the program does.
//!
//! (1) Omit the steps of all other threads from a computation of the program. Every other step can
//! still be taken and does the same: no omitted thread writes a cell that the cone accesses; a
//! `barrier all` waits for fewer buffers; and an atomic block of an omitted thread only kept others
//! from acting. If all threads have ended, so have those of the cone. (2) A computation of the
//! cone is one of the program in which the other threads do not move. They are at their entries, outside
//! blocks and with empty buffers, so everything is drained if it is drained in the cone. For `final assert`
//! and `exists` they would have to end, and may not be able to: then the whole program is asked about.
//!
//! **Absent.** Goals that are about waiting, to which all threads matter, and programs that end where a value
//! leaves 32 bits, which every thread can do.

use super::{Below, Pass, PassName, When};
use crate::facts::Values;
use crate::problem::{Engine, Found, GoalAnswer, Problem, Steps, Until, is_observation};
use crate::program::{Addr, Excerpt, Goal, Observable, Program, PropertyKind, ThreadId};
use crate::verdict::{Decided, Defect, Reason, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The row in the table of passes.
pub(crate) const CONE: Pass = Pass {
    name: PassName::Cone,
    decide,
};

/// With fewer threads than this, `auto` asks for all goals at once: one search for all of them also shows
/// what is executed, and its evidence is the shortest for any of them.
const FEW: usize = 8;

/// Whether cones are looked for at all.
pub(super) fn is_applicable(problem: &Problem<'_>, when: When) -> bool {
    let pays = problem.options.engine == Engine::Auto && problem.program.threads().len() >= FEW;
    problem.program.limits().is_empty() && (when == When::Possible || pays)
}

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    if !is_applicable(problem, when) {
        return Ok(None);
    }
    let Some(cones) = cones(problem.program, problem.goals) else {
        return Ok(None);
    };
    let mut known = BTreeMap::new();
    let mut sum = Found::open(&[], &Reason::Stopped);
    let mut whole = Vec::new();
    for (threads, goals) in &cones {
        if is_enough(problem, &known) {
            break;
        }
        let found = in_cone(problem, threads, goals, below)?;
        sum.add(&found);
        for GoalAnswer { goal, verdict, .. } in found.answers {
            match verdict {
                Verdict::Violated(_) if is_final(problem.program, goal) => whole.push(goal),
                Verdict::Violated(_)
                | Verdict::Holds
                | Verdict::HoldsWithin(_)
                | Verdict::Unknown(_) => drop(known.insert(goal, verdict)),
            }
        }
    }
    if !whole.is_empty() && !is_enough(problem, &known) {
        let found = below(&Problem {
            goals: &whole,
            ..*problem
        })?;
        sum.add(&found);
        let answers = found.answers.into_iter();
        known.extend(answers.map(|answer| (answer.goal, answer.verdict)));
    }
    let skipped = Verdict::Unknown(Reason::Decided(Decided::ByGoal));
    let goals = problem.goals.iter();
    let answers = goals.map(|&goal| GoalAnswer {
        goal,
        verdict: known.get(&goal).unwrap_or(&skipped).clone(),
    });
    sum.answers = answers.collect();
    Ok(Some(sum))
}

/// Ascending threads, and the goals that depend on exactly these; `None` if some goal depends on more than
/// half of the threads.
pub(super) fn cones(
    program: &Program,
    goals: &[Goal],
) -> Option<BTreeMap<Vec<ThreadId>, Vec<Goal>>> {
    let influence = Influence::of(program);
    let mut cones: BTreeMap<Vec<ThreadId>, Vec<Goal>> = BTreeMap::new();
    for &goal in goals {
        let threads = influence.cone(program, goal)?;
        if 2 * threads.len() > program.threads().len() {
            return None;
        }
        cones.entry(threads).or_default().push(goal);
    }
    Some(cones)
}

/// Asks for goals about these threads, in a program that consists of them.
fn in_cone(
    problem: &Problem<'_>,
    threads: &[ThreadId],
    goals: &[Goal],
    below: Below<'_>,
) -> Result<Found, Defect> {
    let part = Excerpt::new(problem.program, threads, goals);
    let inside: Vec<Goal> = goals.iter().map(|&goal| part.goal(goal)).collect();
    let mut found = below(&Problem {
        program: &part.program,
        goals: &inside,
        paused: &RefCell::default(),
        ..*problem
    })?;
    for (answer, &goal) in found.answers.iter_mut().zip(goals) {
        answer.goal = goal;
        match &mut answer.verdict {
            Verdict::Violated(steps) => {
                for step in steps {
                    *step = step.renamed(|thread| part.outer(thread), |cell| cell);
                }
            }
            Verdict::HoldsWithin(bounds) => {
                for bound in &mut bounds.loops {
                    bound.thread = part.outer(bound.thread);
                }
            }
            Verdict::Holds | Verdict::Unknown(_) => {}
        }
    }
    Ok(found)
}

fn is_final(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        },
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

/// Whether the other goals need not be decided.
fn is_enough(problem: &Problem<'_>, known: &BTreeMap<Goal, Verdict<Steps>>) -> bool {
    let violates = |(&goal, verdict): (&Goal, &Verdict<Steps>)| {
        matches!(verdict, Verdict::Violated(_)) && !is_observation(problem.program, goal)
    };
    problem.options.until == Until::Violated && known.iter().any(violates)
}

/// Which threads influence which.
struct Influence {
    /// The cells that each thread may access.
    accessed: Vec<BTreeSet<Addr>>,
    /// The threads that may write each cell.
    writers: BTreeMap<Addr, BTreeSet<ThreadId>>,
}

impl Influence {
    fn of(program: &Program) -> Self {
        let values = Values::of(program);
        let mut accessed = vec![BTreeSet::new(); program.threads().len()];
        let mut writers: BTreeMap<Addr, BTreeSet<ThreadId>> = BTreeMap::new();
        for (site, instruction) in program.sites() {
            for cell in values.addresses(program, site).cells {
                accessed[site.thread.index()].insert(cell);
                if instruction.op.writes() == Some(true) {
                    writers.entry(cell).or_default().insert(site.thread);
                }
            }
        }
        Self { accessed, writers }
    }

    /// The threads that a goal depends on, ascending; `None` if it is about waiting.
    fn cone(&self, program: &Program, goal: Goal) -> Option<Vec<ThreadId>> {
        let mut threads = BTreeSet::new();
        match goal {
            Goal::Assert(site) | Goal::Outside(site) => drop(threads.insert(site.thread)),
            Goal::Property(number) => {
                let property = &program.properties()[number];
                if property.kind.is_about_waiting() {
                    return None;
                }
                property.predicate.for_each_var(&mut |var| match var {
                    Observable::Register(thread, _) | Observable::At(thread, _) => {
                        threads.insert(thread);
                    }
                    Observable::Cell(cell) => {
                        threads.extend(self.writers.get(&cell).into_iter().flatten());
                    }
                });
            }
        }
        if threads.is_empty() {
            // About cells that nothing writes: any cone will do.
            threads.extend(program.thread_ids().next());
        }
        let mut pending: Vec<ThreadId> = threads.iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(thread) = pending.pop() {
            for cell in self.accessed[thread.index()]
                .iter()
                .filter(|&&cell| seen.insert(cell))
            {
                let writers = self.writers.get(cell).into_iter().flatten();
                pending.extend(writers.filter(|&&writer| threads.insert(writer)));
            }
        }
        Some(threads.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    #[test]
    fn a_goal_depends_on_those_who_write_what_its_threads_access() {
        let text = "shared a, b, c; thread s { local r; a = 1; r = c; } thread t { a = 2; }
                    thread u { b = 1; } thread v { local r; r = c; assert(r == 0); }
                    thread w { local r; r = a; b = r; }
                    forbid a == 1; forbid b == 1; forbid c == 1; forbid s.r == v.r; forbid stuck;";
        let program = parse(text).program.expect("no errors in the text");
        let influence = Influence::of(&program);
        let cone = |&goal: &Goal| {
            let threads = influence.cone(&program, goal)?;
            Some(threads.iter().map(|thread| thread.index()).collect())
        };
        let cones: Vec<Option<Vec<usize>>> = program.goals().iter().map(cone).collect();
        let all = [
            vec![3],
            vec![0, 1],
            vec![0, 1, 2, 4],
            vec![0, 1],
            vec![0, 1, 3],
        ];
        let expected = all.into_iter().map(Some).chain([None]);
        assert_eq!(cones, expected.collect::<Vec<_>>());
    }
}
