//! The query about one thread's attacks, and the choice of engines for it.
//!
//! `auto` climbs the [`ATTACKS`] ladder. Each attempt gets the attacks that the earlier ones left
//! open. What makes the problem easier comes before all attempts ([`EASIER`]), or before one of them.

use super::attack::Attack;
use super::decide::{Method, RobustOptions};
use super::direct::{DirectOptions, direct};
use super::instrument::{Derived, Form, instrument};
use super::too_late::TOO_LATE;
use super::witness::witness;
use crate::engines::ladder::{ATTACKS, AttackSearch};
use crate::engines::{
    BUFFERED, CheckOptions, Climb, DEEPEST, Effort, Engine, Rung, Until, climb, replayed,
};
use crate::facts::Values;
use crate::model::Model;
use crate::passes::{Pass, through};
use crate::problem::{Answer, Found, Problem, Steps};
use crate::program::{Goal, Program};
use crate::search::Paused;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use std::cell::{Cell, RefCell};

/// What makes the problem of one thread's attacks easier.
const EASIER: [Pass<Attack>; 1] = [Pass::CONE];

/// The verdict on each attack, with the engine's result.
type AttackVerdicts = (Vec<Verdict<Steps>>, Found);

/// What is known about the attacks of one thread, and where the search for the others goes on.
pub(super) struct Begun {
    /// Ascending by attack.
    pub(super) found: Found<Attack>,
    /// How many rows of the ladder are climbed.
    rows: usize,
    /// Where the explicit engine has stopped.
    pub(super) paused: Option<Paused>,
}

impl Begun {
    /// Nothing is known yet.
    pub(super) fn new(attacks: &[Attack], paused: Option<Paused>) -> Self {
        Self {
            found: Found::open(attacks, &Reason::Stopped),
            rows: 0,
            paused,
        }
    }
}

/// A search for the attacks of one thread at a time.
#[derive(Clone, Copy)]
pub(super) struct AttackQuery<'a> {
    pub(super) program: &'a Program,
    pub(super) options: &'a RobustOptions,
    pub(super) form: Form,
    /// Whether the progress counts the attacks that are decided.
    pub(super) counts: bool,
}

impl AttackQuery<'_> {
    /// Decides the attacks that are open, all of one thread, on the ladder's rows up to this one.
    pub(super) fn decide(
        &self,
        mut begun: Begun,
        rows: usize,
        budget: &Budget,
    ) -> Result<Begun, Defect> {
        let until = self.options.until;
        let left = begun.found.left(until);
        let paused = RefCell::new(begun.paused.take());
        let problem = Problem {
            program: self.program,
            queries: &left,
            options: self.options,
            budget,
            paused: &paused,
        };
        let rows = begun.rows..rows.min(ATTACKS.len());
        let reached = Cell::new(rows.end);
        let found = through(&EASIER, &problem, &|problem| {
            let attempts = Attempts {
                problem,
                form: self.form,
            };
            let mut found = Found::open(problem.queries, &Reason::Stopped);
            if !climbs(self.options) {
                found.take(attempts.once()?);
                return Ok(found);
            }
            for row in rows.clone() {
                found = climb(&mut &attempts, &ATTACKS[row..=row], found, problem.budget)?;
                if problem.budget.is_stopped() {
                    reached.set(reached.get().min(row));
                    break;
                }
            }
            Ok(found)
        })?;
        begun.found.take(found);
        begun.rows = reached.get();
        begun.paused = paused.take();
        if self.counts {
            let is_over = begun.rows == ATTACKS.len();
            let open = if is_over {
                0
            } else {
                begun.found.left(until).len()
            };
            budget.progress().decided(left.len() - open);
        }
        Ok(begun)
    }
}

/// Whether several procedures take turns. Otherwise one decides all attacks at once.
pub(super) fn climbs(options: &RobustOptions) -> bool {
    options.method == Method::Auto && options.engine == Engine::Auto
}

/// Attempts at the attacks of one thread.
struct Attempts<'a> {
    problem: &'a Problem<'a, Attack>,
    form: Form,
}

impl Climb for &Attempts<'_> {
    type Procedure = AttackSearch;
    type Results = Found<Attack>;

    fn is_enough(&self, known: &Found<Attack>) -> bool {
        known.left(self.problem.options.until).is_empty()
    }

    fn attempt(
        &mut self,
        known: &Found<Attack>,
        (search, effort): Rung<AttackSearch>,
    ) -> Result<Option<Found<Attack>>, Defect> {
        let left = known.left(self.problem.options.until);
        let found = match search {
            AttackSearch::EventGraph => {
                let deepest = self.problem.options.unroll.unwrap_or(DEEPEST);
                let deepest = effort.loops.map_or(deepest, |loops| loops.min(deepest));
                self.directly(&left, deepest, &effort.of(self.problem.budget))?
            }
            AttackSearch::Instrumented(engine) => self.instrumented(&left, engine, effort)?,
        };
        Ok(Some(found))
    }

    fn merge(&self, mut known: Found<Attack>, more: Found<Attack>) -> Found<Attack> {
        known.take(more);
        known
    }
}

