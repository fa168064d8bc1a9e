//! Goals of a program with threads in any number of copies (`[*]`).
//!
//! ```text
//! SC     instances and views, by their numbers of copies  ─▶ violated, with so many; or holds for any number
//! TSO …  robust for any number of copies                  ─▶ as under SC
//!        an instance with 1, 2, 3 copies reaches the goal ─▶ violated
//!        else                                             ─▶ undecided
//! ```
//!
//! **Incomplete:** `forbid stuck` for one thread is decided only if it never has to wait for another one.

use super::to_sc::flushed;
use super::{Answered, CheckOptions, ENGINES, Engine, GoalAnswer};
use crate::engines::{BUFFERED, Stats, Until, is_observation, replayed};
use crate::instances::{AnyNumber, CopiesSearch, Instances, Known, ReachedGoal, Search, vacuity};
use crate::model::Model;
use crate::problem::Vacuity;
use crate::program::{Goal, InstanceSize, Program, PropertyKind, ThreadId};
use crate::reference::Run;
use crate::robustness::{self, RobustOptions, RobustReport};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::{Prover, named_copies};
use crate::work::{BRIEF, MOMENT};

/// Under a weak model, instances with up to this many copies are searched.
const MOST_BUFFERED: usize = 3;

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
    let is_own = |&goal: &Goal| match goal {
        Goal::Assert(site) | Goal::Outside(site) => {
            let class = program.class_of(site.thread);
            class.is_none_or(|class| class == site.thread)
        }
        Goal::Property(_) => true,
    };
    let goals: Vec<Goal> = goals.iter().copied().filter(is_own).collect();
    if options.engine != Engine::Auto {
        let why = format!(
            "the {} engine does not decide threads in any number of copies (`[*]`): use `--engine \
             auto`, or declare a number of copies, as in `[3]`",
            options.engine.name()
        );
        let open = Answered::open(&goals, &Reason::Unsupported(why));
        return Ok((open, AnyNumber::default()));
    }
    // What the model adds is nothing if the program is robust.
    let robust = if options.model == Model::Sc {
        None
    } else {
        Some(robust(program, options, budget)?)
    };
    let is_sequential = robust.as_ref().is_none_or(|robust| {
        robust.verdict() == Verdict::Holds && robustness::keeps_goals(program, options.model)
    });
    let asked = Goals {
        program,
        options,
        model: if is_sequential {
            Model::Sc
        } else {
            options.model
        },
    };
    let prover = is_sequential.then(|| Prover::new(program, &goals));
    let mut search = Search::new(&asked, vec![(goals, prover)], options.until, budget);
    let obstacle = if is_sequential {
        search.run()?
    } else {
        search.search_up_to(MOST_BUFFERED)?;
        robust
            .as_ref()
            .map(|robust| obstacle(robust, options.model))
    };
    if let Some(robust) = &robust {
        search.stats = search.stats.plus(robust.stats);
        if is_sequential {
            asked.under_the_model(&mut search, robust)?;
        }
    }
    Ok(asked.answered(&search, obstacle.as_deref(), is_sequential))
}

/// Whether the program is robust for any number of copies.
fn robust(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    let options = RobustOptions {
        until: Until::Violated,
        techniques: options.techniques,
        ..RobustOptions::new(options.model)
    };
    robustness::decide(program, &options, budget)
}

/// Why robustness does not decide all numbers of copies.
fn obstacle(robust: &RobustReport, model: Model) -> String {
    match robust.verdict() {
        Verdict::Violated(_) => format!(
            "the program is not robust under {model}, so that more copies are decided under SC only"
        ),
        Verdict::Unknown(reason) => format!("robustness is not decided ({reason})"),
        Verdict::Holds => "an atomic block that never ends may reach what SC does not".to_owned(),
        Verdict::HoldsWithin(_) => "robustness is not decided".to_owned(),
    }
}

/// Goals, asked under a model.
struct Goals<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    model: Model,
}

impl Goals<'_> {
    fn kind(&self, goal: Goal) -> Option<PropertyKind> {
        match goal {
            Goal::Property(number) => Some(self.program.properties()[number].kind),
            Goal::Assert(_) | Goal::Outside(_) => None,
        }
    }
}

