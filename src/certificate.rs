//! Certificates: evidence of "holds", "robust" and "cheapest" that strangers can check.
//!
//! ```text
//!   report ──▶ question, program as `show` prints it ──┐
//!   verify's machines ──explored──▶ closed sets ───────┼──▶ certificate ──verify──▶ text
//!   engines ──violations of cheaper fence sets──▶ runs ┘
//! ```
//!
//! The evidence is not what the engines used: most of them prove by formulas, and the explicit one by a
//! part of the state space. Here the states are enumerated once more, by the step functions of the checker
//! and without any reduction but dead registers. So a certificate is also a second opinion, and a state
//! that contradicts the verdict is a defect.
//!
//! For `check` there are three ways. The states under the model itself are tried first. If they are too
//! many, the states under SC, together with the evidence that the program is robust; and if those are many, too,
//! an invariant instead of them, if one is found. Where the inductive engine decided, an invariant is tried first: there are
//! few clauses, and may be many states. For threads in any number of copies, views take the
//! place of states.
//!
//! **Incomplete:** where the states are too many, or the program has something that [`mod@crate::verify`] does
//! not cover, there is no certificate, and the reason says so. The verdict stays as it is.

mod explore;
mod fences;
mod invariant;
mod views;

pub use crate::verify::Evidence;
pub use fences::of_fences;

use crate::check::{CheckReport, Engine};
use crate::model::Model;
use crate::program::{Goal, Program, print};
use crate::robustness::RobustReport;
use crate::verdict::{Budget, Defect, Verdict};
use crate::verify::{self, Machine, Witness, verify};
use explore::{Unfinished, explore};
use invariant::invariant;
use serde_json::{Value, json};
use views::views;

/// A closed set of more states than this is not written, and one of [`Budget::states`].
pub const MOST_STATES: usize = 2_000_000;

/// This many states are tried before a way around them.
const FEW_STATES: usize = 100_000;

/// The work of the search for an invariant, in bytes of proof.
const INVARIANT_WORK: u64 = 64 << 20;

/// A certificate, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// The text, which the checker has accepted, and what its evidence consists of.
    Made {
        /// The text of the file.
        text: String,
        /// What it lists.
        evidence: Evidence,
    },
    /// Why there is none.
    None(String),
}

/// Why no certificate was made.
enum NotMade {
    Reason(String),
    /// The program is not robust, for this reason.
    Attacked(String),
    Defect(Defect),
}

impl NotMade {
    fn because(why: impl Into<String>) -> Self {
        NotMade::Reason(why.into())
    }
}

impl From<Defect> for NotMade {
    fn from(defect: Defect) -> Self {
        NotMade::Defect(defect)
    }
}

/// A verdict says that the program is robust.
fn contradiction(not_made: NotMade) -> NotMade {
    match not_made {
        NotMade::Attacked(why) => {
            Defect::new(format!("a certificate contradicts the verdict: {why}")).into()
        }
        NotMade::Reason(_) | NotMade::Defect(_) => not_made,
    }
}

/// Views of some copies only exclude what views can exclude, so what they show is no contradiction.
fn no_views(unfinished: Unfinished) -> NotMade {
    NotMade::because(match unfinished {
        Unfinished::Bad(why) => format!("views of some copies do not exclude that {why}"),
        Unfinished::TooMany(most) => format!("there are more than {most} views"),
        Unfinished::Stopped => unfinished.to_string(),
    })
}

fn ends_at_limits() -> NotMade {
    NotMade::because(
        "the automaton ends where a value leaves 32 bits, or at another limit, and its source does not",
    )
}

fn finished(made: Result<Certificate, NotMade>) -> Result<Certificate, Defect> {
    match made {
        Ok(certificate) => Ok(certificate),
        Err(NotMade::Reason(why) | NotMade::Attacked(why)) => Ok(Certificate::None(why)),
        Err(NotMade::Defect(defect)) => Err(defect),
    }
}

