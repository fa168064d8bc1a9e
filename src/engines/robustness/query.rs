//! The query about one thread's attacks, and the choice of engines for it.
//!
//! `auto` climbs the [`ATTACKS`] ladder. Each attempt gets the attacks that the earlier ones left
//! open. With several threads, attacks that come too late are ruled out before a derived program is searched.

use super::attack::Attack;
use super::decide::{Method, RobustOptions};
use super::direct::{DirectOptions, direct};
use super::instrument::{Derived, Form, instrument};
use super::report::AttackAnswer;
use super::too_late::too_late;
use super::witness::witness;
use crate::engines::ladder::{ATTACKS, AttackSearch, SHORT};
use crate::engines::{
    self, BUFFERED, CheckOptions, Climb, DEEPEST, Effort, Engine, Rung, Stats, Until, climb,
};
use crate::facts::Values;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::Run;
use crate::search::Paused;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// With fewer threads, the search itself is short; with more, the goals about all of them get too large.
const SEVERAL: RangeInclusive<usize> = 6..=256;

/// The verdict on each attack, with the engine's result.
type AttackVerdicts = (Vec<Verdict<Run>>, engines::Answered);

/// A query about the attacks of one thread.
pub(super) struct AttackQuery<'a> {
    pub(super) program: &'a Program,
    pub(super) values: &'a Values,
    pub(super) options: &'a RobustOptions,
    pub(super) form: Form,
    /// Whether the progress counts the attacks that are decided.
    pub(super) counts: bool,
    pub(super) budget: &'a Budget,
    /// Where the explicit engine has stopped.
    pub(super) paused: RefCell<Option<Paused>>,
}

/// The answers about one thread's attacks.
pub(super) struct Part {
    /// Ascending by attack.
    pub(super) answers: Vec<AttackAnswer>,
    /// The form of the last derived program, if there was one.
    pub(super) form: Option<Form>,
    /// Whether the event graph has found an attack: it may be one that the form does not find.
    pub(super) on_graph: bool,
    pub(super) engine: Option<Engine>,
    pub(super) unroll: Option<u32>,
    pub(super) stats: Stats,
}

impl Part {
    fn open(attacks: &[Attack]) -> Self {
        let answer = |&attack: &Attack| AttackAnswer {
            attack,
            verdict: Verdict::Unknown(Reason::Stopped),
        };
        Self {
            answers: attacks.iter().map(answer).collect(),
            form: None,
            on_graph: false,
            engine: None,
            unroll: None,
            stats: Stats::default(),
        }
    }

    /// Whether one of the attacks is feasible.
    pub(super) fn is_feasible(&self) -> bool {
        let violated = |answer: &AttackAnswer| matches!(answer.verdict, Verdict::Violated(_));
        self.answers.iter().any(violated)
    }

    /// The attacks that are still open, or none if one feasible attack is enough and has been
    /// found.
    pub(super) fn left(&self, until: Until) -> Vec<Attack> {
        if until == Until::Violated && self.is_feasible() {
            return Vec::new();
        }
        let open = self.answers.iter().filter(|answer| match answer.verdict {
            Verdict::Holds | Verdict::Violated(_) => false,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => true,
        });
        open.map(|answer| answer.attack).collect()
    }

    /// Merges the results of another step for some of the attacks.
    fn take(&mut self, other: Part) {
        debug_assert!(self.answers.is_sorted_by_key(|answer| answer.attack));
        for new in other.answers {
            let found = self
                .answers
                .binary_search_by_key(&new.attack, |old| old.attack);
            let Some(old) = found.ok().map(|at| &mut self.answers[at]) else {
                continue;
            };
            // A bounded answer is stronger than none.
            let keeps = matches!(old.verdict, Verdict::HoldsWithin(_))
                && matches!(new.verdict, Verdict::Unknown(_));
            if !keeps {
                old.verdict = new.verdict;
            }
        }
        self.form = other.form.or(self.form);
        self.on_graph |= other.on_graph;
        self.engine = other.engine.or(self.engine);
        self.unroll = other.unroll.or(self.unroll);
        self.stats = self.stats.plus(other.stats);
    }
}

/// What is known about the attacks of one thread, and where the search for the others goes on.
pub(super) struct Begun {
    pub(super) part: Part,
    /// How many rows of the ladder are climbed.
    rows: usize,
    /// Where the explicit engine has stopped.
    pub(super) paused: Option<Paused>,
}

