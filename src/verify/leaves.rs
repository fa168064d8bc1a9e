//! Leaves: the evidence, piece by piece.
//!
//! Each kind is a row of [`KINDS`]. A leaf proves something about the program (with the fences, if there are
//! any): that it is safe under a model, or that a thread has no attack.

use super::Refusal;
use super::attack::Witness;
use super::closed;
use super::inductive::{self, Invariant};
use super::machine::{Machine, Model};
use super::program::Program;
use super::views::{self, Family, Packed};
use serde_json::Value;
use std::fmt;

/// What leaves consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// States in closed sets.
    pub states: usize,
    /// Views of some copies.
    pub views: usize,
    /// Clauses of invariants.
    pub clauses: usize,
}

impl Evidence {
    fn plus(self, other: Self) -> Self {
        Self {
            states: self.states + other.states,
            views: self.views + other.views,
            clauses: self.clauses + other.clauses,
        }
    }

    fn states(states: usize) -> Self {
        Self {
            states,
            ..Self::default()
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.states, "state"),
            (self.views, "view"),
            (self.clauses, "clause"),
        ];
        let counted = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counted
            .map(|&(count, noun)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" }))
            .collect();
        f.write_str(if words.is_empty() { "0 states" } else { "" })?;
        f.write_str(&words.join(", "))
    }
}

/// What a leaf proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proved {
    /// No goal is reachable under this model.
    Safe(Model),
    /// This thread has no attack under the model of the certificate.
    NoAttack(usize),
}

/// What leaves are about.
#[derive(Debug)]
pub(super) struct Subject {
    /// With the fences.
    pub(super) program: Program,
    pub(super) model: Model,
    /// The observations that are claimed not to be made.
    pub(super) never: Vec<usize>,
}

/// The check of a leaf: what it proves, and what it consists of.
type Check = fn(&Value, &Subject) -> Result<(Proved, Evidence), Refusal>;

/// The kinds of leaves.
const KINDS: [(&str, Check); 5] = [
    ("closed", closed),
    ("attacks", attacks),
    ("views", views),
    ("attack views", attack_views),
    ("inductive", inductive),
];

pub(super) fn word<'v>(value: &'v Value, key: &str) -> Result<&'v str, Refusal> {
    value[key]
        .as_str()
        .ok_or_else(|| Refusal::unreadable(format!("`{key}` is missing")))
}

pub(super) fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], Refusal> {
    let found = value[key].as_array().map(Vec::as_slice);
    found.ok_or_else(|| Refusal::unreadable(format!("`{key}` is missing")))
}

pub(super) fn index(value: &Value) -> Result<usize, Refusal> {
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| Refusal::unreadable(format!("{value} is no number of this kind")))
}

pub(super) fn model(value: &Value) -> Result<Model, Refusal> {
    let name = word(value, "model")?;
    Model::named(name).ok_or_else(|| Refusal::unreadable(format!("there is no model `{name}`")))
}

/// What the leaves prove, all checked.
#[derive(Debug)]
pub(super) struct Leaves {
    proved: Vec<Proved>,
    evidence: Evidence,
}

/// Checks all leaves of a certificate.
pub(super) fn leaves(value: &Value, subject: &Subject) -> Result<Leaves, Refusal> {
    let (mut proved, mut evidence) = (Vec::new(), Evidence::default());
    for leaf in list(value, "leaves")? {
        let kind = word(leaf, "kind")?;
        let Some((_, check)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            return Err(Refusal::unreadable(format!(
                "there is no kind of leaf `{kind}`"
            )));
        };
        let (what, size) = check(leaf, subject)?;
        if proved.contains(&what) {
            return Err(Refusal::refuted("two leaves prove the same"));
        }
        proved.push(what);
        evidence = evidence.plus(size);
    }
    Ok(Leaves { proved, evidence })
}

impl Leaves {
    /// That the program is robust.
    pub(super) fn robust(&self, subject: &Subject) -> Result<Evidence, Refusal> {
        let program = &subject.program;
        for thread in 0..program.thread_count() {
            // What one copy can do, each of its class can.
            if program
                .class_of(thread)
                .is_some_and(|class| class != thread)
            {
                continue;
            }
            let (apart, attacker) = program.with_one_apart(thread);
            let open = Witness::new(&apart, subject.model, attacker)?.is_some();
            if open && !self.proved.contains(&Proved::NoAttack(thread)) {
                return Err(Refusal::refuted(format!(
                    "no leaf is about the attacks of thread {thread}"
                )));
            }
        }
        Ok(self.evidence)
    }