/// The certificate that all goals hold, if they do.
///
/// # Errors
///
/// If a state contradicts the report, or the checker refuses the certificate.
pub fn of_check(
    program: &Program,
    report: &CheckReport,
    budget: &Budget,
) -> Result<Certificate, Defect> {
    let made = || {
        if report.verdict() != Verdict::Holds && !is_observed_only(report) {
            return Err(NotMade::because(
                "the verdict is not that all goals hold for all executions",
            ));
        }
        let never = report.observations.iter();
        let never: Vec<usize> = never
            .filter(|answer| answer.verdict == Verdict::Holds)
            .filter_map(|answer| match answer.goal {
                Goal::Property(number) => Some(number),
                Goal::Assert(_) | Goal::Outside(_) => None,
            })
            .collect();
        let subject = Subject::new(program, report.model)?;
        let leaves = match report.engine {
            Some(Engine::Ic3) => subject.safe_by_induction(&never, budget)?,
            Some(_) | None => subject.safe(&never, budget)?,
        };
        let claim = json!({ "question": "check", "never": never });
        subject.certificate(claim, leaves)
    };
    finished(made())
}

/// Whether the verdict is that no goal is reached: what is observed is no violation.
fn is_observed_only(report: &CheckReport) -> bool {
    report
        .answers
        .iter()
        .all(|answer| answer.verdict == Verdict::Holds)
        && report
            .observations
            .iter()
            .all(|answer| match answer.verdict {
                Verdict::Holds | Verdict::Violated(_) => true,
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
            })
}

/// The certificate that the program is robust, if it is.
///
/// # Errors
///
/// As [`of_check`].
pub fn of_robust(
    program: &Program,
    report: &RobustReport,
    budget: &Budget,
) -> Result<Certificate, Defect> {
    let made = || {
        if report.verdict() != Verdict::Holds || report.shard.is_some() {
            return Err(NotMade::because(
                "the verdict is not that the program is robust",
            ));
        }
        let subject = Subject::new(program, report.model)?;
        let mut leaves = Vec::new();
        subject.robust(&mut leaves, budget).map_err(contradiction)?;
        subject.is_whole(&mut leaves, budget)?;
        subject.certificate(json!({ "question": "robust" }), leaves)
    };
    finished(made())
}

/// A program as the checker sees it.
struct Subject<'p> {
    original: &'p Program,
    text: String,
    program: verify::Program,
    /// Whether the program has fences that the original does not have.
    fenced: bool,
    name: &'static str,
    model: verify::Model,
}

impl<'p> Subject<'p> {
    fn new(original: &'p Program, model: Model) -> Result<Self, NotMade> {
        let text = print(original);
        let program = verify::Program::read(&text).map_err(|refusal| match refusal {
            verify::Refusal::Unreadable(why) | verify::Refusal::Refuted(why) => {
                NotMade::because(format!("the checker cannot read the program: {why}"))
            }
        })?;
        if let Some(why) = program.unsupported() {
            return Err(NotMade::because(why));
        }
        Ok(Self {
            original,
            text,
            program,
            fenced: false,
            name: model.name(),
            model: checked(model),
        })
    }

    /// The same with other instructions, such as fences.
    fn of(&self, program: verify::Program) -> Self {
        Self {
            original: self.original,
            text: self.text.clone(),
            program,
            fenced: true,
            name: self.name,
            model: self.model,
        }
    }

    /// Requires that the automaton does all that its source does: if it ends at limits, a leaf proves that
    /// none is reached under SC, and so, as the program is robust, under the model.
    fn is_whole(&self, leaves: &mut Vec<Value>, budget: &Budget) -> Result<(), NotMade> {
        if self.original.limits().is_empty() {
            return Ok(());
        }
        if self.program.is_parametric() {
            return Err(ends_at_limits());
        }
        let most = budget.states.min(MOST_STATES);
        match self.closed(verify::Model::Sc, Model::Sc.name(), &[], most, budget) {
            Err(Unfinished::Bad(_)) => Err(ends_at_limits()),
            ended => {
                leaves.push(self.leaf(ended)?);
                Ok(())
            }
        }
    }

