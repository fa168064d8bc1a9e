//! The file as a whole: what is claimed, the evidence, and whether the one follows from the other.
//!
//! ```text
//! {"format": "fencepost certificate", "version": 1, "question": "check", "model": "tso",
//!  "program": "…the automaton form…", "leaves": [{"kind": "closed", "model": "tso", "states": "…"}]}
//! ```
//!
//! A leaf proves something about the program (with the fences, if there are any): that it is safe under a
//! model, or that a thread has no attack. What is claimed follows by three rules:
//!
//! ```text
//! robust   every thread has no attack, or none that the text leaves open
//! check    safe under the model; or safe under SC and robust [BCDM15, Lemma 5]
//! fence    the program with the fences is robust or safe, and no cheaper set is
//! ```

use super::attack::Witness;
use super::closed;
use super::fence::{cheaper, cut_of};
use super::machine::{Machine, Model, Step};
use super::program::Program;
use super::{Refusal, text};
use serde_json::Value;
use std::collections::BTreeSet;

/// The version of the format.
const VERSION: u64 = 1;

/// A certificate of fences has at most this many runs.
const MOST_RUNS: usize = 1_000;

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
struct Subject {
    /// With the fences.
    program: Program,
    model: Model,
    /// The observations that are claimed not to be made.
    never: Vec<usize>,
}

/// The check of a leaf: what it proves, with the number of its states.
type Check = fn(&Value, &Subject) -> Result<(Proved, usize), Refusal>;

/// The kinds of leaves.
const KINDS: [(&str, Check); 2] = [("closed", closed), ("attacks", attacks)];

/// What a certificate claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// No goal is reachable.
    Check,
    /// The program is robust.
    Robust,
    /// The fences suffice, and cost this much, and no set that costs less suffices.
    Fence(u64),
}

/// A certificate that proves what it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is proved.
    pub claim: Claim,
    /// The same in a sentence.
    pub sentence: String,
    /// The number of states in all closed sets.
    pub states: usize,
    /// The text of the program.
    pub program: String,
}

fn word<'v>(value: &'v Value, key: &str) -> Result<&'v str, Refusal> {
    value[key]
        .as_str()
        .ok_or_else(|| Refusal::unreadable(format!("`{key}` is missing")))
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], Refusal> {
    let found = value[key].as_array().map(Vec::as_slice);
    found.ok_or_else(|| Refusal::unreadable(format!("`{key}` is missing")))
}

fn index(value: &Value) -> Result<usize, Refusal> {
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| Refusal::unreadable(format!("{value} is no number of this kind")))
}

fn model(value: &Value) -> Result<Model, Refusal> {
    let name = word(value, "model")?;
    Model::named(name).ok_or_else(|| Refusal::unreadable(format!("there is no model `{name}`")))
}

/// Checks a certificate.
///
/// # Errors
///
/// Why it does not prove what it claims.
pub fn verify(certificate: &str) -> Result<Verified, Refusal> {
    let value: Value = serde_json::from_str(certificate)
        .map_err(|error| Refusal::unreadable(format!("this is not JSON: {error}")))?;
    if word(&value, "format")? != "fencepost certificate" {
        return Err(Refusal::unreadable("this is not a certificate"));
    }
    if value["version"].as_u64() != Some(VERSION) {
        return Err(Refusal::unreadable(format!(
            "the version of the format is not {VERSION}"
        )));
    }
    let (model, printed) = (model(&value)?, word(&value, "program")?);
    let program = text::read(printed)?;
    if let Some(why) = program.unsupported() {
        return Err(Refusal::refuted(why));
    }
    let (claim, sentence, states) = match word(&value, "question")? {
        "check" => {
            let observed = program.observations();
            let never: Vec<usize> = list(&value, "never")?
                .iter()
                .map(index)
                .collect::<Result<_, _>>()?;
            if never.iter().any(|number| !observed.contains(number)) {
                return Err(Refusal::refuted(
                    "`never` names a property that is no observation",
                ));
            }
            let open = observed.len() - observed.iter().filter(|n| never.contains(n)).count();
            let subject = Subject {
                program,
                model,
                never,
            };
            let states = leaves(&value, &subject)?.safe(&subject)?;
            let rest = match open {
                0 => String::new(),
                open => format!(" ({open} `exists` properties are not part of the claim)"),
            };
            (Claim::Check, format!("no goal is reachable{rest}"), states)
        }
        "robust" => {
            let subject = Subject {
                program,
                model,
                never: Vec::new(),
            };
            let states = leaves(&value, &subject)?.robust(&subject)?;
            (Claim::Robust, "the program is robust".to_owned(), states)
        }
        "fence" => fences(&value, &program, model)?,
        other => {
            return Err(Refusal::unreadable(format!(
                "there is no question `{other}`"
            )));
        }
    };
    let name = word(&value, "model")?.to_uppercase();
    Ok(Verified {
        claim,
        sentence: format!("{sentence} under {name}"),
        states,
        program: printed.to_owned(),
    })
}

