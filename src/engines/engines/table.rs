//! Tables of engines: what each engine supports, and how to run it.
//!
//! This module defines the table [`BUFFERED`] for callers that check derived programs. The table of
//! `check` has one more row: the lazy engine, which itself uses [`BUFFERED`].

use super::{
    Answered, BMC, CheckOptions, EXPLICIT, Effort, Engine, Found, IC3, PARAMETRIC, Problem, Rung,
    Vacuity, automatic, bounded, explicit, ladder,
};
use crate::model::Model;
use crate::passes::{NOT_STATED, Pass, PassName, through, waiting};
use crate::program::{Goal, Program};
use crate::search::Paused;
use crate::verdict::{Budget, Defect, Reason};
use std::cell::RefCell;

/// A procedure that finds what no execution reaches.
type FindVacuity = fn(&Program, &CheckOptions, &Budget) -> Option<Vacuity>;

/// An engine, as a table lists it.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) engine: Engine,
    /// The default maximum unroll bound; `None` if the engine does not unroll loops.
    pub(crate) deepest: Option<u32>,
    /// What makes problems easier for this engine, or fit for it.
    pub(crate) passes: &'static [Pass],
    /// Whether `auto` uses it under a model.
    pub(crate) suits: fn(Model) -> bool,
    /// Decides the goals, in their order.
    pub(crate) decide: fn(&Problem<'_>, Effort) -> Result<Found, Defect>,
    /// Finds what no execution reaches, if the engine has its own procedure for that.
    pub(crate) vacuity: Option<FindVacuity>,
}

impl Row {
    /// Whether it decides predicates over one configuration only, which waiting forever is made by a pass.
    fn is_for_predicates(&self) -> bool {
        self.passes
            .iter()
            .any(|pass| pass.name == PassName::Predicates)
    }
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
        let problem = Problem {
            program,
            queries: goals,
            options,
            budget,
            paused,
        };
        self.find(&problem)?.replayed(program, options.model)
    }

    /// What the engine of the options finds. Nothing has replayed it.
    ///
    /// # Errors
    ///
    /// If an engine has a defect.
    pub(crate) fn find(self, problem: &Problem<'_>) -> Result<Found, Defect> {
        let open = |why: &str| Found::open(problem.queries, &Reason::Unsupported(why.to_owned()));
        let engine = problem.options.engine;
        if problem.program.is_parametric() {
            return Ok(open(PARAMETRIC));
        }
        match self.row(engine) {
            Some(row) => row.run(problem, Effort::UNLIMITED),
            None if engine == Engine::Auto => automatic::automatic(self, problem),
            None => {
                let name = engine.name();
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

impl Row {
    /// Runs an engine with this effort, as far as options and budget allow it, on what its passes leave.
    pub(super) fn run(&self, problem: &Problem<'_>, effort: Effort) -> Result<Found, Defect> {
        let deepest = problem.options.unroll.or(self.deepest);
        let loops = effort.loops.zip(deepest);
        let effort = Effort {
            loops: loops.map(|(loops, deepest)| loops.min(deepest)),
            states: effort.states.min(problem.budget.states),
            ..effort
        };
        let budget = &effort.of(problem.budget);
        let last = |problem: &Problem<'_>| {
            let program = problem.program;
            let is_about_waiting = |&goal: &Goal| waiting(program, goal).is_some();
            if self.is_for_predicates() && problem.queries.iter().any(is_about_waiting) {
                let reason = Reason::Unsupported(NOT_STATED.to_owned());
                return Ok(Found::open(problem.queries, &reason));
            }
            (self.decide)(problem, effort)
        };
        through(self.passes, &Problem { budget, ..*problem }, &last)
    }
}
