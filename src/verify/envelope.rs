//! The file as a whole: what is claimed, the evidence, and whether the one follows from the other.
//!
//! ```text
//! {"format": "fencepost certificate", "version": 1, "question": "check", "model": "tso",
//!  "program": "…the automaton form…", "leaves": [{"kind": "closed", "model": "tso", "states": "…"}]}
//! ```
//!
//! A [leaf](super::leaves) proves something about the program, and the claim follows from the leaves:
//!
//! ```text
//! robust   every thread has no attack, or none that the text leaves open
//! check    safe under the model; or safe under SC and robust [BCDM15, Lemma 5]
//! fence    the program with the fences is robust or safe, and no cheaper set is
//! ```

use super::leaves::{Evidence, Subject, index, leaves, list, model, word};
use super::optimal::fences;
use super::{Refusal, json, text};

/// The version of the format.
const VERSION: u64 = 1;

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
    /// What the leaves consist of.
    pub evidence: Evidence,
    /// The text of the program.
    pub program: String,
}

/// Checks a certificate.
///
/// # Errors
///
/// Why it does not prove what it claims.
pub fn verify(certificate: &str) -> Result<Verified, Refusal> {
    let value = json::read(certificate)?;
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
    let parametric = program.is_parametric();
    let (claim, sentence, evidence) = match word(&value, "question")? {
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
            let evidence = leaves(&value, &subject)?.safe(&subject)?;
            let rest = match open {
                0 => String::new(),
                open => format!(" ({open} `exists` properties are not part of the claim)"),
            };
            (
                Claim::Check,
                format!("no goal is reachable{rest}"),
                evidence,
            )
        }
        "robust" => {
            let subject = Subject {
                program,
                model,
                never: Vec::new(),
            };
            let evidence = leaves(&value, &subject)?.robust(&subject)?;
            (Claim::Robust, "the program is robust".to_owned(), evidence)
        }
        "fence" => fences(&value, &program, model)?,
        other => {
            return Err(Refusal::unreadable(format!(
                "there is no question `{other}`"
            )));
        }
    };
    let name = word(&value, "model")?.to_uppercase();
    let copies = if parametric {
        ", for any number of copies"
    } else {
        ""
    };
    Ok(Verified {
        claim,
        sentence: format!("{sentence} under {name}{copies}"),
        evidence,
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
