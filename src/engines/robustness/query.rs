//! The query about one thread's attacks, and the choice of engines for it.
//!
//! `auto` is a [race](crate::race). Each turn is about the attacks that the earlier ones left
//! open. What makes the problem easier comes before all turns ([`EASIER`]), or before one of them.

use super::attack::Attack;
use super::decide::{Method, RobustOptions};
use super::direct::{DirectOptions, direct};
use super::instrument::{Derived, Form, instrument};
use super::too_late::TOO_LATE;
use super::witness::witness;
use crate::engines::{BUFFERED, CheckOptions, DEEPEST, Engine, Until, replayed};
use crate::facts::Values;
use crate::model::Model;
use crate::passes::{Pass, through};
use crate::problem::{Answer, Found, Memory, Problem, Steps};
use crate::program::{Goal, Program};
use crate::race::{ENTRANTS, Race, Slice, Standing, Turn};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use std::cell::RefCell;

/// What makes the problem of one thread's attacks easier.
const EASIER: [Pass<Attack>; 1] = [Pass::CONE];

/// The verdict on each attack, with the engine's result.
type AttackVerdicts = (Vec<Verdict<Steps>>, Found);

/// What is known about the attacks of one thread, and where the search for the others goes on.
pub(super) struct Begun {
    /// Ascending by attack.
    pub(super) found: Found<Attack>,
    standing: Standing,
    pub(super) memory: Memory,
}

impl Begun {
    /// Nothing is known yet.
    pub(super) fn new(attacks: &[Attack], standing: Standing, memory: Memory) -> Self {
        Self {
            found: Found::open(attacks, &Reason::Stopped),
            standing,
            memory,
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
    /// Before the first round.
    pub(super) fn start(&self) -> Standing {
        let first = self.options.techniques.first_slice;
        Standing::new(&ENTRANTS, first, self.program)
    }

    /// Decides the attacks that are open, all of one thread, in the rounds before this one.
    pub(super) fn decide(
        &self,
        mut begun: Begun,
        rounds: u32,
        budget: &Budget,
    ) -> Result<Begun, Defect> {
        let until = self.options.until;
        let left = begun.found.left(until);
        let problem = Problem {
            program: self.program,
            queries: &left,
            options: self.options,
            budget,
            memory: &begun.memory,
        };
        let is_race = is_race(self.options);
        let standing = RefCell::new(begun.standing);
        let found = through(&EASIER, &problem, &|problem| {
            let attempts = Attempts {
                problem,
                form: self.form,
            };
            let open = Found::open(problem.queries, &Reason::Stopped);
            if is_race {
                let mut standing = standing.borrow_mut();
                standing.go_on(&mut &attempts, open, rounds, problem.budget)
            } else {
                Ok((&attempts).merge(open, attempts.once()?))
            }
        })?;
        begun.found.take(found);
        begun.standing = standing.into_inner();
        if self.counts {
            let is_over = !is_race || begun.standing.is_over();
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
pub(super) fn is_race(options: &RobustOptions) -> bool {
    options.method == Method::Auto && options.engine == Engine::Auto
}

/// Attempts at the attacks of one thread.
struct Attempts<'a> {
    problem: &'a Problem<'a, Attack>,
    form: Form,
}

impl Race for &Attempts<'_> {
    type Results = Found<Attack>;

    fn is_enough(&self, known: &Found<Attack>) -> bool {
        known.left(self.problem.options.until).is_empty()
    }

    fn turn(
        &mut self,
        known: &Found<Attack>,
        engine: Engine,
        slice: Slice,
    ) -> Result<Turn<Found<Attack>>, Defect> {
        let left = known.left(self.problem.options.until);
        let budget = self.problem.budget;
        let deepest = self.deepest();
        let found = match engine {
            Engine::Bmc if !self.problem.program.has_words() => {
                self.directly(&left, &slice.of(budget))?
            }
            Engine::Bmc | Engine::Explicit | Engine::Ic3 => {
                self.instrumented(&left, engine, &slice.of(budget))?
            }
            Engine::Auto | Engine::Lazy => return Ok(Turn::Absent),
        };
        Ok(if found.is_final(deepest, budget) {
            Turn::Over(found)
        } else {
            Turn::GoesOn(found)
        })
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
            self.directly(queries, budget)
        } else {
            self.instrumented(queries, options.engine, budget)
        }
    }

    /// The maximum unroll bound.
    fn deepest(&self) -> u32 {
        self.problem.options.unroll.unwrap_or(DEEPEST)
    }

    /// Decides the attacks on the event graph.
    fn directly(&self, attacks: &[Attack], budget: &Budget) -> Result<Found<Attack>, Defect> {
        let Problem {
            program,
            options,
            memory,
            ..
        } = *self.problem;
        let deepest = self.deepest();
        let options = DirectOptions {
            model: options.model,
            until: options.until,
            solver: options.solver,
            deepest,
        };
        let (verdicts, stats) = direct(program, attacks, options, memory, budget)?;
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

    /// Decides the attacks by instrumentation.
    fn instrumented(
        &self,
        attacks: &[Attack],
        engine: Engine,
        budget: &Budget,
    ) -> Result<Found<Attack>, Defect> {
        let passes = if engine == Engine::Explicit {
            &[TOO_LATE][..]
        } else {
            &[]
        };
        let problem = Problem {
            queries: attacks,
            budget,
            ..*self.problem
        };
        through(passes, &problem, &|problem| {
            let attempts = Attempts {
                problem,
                form: self.form,
            };
            attempts.derived(engine)
        })
    }

    /// Decides the attacks on the derived program.
    fn derived(&self, engine: Engine) -> Result<Found<Attack>, Defect> {
        let Problem {
            program,
            queries,
            options,
            ..
        } = *self.problem;
        let model = options.model;
        let derived = instrument(program, &Values::of(program), model, self.form, queries);
        let (verdicts, of_goals) = match options.until {
            Until::Violated => self.any_attack(&derived, engine)?,
            Until::AllAnswered => self.each_attack(&derived, engine)?,
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
    fn any_attack(&self, derived: &Derived, engine: Engine) -> Result<AttackVerdicts, Defect> {
        let unroll = self.problem.options.unroll;
        let mut found = self.ask(derived, &[derived.any], engine, unroll)?;
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
    fn each_attack(&self, derived: &Derived, engine: Engine) -> Result<AttackVerdicts, Defect> {
        let goals: Vec<Goal> = derived.attacks.iter().map(|&(_, goal)| goal).collect();
        if BUFFERED.unrolls(engine) {
            // Most answers are negative.
            let any = self.ask(derived, &[derived.any], engine, Some(1))?;
            let holds = |answer: &Answer<Goal>| matches!(answer.verdict, Verdict::Holds);
            if any.answers.iter().all(holds) {
                return Ok((vec![Verdict::Holds; goals.len()], any));
            }
        }
        let unroll = self.problem.options.unroll;
        let mut found = self.ask(derived, &goals, engine, unroll)?;
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
    ) -> Result<Found, Defect> {
        let Problem {
            options,
            budget,
            memory,
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
            budget,
            memory,
        })
    }
}