    /// The leaves that prove that no goal is reachable.
    fn safe(&self, never: &[usize], budget: &Budget) -> Result<Vec<Value>, NotMade> {
        if self.program.is_about_starving() {
            return Err(NotMade::because(
                "a property is about one thread that waits forever while others act",
            ));
        }
        if self.program.is_parametric() {
            return self.safe_for_any_number(never, budget);
        }
        let most = budget.states.min(MOST_STATES);
        if self.model == verify::Model::Sc {
            return Ok(vec![self.safe_under_sc(never, budget)?]);
        }
        let has_attacks = !self.program.has_barrier() && !self.program.has_waiting_loads();
        let goes_around = has_attacks && self.program.keeps_goals(self.model);
        let few = if goes_around {
            most.min(FEW_STATES)
        } else {
            most
        };
        match self.closed(self.model, self.name, never, few, budget) {
            Err(Unfinished::TooMany(_)) if goes_around => {}
            ended => return self.leaf(ended).map(|leaf| vec![leaf]),
        }
        let mut leaves = Vec::new();
        let robust = self.robust(&mut leaves, budget);
        let around = robust.and_then(|()| self.safe_under_sc(never, budget));
        match around {
            Ok(leaf) => leaves.push(leaf),
            Err(NotMade::Defect(defect)) => return Err(NotMade::Defect(defect)),
            Err(NotMade::Reason(_) | NotMade::Attacked(_)) => {
                let ended = self.closed(self.model, self.name, never, most, budget);
                leaves = vec![self.leaf(ended)?];
            }
        }
        Ok(leaves)
    }

    /// The same after the inductive engine has found an invariant under SC: the states, which may be very many,
    /// are listed only if the checker follows none.
    fn safe_by_induction(&self, never: &[usize], budget: &Budget) -> Result<Vec<Value>, NotMade> {
        let mut leaves = Vec::new();
        let around = if self.model == verify::Model::Sc {
            Ok(())
        } else if self.program.keeps_goals(self.model) {
            self.robust(&mut leaves, budget)
        } else {
            return self.safe(never, budget);
        };
        match around.and_then(|()| self.invariant(never, budget)) {
            Ok(leaf) => {
                leaves.push(leaf);
                Ok(leaves)
            }
            Err(NotMade::Defect(defect)) => Err(NotMade::Defect(defect)),
            Err(NotMade::Reason(_) | NotMade::Attacked(_)) => self.safe(never, budget),
        }
    }

    /// The same for a program with threads in any number of copies.
    fn safe_for_any_number(&self, never: &[usize], budget: &Budget) -> Result<Vec<Value>, NotMade> {
        let mut leaves = Vec::new();
        if !self.program.keeps_goals(self.model) {
            return Err(NotMade::because(
                "a goal is inside an atomic block that may never end, and there are any number of copies",
            ));
        }
        if self.model != verify::Model::Sc {
            self.robust(&mut leaves, budget)?;
        }
        let machine = Machine::new(&self.program, verify::Model::Sc, never);
        let most = budget.states.min(MOST_STATES);
        let mut leaf = views(&machine, most, budget).map_err(no_views)?;
        leaf["kind"] = json!("views");
        leaves.push(leaf);
        Ok(leaves)
    }

    fn closed(
        &self,
        model: verify::Model,
        name: &str,
        never: &[usize],
        most: usize,
        budget: &Budget,
    ) -> Result<Value, Unfinished> {
        let machine = Machine::new(&self.program, model, never);
        let states = explore(&machine, most, budget)?;
        Ok(json!({ "kind": "closed", "model": name, "states": states }))
    }

    /// A leaf about goals. Requires that the verdict is that they hold.
    fn leaf(&self, ended: Result<Value, Unfinished>) -> Result<Value, NotMade> {
        ended.map_err(|unfinished| match unfinished {
            // The assertions at limits count here, unlike in the verdict.
            Unfinished::Bad(_) if !self.original.limits().is_empty() => ends_at_limits(),
            Unfinished::Bad(why) => {
                Defect::new(format!("a certificate contradicts the verdict: {why}")).into()
            }
            Unfinished::TooMany(_) | Unfinished::Stopped => {
                NotMade::because(unfinished.to_string())
            }
        })
    }