impl Begun {
    /// Nothing is known yet.
    pub(super) fn new(attacks: &[Attack], paused: Option<Paused>) -> Self {
        Self {
            part: Part::open(attacks),
            rows: 0,
            paused,
        }
    }

    /// Leaves what is open undecided.
    pub(super) fn left(mut self, decided: Decided) -> Self {
        for answer in &mut self.part.answers {
            if let Verdict::Unknown(reason) = &mut answer.verdict {
                *reason = Reason::Decided(decided);
            }
        }
        self
    }
}

/// Whether several procedures take turns. Otherwise one decides all attacks at once.
pub(super) fn climbs(options: &RobustOptions) -> bool {
    options.method == Method::Auto && options.engine == Engine::Auto
}

impl Climb for &AttackQuery<'_> {
    type Procedure = AttackSearch;
    type Results = Part;

    fn is_enough(&self, known: &Part) -> bool {
        known.left(self.options.until).is_empty()
    }

    fn attempt(&mut self, known: &Part, rung: Rung<AttackSearch>) -> Result<Option<Part>, Defect> {
        let left = known.left(self.options.until);
        let (search, effort) = rung;
        let part = match search {
            AttackSearch::EventGraph => {
                let deepest = self.options.unroll.unwrap_or(DEEPEST);
                let deepest = effort.loops.map_or(deepest, |loops| loops.min(deepest));
                self.directly(&left, deepest, &effort.of(self.budget))?
            }
            AttackSearch::Instrumented(engine) => self.instrumented(&left, engine, effort)?,
        };
        Ok(Some(part))
    }

    fn merge(&self, mut known: Part, more: Part) -> Part {
        known.take(more);
        known
    }
}

