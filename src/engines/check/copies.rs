//! Goals of a program with threads in any number of copies (`[*]`).
//!
//! ```text
//! SC     for k = 1, 2, …:  an instance with k copies reaches the goal    ─▶ violated, with k copies
//!                          no view of k copies shows the goal            ─▶ holds for any number
//! TSO …  robust for any number of copies   ─▶ as under SC
//!        an instance with 1, 2, 3 copies reaches the goal                ─▶ violated
//!        else                              ─▶ undecided
//! ```
//!
//! Copies need not move, so what some number of copies reaches, every larger number does, and one set
//! of views decides all numbers. Goals about all threads are different: in those, all copies have ended,
//! or wait. Views of `k` copies show nothing about fewer, so all instances with fewer are searched
//! completely first. An instance has the copies that its goal names, and not those that only other
//! properties name.
//!
//! With several classes, instances are taken by the sum of their numbers of copies, and for goals that are
//! not about all threads also those with the same number of each, which have every smaller instance in
//! them; what one of these shows is then shown with fewer.
//!
//! What a goal about all threads excludes is often the presence of a copy that no view of the others shows:
//! of those that wait for a lock, that one holds it. So the goals that are left are decided by *counts*, which
//! show that copies are there, and cover every number of them.
//!
//! **Incomplete:** `forbid stuck` for one thread is decided only if it never has to wait for another one.

mod instances;

use super::to_sc::flushed;
use super::{Answered, CheckOptions, ENGINES, Engine, GoalAnswer, Until};
use crate::engines::{
    AnyNumber, BUFFERED, Excluded, MOST_COPIES, ReachedGoal, Stats, any_number_undecided,
    any_number_vacuity, replayed,
};
use crate::model::Model;
use crate::program::{Goal, InstanceSize, Program, PropertyKind, ThreadId};
use crate::reference::Run;
use crate::robustness::{self, RobustOptions};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::{Prover, named_copies};

/// The states of one instance, and the views of one size, in the first and the second attempt.
const EFFORTS: [(usize, usize); 2] = [(20_000, 20_000), (1_000_000, 1_000_000)];
/// All instances of one attempt may have this many times the states of one.
const INSTANCES: usize = 8;
/// For each state that the budget allows, there may be this many views of one size.
const VIEWS: usize = 1_000;
/// Under a weak model, instances with up to this many copies are searched.
const MOST_BUFFERED: usize = 3;

/// What is known about a goal.
#[derive(Clone)]
enum Known {
    Open,
    Holds,
    /// In the instance of this size.
    Reached(Run, InstanceSize),
}

/// Decides the goals. Those of a copy that a property names are those of its class, and omitted.
///
/// # Errors
///
/// If a computation found does not replay.
pub(super) fn decide(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<(Answered, AnyNumber), Defect> {
    let goals: Vec<Goal> = goals
        .iter()
        .copied()
        .filter(|&goal| match goal {
            Goal::Assert(site) | Goal::Outside(site) => {
                let class = program.class_of(site.thread);
                class.is_none_or(|class| class == site.thread)
            }
            Goal::Property(_) => true,
        })
        .collect();
    let mut query = Query {
        program,
        known: vec![Known::Open; goals.len()],
        searched: vec![0; goals.len()],
        squared: vec![0; goals.len()],
        spare: 0,
        goals,
        options,
        budget,
        any: AnyNumber::default(),
        stats: Stats::default(),
        vacuity: None,
        obstacle: None,
    };
    query.searched = query
        .goals
        .iter()
        .map(|&goal| query.least(goal).sum() - 1)
        .collect();
    if options.engine != Engine::Auto {
        let why = format!(
            "the {} engine does not decide threads in any number of copies (`[*]`): use `--engine \
             auto`, or declare a number of copies, as in `[3]`",
            options.engine.name()
        );
        let open = Answered::open(&query.goals, &Reason::Unsupported(why));
        return Ok((open, query.any));
    }
    if options.model == Model::Sc {
        query.under_sc()?;
    } else {
        query.with_buffers()?;
    }
    Ok(query.finish())
}

struct Query<'a> {
    program: &'a Program,
    goals: Vec<Goal>,
    known: Vec<Known>,
    /// By goal: all instances with up to this many copies in total are known not to reach it, or do not
    /// count for it.
    searched: Vec<usize>,
    /// By goal that is not about all threads: no instance with up to this many copies of each class
    /// reaches it.
    squared: Vec<usize>,
    /// The states that further instances of this attempt may have.
    spare: usize,
    options: &'a CheckOptions,
    budget: &'a Budget,
    any: AnyNumber,
    stats: Stats,
    vacuity: Option<crate::check::Vacuity>,
    obstacle: Option<String>,
}

