//! Tables of engines: what each engine supports, and how to run it.
//!
//! This module defines the table [`BUFFERED`] for callers that check derived programs. The table of
//! `check` has one more row: the lazy engine, which itself uses [`BUFFERED`].

use super::{
    Answered, BMC, CheckOptions, EXPLICIT, Effort, Engine, IC3, PARAMETRIC, Paused, Rung, Vacuity,
    automatic, bounded, explicit, ladder, replayed,
};
use crate::facts::Stated;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::Step;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use std::cell::RefCell;

/// A procedure that finds what no execution reaches.
type FindVacuity = fn(&Program, &CheckOptions, &Budget) -> Option<Vacuity>;

/// An engine, as a table lists it.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) engine: Engine,
    /// The default maximum unroll bound; `None` if the engine does not unroll loops.
    pub(crate) deepest: Option<u32>,
    /// Whether it decides predicates over one configuration only. `forbid stuck` is stated as such a
    /// predicate for it, as far as that is possible.
    pub(crate) predicates_only: bool,
    /// Whether `auto` uses it under a model.
    pub(crate) suits: fn(Model) -> bool,
    /// Decides the goals, in their order.
    pub(crate) decide: fn(&Query<'_>, Effort) -> Result<Answered, Defect>,
    /// Finds what no execution reaches, if the engine has its own procedure for that.
    pub(crate) vacuity: Option<FindVacuity>,
}

/// A table of engines, and the ladder that `auto` climbs with them. Rungs whose engine has no row
/// are skipped.
#[derive(Clone, Copy)]
pub(crate) struct Engines {
    pub(crate) rows: &'static [Row],
    pub(crate) ladder: &'static [Rung<Engine>],
}

/// The engines of this module.
pub(crate) const BUFFERED: Engines = Engines {
    rows: &[BMC, EXPLICIT, IC3],
    ladder: &ladder::GOALS,
};

/// What an engine has to decide.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) program: &'a Program,
    pub(crate) goals: &'a [Goal],
    pub(crate) options: &'a CheckOptions,
    pub(crate) budget: &'a Budget,
    pub(crate) engines: Engines,
    /// Where the explicit engine has stopped, for a later attempt.
    pub(crate) paused: &'a RefCell<Option<Paused>>,
}

impl Engines {
    /// The row of an engine; `None` for `auto` and for an engine of another table.
    pub(crate) fn row(self, engine: Engine) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.engine == engine)
    }

    /// Whether the engine can run: it has a row, or it is `auto`.
    pub(crate) fn supports(self, engine: Engine) -> bool {
        engine == Engine::Auto || self.row(engine).is_some()
    }

    /// Whether the engine unrolls loops.
    pub(crate) fn unrolls(self, engine: Engine) -> bool {
        self.row(engine).is_some_and(|row| row.deepest.is_some())
    }

    /// Decides the goals, in their order, with the engine of the options.
    ///
    /// # Errors
    ///
    /// If a computation found does not replay.
    pub(crate) fn decide(
        self,
        program: &Program,
        goals: &[Goal],
        options: &CheckOptions,
        budget: &Budget,
    ) -> Result<Answered, Defect> {
        self.decide_from(&RefCell::default(), program, goals, options, budget)
    }

    /// [`decide`](Self::decide), where the explicit engine goes on if it has stopped at the same before.
    ///
    /// # Errors
    ///
    /// If a computation found does not replay.
    pub(crate) fn decide_from(
        self,
        paused: &RefCell<Option<Paused>>,
        program: &Program,
        goals: &[Goal],
        options: &CheckOptions,
        budget: &Budget,
    ) -> Result<Answered, Defect> {
        let open = |why: &str| Answered::open(goals, &Reason::Unsupported(why.to_owned()));
        if program.is_parametric() {
            return Ok(open(PARAMETRIC));
        }
        let query = Query {
            program,
            goals,
            options,
            budget,
            engines: self,
            paused,
        };
        match self.row(options.engine) {
            Some(row) => query.run(row, Effort::UNLIMITED),
            None if options.engine == Engine::Auto => automatic::automatic(query),
            None => {
                let name = options.engine.name();
                let why = format!("the {name} engine is available in `check` only");
                Ok(open(&why))
            }
        }
    }

    /// What no execution reaches; `None` if small bounds do not decide it.
    pub(crate) fn vacuity(
        self,
        program: &Program,
        options: &CheckOptions,
        budget: &Budget,
    ) -> Option<Vacuity> {
        let own = self.row(options.engine).and_then(|row| row.vacuity);
        if let Some(own) = own {
            return own(program, options, budget);
        }
        let [few, most] = ladder::VACUITY;
        let searched = |states| {
            let searches = !program.is_parametric() && !budget.is_stopped();
            searches.then(|| explicit::vacuity_within(states, program, options, budget))?
        };
        let brief = budget.with_work(ladder::BRIEF / 4);
        searched(few)
            .or_else(|| bounded::vacuity(program, options, &brief))
            .or_else(|| searched(most))
    }
}

/// Why an engine that decides predicates does not decide whether threads wait forever.
const NOT_STATED: &str = "whether threads wait forever is decided by `--engine explicit` only here: it depends on what \
     other threads may still do, on where a thread is that waits already, or on a wait that does too much to be a \
     predicate";

/// The number of the property, if the goal is about threads that wait.
fn waiting(program: &Program, goal: Goal) -> Option<usize> {
    match goal {
        Goal::Property(number) => {
            let kind = program.properties()[number].kind;
            kind.is_about_waiting().then_some(number)
        }
        Goal::Assert(_) | Goal::Outside(_) => None,
    }
}

impl Query<'_> {
    /// Runs an engine with this effort, as far as options and budget allow it.
    pub(super) fn run(&self, row: &Row, effort: Effort) -> Result<Answered, Defect> {
        let deepest = self.options.unroll.or(row.deepest);
        let loops = effort.loops.zip(deepest);
        let effort = Effort {
            loops: loops.map(|(loops, deepest)| loops.min(deepest)),
            states: effort.states.min(self.budget.states),
            ..effort
        };
        let budget = &effort.of(self.budget);
        let query = Query { budget, ..*self };
        let waiting = |goal: &Goal| waiting(self.program, *goal).is_some();
        if row.predicates_only && self.goals.iter().any(waiting) {
            query.run_stated(row, effort)
        } else {
            (row.decide)(&query, effort)
        }
    }

    /// Runs an engine with all properties stated as predicates.
    fn run_stated(&self, row: &Row, effort: Effort) -> Result<Answered, Defect> {
        let stated = Stated::of(self.program);
        let query = Query {
            program: &stated.program,
            ..*self
        };
        let mut answered = (row.decide)(&query, effort)?;
        for answer in &mut answered.answers {
            let Some(number) = waiting(self.program, answer.goal) else {
                continue;
            };
            match &answer.verdict {
                // By definition, and not only by the predicate.
                Verdict::Violated(run) => {
                    let steps: Vec<Step> = run.moments.iter().map(|moment| moment.step).collect();
                    let run = replayed(self.program, self.options.model, answer.goal, &steps)?;
                    answer.verdict = Verdict::Violated(run);
                }
                Verdict::Holds | Verdict::HoldsWithin(_) if stated.open.contains(&number) => {
                    answer.verdict = Verdict::Unknown(Reason::Unsupported(NOT_STATED.to_owned()));
                }
                Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
            }
        }
        Ok(answered)
    }
}
