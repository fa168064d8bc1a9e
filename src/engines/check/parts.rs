//! Goals, each decided on the part of the program that it depends on.
//!
//! The *part* of a goal has the threads that the goal observes, those that may write a cell that it
//! observes, and with each thread those that may write a cell that this thread accesses.
//!
//! **Theorem.** Let a goal be a predicate. (1) If the part does not reach it, the program does not.
//! (2) If the part reaches it, and it is not decided where all threads have ended (`final assert`,
//! `exists`), the program does.
//!
//! (1) Omit the steps of all other threads from a computation of the program. Every other step can
//! still be taken and does the same: no omitted thread writes a cell that the part accesses; a
//! `barrier all` waits for fewer buffers; and an atomic block of an omitted thread only kept others
//! from acting. If all threads have ended, so have those of the part. (2) A computation of the
//! part is one of the program in which the other threads do not move. They are at their entries, outside
//! blocks and with empty buffers, so everything is drained if it is drained in the part. For `final assert`
//! and `exists` they would have to end, and may not be able to: then the whole program is asked.
//!
//! A goal that is about waiting, to which all threads matter, is decided on the whole program. So is a
//! program that ends where a value leaves 32 bits: every thread can end it.
//!
//! Threads that are [alike](Twins) fail the same assertions, so one of them is asked for all. A hundred
//! readers of what one thread writes are a question about two threads.

use super::undelayed;
use crate::engines::{Answered, CheckOptions, Engine, GoalAnswer, Until, is_observation, replayed};
use crate::facts::{Loops, Values};
use crate::program::{Addr, Excerpt, Goal, Observable, Program, PropertyKind, Site, ThreadId};
use crate::reference::{Run, Step};
use crate::search::{Twins, renamed};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// With fewer threads than this, `auto` asks for all goals at once: one search for all of them also shows
/// what is executed, and its evidence is the shortest for any of them.
const FEW: usize = 8;

/// The goals' answers, in their order.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub(super) fn decided(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Answered, Defect> {
    let may_split = options.engine == Engine::Auto && program.threads().len() >= FEW;
    if may_split {
        decided_apart(program, goals, options, budget)
    } else {
        undelayed::decided(program, goals, options, budget)
    }
}

/// [`decided`], by any engine and with any number of threads. Requires a program without limits and
/// without threads in any number of copies.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub(crate) fn decided_apart(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Answered, Defect> {
    let may_split = options.simplified.parts;
    let apart = Apart {
        program,
        options,
        budget,
    };
    match may_split.then(|| Parts::of(program, goals)).flatten() {
        Some(parts) => apart.decide(goals, &parts),
        None => undelayed::decided(program, goals, options, budget),
    }
}

/// Which goals are asked of which threads.
struct Parts {
    /// Ascending threads, and the goals that depend on exactly these.
    asked: BTreeMap<Vec<ThreadId>, Vec<Goal>>,
    /// Goals with the same answers as those asked.
    same: BTreeMap<Goal, Goal>,
    twins: Twins,
}

impl Parts {
    /// `None` if some goal depends on more than half of the threads.
    fn of(program: &Program, goals: &[Goal]) -> Option<Self> {
        let influence = Influence::of(program);
        let twins = Twins::of(program);
        let all: BTreeSet<Goal> = goals.iter().copied().collect();
        let (mut asked, mut same) = (BTreeMap::new(), BTreeMap::new());
        for &goal in goals {
            let first = first_alike(&twins, &all, goal);
            if first != goal {
                same.insert(goal, first);
                continue;
            }
            let threads = influence.part(program, goal)?;
            if 2 * threads.len() > program.threads().len() {
                return None;
            }
            asked.entry(threads).or_insert_with(Vec::new).push(goal);
        }
        Some(Self { asked, same, twins })
    }
}

