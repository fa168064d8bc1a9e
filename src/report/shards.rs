//! The outputs of all shards of a run, joined to that of the whole run.
//!
//! ```text
//! robust a.fence --shard 1/2 --json > 1.jsonl     one object per program and model
//! robust a.fence --shard 2/2 --json > 2.jsonl
//! ```
//!
//! A shard of `robust` decides some of the attacks, so only all shards together can say "robust". Objects
//! about the same program and model are joined; each of these needs every shard once, of the same program
//! (not only of the same text: macros and the chosen test matter) and by the same version. The methods may
//! differ: the attacks do not depend on them, and what one delayed store breaks, several break, too.
//! [`corpus`] joins expectations.
//!
//! **Absent.** Checking anything again.

mod corpus;

pub use corpus::{CorpusShard, joined_corpus};

use super::json::SCHEMA;
use super::view::Counts;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A shard: every `of`-th item, starting with number `index`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shard {
    /// Which one.
    pub index: usize,
    /// The number of shards.
    pub of: usize,
}

impl Shard {
    /// The shard that is written like this: `1/4`
    pub fn parse(text: &str) -> Option<Self> {
        let (index, of) = text.split_once('/')?;
        let (index, of) = (index.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&index).then_some(Shard { index, of })
    }
}

/// Checks that these shards, in order and each with the name of its output, are all shards of a run. `subject`
/// is what the run is about, in words such as ` of a.fence`.
///
/// # Errors
///
/// The message to print, if one is missing or given twice.
fn each_once(shards: &[(&str, Shard)], same: &str, subject: &str) -> Result<(), String> {
    for two in shards.windows(2) {
        let [(a, shard), (b, other)] = [two[0], two[1]];
        if shard == other {
            let Shard { index, of } = shard;
            return Err(format!("`{a}` and `{b}` {same}{subject}, {index}/{of}"));
        }
    }
    let of = shards.first().map_or(0, |(_, shard)| shard.of);
    let is_missing = |index: &usize| !shards.iter().any(|(_, shard)| shard.index == *index);
    let missing = (1..=of).filter(is_missing);
    let missing: Vec<String> = missing.map(|index| format!("{index}/{of}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("missing shards{subject}: {}", missing.join(", ")))
}

/// The output of a shard.
#[derive(Debug)]
pub enum ShardOutput {
    /// Of `robust`: a result for each program and model.
    Robust(Vec<RobustShard>),
    /// Of `corpus`.
    Corpus,
}

/// What a shard of `robust` says about a program under a model.
#[derive(Debug)]
pub struct RobustShard {
    /// The name of the file with the output.
    name: String,
    shard: Shard,
    result: RobustResult,
}

/// The keys that all lines have, and those that only shards have.
#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
    command: Option<String>,
    shard: Option<String>,
    verdict: Option<Value>,
}

/// The result of `robust` as it is written in JSON, as far as it depends on the shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RobustResult {
    file: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    program: String,
    model: String,
    verdict: WrittenVerdict,
    robust: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program_digest: Option<String>,
    version: String,
    attacks: Attacks,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bounds_of_shards: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<usize>,
    stats: Map<String, Value>,
    /// All other keys.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A verdict as it is written in JSON.
///
/// The order of the variants is the point: the greatest verdict of all shards is that of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WrittenVerdict {
    /// For all executions.
    Holds,
    /// Within bounds.
    Within,
    /// Undecided.
    Unknown,
    /// A violation was found.
    Violated,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Attacks {
    #[serde(flatten)]
    counts: Counts,
    feasible_list: Vec<Value>,
}

/// Reads the output of a shard from the file of this name.
///
/// # Errors
///
/// The message to print, if it is no such output.
pub fn read_shard(name: &str, text: &str) -> Result<ShardOutput, String> {
    let wrong = |why: &str| format!("`{name}` is not the output of `--shard I/N --json`: {why}");
    let unreadable = |error: serde_json::Error| wrong(&error.to_string());
    let mut shards = Vec::new();
    for line in text.lines() {
        let head: Head = serde_json::from_str(line).map_err(unreadable)?;
        if head.schema != Some(SCHEMA) {
            return Err(wrong("it has another schema"));
        }
        match head.command.as_deref() {
            Some("corpus") => return Ok(ShardOutput::Corpus),
            Some("robust") => {}
            Some(_) | None => return Err(wrong("only `robust` and `corpus` have shards")),
        }
        let Some(shard) = head.shard else {
            return Err(wrong("it is of a whole run"));
        };
        let verdict = head.verdict.unwrap_or_default();
        if serde_json::from_value::<WrittenVerdict>(verdict).is_err() {
            return Err(wrong("it has no verdict"));
        }
        shards.push(RobustShard {
            name: name.to_owned(),
            shard: Shard::parse(&shard)
                .ok_or_else(|| wrong(&format!("there is no shard {shard}")))?,
            result: serde_json::from_str(line).map_err(unreadable)?,
        });
    }
    if shards.is_empty() {
        return Err(wrong("it is empty"));
    }
    Ok(ShardOutput::Robust(shards))
}

/// One result for each program and model, in the order of the first output.
///
/// # Errors
///
/// The message to print, if a shard is missing, is given twice, or is of another run.
pub fn joined(shards: Vec<RobustShard>) -> Result<Vec<RobustResult>, String> {
    let mut order = Vec::new();
    let mut groups: BTreeMap<[String; 3], Vec<RobustShard>> = BTreeMap::new();
    for shard in shards {
        let RobustResult {
            file,
            program,
            model,
            ..
        } = &shard.result;
        let key = [file, program, model].map(String::clone);
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().push(shard);
    }
    let mut all = Vec::new();
    for key in order {
        let mut group = groups.remove(&key).unwrap_or_default();
        group.sort_by_key(|shard| shard.shard.index);
        complete(&group, &key[0])?;
        all.extend(whole(&group));
    }
    Ok(all)
}

/// Checks that these are all shards of one run.
fn complete(group: &[RobustShard], file: &str) -> Result<(), String> {
    for two in group.windows(2) {
        let (first, other) = (&two[0].result, &two[1].result);
        let (a, b) = (&two[0].name, &two[1].name);
        let equal = [
            ("version", first.version == other.version),
            (
                "program_digest",
                first.program_digest == other.program_digest,
            ),
        ];
        if let Some((key, _)) = equal.iter().find(|(_, is_equal)| !is_equal) {
            return Err(format!(
                "`{a}` and `{b}` are of different runs: `{key}` of {file} differs"
            ));
        }
        let (of, of_other) = (two[0].shard.of, two[1].shard.of);
        if of != of_other {
            return Err(format!(
                "`{a}` is one of {of} shards, and `{b}` one of {of_other}"
            ));
        }
    }
    let named: Vec<(&str, Shard)> = group.iter().map(|one| (&*one.name, one.shard)).collect();
    each_once(&named, "have the same shard", &format!(" of {file}"))
}

/// What all shards say together. Requires all of them, in order; `None` if there are none.
fn whole(group: &[RobustShard]) -> Option<RobustResult> {
    let results = || group.iter().map(|shard| &shard.result);
    let badness = |(index, result): &(usize, &RobustResult)| (result.verdict, Reverse(*index));
    let (_, worst) = results().enumerate().max_by_key(badness)?;
    Some(RobustResult {
        robust: match worst.verdict {
            WrittenVerdict::Holds => Some(true),
            WrittenVerdict::Violated => Some(false),
            WrittenVerdict::Within | WrittenVerdict::Unknown => None,
        },
        attacks: Attacks {
            counts: results().map(|result| result.attacks.counts).sum(),
            feasible_list: results()
                .flat_map(|result| result.attacks.feasible_list.clone())
                .collect(),
        },
        // No shard's bounds are those of the others.
        bounds: None,
        bounds_of_shards: results()
            .filter_map(|result| result.bounds.clone())
            .collect(),
        shard: None,
        shards: Some(group.len()),
        stats: stats(results().map(|result| &result.stats)),
        ..worst.clone()
    })
}

/// What the shards took together: sums, but of sizes the largest.
fn stats<'a>(each: impl Iterator<Item = &'a Map<String, Value>>) -> Map<String, Value> {
    const SIZES: [&str; 3] = ["variables", "clauses", "peak_rss_kib"];
    let mut all: Map<String, Value> = Map::new();
    for (key, value) in each.flatten() {
        let known = all.entry(key).or_insert_with(|| 0.into());
        *known = match (known.as_u64(), value.as_u64()) {
            (Some(a), Some(b)) if SIZES.contains(&key.as_str()) => a.max(b).into(),
            (Some(a), Some(b)) => (a + b).into(),
            _ => (known.as_f64().unwrap_or_default() + value.as_f64().unwrap_or_default()).into(),
        };
    }
    all
}

