//! The inductive engine: one search for all goals, by IC3.
//!
//! Complete for finite data under SC: it ends with an invariant that excludes all goals that are left,
//! or with runs that reach goals. Each goal that is reached is left out, and the search goes on with the
//! clauses that it has learned: they are about what is reachable, and not about goals.

use super::{Engine, Found, Problem, Row, Stats, Steps, replayed};
use crate::facts::{Values, refuted};
use crate::induction::{Aside, Finding, Invariant, Refusal, Search};
use crate::passes::PREDICATES;
use crate::program::{Goal, Program};
use crate::race::Slice;
use crate::search::shorten;
use crate::solve::SolverKind;
use crate::verdict::{Defect, Reason, Verdict, unless_cancelled};

/// The row in the table of engines.
pub(crate) const IC3: Row = Row {
    engine: Engine::Ic3,
    deepest: None,
    passes: &[PREDICATES],
    suits: |model| !model.relaxes_store_load(),
    decide: answer,
    vacuity: None,
};

/// Why a weak model is not supported. The table of `check` has a row that supports it.
const SC_ONLY: &str = "the inductive engine decides reachability under SC only here: use `--engine \
                       explicit`, or `check`, which decides robustness too";

/// The goals' answers, in their order, by one search that goes on where an earlier slice of work on the same has ended.
///
/// # Errors
///
/// If a computation found does not replay, or an invariant is refuted.
fn answer(problem: &Problem<'_>, _: Slice) -> Result<Found, Defect> {
    let goals = problem.queries;
    if problem.options.model.relaxes_store_load() {
        let reason = Reason::Unsupported(SC_ONLY.to_owned());
        return Ok(Found::open(goals, &reason));
    }
    let earlier = problem.memory.take::<Induction>();
    let same = earlier.filter(|earlier| earlier.is_about(problem));
    let mut induction = same.unwrap_or_else(|| Induction::new(problem));
    let found = match induction.go_on(problem)? {
        Ok(found) => found,
        Err(why) => return Ok(Found::open(goals, &Reason::Unsupported(why))),
    };
    if !induction.open().is_empty() {
        problem.memory.keep(induction);
    }
    Ok(found)
}

/// What is known about goals, and the search for the others.
struct Induction {
    program: Program,
    solver: SolverKind,
    /// Each goal with its verdict; `None` if it is open.
    verdicts: Vec<(Goal, Option<Verdict<Steps>>)>,
    search: Option<Aside>,
}

impl Induction {
    fn new(problem: &Problem<'_>) -> Self {
        let program = problem.program;
        let values = Values::of(program);
        let known = |&goal: &Goal| refuted(program, &values, goal).then_some(Verdict::Holds);
        let goals = problem.queries.iter();
        Self {
            program: program.clone(),
            solver: problem.options.solver,
            verdicts: goals.map(|goal| (*goal, known(goal))).collect(),
            search: None,
        }
    }

    /// Whether the answers to this problem go on from here.
    fn is_about(&self, problem: &Problem<'_>) -> bool {
        let goals = self.verdicts.iter().map(|(goal, _)| goal);
        goals.eq(problem.queries)
            && self.solver == problem.options.solver
            && self.program == *problem.program
    }

    /// The goals that are open.
    fn open(&self) -> Vec<Goal> {
        let open = self.verdicts.iter().filter(|(_, known)| known.is_none());
        open.map(|&(goal, _)| goal).collect()
    }

    /// What is known about the goals once the budget is spent or all are decided; the text says why the program is
    /// not supported.
    fn go_on(&mut self, problem: &Problem<'_>) -> Result<Result<Found, String>, Defect> {
        let &Problem {
            program,
            queries,
            options,
            budget,
            ..
        } = problem;
        let mut found = Found::open(queries, &Reason::Stopped);
        found.engine = Some(Engine::Ic3);
        let left = self.open();
        let search = match self.search.take() {
            Some(aside) => Some(aside.go_on(budget)),
            None if left.is_empty() => None,
            None => match Search::new(program, &left, options.solver, budget) {
                Ok(search) => Some(search),
                Err(Refusal::Stopped) => None,
                Err(Refusal::Unsupported(why)) => return Ok(Err(why)),
            },
        };
        if let Some(mut search) = search {
            found.shown.invariant = self.decide(problem, &mut search)?;
            let cost = search.cost();
            found.stats = Stats {
                queries: Some(cost.queries),
                variables: Some(cost.variables as u64),
                clauses: Some(cost.clauses as u64),
                ..Stats::default()
            };
            self.search = Some(search.aside());
        }
        for (answer, (_, known)) in found.answers.iter_mut().zip(&self.verdicts) {
            if let Some(verdict) = known {
                answer.verdict = verdict.clone();
            }
        }
        Ok(Ok(found))
    }

    /// Decides what is open, until the budget is spent. Returns the invariant that excludes the last goals.
    fn decide(
        &mut self,
        problem: &Problem<'_>,
        search: &mut Search,
    ) -> Result<Option<Invariant>, Defect> {
        let (program, model) = (problem.program, problem.options.model);
        loop {
            let left = self.open();
            if left.is_empty() {
                return Ok(None);
            }
            let open = self
                .verdicts
                .iter_mut()
                .filter(|(_, known)| known.is_none());
            match unless_cancelled(search.decide(&left))? {
                None => return Ok(None),
                Some(Finding::Proved(invariant)) => {
                    for (_, known) in open {
                        *known = Some(Verdict::Holds);
                    }
                    return Ok(Some(invariant));
                }
                Some(Finding::Reached(goal, steps)) => {
                    // It may reach further goals.
                    let steps = shorten(program, model, goal, steps);
                    let run = replayed(program, model, goal, &steps)?;
                    for (goal, known) in open {
                        if run.reached.contains(goal) {
                            *known = Some(Verdict::Violated(steps.clone()));
                        }
                    }
                }
            }
        }
    }
}
