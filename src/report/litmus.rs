//! The final states of a litmus test, in the shape that this field's scripts parse.
//!
//! ```text
//! Test SB Allowed                       Allowed for exists, Required for forall, Forbidden for ~exists
//! States 4
//! 0:EAX=0; 1:EAX=0;                     registers by thread, then cells; states in ascending order
//! …
//! Ok                                    whether the quantified condition holds
//! Witnesses
//! Positive: 1 Negative: 3               final states that satisfy the proposition, and that do not
//! Condition exists (0:EAX=0 /\ 1:EAX=0)
//! Observation SB Sometimes 1 3
//! Model TSO                             a line of our own, behind those that are parsed
//! ```
//!
//! There is no line with a hash: it would be one of another tool's internal form. The numbers
//! count states, not executions.
//!
//! **Invariant.** Where not all final states are known, nothing is printed that more of them could
//! make wrong: no `Never`, no `Always`, no `Ok` or `No` that is decided neither by what is there nor
//! by an engine's answer on the condition.

use crate::explicit::{Exploration, Halt};
use crate::model::Model;
use crate::program::{Addr, Expr, Observable, Program};
use crate::syntax::{LitmusTest, Quantifier};
use crate::verdict::Reason;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The final states of a test, as far as it looks at them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalStates {
    /// The values of [`LitmusTest::shown`], and whether the proposition is true of them.
    states: BTreeMap<Vec<i32>, bool>,
    /// Why there may be more, if there may.
    incomplete: Option<Reason>,
    /// Whether the test's condition holds, by an engine that answered without the states.
    told: Option<bool>,
}

impl FinalStates {
    /// What a test shows of the configurations that an exploration found.
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
            told: None,
        }
    }

    /// No state is known, for this reason.
    pub fn unknown(reason: Reason) -> Self {
        Self {
            states: BTreeMap::new(),
            incomplete: Some(reason),
            told: None,
        }
    }

    /// The same states, and what an engine says of the test's condition, if it knows. It must not
    /// contradict what the states decide.
    #[must_use]
    pub fn with_answer(self, told: Option<bool>) -> Self {
        Self { told, ..self }
    }

    /// Why there may be more states, if there may.
    pub fn incomplete(&self) -> Option<&Reason> {
        self.incomplete.as_ref()
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

    /// Whether the test's condition holds, if the states or the engine decide that.
    pub fn holds(&self, quantifier: Quantifier) -> Option<bool> {
        self.decided(quantifier).or(self.told)
    }

    /// Whether the test's condition holds, if the states decide that by themselves.
    pub fn decided(&self, quantifier: Quantifier) -> Option<bool> {
        let positive = self.positive();
        let (decided, answer) = match quantifier {
            Quantifier::Exists => (positive > 0, positive > 0),
            Quantifier::NotExists => (positive > 0, positive == 0),
            Quantifier::ForAll => (positive < self.count(), positive == self.count()),
        };
        (decided || self.incomplete.is_none()).then_some(answer)
    }

    /// How often the proposition is true, in one word, if that is decided.
    pub fn observation(&self, quantifier: Quantifier) -> Option<&'static str> {
        let (never, always) = match (&self.incomplete, quantifier, self.told) {
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

    /// The one line that says most, ended; empty if it is not decided.
    pub fn sentence(&self, test: &LitmusTest) -> String {
        let (name, positive, negative) = (&test.name, self.positive(), self.negative());
        match self.observation(test.quantifier) {
            Some(word) => format!("Observation {name} {word} {positive} {negative}\n"),
            None => String::new(),
        }
    }
}

/// The block of lines, each ended.
pub fn litmus(program: &Program, test: &LitmusTest, states: &FinalStates, model: Model) -> String {
    let mut out = String::new();
    let kind = match test.quantifier {
        Quantifier::Exists => "Allowed",
        Quantifier::NotExists => "Forbidden",
        Quantifier::ForAll => "Required",
    };
    // Writing to a string does not fail.
    let _ = writeln!(out, "Test {} {kind}\nStates {}", test.name, states.count());
    for values in states.values() {
        let parts: Vec<String> = test
            .shown
            .iter()
            .zip(values)
            .map(|(shown, &value)| {
                let written = if shown.pointer {
                    address(program, value)
                } else {
                    value.to_string()
                };
                format!("{}={written};", shown.name)
            })
            .collect();
        let _ = writeln!(out, "{}", parts.join(" "));
    }
    let verdict = match states.holds(test.quantifier) {
        Some(true) => "Ok",
        Some(false) => "No",
        None => "Undecided",
    };
    let (positive, negative) = (states.positive(), states.negative());
    let _ = writeln!(
        out,
        "{verdict}\nWitnesses\nPositive: {positive} Negative: {negative}\nCondition {}",
        test.condition
    );
    out.push_str(&states.sentence(test));
    if let Some(reason) = &states.incomplete {
        let _ = writeln!(out, "Incomplete: there may be more states: {reason}");
    }
    let _ = writeln!(out, "Model {model}");
    out
}

/// An address as a test writes it.
fn address(program: &Program, value: i32) -> String {
    match program.cell_at(value) {
        Some(cell) => program.cell_name(cell),
        None => value.to_string(),
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
