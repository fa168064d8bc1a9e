//! Litmus tests: does the condition hold of the final states?
//!
//! The final states come from the step-by-step reference, and a verdict on the condition comes from
//! the engine of the options. If both decide the condition, they must agree. One of them is enough:
//! a proved property needs no list of states, and a complete list needs no proof.
//!
//! **Invariant.** If some final states may be missing, no result depends on the missing ones:
//! neither `Never` nor `Always` is reported unless the engine proved it, and the condition is
//! decided only by the states found or by the engine.

use crate::check::{CheckOptions, CheckReport, GoalAnswer, check};
use crate::formats::{LitmusTest, Quantifier};
use crate::model::Model;
use crate::program::{Addr, Expr, Goal, Observable, Program};
use crate::reference::{Exploration, Halt, explore};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use std::collections::BTreeMap;

/// The maximum number of configurations visited to list the final states. The list must not take
/// longer than a user is willing to wait for it.
pub const MOST_CONFIGURATIONS: usize = 60_000;

/// The answer to a litmus test under one model.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LitmusReport {
    /// The engine's verdicts on the goals.
    pub check: CheckReport,
    /// The final states, and whether the condition holds of them.
    pub states: FinalStates,
    quantifier: Quantifier,
}

impl LitmusReport {
    /// The answer, from the engine's verdicts on the test's goals and the final states found by the
    /// reference.
    ///
    /// # Errors
    ///
    /// If they contradict each other.
    #[doc(hidden)]
    pub fn new(test: &LitmusTest, check: CheckReport, states: FinalStates) -> Result<Self, Defect> {
        let quantifier = test.quantifier;
        let report = Self {
            check,
            states,
            quantifier,
        };
        // A thread that leaves shared memory ends in no final state, so the engine's goals cover
        // more executions than the states do.
        let by_engine = if report.leaves_memory() {
            None
        } else {
            report.condition()
        };
        if let (Some((_, by_engine)), Some(decided)) =
            (by_engine, report.states.decided(quantifier))
            && by_engine != decided
        {
            return Err(Defect::new("the engine and the final states disagree"));
        }
        let states = report
            .states
            .with_answer(by_engine.map(|(_, by_engine)| by_engine));
        Ok(Self { states, ..report })
    }

    /// The verdict. An `exists` condition only observes, so it holds as soon as it is decided.
    pub fn verdict(&self) -> Verdict<()> {
        let alone = self.check.verdict().map(|_| ());
        let condition = self.states.holds(self.quantifier);
        match (self.quantifier, condition, &self.states.incomplete, alone) {
            (_, _, None, alone) if self.leaves_memory() => alone,
            (_, _, Some(reason), alone) if self.leaves_memory() => open(alone, reason),
            (_, None, Some(reason), alone) => open(alone, reason),
            (_, None, None, alone) => alone,
            (Quantifier::Exists, Some(_), _, _) | (_, Some(true), _, _) => Verdict::Holds,
            (Quantifier::NotExists | Quantifier::ForAll, Some(false), _, _) => {
                Verdict::Violated(())
            }
        }
    }

    /// Whether some access may leave shared memory or fail an assertion. Such a thread stops in no
    /// final state, so the run must be shown: the list of states does not contain it.
    pub fn leaves_memory(&self) -> bool {
        self.check.answers.iter().any(|answer| match answer.goal {
            Goal::Outside(_) | Goal::Assert(_) => !matches!(answer.verdict, Verdict::Holds),
            Goal::Property(_) => false,
        })
    }

    /// Whether threads may wait forever, if that is asked, too.
    pub fn waits(&self) -> bool {
        self.check.answers.iter().any(|answer| match answer.goal {
            // The first property is the test's condition.
            Goal::Property(number) => number > 0 && !matches!(answer.verdict, Verdict::Holds),
            Goal::Outside(_) | Goal::Assert(_) => false,
        })
    }

    /// Whether the condition holds according to the engine, and the goal that decided it.
    fn condition(&self) -> Option<(Goal, bool)> {
        let mut answers = self.check.answers.iter().chain(&self.check.observations);
        let is_condition = |answer: &&GoalAnswer| answer.goal == Goal::Property(0);
        let answer = answers.find(is_condition)?;
        let reached = match answer.verdict {
            Verdict::Holds => false,
            Verdict::Violated(_) => true,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => return None,
        };
        let holds = match self.quantifier {
            Quantifier::Exists => reached,
            Quantifier::NotExists | Quantifier::ForAll => !reached,
        };
        Some((answer.goal, holds))
    }
}

