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
//! or wait. Views of `k` copies show nothing about fewer, so instances with fewer are searched
//! completely first. An instance has all copies that some property names, so those with fewer cannot be
//! searched: a goal about all threads that names fewer than another property is then left undecided,
//! unless views that are small enough decide it.
//!
//! **Incomplete:** a goal about one thread that waits forever is looked for in instances only.

use super::{Answered, CheckOptions, ENGINES, Engine, GoalAnswer, Until};
use crate::engines::{
    AnyNumber, BUFFERED, CopiesSearch, Excluded, MOST_COPIES, Stats, any_number_undecided,
    any_number_vacuity, ladder, replayed,
};
use crate::explicit::{Action, Run, Step};
use crate::model::Model;
use crate::program::{Fence, Goal, Program, PropertyKind, ThreadId};
use crate::robustness::{self, RobustOptions};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::{Prover, named_copies};

/// The states of one instance, and the views of one size, in the first and the second attempt.
const EFFORTS: [(usize, usize); 2] = [(20_000, 20_000), (1_000_000, 1_000_000)];
/// Under a weak model, instances with up to this many copies are searched.
const MOST_BUFFERED: usize = 3;

/// What is known about a goal.
#[derive(Clone)]
enum Known {
    Open,
    Holds,
    /// With this number of copies.
    Reached(Run, usize),
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
        .map(|&goal| query.least(goal) - 1)
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
    query.finish()
}