/// Whether a text, in the automaton form, is that of the program in a certificate.
///
/// # Errors
///
/// If one of them is not in the automaton form.
pub fn is_same_program(verified: &Verified, other: &str) -> Result<bool, Refusal> {
    Ok(text::read(&verified.program)? == text::read(other)?)
}

/// What the leaves prove, all checked.
struct Leaves {
    proved: Vec<Proved>,
    states: usize,
}

fn leaves(value: &Value, subject: &Subject) -> Result<Leaves, Refusal> {
    let (mut proved, mut states) = (Vec::new(), 0);
    for leaf in list(value, "leaves")? {
        let kind = word(leaf, "kind")?;
        let Some((_, check)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            return Err(Refusal::unreadable(format!(
                "there is no kind of leaf `{kind}`"
            )));
        };
        let (what, size) = check(leaf, subject)?;
        proved.push(what);
        states += size;
    }
    Ok(Leaves { proved, states })
}

impl Leaves {
    fn robust(&self, subject: &Subject) -> Result<usize, Refusal> {
        let program = &subject.program;
        for thread in 0..program.thread_count() {
            let open = Witness::new(program, subject.model, thread)?.is_some();
            if open && !self.proved.contains(&Proved::NoAttack(thread)) {
                return Err(Refusal::refuted(format!(
                    "no leaf is about the attacks of thread {thread}"
                )));
            }
        }
        Ok(self.states)
    }

    fn safe(&self, subject: &Subject) -> Result<usize, Refusal> {
        if subject.program.is_about_starving() {
            return Err(Refusal::refuted(
                "properties about one thread that waits are not covered",
            ));
        }
        if self.proved.contains(&Proved::Safe(subject.model)) {
            return Ok(self.states);
        }
        if !self.proved.contains(&Proved::Safe(Model::Sc)) {
            return Err(Refusal::refuted("no leaf is about the goals"));
        }
        let program = &subject.program;
        let stays = program.has_goal_in_block() && program.may_stay_in_block(1);
        if subject.model.reorders_stores() && stays {
            return Err(Refusal::refuted(
                "a goal is inside an atomic block that may never end, which robustness is not about",
            ));
        }
        self.robust(subject)
    }
}

/// A closed set of configurations without a goal.
fn closed(leaf: &Value, subject: &Subject) -> Result<(Proved, usize), Refusal> {
    let model = model(leaf)?;
    let machine = Machine::new(&subject.program, model, &subject.never);
    Ok((
        Proved::Safe(model),
        closed::check(&machine, word(leaf, "states")?)?,
    ))
}

/// A closed set of states without a witness of an attack.
fn attacks(leaf: &Value, subject: &Subject) -> Result<(Proved, usize), Refusal> {
    let thread = index(&leaf["thread"])?;
    if thread >= subject.program.thread_count() {
        return Err(Refusal::refuted(format!("there is no thread {thread}")));
    }
    let witness = Witness::new(&subject.program, subject.model, thread)?;
    let states = word(leaf, "states")?;
    let size = witness.map_or(Ok(0), |witness| closed::check(&witness, states))?;
    Ok((Proved::NoAttack(thread), size))
}