/// Keeps a violation; any other verdict becomes unknown for this reason.
fn open(verdict: Verdict<()>, reason: &Reason) -> Verdict<()> {
    match verdict {
        Verdict::Violated(()) | Verdict::Unknown(_) => verdict,
        Verdict::Holds | Verdict::HoldsWithin(_) => Verdict::Unknown(reason.clone()),
    }
}

/// Decides a litmus test under the model of the options.
///
/// # Errors
///
/// As [`check`]; also if the engine's verdict contradicts the final states.
pub fn check_litmus(
    program: &Program,
    test: &LitmusTest,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<LitmusReport, Defect> {
    let report = check(program, options, budget)?;
    let states = FinalStates::explore(program, test, options.model, budget);
    LitmusReport::new(test, report, states)
}

/// The final states of a test, restricted to the values that the test shows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FinalStates {
    /// The values of [`LitmusTest::shown`], and whether the proposition is true of them.
    states: BTreeMap<Vec<i32>, bool>,
    /// Why the list may be incomplete; `None` if it is complete.
    pub incomplete: Option<Reason>,
    /// Whether the test's condition holds, if an engine decided it independently of the states.
    by_engine: Option<bool>,
}

impl FinalStates {
    /// The final states under this model. They only supplement a verdict, so at most
    /// [`MOST_CONFIGURATIONS`] configurations are visited.
    #[doc(hidden)]
    pub fn explore(program: &Program, test: &LitmusTest, model: Model, budget: &Budget) -> Self {
        let budget = budget.with_states(MOST_CONFIGURATIONS.min(budget.states));
        Self::new(test, &explore(program, model, &budget))
    }

    /// The part of an exploration's final configurations that a test shows.
    #[doc(hidden)]
    pub fn new(test: &LitmusTest, exploration: &Exploration) -> Self {
        let states = exploration
            .finals
            .iter()
            .filter(|halt| {
                test.filter
                    .as_ref()
                    .is_none_or(|filter| holds(filter, halt))
            })
            .map(|halt| {
                let values = test.shown.iter().map(|shown| value(halt, shown.observable));
                (values.collect(), holds(&test.proposition, halt))
            })
            .collect();
        Self {
            states,
            incomplete: exploration.incomplete.clone(),
            by_engine: None,
        }
    }

    /// No known state, for this reason.
    #[doc(hidden)]
    pub fn unknown(reason: Reason) -> Self {
        Self {
            states: BTreeMap::new(),
            incomplete: Some(reason),
            by_engine: None,
        }
    }

    /// The same states, with the engine's verdict on the test's condition, if there is one. It must
    /// not contradict the states.
    #[must_use]
    #[doc(hidden)]
    pub fn with_answer(self, by_engine: Option<bool>) -> Self {
        Self { by_engine, ..self }
    }

    /// How many different states there are.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// How many states satisfy the proposition.
    pub fn positive(&self) -> usize {
        self.states.values().filter(|&&positive| positive).count()
    }

    /// How many states do not.
    pub fn negative(&self) -> usize {
        self.count() - self.positive()
    }

    /// The values of [`LitmusTest::shown`], state by state, in ascending order.
    pub fn values(&self) -> impl Iterator<Item = &[i32]> {
        self.states.keys().map(Vec::as_slice)
    }

    /// Whether the test's condition holds, if the states or the engine decide it.
    #[doc(hidden)]
    pub fn holds(&self, quantifier: Quantifier) -> Option<bool> {
        self.decided(quantifier).or(self.by_engine)
    }

    /// Whether the test's condition holds, if the states alone decide it.
    #[doc(hidden)]
    pub fn decided(&self, quantifier: Quantifier) -> Option<bool> {
        let positive = self.positive();
        let (decided, answer) = match quantifier {
            Quantifier::Exists => (positive > 0, positive > 0),
            Quantifier::NotExists => (positive > 0, positive == 0),
            Quantifier::ForAll => (positive < self.count(), positive == self.count()),
        };
        (decided || self.incomplete.is_none()).then_some(answer)
    }