impl Query<'_> {
    fn kind(&self, goal: Goal) -> Option<PropertyKind> {
        match goal {
            Goal::Property(number) => Some(self.program.properties()[number].kind),
            Goal::Assert(_) | Goal::Outside(_) => None,
        }
    }

    /// Whether a goal is about all threads: that they have ended, or wait. Then more copies may make a
    /// difference even if they do nothing.
    fn is_about_all(&self, goal: Goal) -> bool {
        match self.kind(goal) {
            Some(PropertyKind::Forbid) | None => false,
            Some(
                PropertyKind::FinalAssert
                | PropertyKind::Exists
                | PropertyKind::Stuck
                | PropertyKind::Starved(_),
            ) => true,
        }
    }

    /// The size of the smallest instance that the goal is about: it has the copies that the goal names,
    /// and at least one of each class.
    fn least(&self, goal: Goal) -> InstanceSize {
        let mut needed = match goal {
            Goal::Property(number) => named_copies(self.program, number),
            Goal::Assert(site) | Goal::Outside(site) => vec![site.thread],
        };
        if let Some(PropertyKind::Starved(thread)) = self.kind(goal) {
            needed.push(thread);
        }
        needed.retain(|&thread| self.program.class_of(thread).is_some());
        needed.sort_unstable();
        needed.dedup();
        InstanceSize {
            counts: self.counts(&needed),
            needed,
        }
    }

    /// By class: how many of these threads are copies of it, or 1 if none is.
    fn counts(&self, needed: &[ThreadId]) -> Vec<usize> {
        let classes = self.program.classes().into_iter();
        let of_class = |class| {
            let own = |&&thread: &&ThreadId| self.program.class_of(thread) == Some(class);
            needed.iter().filter(own).count().max(1)
        };
        classes.map(of_class).collect()
    }

    /// Up to how many copies in total the goal was searched for completely; 0 if for none.
    fn searched_for(&self, at: usize) -> usize {
        // What an instance does beyond a limit was not searched.
        if !self.program.limits().is_empty() {
            return 0;
        }
        let searched = self.searched[at];
        if searched < self.least(self.goals[at]).sum() {
            return 0;
        }
        searched
    }

    /// Why a goal is still open.
    fn undecided(&self, at: usize) -> Reason {
        let goal = self.goals[at];
        let is_about_all = self.is_about_all(goal);
        let excluded = Excluded {
            from: if is_about_all {
                self.least(goal).sum()
            } else {
                1
            },
            to: self.searched_for(at),
            classes: self.program.classes().len(),
        };
        any_number_undecided(excluded, self.obstacle.as_deref())
    }

    fn is_observation(&self, goal: Goal) -> bool {
        self.kind(goal) == Some(PropertyKind::Exists)
    }

    /// The goals that are still open, by index; none if one violation is enough and was found.
    fn open(&self) -> Vec<usize> {
        let found = self.known.iter().zip(&self.goals).any(|(known, &goal)| {
            matches!(known, Known::Reached(..)) && !self.is_observation(goal)
        });
        if found && self.options.until == Until::Violated {
            return Vec::new();
        }
        let open = |&at: &usize| matches!(self.known[at], Known::Open);
        (0..self.goals.len()).filter(open).collect()
    }

    fn under_sc(&mut self) -> Result<(), Defect> {
        let program = self.program;
        let goals = self.goals.clone();
        let mut prover = Prover::new(program, &goals);
        let mut finished = [false; MOST_COPIES + 1];
        for (states, most) in EFFORTS {
            let most = most.min(self.budget.states.saturating_mul(VIEWS));
            let (mut searching, mut failures) = (true, 0);
            self.spare = INSTANCES * states;
            for size in 1..=self.levels(MOST_COPIES) {
                if self.open().is_empty() || self.budget.is_stopped() {
                    return Ok(());
                }
                if searching {
                    searching = self.search_level(size, Model::Sc, states)?;
                }
                if self.open().is_empty() || finished.get(size) != Some(&false) {
                    continue;
                }
                let shown = prover.at(size, most, self.budget);
                finished[size] = shown.finished;
                failures = if shown.finished { 0 } else { failures + 1 };
                let mut decided = false;
                for at in self.open() {
                    if !shown.goals[at] && self.covers(at, size) {
                        self.known[at] = Known::Holds;
                        decided = true;
                    }
                }
                if decided {
                    self.any.note_views(size, shown.views);
                    if let Some(executed) = shown.executed {
                        self.vacuity = Some(any_number_vacuity(program, &executed));
                    }
                }
                if !searching && failures > 1 {
                    break;
                }
            }
            self.by_counts(&mut prover, most);
        }
        self.obstacle = prover.obstacle();
        Ok(())
    }

    /// Decides open goals by counts, which show that copies are there, and not how many.
    fn by_counts(&mut self, prover: &mut Prover<'_>, most: usize) {
        let open = self.open();
        if !open.iter().any(|&at| self.is_about_all(self.goals[at])) || self.budget.is_stopped() {
            return;
        }
        let shown = prover.counted(most, self.budget);
        for at in open {
            if !shown.goals[at] {
                self.known[at] = Known::Holds;
                self.any.counts = Some(shown.views);
            }
        }
        if let (Some(_), Some(executed)) = (self.any.counts, shown.executed) {
            self.vacuity = Some(any_number_vacuity(self.program, &executed));
        }
    }

    /// The last level of instances: this one, or the first that has all copies that some goal names.
    fn levels(&self, most: usize) -> usize {
        let classes = self.program.classes().len();
        let first = self.goals.iter().map(|&goal| self.least(goal).sum());
        first.max().map_or(most, |sum| most.max(sum + 1 - classes))
    }

    /// Whether views of this size decide the goal for every number of copies.
    fn covers(&self, at: usize, size: usize) -> bool {
        // Views show nothing about fewer copies.
        !self.is_about_all(self.goals[at]) || self.searched[at] + 1 >= size
    }

    fn with_buffers(&mut self) -> Result<(), Defect> {
        let options = RobustOptions {
            until: Until::Violated,
            techniques: self.options.techniques,
            ..RobustOptions::new(self.options.model)
        };
        let robust = robustness::decide(self.program, &options, self.budget)?;
        self.stats = self.stats.plus(robust.stats);
        let keeps_goals = robustness::keeps_goals(self.program, self.options.model);
        if robust.verdict() == Verdict::Holds && keeps_goals {
            self.under_sc()?;
            self.any.through_robustness = true;
            if let (Some(any), Some((size, count))) = (
                robust.any_number(),
                robust.any_number().and_then(|any| any.views),
            ) {
                debug_assert!(any.instance.is_none(), "a robust program has no witness");
                self.any.note_views(size, count);
            }
            // What SC reaches, the model does: as it says itself.
            for at in 0..self.goals.len() {
                let Known::Reached(run, size) = &self.known[at] else {
                    continue;
                };
                let size = size.clone();
                let instance = self.program.instance(&size);
                let (model, goal) = (self.options.model, self.goals[at]);
                let steps = flushed(&instance, model, goal, &run.steps())?;
                let run = replayed(&instance, model, goal, &steps)?;
                self.known[at] = Known::Reached(run, size);
            }
            return Ok(());
        }
        let (states, _) = EFFORTS[1];
        self.spare = INSTANCES * states;
        for level in 1..=self.levels(MOST_BUFFERED) {
            if self.open().is_empty() || self.budget.is_stopped() {
                break;
            }
            if !self.search_level(level, self.options.model, states)? {
                break;
            }
        }
        self.obstacle = Some(match robust.verdict() {
            Verdict::Violated(_) => format!(
                "the program is not robust under {}, so that more copies are decided under SC only",
                self.options.model
            ),
            Verdict::Unknown(reason) => format!("robustness is not decided ({reason})"),
            Verdict::Holds => {
                "an atomic block that never ends may reach what SC does not".to_owned()
            }
            Verdict::HoldsWithin(_) => "robustness is not decided".to_owned(),
        });
        Ok(())
    }

    /// What no number of copies executes, where that does not depend on buffers.
    fn vacuity(&self) -> Option<crate::check::Vacuity> {
        let is_known = self.options.model == Model::Sc || self.any.through_robustness;
        if !is_known || !self.options.note_unreachable {
            return None;
        }
        let (_, most) = EFFORTS[0];
        let shown = Prover::new(self.program, &[]).at(1, most, self.budget);
        let executed = shown.executed?;
        Some(any_number_vacuity(self.program, &executed))
    }

    /// The answers. Each run is of an instance of its own size; the report has those of the first
    /// violation, or else of the first observation, and of all goals that were reached.
    fn finish(mut self) -> (Answered, AnyNumber) {
        let mut first: Option<(bool, &InstanceSize)> = None;
        for (known, &goal) in self.known.iter().zip(&self.goals) {
            if let Known::Reached(_, size) = known {
                let reached = ReachedGoal::new(self.program, goal, size);
                self.any.reached.push(reached);
                let observes = self.is_observation(goal);
                if first.is_none_or(|(observed, _)| observed && !observes) {
                    first = Some((observes, size));
                }
            }
        }
        let shown = first.map(|(_, size)| size.clone());
        if let Some(size) = &shown {
            self.any.set_instance(self.program, size);
        }
        let open = self.open();
        // One violation is enough, so the other goals were left open.
        let is_enough = open.is_empty();
        let searched = open.iter().map(|&at| self.searched_for(at)).min();
        self.any.searched = searched.unwrap_or(0);
        let mut answers = Vec::new();
        for at in 0..self.goals.len() {
            let goal = self.goals[at];
            let verdict = match &self.known[at] {
                Known::Holds => Verdict::Holds,
                Known::Open if is_enough => Verdict::Unknown(Reason::Decided(Decided::ByGoal)),
                Known::Open if self.budget.is_stopped() => Verdict::Unknown(Reason::Stopped),
                Known::Open => Verdict::Unknown(self.undecided(at)),
                Known::Reached(run, _) => Verdict::Violated(run.clone()),
            };
            answers.push(GoalAnswer { goal, verdict });
        }
        let engine = shown.map(|_| Engine::Explicit);
        let answered = Answered {
            invariant: None,
            answers,
            engine,
            unroll: None,
            vacuity: self.vacuity.take().or_else(|| self.vacuity()),
            history: None,
            stats: self.stats,
        };
        (answered, self.any)
    }
}