impl Attempts<'_> {
    /// Decides all attacks by the one procedure of the options.
    fn once(&self) -> Result<Found<Attack>, Defect> {
        let Problem {
            queries,
            options,
            budget,
            ..
        } = *self.problem;
        if options.method == Method::Direct {
            let deepest = options.unroll.unwrap_or(DEEPEST);
            self.directly(queries, deepest, budget)
        } else {
            self.instrumented(queries, options.engine, Effort::UNLIMITED)
        }
    }

    fn directly(
        &self,
        attacks: &[Attack],
        deepest: u32,
        budget: &Budget,
    ) -> Result<Found<Attack>, Defect> {
        let Problem {
            program, options, ..
        } = *self.problem;
        let options = DirectOptions {
            model: options.model,
            until: options.until,
            solver: options.solver,
            deepest,
        };
        let (verdicts, stats) = direct(program, attacks, options, budget)?;
        let mut found = Found::open(attacks, &Reason::Stopped);
        for (answer, verdict) in found.answers.iter_mut().zip(verdicts) {
            answer.verdict = verdict;
        }
        found.shown.on_graph = found.is_feasible();
        found.engine = Some(Engine::Bmc);
        found.unroll = Some(deepest);
        found.stats = stats;
        Ok(found)
    }

    /// Decides the attacks by instrumentation, with this effort.
    fn instrumented(
        &self,
        attacks: &[Attack],
        engine: Engine,
        effort: Effort,
    ) -> Result<Found<Attack>, Defect> {
        let passes = if engine == Engine::Explicit {
            &[TOO_LATE][..]
        } else {
            &[]
        };
        let problem = Problem {
            queries: attacks,
            ..*self.problem
        };
        through(passes, &problem, &|problem| {
            let attempts = Attempts {
                problem,
                form: self.form,
            };
            attempts.derived(engine, effort)
        })
    }

    /// Decides the attacks on the derived program, with this effort.
    fn derived(&self, engine: Engine, effort: Effort) -> Result<Found<Attack>, Defect> {
        let Problem {
            program,
            queries,
            options,
            ..
        } = *self.problem;
        let model = options.model;
        let derived = instrument(program, &Values::of(program), model, self.form, queries);
        let (verdicts, of_goals) = match options.until {
            Until::Violated => self.any_attack(&derived, engine, effort)?,
            Until::AllAnswered => self.each_attack(&derived, engine, effort)?,
        };
        let mut found = Found::open(queries, &Reason::Stopped);
        for (answer, verdict) in found.answers.iter_mut().zip(verdicts) {
            answer.verdict =
                verdict.try_map(|steps| witness(program, model, &derived, answer.query, &steps))?;
        }
        found.shown.form = Some(self.form);
        found.engine = of_goals.engine;
        found.unroll = of_goals.unroll;
        found.stats = of_goals.stats;
        Ok(found)
    }

    /// One query for all attacks. It decides the attack that it finds, or all of them.
    fn any_attack(
        &self,
        derived: &Derived,
        engine: Engine,
        effort: Effort,
    ) -> Result<AttackVerdicts, Defect> {
        let unroll = self.problem.options.unroll;
        let mut found = self.ask(derived, &[derived.any], engine, unroll, effort)?;
        let verdict = found.answers.pop().map(|answer| answer.verdict);
        let verdict = verdict.unwrap_or(Verdict::Unknown(Reason::Stopped));
        // If a run reaches the goal for all attacks, the goal of each attack shows which one it is.
        let reached = match &verdict {
            Verdict::Violated(steps) => {
                Some(replayed(&derived.program, Model::Sc, derived.any, steps)?.reached)
            }
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        };
        let verdicts = derived.attacks.iter().map(|(_, goal)| {
            let is_another = reached.as_ref().is_some_and(|all| !all.contains(goal));
            if is_another {
                Verdict::Unknown(Reason::Decided(Decided::ByAttack))
            } else {
                verdict.clone()
            }
        });
        Ok((verdicts.collect(), found))
    }

    /// One query per attack, unless one for all of them is enough.
    fn each_attack(
        &self,
        derived: &Derived,
        engine: Engine,
        effort: Effort,
    ) -> Result<AttackVerdicts, Defect> {
        let goals: Vec<Goal> = derived.attacks.iter().map(|&(_, goal)| goal).collect();
        if BUFFERED.unrolls(engine) {
            // Most answers are negative.
            let any = self.ask(derived, &[derived.any], engine, Some(1), effort)?;
            let holds = |answer: &Answer<Goal>| matches!(answer.verdict, Verdict::Holds);
            if any.answers.iter().all(holds) {
                return Ok((vec![Verdict::Holds; goals.len()], any));
            }
        }
        let unroll = self.problem.options.unroll;
        let mut found = self.ask(derived, &goals, engine, unroll, effort)?;
        let answers = std::mem::take(&mut found.answers);
        let verdicts = answers.into_iter().map(|answer| answer.verdict);
        Ok((verdicts.collect(), found))
    }

    fn ask(
        &self,
        derived: &Derived,
        goals: &[Goal],
        engine: Engine,
        unroll: Option<u32>,
        effort: Effort,
    ) -> Result<Found, Defect> {
        let Problem {
            options,
            budget,
            paused,
            ..
        } = *self.problem;
        let options = &CheckOptions {
            engine,
            unroll,
            solver: options.solver,
            techniques: options.techniques,
            until: Until::AllAnswered,
            note_unreachable: false,
            ..CheckOptions::new(Model::Sc)
        };
        BUFFERED.find(&Problem {
            program: &derived.program,
            queries: goals,
            options,
            budget: &effort.of(budget),
            paused,
        })
    }
}