impl AttackQuery<'_> {
    /// Decides the attacks that are open, all of one thread, on the ladder's rows up to this one.
    pub(super) fn decide(&self, mut begun: Begun, rows: usize) -> Result<Begun, Defect> {
        let until = self.options.until;
        let before = begun.part.left(until).len();
        self.paused.replace(begun.paused.take());
        self.search(&mut begun, rows)?;
        begun.paused = self.paused.take();
        if self.counts {
            let is_over = begun.rows == ATTACKS.len();
            let after = if is_over {
                0
            } else {
                begun.part.left(until).len()
            };
            self.budget.progress().decided(before - after);
        }
        Ok(begun)
    }

    fn search(&self, begun: &mut Begun, rows: usize) -> Result<(), Defect> {
        if climbs(self.options) {
            return self.climb(begun, rows);
        }
        let left = begun.part.left(self.options.until);
        let one = if self.options.method == Method::Direct {
            let deepest = self.options.unroll.unwrap_or(DEEPEST);
            self.directly(&left, deepest, self.budget)?
        } else {
            self.instrumented(&left, self.options.engine, Effort::UNLIMITED)?
        };
        begun.part.take(one);
        begun.rows = ATTACKS.len();
        Ok(())
    }

    /// Climbs the ladder, from where it is left.
    fn climb(&self, begun: &mut Begun, rows: usize) -> Result<(), Defect> {
        while begun.rows < rows.min(ATTACKS.len()) {
            let row = &ATTACKS[begun.rows..=begun.rows];
            let known = std::mem::replace(&mut begun.part, Part::open(&[]));
            begun.part = climb(&mut &*self, row, known, self.budget)?;
            if self.budget.is_stopped() {
                break;
            }
            begun.rows += 1;
        }
        Ok(())
    }

    fn directly(&self, attacks: &[Attack], deepest: u32, budget: &Budget) -> Result<Part, Defect> {
        let options = DirectOptions {
            model: self.options.model,
            until: self.options.until,
            solver: self.options.solver,
            deepest,
        };
        let (verdicts, stats) = direct(self.program, attacks, options, budget)?;
        let mut part = Part::open(attacks);
        for (answer, verdict) in part.answers.iter_mut().zip(verdicts) {
            answer.verdict = verdict;
        }
        part.on_graph = part.is_feasible();
        part.engine = Some(Engine::Bmc);
        part.unroll = Some(deepest);
        part.stats = stats;
        Ok(part)
    }

    /// Decides the attacks by instrumentation, with this effort. With several threads, those that come too
    /// late are ruled out first.
    fn instrumented(
        &self,
        attacks: &[Attack],
        engine: Engine,
        effort: Effort,
    ) -> Result<Part, Defect> {
        let threads = self.program.threads().len();
        let may_be_late = self.options.techniques.pruning.late && SEVERAL.contains(&threads);
        if engine != Engine::Explicit || !may_be_late {
            return self.derived(attacks, engine, effort);
        }
        // The same ones each time, so that the search for the others goes on where it has stopped.
        let budget = self.budget.with_states(SHORT.min(self.budget.states));
        let (late, stats) = too_late(self.program, self.values, attacks, &budget)?;
        let is_late = |attack: &&Attack| late.binary_search(attack).is_ok();
        let (late, others): (Vec<Attack>, Vec<Attack>) = attacks.iter().partition(is_late);
        let mut part = Part::open(attacks);
        let mut refuted = Part::open(&late);
        for answer in &mut refuted.answers {
            answer.verdict = Verdict::Holds;
        }
        refuted.engine = Some(engine);
        refuted.stats = stats;
        part.take(refuted);
        if !others.is_empty() {
            part.take(self.derived(&others, engine, effort)?);
        }
        Ok(part)
    }

    /// Decides the attacks on the derived program, with this effort.
    fn derived(&self, attacks: &[Attack], engine: Engine, effort: Effort) -> Result<Part, Defect> {
        let (program, model) = (self.program, self.options.model);
        let derived = instrument(program, self.values, model, self.form, attacks);
        let (verdicts, answered) = match self.options.until {
            Until::Violated => self.any_attack(&derived, engine, effort)?,
            Until::AllAnswered => self.each_attack(&derived, engine, effort)?,
        };
        let mut part = Part::open(attacks);
        for (answer, verdict) in part.answers.iter_mut().zip(verdicts) {
            answer.verdict = verdict.try_map(|run| {
                witness(program, model, &derived, answer.attack, &run).map_err(Defect::witness)
            })?;
        }
        part.form = Some(self.form);
        part.engine = answered.engine;
        part.unroll = answered.unroll;
        part.stats = answered.stats;
        Ok(part)
    }

    /// One query for all attacks. It decides the attack that it finds, or all of them.
    fn any_attack(
        &self,
        derived: &Derived,
        engine: Engine,
        effort: Effort,
    ) -> Result<AttackVerdicts, Defect> {
        let unroll = self.options.unroll;
        let mut answered = self.ask(derived, &[derived.any], engine, unroll, effort)?;
        let verdict = answered.answers.pop().map(|answer| answer.verdict);
        let verdict = verdict.unwrap_or(Verdict::Unknown(Reason::Stopped));
        // If a run reaches the goal for all attacks, the goal of each attack shows which one it is.
        let is_another = |goal| match &verdict {
            Verdict::Violated(run) => !run.reached.contains(goal),
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
        };
        let verdicts = derived.attacks.iter().map(|(_, goal)| {
            if is_another(goal) {
                Verdict::Unknown(Reason::Decided(Decided::ByAttack))
            } else {
                verdict.clone()
            }
        });
        Ok((verdicts.collect(), answered))
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
            if any.answers.iter().all(|a| a.verdict == Verdict::Holds) {
                return Ok((vec![Verdict::Holds; goals.len()], any));
            }
        }
        let unroll = self.options.unroll;
        let mut answered = self.ask(derived, &goals, engine, unroll, effort)?;
        let answers = std::mem::take(&mut answered.answers);
        let verdicts = answers.into_iter().map(|answer| answer.verdict);
        Ok((verdicts.collect(), answered))
    }

    fn ask(
        &self,
        derived: &Derived,
        goals: &[Goal],
        engine: Engine,
        unroll: Option<u32>,
        effort: Effort,
    ) -> Result<engines::Answered, Defect> {
        let budget = effort.of(self.budget);
        let options = CheckOptions {
            engine,
            unroll,
            solver: self.options.solver,
            techniques: self.options.techniques,
            until: Until::AllAnswered,
            note_unreachable: false,
            ..CheckOptions::new(Model::Sc)
        };
        BUFFERED.decide_from(&self.paused, &derived.program, goals, &options, &budget)
    }
}