fn fences(
    value: &Value,
    program: &Program,
    model: Model,
) -> Result<(Claim, String, usize), Refusal> {
    let robustness = match word(value, "aim")? {
        "robustness" => true,
        "assertions" => false,
        other => return Err(Refusal::unreadable(format!("there is no aim `{other}`"))),
    };
    let (mut places, mut costs) = (Vec::new(), Vec::new());
    let mut taken = BTreeSet::new();
    for place in list(value, "places")? {
        let mut points = Vec::new();
        for point in list(place, "points")? {
            let point = (index(&point[0])?, index(&point[1])?);
            if !program.may_be_fenced(point.0, point.1) || !taken.insert(point) {
                return Err(Refusal::refuted(format!("no place for a fence: {point:?}")));
            }
            points.push(point);
        }
        places.push(points);
        costs.push(index(&place["cost"])? as u64);
    }
    let mut set: Vec<usize> = list(value, "set")?
        .iter()
        .map(index)
        .collect::<Result<_, _>>()?;
    set.sort_unstable();
    set.dedup();
    if set.iter().any(|&place| place >= places.len()) {
        return Err(Refusal::refuted("the set has a place that is not listed"));
    }
    let cost = set
        .iter()
        .try_fold(0_u64, |sum, &place| sum.checked_add(costs[place]));
    let Some(cost) = cost.filter(|&cost| value["cost"].as_u64() == Some(cost)) else {
        return Err(Refusal::refuted("the cost is not that of the set"));
    };
    let machine = Machine::new(program, model, &[]);
    let mut cuts = Vec::new();
    for run in list(value, "runs")?.iter().take(MOST_RUNS + 1) {
        if cuts.len() == MOST_RUNS {
            return Err(Refusal::refuted("there are too many runs"));
        }
        let steps = run
            .as_array()
            .into_iter()
            .flatten()
            .map(step)
            .collect::<Result<Vec<_>, _>>()?;
        let cut = cut_of(&machine, &steps, robustness, &places);
        cuts.push(
            cut.ok_or_else(|| Refusal::refuted("a run does not show that fences are needed"))?,
        );
    }
    let found = cheaper(&cuts, &costs, cost).map_err(Refusal::refuted)?;
    if let Some(set) = found {
        return Err(Refusal::refuted(format!(
            "no run excludes the cheaper set {set:?}"
        )));
    }
    let points: Vec<(usize, usize)> = set
        .iter()
        .flat_map(|&place| places[place].clone())
        .collect();
    let fenced = program.fenced(&points)?;
    let subject = Subject {
        program: fenced,
        model,
        never: Vec::new(),
    };
    let leaves = leaves(value, &subject)?;
    let (states, what) = if robustness {
        (leaves.robust(&subject)?, "the program is robust")
    } else {
        (leaves.safe(&subject)?, "no goal is reachable")
    };
    let count =
        |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let sentence = format!(
        "with {} at cost {cost} {what}, and no cheaper set of the {} that are listed suffices,",
        count(points.len(), "fence"),
        count(places.len(), "place")
    );
    Ok((Claim::Fence(cost), sentence, states))
}

/// A step: `["x", thread, instruction]`, with the value of a `nondet`; `["f", thread, cell]`; `["a", …]`;
/// `["r", thread]`.
fn step(value: &Value) -> Result<Step, Refusal> {
    let thread = index(&value[1])?;
    Ok(match value[0].as_str() {
        Some("x") => {
            let chosen = &value[3];
            let number = chosen.as_i64().and_then(|value| i32::try_from(value).ok());
            if number.is_none() && !chosen.is_null() {
                return Err(Refusal::unreadable("a step with no number"));
            }
            Step::Execute {
                thread,
                instruction: index(&value[2])?,
                choice: number,
            }
        }
        Some("f") => Step::Flush {
            thread,
            cell: index(&value[2])?,
        },
        Some("a") => Step::Advance {
            thread,
            cell: index(&value[2])?,
        },
        Some("r") => Step::Retire { thread },
        _ => return Err(Refusal::unreadable("a step of no kind")),
    })
}
