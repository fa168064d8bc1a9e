//! Tables of engines: what each engine supports, and how to run it.
//!
//! This module defines the table [`BUFFERED`] for callers that check derived programs. The table of
//! `check` has one more row: the lazy engine, which itself uses [`BUFFERED`].

use super::{
    Answered, BMC, CheckOptions, EXPLICIT, Engine, Found, IC3, PARAMETRIC, Problem, Vacuity,
    automatic, bounded, explicit,
};
use crate::model::Model;
use crate::passes::{NOT_STATED, Pass, PassName, through, waiting};
use crate::problem::Memory;
use crate::program::{Goal, Program};
use crate::race::Slice;
use crate::verdict::{Budget, Defect, Reason};
use crate::work::{GLANCE, MOMENT};

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
    /// What it finds out about the goals in this slice of work, whose limits the budget of the problem has
    /// already.
    pub(crate) decide: fn(&Problem<'_>, Slice) -> Result<Found, Defect>,
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

/// A table of engines. Those that have no row do not take part in the race that `auto` is.
#[derive(Clone, Copy)]
pub(crate) struct Engines {
    pub(crate) rows: &'static [Row],
}

/// The engines of this module.
pub(crate) const BUFFERED: Engines = Engines {
    rows: &[BMC, EXPLICIT, IC3],
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
        self.decide_from(&Memory::default(), program, goals, options, budget)
    }

    /// [`decide`](Self::decide), where engines go on if they have stopped at the same before.
    ///
    /// # Errors
    ///
    /// If a computation found does not replay.
    pub(crate) fn decide_from(
        self,
        memory: &Memory,
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
            memory,
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
        let in_slices = problem.options.techniques.first_slice.is_some();
        match self.row(engine) {
            Some(row) if !in_slices => row.run(problem, Slice::WHOLE),
            Some(_) => automatic::automatic(self, problem),
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
        let searched = |most| {
            let searches = !program.is_parametric() && !budget.is_stopped();
            searches.then(|| explicit::vacuity_within(most, program, options, budget))?
        };
        // The report is only a by-product.
        let brief = budget.with_work(MOMENT.times(3).0);
        searched(GLANCE)
            .or_else(|| bounded::vacuity(program, options, &brief))
            .or_else(|| searched(MOMENT))
    }
}

impl Row {
    /// Runs an engine for one slice, as far as the budget allows it, on what its passes leave.
    pub(super) fn run(&self, problem: &Problem<'_>, slice: Slice) -> Result<Found, Defect> {
        let budget = &slice.of(problem.budget);
        let last = |problem: &Problem<'_>| {
            let program = problem.program;
            let is_about_waiting = |&goal: &Goal| waiting(program, goal).is_some();
            if self.is_for_predicates() && problem.queries.iter().any(is_about_waiting) {
                let reason = Reason::Unsupported(NOT_STATED.to_owned());
                return Ok(Found::open(problem.queries, &reason));
            }
            (self.decide)(problem, slice)
        };
        through(self.passes, &Problem { budget, ..*problem }, &last)
    }

    /// Whether it could find out no more about these goals with more work than it had.
    pub(super) fn is_over(&self, problem: &Problem<'_>, found: &Found) -> bool {
        let deepest = problem.options.unroll.or(self.deepest);
        found.is_final(deepest.unwrap_or(0), problem.budget)
    }
}