struct Query<'a> {
    program: &'a Program,
    goals: Vec<Goal>,
    known: Vec<Known>,
    /// By goal: instances with up to this many copies are known not to reach it, or do not count for it.
    searched: Vec<usize>,
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

    /// The smallest number of copies that the goal is about. What is not about all threads is reached
    /// with more copies if it is with fewer, so smaller instances than the program has do not count.
    /// But a goal about all threads has to hold with as few copies as it names itself, whatever other
    /// properties name.
    fn least(&self, goal: Goal) -> usize {
        let Goal::Property(number) = goal else {
            return self.program.least_copies();
        };
        if !self.is_about_all(goal) {
            return self.program.least_copies();
        }
        let mut named = named_copies(self.program, number);
        if let PropertyKind::Starved(thread) = self.program.properties()[number].kind
            && !named.contains(&thread)
        {
            named.push(thread);
        }
        let classes = self.program.classes().into_iter();
        let of_class = |class| {
            let own = |&&thread: &&ThreadId| self.program.class_of(thread) == Some(class);
            named.iter().filter(own).count()
        };
        classes.map(of_class).max().unwrap_or(1).max(1)
    }

    /// Whether the goal is about instances with fewer copies than some property names, which cannot be
    /// searched.
    fn leaves_out_few(&self, goal: Goal) -> bool {
        self.least(goal) < self.program.least_copies()
    }

    /// Up to how many copies the goal was searched for completely; 0 if for none.
    fn searched_for(&self, at: usize) -> usize {
        let searched = self.searched[at];
        if searched < self.least(self.goals[at]).max(self.program.least_copies()) {
            return 0;
        }
        searched
    }

    /// Why a goal is still open.
    fn undecided(&self, at: usize) -> Reason {
        let goal = self.goals[at];
        let is_about_all = self.is_about_all(goal);
        let few = "other properties name more copies than this one, so that fewer copies are not \
                   searched: put those properties into a program of their own";
        let obstacle = if self.leaves_out_few(goal) {
            Some(few)
        } else {
            self.obstacle.as_deref()
        };
        let excluded = Excluded {
            from: if is_about_all { self.least(goal) } else { 1 },
            to: self.searched_for(at),
            same_number: is_about_all && self.program.classes().len() > 1,
        };
        any_number_undecided(excluded, obstacle)
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

    /// Searches the instance with this many copies. Returns whether that was complete.
    fn search(&mut self, copies: usize, model: Model, states: usize) -> Result<bool, Defect> {
        let open: Vec<usize> = self.open();
        let open: Vec<usize> = open
            .into_iter()
            .filter(|&at| self.searched[at] < copies)
            .collect();
        if open.is_empty() {
            return Ok(true);
        }
        let goals: Vec<Goal> = open.iter().map(|&at| self.goals[at]).collect();
        let search = CopiesSearch::new(self.program, &goals, copies);
        let engine = if model == Model::Sc {
            Engine::Explicit
        } else {
            Engine::Auto
        };
        let options = CheckOptions {
            engine,
            ..CheckOptions {
                model,
                ..self.options.clone()
            }
        };
        let budget = self.budget.with_states(states.min(self.budget.states));
        let (verdicts, stats) = if model == Model::Sc {
            search.decide(BUFFERED, &options, &budget)?
        } else {
            search.decide(ENGINES, &options, &budget.with_work(4 * ladder::BRIEF))?
        };
        self.stats = self.stats.plus(stats);
        let mut complete = true;
        for (at, verdict) in open.into_iter().zip(verdicts) {
            match verdict {
                Verdict::Violated(run) => self.known[at] = Known::Reached(run, copies),
                Verdict::Holds if self.searched[at] + 1 == copies => self.searched[at] = copies,
                Verdict::Holds => {}
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => complete = false,
            }
        }
        Ok(complete)
    }

    fn under_sc(&mut self) -> Result<(), Defect> {
        let program = self.program;
        let goals = self.goals.clone();
        let mut prover = Prover::new(program, &goals);
        let least = program.least_copies();
        let mut finished = [false; MOST_COPIES + 1];
        for (states, most) in EFFORTS {
            let (mut searching, mut failures) = (true, 0);
            for size in 1..=MOST_COPIES.max(least) {
                if self.open().is_empty() || self.budget.is_stopped() {
                    return Ok(());
                }
                if size >= least && searching {
                    searching = self.search(size, Model::Sc, states)?;
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
        }
        self.obstacle = prover.obstacle();
        Ok(())
    }

    /// Whether views of this size decide the goal for every number of copies.
    fn covers(&self, at: usize, size: usize) -> bool {
        if !self.is_about_all(self.goals[at]) {
            return true;
        }
        // Views show nothing about fewer copies. Instances have the same number of copies of each
        // thread, so with several threads they leave some combinations out.
        let classes = self.program.classes().len();
        self.searched[at] + 1 >= size && (classes == 1 || size <= classes + 1)
    }

    fn with_buffers(&mut self) -> Result<(), Defect> {
        let options = RobustOptions {
            until: Until::Violated,
            ..RobustOptions::new(self.options.model)
        };
        let robust = robustness::decide(self.program, &options, self.budget)?;
        self.stats = self.stats.plus(robust.stats);
        let least = self.program.least_copies();
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
            let reached: Vec<(usize, usize)> = (0..self.goals.len())
                .filter_map(|at| match self.known[at] {
                    Known::Reached(_, copies) => Some((at, copies)),
                    Known::Open | Known::Holds => None,
                })
                .collect();
            // What SC reaches, the model does: as it says itself.
            for (at, copies) in reached {
                let Known::Reached(run, _) = &self.known[at] else {
                    continue;
                };
                let instance = self.program.instance(copies);
                let steps = flushed(&instance, run, self.options.model);
                let run = replayed(&instance, self.options.model, self.goals[at], &steps)?;
                self.known[at] = Known::Reached(run, copies);
            }
            return Ok(());
        }
        for copies in least..=least.max(MOST_BUFFERED) {
            if self.open().is_empty() || self.budget.is_stopped() {
                break;
            }
            let (states, _) = EFFORTS[1];
            if !self.search(copies, self.options.model, states)? {
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

    /// The largest number of copies with which a goal was reached.
    fn most(&self) -> Option<usize> {
        let copies = |known: &Known| match known {
            Known::Reached(_, copies) => Some(*copies),
            Known::Open | Known::Holds => None,
        };
        self.known.iter().filter_map(copies).max()
    }

    /// The answers, with runs of one instance.
    fn finish(mut self) -> Result<(Answered, AnyNumber), Defect> {
        let most = self.most();
        if let Some(copies) = most {
            self.any.set_instance(self.program, copies);
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
                Known::Reached(run, copies) if Some(*copies) == most => {
                    Verdict::Violated(run.clone())
                }
                Known::Reached(run, copies) => self.in_instance(goal, run, *copies)?,
            };
            answers.push(GoalAnswer { goal, verdict });
        }
        let engine = most.map(|_| Engine::Explicit);
        let answered = Answered {
            invariant: None,
            answers,
            engine,
            unroll: None,
            vacuity: self.vacuity,
            history: None,
            stats: self.stats,
        };
        Ok((answered, self.any))
    }

    /// The verdict on a goal that was reached with fewer copies than the instance has.
    fn in_instance(&self, goal: Goal, run: &Run, copies: usize) -> Result<Verdict<Run>, Defect> {
        let Some(instance) = &self.any.instance else {
            return Ok(Verdict::Violated(run.clone()));
        };
        if !self.is_about_all(goal) {
            let steps: Vec<Step> = run.moments.iter().map(|moment| moment.step).collect();
            return Ok(Verdict::Violated(replayed(
                instance, run.model, goal, &steps,
            )?));
        }
        // Ends with more copies are others, but there may be one that shows the goal as well.
        let most = self.most().unwrap_or(copies);
        let goals = [goal];
        let search = CopiesSearch::new(self.program, &goals, most);
        let budget = self
            .budget
            .with_states(EFFORTS[1].0.min(self.budget.states));
        let options = CheckOptions {
            engine: Engine::Auto,
            ..self.options.clone()
        };
        let (verdicts, _) =
            search.decide(ENGINES, &options, &budget.with_work(4 * ladder::BRIEF))?;
        for verdict in verdicts {
            if let Verdict::Violated(run) = verdict {
                return Ok(Verdict::Violated(run));
            }
        }
        let with = if copies == 1 {
            "one copy".to_owned()
        } else {
            format!("{copies} copies")
        };
        Ok(Verdict::Unknown(Reason::Copies(format!(
            "it is reached with {with} of each thread, but another result needs {most}, and a report \
             shows one number of copies: check it in a program of its own"
        ))))
    }
}

/// The steps of a computation under SC as those of one under another model in which each store reaches
/// memory at once.
fn flushed(program: &Program, run: &Run, model: Model) -> Vec<Step> {
    let mut steps = Vec::new();
    for moment in &run.moments {
        steps.push(moment.step);
        // Stores in atomic blocks are not buffered, and fences there do nothing.
        if moment.block.is_some() {
            continue;
        }
        let thread = moment.site.thread;
        if let Action::Flush { addr, .. } = moment.action {
            if model.has_two_stages() {
                steps.push(Step::Advance { thread, addr });
            }
            steps.push(Step::Flush { thread, addr });
        }
        let fence = program.instruction(moment.site).op.fence();
        if model.relaxes_store_store() && matches!(fence, Some(Fence::Store | Fence::Cells(_))) {
            steps.push(Step::Retire { thread });
        }
    }
    steps
}