impl RobustResult {
    /// The verdict.
    pub fn verdict(&self) -> WrittenVerdict {
        self.verdict
    }

    /// The result as a line of JSON, terminated.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_value(self).map(|object| format!("{object}\n"))
    }

    /// The result in one sentence, with the feasible attacks by their lines.
    pub fn sentence(&self) -> String {
        let Counts {
            candidates: all,
            pruned,
            infeasible,
            feasible,
            open,
        } = self.attacks.counts;
        let model = self.model.to_uppercase();
        let verdict = match self.verdict {
            WrittenVerdict::Holds if all == 0 => {
                format!("Robust under {model}, for all executions: there are no attacks")
            }
            WrittenVerdict::Violated if all == 0 => {
                format!("Not robust under {model}: an execution has a happens-before cycle")
            }
            WrittenVerdict::Holds => format!(
                "Robust under {model}, for all executions: all {all} candidate attacks were ruled out \
                 ({pruned} statically, {infeasible} by search)"
            ),
            WrittenVerdict::Violated => {
                format!("Not robust under {model}: {feasible} of {all} attacks are feasible")
            }
            WrittenVerdict::Within => {
                format!("No feasible attack found under {model}, within bounds")
            }
            WrittenVerdict::Unknown => {
                format!("Undecided under {model}: {open} of {all} attacks are open")
            }
        };
        let (file, shards) = (&self.file, self.shards.unwrap_or_default());
        let mut lines = vec![format!("{file}: {verdict}, in {shards} shards.\n")];
        if self.rest.contains_key("data_races") {
            lines.push(
                "  Plain accesses race: this is about the text, not the compiled code.\n"
                    .to_owned(),
            );
        }
        for attack in &self.attacks.feasible_list {
            let line = |key: &str| attack[key]["line"].as_u64();
            let last = line("load").or(line("overtaking_store"));
            lines.push(format!(
                "  {} delays the store in line {} past line {}.\n",
                attack["thread"].as_str().unwrap_or_default(),
                line("store").unwrap_or_default(),
                last.unwrap_or_default()
            ));
        }
        lines.concat()
    }
}