    /// That no goal is reachable under the model.
    pub(super) fn safe(&self, subject: &Subject) -> Result<Evidence, Refusal> {
        if subject.program.is_about_starving() {
            return Err(Refusal::refuted(
                "properties about one thread that waits are not covered",
            ));
        }
        if self.proved.contains(&Proved::Safe(subject.model)) {
            return Ok(self.evidence);
        }
        if !self.proved.contains(&Proved::Safe(Model::Sc)) {
            return Err(Refusal::refuted("no leaf is about the goals"));
        }
        if !subject.program.keeps_goals(subject.model) {
            return Err(Refusal::refuted(
                "a goal is inside an atomic block that may never end, which robustness is not about",
            ));
        }
        self.robust(subject)
    }
}

/// Requires that each thread exists once.
fn is_finite(subject: &Subject) -> Result<(), Refusal> {
    if subject.program.is_parametric() {
        return Err(Refusal::refuted(
            "states say nothing about any number of copies",
        ));
    }
    Ok(())
}

/// The thread of a leaf.
fn thread(leaf: &Value, subject: &Subject) -> Result<usize, Refusal> {
    let thread = index(&leaf["thread"])?;
    if thread >= subject.program.thread_count() {
        return Err(Refusal::refuted(format!("there is no thread {thread}")));
    }
    Ok(thread)
}

/// A closed set of configurations without a goal.
fn closed(leaf: &Value, subject: &Subject) -> Result<(Proved, Evidence), Refusal> {
    is_finite(subject)?;
    let model = model(leaf)?;
    let machine = Machine::new(&subject.program, model, &subject.never);
    let size = closed::check(&machine, word(leaf, "states")?)?;
    Ok((Proved::Safe(model), Evidence::states(size)))
}

/// A closed set of states without a witness of an attack.
fn attacks(leaf: &Value, subject: &Subject) -> Result<(Proved, Evidence), Refusal> {
    is_finite(subject)?;
    let thread = thread(leaf, subject)?;
    let witness = Witness::new(&subject.program, subject.model, thread)?;
    let states = word(leaf, "states")?;
    let size = witness.map_or(Ok(0), |witness| closed::check(&witness, states))?;
    Ok((Proved::NoAttack(thread), Evidence::states(size)))
}

/// An invariant without a goal.
fn inductive(leaf: &Value, subject: &Subject) -> Result<(Proved, Evidence), Refusal> {
    is_finite(subject)?;
    let clauses = check_invariant(&subject.program, leaf, &subject.never)?;
    let evidence = Evidence {
        clauses,
        ..Evidence::default()
    };
    Ok((Proved::Safe(Model::Sc), evidence))
}

/// Checks that the invariant of a leaf proves that no goal is reached under SC, nor one of these
/// observations. Returns the number of its clauses.
///
/// # Errors
///
/// Why it does not.
pub fn check_invariant(program: &Program, leaf: &Value, never: &[usize]) -> Result<usize, Refusal> {
    let machine = Machine::new(program, Model::Sc, never);
    inductive::check(&machine, &Invariant::read(leaf, program)?)
}

/// A closed set of views without a goal, and of all smaller numbers of copies if a goal needs it.
fn views(leaf: &Value, subject: &Subject) -> Result<(Proved, Evidence), Refusal> {
    let machine = Machine::new(&subject.program, Model::Sc, &subject.never);
    Ok((Proved::Safe(Model::Sc), of_views(leaf, &machine)?))
}

/// A closed set of views without a witness of an attack by one copy, or by a thread that exists once.
fn attack_views(leaf: &Value, subject: &Subject) -> Result<(Proved, Evidence), Refusal> {
    let thread = thread(leaf, subject)?;
    let (apart, attacker) = subject.program.with_one_apart(thread);
    let witness = Witness::new(&apart, subject.model, attacker)?;
    let evidence = witness.map_or(Ok(Evidence::default()), |witness| of_views(leaf, &witness))?;
    Ok((Proved::NoAttack(thread), evidence))
}

/// A set of views of the size that the leaf says, and those with fewer copies.
fn of_views<F: Family>(leaf: &Value, family: &F) -> Result<Evidence, Refusal> {
    let size = index(&leaf["size"])?;
    let mut views = views::check(family, size, false, packed(leaf)?)?;
    if family.needs().few {
        let few = list(leaf, "few")?;
        if few.len() + 1 != size {
            return Err(Refusal::refuted(
                "there is not one set for each smaller number of copies",
            ));
        }
        for (number, set) in few.iter().enumerate() {
            views += views::check(family, number + 1, true, packed(set)?)?;
        }
    }
    Ok(Evidence {
        views,
        ..Evidence::default()
    })
}

fn packed(set: &Value) -> Result<Packed<'_>, Refusal> {
    Ok(Packed {
        locals: word(set, "locals")?,
        controls: word(set, "controls")?,
        views: word(set, "views")?,
    })
}