/// The first of the goals that is the same for a thread that is alike.
fn first_alike(twins: &Twins, goals: &BTreeSet<Goal>, goal: Goal) -> Goal {
    let (site, to): (Site, fn(Site) -> Goal) = match goal {
        Goal::Assert(site) => (site, Goal::Assert),
        Goal::Outside(site) => (site, Goal::Outside),
        Goal::Property(_) => return goal,
    };
    let threads = twins.of_thread(site.thread).iter();
    let mut same = threads.map(|&thread| to(Site { thread, ..site }));
    same.find(|other| goals.contains(other)).unwrap_or(goal)
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
    fn part(&self, program: &Program, goal: Goal) -> Option<Vec<ThreadId>> {
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
            // About cells that nothing writes: any part will do.
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

/// A program whose goals are decided on parts.
struct Apart<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    budget: &'a Budget,
}

impl Apart<'_> {
    fn decide(&self, goals: &[Goal], parts: &Parts) -> Result<Answered, Defect> {
        let mut known = BTreeMap::new();
        let mut sum = Answered::open(&[], &Reason::Stopped);
        let mut whole = Vec::new();
        for (threads, asked) in &parts.asked {
            if self.is_enough(&known) {
                break;
            }
            let answered = self.in_part(threads, asked)?;
            for GoalAnswer { goal, verdict } in answered.answers.iter().cloned() {
                match verdict {
                    Verdict::Violated(_) if self.is_final(goal) => whole.push(goal),
                    Verdict::Violated(_)
                    | Verdict::Holds
                    | Verdict::HoldsWithin(_)
                    | Verdict::Unknown(_) => drop(known.insert(goal, verdict)),
                }
            }
            add(&mut sum, &answered);
        }
        if !whole.is_empty() && !self.is_enough(&known) {
            let answered = undelayed::decided(self.program, &whole, self.options, self.budget)?;
            known.extend(
                answered
                    .answers
                    .iter()
                    .cloned()
                    .map(|answer| (answer.goal, answer.verdict)),
            );
            add(&mut sum, &answered);
        }
        let skipped = Verdict::Unknown(Reason::Decided(Decided::ByGoal));
        for &goal in goals {
            let verdict = match parts.same.get(&goal) {
                None => known.get(&goal).cloned(),
                Some(first) => self.exchanged(&parts.twins, (*first, goal), &known)?,
            };
            let verdict = verdict.unwrap_or_else(|| skipped.clone());
            sum.answers.push(GoalAnswer { goal, verdict });
        }
        Ok(sum)
    }
}