    /// The leaf that proves that no goal is reached under SC: the states, if there are few, or else an
    /// invariant, which is smaller and often found sooner; all states, if it takes much to find one.
    fn safe_under_sc(&self, never: &[usize], budget: &Budget) -> Result<Value, NotMade> {
        let most = budget.states.min(MOST_STATES);
        let few = most.min(FEW_STATES);
        let listed = |most| self.closed(verify::Model::Sc, Model::Sc.name(), never, most, budget);
        let mut ended = listed(few);
        if few < most && !self.fenced && matches!(ended, Err(Unfinished::TooMany(_))) {
            match self.invariant(never, &budget.with_work(INVARIANT_WORK / 4)) {
                Err(NotMade::Reason(_) | NotMade::Attacked(_)) => ended = listed(most),
                decided => return decided,
            }
        }
        let states = match ended {
            Err(Unfinished::TooMany(states)) if !self.fenced => states,
            ended => return self.leaf(ended),
        };
        self.invariant(never, budget)
            .map_err(|not_made| match not_made {
                NotMade::Reason(why) | NotMade::Attacked(why) => {
                    NotMade::because(format!("there are more than {states} states, and {why}"))
                }
                NotMade::Defect(_) => not_made,
            })
    }

    /// The leaf that proves by an invariant that no goal is reached under SC. The checker need not follow one
    /// that is found.
    fn invariant(&self, never: &[usize], budget: &Budget) -> Result<Value, NotMade> {
        let leaf = invariant(self.original, never, &budget.with_work(INVARIANT_WORK))?;
        match verify::check_invariant(&self.program, &leaf, never) {
            Ok(_) => Ok(leaf),
            Err(verify::Refusal::Unreadable(why) | verify::Refusal::Refuted(why)) => Err(
                NotMade::because(format!("the checker does not follow an invariant: {why}")),
            ),
        }
    }

    /// Appends the leaves that prove that the program is robust.
    fn robust(&self, leaves: &mut Vec<Value>, budget: &Budget) -> Result<(), NotMade> {
        let most = budget.states.min(MOST_STATES);
        for thread in 0..self.program.thread_count() {
            if self
                .program
                .class_of(thread)
                .is_some_and(|class| class != thread)
            {
                continue;
            }
            let (apart, attacker) = self.program.with_one_apart(thread);
            let witness = Witness::new(&apart, self.model, attacker);
            let witness = witness.map_err(|refusal| match refusal {
                verify::Refusal::Unreadable(why) | verify::Refusal::Refuted(why) => {
                    NotMade::because(why)
                }
            })?;
            let Some(witness) = witness else { continue };
            if self.program.is_parametric() {
                let mut leaf = views(&witness, most, budget).map_err(no_views)?;
                leaf["kind"] = json!("attack views");
                leaf["thread"] = json!(thread);
                leaves.push(leaf);
                continue;
            }
            let states =
                explore(&witness, most, budget).map_err(|unfinished| match unfinished {
                    Unfinished::Bad(why) => NotMade::Attacked(why),
                    Unfinished::TooMany(_) | Unfinished::Stopped => {
                        NotMade::because(unfinished.to_string())
                    }
                })?;
            leaves.push(json!({ "kind": "attacks", "thread": thread, "states": states }));
        }
        Ok(())
    }

    /// The certificate with this claim, which the checker has accepted.
    fn certificate(&self, claim: Value, leaves: Vec<Value>) -> Result<Certificate, NotMade> {
        let mut all = json!({
            "format": "fencepost certificate",
            "version": 1,
            "tool": concat!("fencepost ", env!("CARGO_PKG_VERSION")),
            "model": self.name,
            "program": self.text,
            "leaves": Value::Array(leaves),
        });
        if let (Value::Object(all), Value::Object(claim)) = (&mut all, claim) {
            all.extend(claim);
        }
        // A line for each key.
        let lines = all.as_object().into_iter().flatten();
        let lines = lines.map(|(key, value)| format!("{}: {value}", json!(key)));
        let lines: Vec<String> = lines.collect();
        let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
        match verify(&text) {
            Ok(verified) => Ok(Certificate::Made {
                text,
                evidence: verified.evidence,
            }),
            Err(verify::Refusal::Unreadable(why) | verify::Refusal::Refuted(why)) => {
                Err(Defect::new(format!("the checker refuses a certificate: {why}")).into())
            }
        }
    }
}

fn checked(model: Model) -> verify::Model {
    match model {
        Model::Sc => verify::Model::Sc,
        Model::Tso => verify::Model::Tso,
        Model::Pso => verify::Model::Pso,
        Model::Pgas => verify::Model::Pgas,
    }
}