impl Instances for Goals<'_> {
    type Query = Goal;

    fn program(&self) -> &Program {
        self.program
    }

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

    fn is_observation(&self, goal: Goal) -> bool {
        is_observation(self.program, goal)
    }

    fn needed(&self, goal: Goal) -> Vec<ThreadId> {
        let mut needed = match goal {
            Goal::Property(number) => named_copies(self.program, number),
            Goal::Assert(site) | Goal::Outside(site) => vec![site.thread],
        };
        if let Some(PropertyKind::Starved(thread)) = self.kind(goal) {
            needed.push(thread);
        }
        needed
    }

    fn verdicts(
        &self,
        size: &InstanceSize,
        goals: &[Goal],
        budget: &Budget,
    ) -> Result<(Vec<Verdict<Run>>, Stats), Defect> {
        let search = CopiesSearch::new(self.program, goals, size);
        let with = |engine| CheckOptions {
            model: self.model,
            engine,
            ..self.options.clone()
        };
        if self.model == Model::Sc {
            search.decide(BUFFERED, &with(Engine::Explicit), budget)
        } else {
            let budget = budget.with_work(BRIEF.times(4).0);
            search.decide(ENGINES, &with(Engine::Auto), &budget)
        }
    }
}

impl Goals<'_> {
    /// Turns what was found under SC into answers for the model, under which the program is robust: what SC
    /// reaches, it does, as it says itself.
    fn under_the_model(
        &self,
        search: &mut Search<'_, '_, Self>,
        robust: &RobustReport,
    ) -> Result<(), Defect> {
        search.any.through_robustness = true;
        let views = robust.any_number().and_then(|any| any.views);
        if let Some((size, count)) = views {
            search.any.note_views(size, count);
        }
        let model = self.options.model;
        for question in search
            .groups
            .iter_mut()
            .flat_map(|group| &mut group.questions)
        {
            if let Known::Reached(run, size) = &mut question.known {
                let instance = self.program.instance(size);
                let steps = flushed(&instance, model, question.query, &run.steps())?;
                *run = replayed(&instance, model, question.query, &steps)?;
            }
        }
        Ok(())
    }

    /// The answers. Each run is of an instance of its own size; the report has those of the first
    /// violation, or else of the first observation, and of all goals that were reached.
    fn answered(
        &self,
        search: &Search<'_, '_, Self>,
        obstacle: Option<&str>,
        is_sequential: bool,
    ) -> (Answered, AnyNumber) {
        let program = self.program;
        let mut any = search.any.clone();
        let mut first: Option<(bool, &InstanceSize)> = None;
        let mut answers = Vec::new();
        let mut searched: Option<usize> = None;
        for question in search.questions() {
            let goal = question.query;
            let verdict = match &question.known {
                Known::Holds => Verdict::Holds,
                Known::Reached(run, size) => {
                    any.reached.push(ReachedGoal::new(program, goal, size));
                    let observes = self.is_observation(goal);
                    if first.is_none_or(|(observed, _)| observed && !observes) {
                        first = Some((observes, size));
                    }
                    Verdict::Violated(run.clone())
                }
                Known::Open => {
                    let reason = search.why_open(question, Decided::ByGoal, obstacle);
                    let own = search.searched_for(question);
                    searched = Some(searched.map_or(own, |least| least.min(own)));
                    Verdict::Unknown(reason)
                }
            };
            answers.push(GoalAnswer { goal, verdict });
        }
        if let Some((_, size)) = first {
            any.set_instance(program, size);
        }
        if !search.is_enough() {
            any.searched = searched.unwrap_or(0);
        }
        let executed = search.executed.as_ref();
        let vacuity = executed.map(|executed| vacuity(program, executed));
        let answered = Answered {
            invariant: None,
            answers,
            engine: first.map(|_| Engine::Explicit),
            unroll: None,
            vacuity: vacuity.or_else(|| self.vacuity(is_sequential, search.budget)),
            history: None,
            stats: search.stats,
        };
        (answered, any)
    }

    /// What no number of copies executes, where that does not depend on buffers.
    fn vacuity(&self, is_sequential: bool, budget: &Budget) -> Option<Vacuity> {
        if !is_sequential || !self.options.note_unreachable {
            return None;
        }
        let shown = Prover::new(self.program, &[]).at(1, MOMENT.states(), budget);
        Some(vacuity(self.program, &shown.executed?))
    }
}