    /// How often the proposition is true (`Never`, `Sometimes` or `Always`), if that is decided.
    #[doc(hidden)]
    pub fn observation(&self, quantifier: Quantifier) -> Option<&'static str> {
        let (never, always) = match (&self.incomplete, quantifier, self.by_engine) {
            (None, _, _) => (true, true),
            (Some(_), Quantifier::Exists, Some(false))
            | (Some(_), Quantifier::NotExists, Some(true)) => (true, false),
            (Some(_), Quantifier::ForAll, Some(true)) => (false, true),
            (Some(_), _, _) => (false, false),
        };
        match (self.positive(), self.negative()) {
            (1.., 1..) => Some("Sometimes"),
            (0, _) => never.then_some("Never"),
            (_, 0) => always.then_some("Always"),
        }
    }
}

fn holds(predicate: &Expr<Observable>, halt: &Halt) -> bool {
    predicate.eval(|observable| value(halt, observable)) != 0
}

fn value(halt: &Halt, observable: Observable) -> i32 {
    match observable {
        Observable::Register(thread, register) => halt.registers[thread.index()][register.index()],
        Observable::At(thread, location) => (halt.locations[thread.index()] == location).into(),
        Observable::Cell(cell) => halt.memory[Addr::index(cell)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Format, parse_as};

    /// Store buffering, with this quantifier over the state that SC does not allow.
    fn store_buffering(quantifier: &str) -> (Program, LitmusTest) {
        let text = format!(
            "X86 SB\n{{ }}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n\
             {quantifier} (0:EAX=0 /\\ 1:EAX=0)\n"
        );
        let parsed = parse_as(Format::Litmus, &text);
        let program = parsed.program.expect("the test has no errors");
        (program, parsed.litmus.expect("a litmus test"))
    }

    fn checked(program: &Program, model: Model) -> CheckReport {
        let options = CheckOptions::new(model);
        check(program, &options, &Budget::default()).expect("no internal error")
    }

    fn explored(program: &Program, test: &LitmusTest, model: Model) -> FinalStates {
        FinalStates::explore(program, test, model, &Budget::default())
    }

    fn undecided(program: &Program) -> CheckReport {
        CheckReport::undecided(program, &CheckOptions::new(Model::Tso), &Reason::Stopped)
    }

    #[test]
    fn an_exists_condition_always_holds_and_the_others_only_if_they_are_true() {
        for (quantifier, sc, tso) in [
            ("exists", Verdict::Holds, Verdict::Holds),
            ("~exists", Verdict::Holds, Verdict::Violated(())),
            ("forall", Verdict::Violated(()), Verdict::Violated(())),
        ] {
            let (program, test) = store_buffering(quantifier);
            for (model, expected) in [(Model::Sc, sc), (Model::Tso, tso)] {
                let options = CheckOptions::new(model);
                let report = check_litmus(&program, &test, &options, &Budget::default());
                let report = report.expect("no internal error");
                assert_eq!(report.verdict(), expected, "{quantifier} under {model}");
                let states = if model == Model::Sc { 3 } else { 4 };
                assert_eq!(report.states.count(), states, "{quantifier} under {model}");
            }
        }
    }

    #[test]
    fn an_engine_that_contradicts_the_states_is_a_defect() {
        let (program, test) = store_buffering("~exists");
        let states = explored(&program, &test, Model::Sc);
        let report = LitmusReport::new(&test, checked(&program, Model::Tso), states);
        assert!(report.is_err());
    }

    #[test]
    fn the_states_or_the_engine_are_enough_and_without_both_the_verdict_is_unknown() {
        let (program, test) = store_buffering("~exists");
        let verdict = |check, states| {
            let report = LitmusReport::new(&test, check, states).expect("no contradiction");
            report.verdict()
        };
        let unknown = || FinalStates::unknown(Reason::Stopped);
        let mut cut_short = explored(&program, &test, Model::Tso);
        cut_short.incomplete = Some(Reason::Stopped);
        let open = Verdict::Unknown(Reason::Stopped);
        assert_eq!(verdict(undecided(&program), unknown()), open);
        assert_eq!(
            verdict(checked(&program, Model::Sc), unknown()),
            Verdict::Holds
        );
        let states = explored(&program, &test, Model::Sc);
        assert_eq!(verdict(undecided(&program), states), Verdict::Holds);
        // A state that was found remains evidence.
        assert_eq!(
            verdict(undecided(&program), cut_short),
            Verdict::Violated(())
        );
        let mut none_yet = explored(&program, &test, Model::Sc);
        none_yet.incomplete = Some(Reason::Stopped);
        assert_eq!(verdict(undecided(&program), none_yet), open);
    }
}