impl Apart<'_> {
    /// Asks for goals about these threads, in a program that consists of them.
    fn in_part(&self, threads: &[ThreadId], goals: &[Goal]) -> Result<Answered, Defect> {
        let part = Excerpt::new(self.program, threads, goals);
        let inside: Vec<Goal> = goals.iter().map(|&goal| part.goal(goal)).collect();
        let mut answered = undelayed::decided(&part.program, &inside, self.options, self.budget)?;
        for (answer, &goal) in answered.answers.iter_mut().zip(goals) {
            answer.goal = goal;
            match &mut answer.verdict {
                Verdict::Violated(run) if !self.is_final(goal) => {
                    let steps = steps(run).into_iter();
                    let outer = |step| renamed(step, |thread| part.outer(thread), |cell| cell);
                    *run = self.replayed(goal, &steps.map(outer).collect::<Vec<_>>())?;
                }
                Verdict::HoldsWithin(bounds) => {
                    for bound in &mut bounds.loops {
                        bound.thread = part.outer(bound.thread);
                    }
                }
                Verdict::Violated(_) | Verdict::Holds | Verdict::Unknown(_) => {}
            }
        }
        Ok(answered)
    }

    fn is_final(&self, goal: Goal) -> bool {
        match goal {
            Goal::Property(number) => match self.program.properties()[number].kind {
                PropertyKind::FinalAssert | PropertyKind::Exists => true,
                PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
            },
            Goal::Assert(_) | Goal::Outside(_) => false,
        }
    }

    /// Whether the other goals need not be decided.
    fn is_enough(&self, known: &BTreeMap<Goal, Verdict<Run>>) -> bool {
        let violates = |(&goal, verdict): (&Goal, &Verdict<Run>)| {
            matches!(verdict, Verdict::Violated(_)) && !is_observation(self.program, goal)
        };
        self.options.until == Until::Violated && known.iter().any(violates)
    }

    /// The verdict on a goal, given that on the same goal of a thread that is alike; `None` if there is
    /// none.
    fn exchanged(
        &self,
        twins: &Twins,
        (first, goal): (Goal, Goal),
        known: &BTreeMap<Goal, Verdict<Run>>,
    ) -> Result<Option<Verdict<Run>>, Defect> {
        let (Some(a), Some(b)) = (thread_of(first), thread_of(goal)) else {
            return Ok(None);
        };
        Ok(match known.get(&first) {
            None => None,
            Some(Verdict::Violated(_)) if self.options.until == Until::Violated => None,
            Some(Verdict::Violated(run)) => {
                let steps = twins.exchanged(steps(run), a, b);
                Some(Verdict::Violated(self.replayed(goal, &steps)?))
            }
            Some(Verdict::HoldsWithin(bounds)) => {
                let mut bounds = bounds.clone();
                for bound in &mut bounds.loops {
                    bound.thread = if bound.thread == a {
                        b
                    } else if bound.thread == b {
                        a
                    } else {
                        bound.thread
                    };
                    let loops = Loops::of(self.program.thread(bound.thread));
                    let same = loops.ids().find(|&id| loops.head(id) == bound.head);
                    bound.origin = same.map_or(bound.origin, |id| loops.origin(id));
                }
                Some(Verdict::HoldsWithin(bounds))
            }
            Some(verdict @ (Verdict::Holds | Verdict::Unknown(_))) => Some(verdict.clone()),
        })
    }

    /// A run of a part is one of the program.
    fn replayed(&self, goal: Goal, steps: &[Step]) -> Result<Run, Defect> {
        replayed(self.program, self.options.model, goal, steps)
    }
}

fn thread_of(goal: Goal) -> Option<ThreadId> {
    match goal {
        Goal::Assert(site) | Goal::Outside(site) => Some(site.thread),
        Goal::Property(_) => None,
    }
}

fn steps(run: &Run) -> Vec<Step> {
    run.moments.iter().map(|moment| moment.step).collect()
}

/// Adds what answers about further goals have cost, and who gave them.
fn add(sum: &mut Answered, more: &Answered) {
    sum.engine = more.engine.or(sum.engine);
    sum.unroll = sum.unroll.max(more.unroll);
    sum.stats = sum.stats.plus(more.stats);
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
        let decided = decided_apart(&program, &goals, &options, &Budget::default());
        let answers = decided.expect("no defect").answers;
        assert!(answers.iter().map(|answer| answer.goal).eq(goals));
        answers.iter().map(|answer| answer.verdict.word()).collect()
    }

    #[test]
    fn a_goal_depends_on_those_who_write_what_its_threads_access() {
        let text = "shared a, b, c; thread s { local r; a = 1; r = c; } thread t { a = 2; }
                    thread u { b = 1; } thread v { local r; r = c; assert(r == 0); }
                    thread w { local r; r = a; b = r; }
                    forbid a == 1; forbid b == 1; forbid c == 1; forbid s.r == v.r; forbid stuck;";
        let program = program(text);
        let influence = Influence::of(&program);
        let part = |&goal: &Goal| {
            let threads = influence.part(&program, goal)?;
            Some(threads.iter().map(|thread| thread.index()).collect())
        };
        let parts: Vec<Option<Vec<usize>>> = program.goals().iter().map(part).collect();
        let all = [
            vec![3],
            vec![0, 1],
            vec![0, 1, 2, 4],
            vec![0, 1],
            vec![0, 1, 3],
        ];
        let expected = all.into_iter().map(Some).chain([None]);
        assert_eq!(parts, expected.collect::<Vec<_>>());
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
