//! `fencepost merge`: the outputs of all shards of a run, joined to one.
//!
//! ```text
//! robust a.fence --shard 1/2 --json > 1.jsonl     one object per program and model
//! robust a.fence --shard 2/2 --json > 2.jsonl
//! merge 1.jsonl 2.jsonl                           what all shards say together
//! ```
//!
//! A shard of `robust` decides some of the attacks, so only all shards together can say "robust". Objects
//! about the same program and model are joined; each of these needs every shard once, of the same program
//! (not only of the same text: macros and the chosen test matter) and by the same version. The methods may
//! differ: the attacks do not depend on them, and what one delayed store breaks, several break, too. Shards
//! of `corpus` are joined by `corpus --merge`.
//!
//! **Absent.** Checking anything again.

use super::driver::{Session, Stream, print};
use super::exit::{Bounded, Exit};
use super::{corpus, input, streams};
use crate::report::MessageFormat;
use crate::report::json::SCHEMA;
use crate::visible::visible;
use clap::Args;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
pub(super) struct Merge {
    /// The outputs of all shards of `robust` or of `corpus`, with `--json`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count "robust within bounds" as success
    #[arg(long)]
    accept_bounded: bool,
}

/// The keys that are equal in all shards of a run.
const EQUAL: [&str; 2] = ["version", "program_digest"];

/// Prints the results of all shards as those of a single run.
pub(super) fn run(merge: &Merge, session: &Session) -> Exit {
    joins(merge, session, Commands::Any)
}

/// The same for shards of `robust` only.
pub(super) fn of_robust(files: &[PathBuf], accept_bounded: bool, session: &Session) -> Exit {
    let merge = Merge {
        files: files.to_vec(),
        accept_bounded,
    };
    joins(&merge, session, Commands::Robust)
}

/// The commands whose shards may be joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commands {
    Any,
    Robust,
}

fn joins(merge: &Merge, session: &Session, commands: Commands) -> Exit {
    let mut objects = Vec::new();
    for file in &merge.files {
        match read(file) {
            Ok(Output::Robust(shards)) => objects.extend(shards),
            Ok(Output::Corpus) if objects.is_empty() && commands == Commands::Any => {
                return corpus::merged(&merge.files, session);
            }
            Ok(Output::Corpus) => {
                streams::print_message(match commands {
                    Commands::Any => "shards of `robust` and of `corpus` cannot be joined",
                    Commands::Robust => "these are shards of `corpus`: use `corpus --merge`",
                });
                return Exit::Usage;
            }
            Err(message) => {
                streams::print_message(&message);
                return Exit::Usage;
            }
        }
    }
    match session.format() {
        MessageFormat::Text | MessageFormat::Json => {}
        MessageFormat::Sarif | MessageFormat::Github => {
            let option = session.global.message_format_option();
            let message = "shards of `robust` are joined as text or with `--json`";
            streams::print_message(&format!("`{option}`: {message}"));
            return Exit::Usage;
        }
    }
    let joined = match joined(objects) {
        Ok(joined) => joined,
        Err(message) => {
            streams::print_message(&message);
            return Exit::Usage;
        }
    };
    let bounded = Bounded::new(merge.accept_bounded);
    let mut worst = Exit::Holds;
    for object in joined {
        let text = if session.format().is_for_people() {
            Ok(visible(&sentence(&object)).into_owned())
        } else {
            serde_json::to_string(&object).map(|line| line + "\n")
        };
        worst = worst
            .worst(print(text, Stream::Output))
            .worst(exit(&object, bounded));
    }
    worst
}

/// The output of a shard.
enum Output {
    Robust(Vec<Shard>),
    Corpus,
}

/// What a shard says about a program under a model.
struct Shard {
    /// The file with the output.
    name: String,
    index: usize,
    of: usize,
    object: Map<String, Value>,
}

fn read(path: &Path) -> Result<Output, String> {
    let name = path.display().to_string();
    let wrong = |why: &str| format!("`{name}` is not the output of `--shard I/N --json`: {why}");
    let text = String::from_utf8(input::bytes(path)?).map_err(|error| wrong(&error.to_string()))?;
    let mut shards = Vec::new();
    for line in text.lines() {
        let object: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
        let word = |key: &str| object.get(key).and_then(Value::as_str);
        if object.get("schema") != Some(&SCHEMA.into()) {
            return Err(wrong("it has another schema"));
        }
        match word("command") {
            Some("corpus") => return Ok(Output::Corpus),
            Some("robust") => {}
            Some(_) | None => return Err(wrong("only `robust` and `corpus` have shards")),
        }
        let shard = word("shard").and_then(|shard| {
            let (index, of) = shard.split_once('/')?;
            Some((index.parse().ok()?, of.parse().ok()?))
        });
        let (index, of) = shard.ok_or_else(|| wrong("it is of a whole run"))?;
        if !(1..=of).contains(&index) {
            return Err(wrong(&format!("there is no shard {index}/{of}")));
        }
        if !word("verdict").is_some_and(|verdict| VERDICTS.contains(&verdict)) {
            return Err(wrong("it has no verdict"));
        }
        shards.push(Shard {
            name: name.clone(),
            index,
            of,
            object,
        });
    }
    if shards.is_empty() {
        return Err(wrong("it is empty"));
    }
    Ok(Output::Robust(shards))
}

/// One object for each program and model, in the order of the first output.
///
/// # Errors
///
/// The message to print, if a shard is missing, is given twice, or is of another run.
fn joined(shards: Vec<Shard>) -> Result<Vec<Value>, String> {
    let mut order = Vec::new();
    let mut groups: BTreeMap<[String; 3], Vec<Shard>> = BTreeMap::new();
    for shard in shards {
        let word = |key: &str| {
            shard
                .object
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let key = ["file", "program", "model"].map(|key| word(key).to_owned());
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().push(shard);
    }
    let mut all = Vec::new();
    for key in order {
        let mut group = groups.remove(&key).unwrap_or_default();
        group.sort_by_key(|shard| shard.index);
        complete(&group, &key[0])?;
        all.push(whole(&group));
    }
    Ok(all)
}

/// Checks that these are all shards of one run.
fn complete(group: &[Shard], file: &str) -> Result<(), String> {
    let Some((first, rest)) = group.split_first() else {
        return Ok(());
    };
    for other in rest {
        let changed = EQUAL
            .iter()
            .find(|key| first.object.get(**key) != other.object.get(**key));
        if let Some(key) = changed {
            let (a, b) = (&first.name, &other.name);
            return Err(format!(
                "`{a}` and `{b}` are of different runs: `{key}` of {file} differs"
            ));
        }
        if first.of != other.of {
            let (a, b) = (&first.name, &other.name);
            let (of_a, of_b) = (first.of, other.of);
            return Err(format!(
                "`{a}` is one of {of_a} shards, and `{b}` one of {of_b}"
            ));
        }
    }
    if let Some(two) = group.windows(2).find(|two| two[0].index == two[1].index) {
        let (a, b) = (&two[0].name, &two[1].name);
        let (index, of) = (two[0].index, first.of);
        return Err(format!(
            "`{a}` and `{b}` have the same shard of {file}, {index}/{of}"
        ));
    }
    let has = |index: usize| group.iter().any(|shard| shard.index == index);
    let missing: Vec<String> = (1..=first.of)
        .filter(|&index| !has(index))
        .map(|index| format!("{index}/{}", first.of))
        .collect();
    if !missing.is_empty() {
        return Err(format!("missing shards of {file}: {}", missing.join(", ")));
    }
    Ok(())
}

/// How bad a verdict is: the worst one is that of all shards.
const VERDICTS: [&str; 4] = ["holds", "within", "unknown", "violated"];

/// What all shards say together. Requires all of them.
fn whole(group: &[Shard]) -> Value {
    let badness = |shard: &&Shard| {
        let verdict = shard.object.get("verdict").and_then(Value::as_str);
        VERDICTS.iter().position(|known| Some(*known) == verdict)
    };
    let Some(worst) = group
        .iter()
        .max_by_key(|shard| (badness(shard), std::cmp::Reverse(shard.index)))
    else {
        return Value::Null;
    };
    let mut object = worst.object.clone();
    let count = |key: &str| -> u64 {
        let counts = group
            .iter()
            .filter_map(|shard| shard.object.get("attacks")?.get(key)?.as_u64());
        counts.sum()
    };
    let feasible: Vec<Value> = group
        .iter()
        .filter_map(|shard| {
            shard
                .object
                .get("attacks")?
                .get("feasible_list")?
                .as_array()
        })
        .flatten()
        .cloned()
        .collect();
    object.remove("shard");
    object.insert("shards".to_owned(), group.len().into());
    object.insert(
        "attacks".to_owned(),
        json!({
            "candidates": count("candidates"),
            "pruned": count("pruned"),
            "infeasible": count("infeasible"),
            "feasible": count("feasible"),
            "open": count("open"),
            "feasible_list": feasible,
        }),
    );
    let robust = match object.get("verdict").and_then(Value::as_str) {
        Some("holds") => Value::Bool(true),
        Some("violated") => Value::Bool(false),
        Some(_) | None => Value::Null,
    };
    object.insert("robust".to_owned(), robust);
    // No shard's bounds are those of the others.
    let bounds = group.iter().filter_map(|shard| shard.object.get("bounds"));
    let bounds: Vec<Value> = bounds.cloned().collect();
    object.remove("bounds");
    if !bounds.is_empty() {
        object.insert("bounds_of_shards".to_owned(), bounds.into());
    }
    object.insert("stats".to_owned(), stats(group));
    Value::Object(object)
}

/// What the shards took together: sums, but of sizes the largest.
fn stats(group: &[Shard]) -> Value {
    const SIZES: [&str; 3] = ["variables", "clauses", "peak_rss_kib"];
    let mut all: Map<String, Value> = Map::new();
    let each = group
        .iter()
        .filter_map(|shard| shard.object.get("stats")?.as_object());
    for (key, value) in each.flatten() {
        let known = all.get(key).cloned().unwrap_or_else(|| json!(0));
        let joined = match (known.as_u64(), value.as_u64()) {
            (Some(a), Some(b)) if SIZES.contains(&key.as_str()) => json!(a.max(b)),
            (Some(a), Some(b)) => json!(a + b),
            _ => json!(known.as_f64().unwrap_or_default() + value.as_f64().unwrap_or_default()),
        };
        all.insert(key.clone(), joined);
    }
    Value::Object(all)
}

fn exit(object: &Value, bounded: Bounded) -> Exit {
    match object["verdict"].as_str() {
        Some("holds") => Exit::Holds,
        Some("violated") => Exit::Violated,
        Some("within") if bounded == Bounded::IsAccepted => Exit::Holds,
        Some(_) | None => Exit::Undecided,
    }
}

/// The result in one sentence, with the feasible attacks by their lines.
fn sentence(object: &Value) -> String {
    let attacks = &object["attacks"];
    let word = |key: &str| object[key].as_str().unwrap_or_default();
    let count = |key: &str| attacks[key].as_u64().unwrap_or_default();
    let (all, shards) = (count("candidates"), &object["shards"]);
    let model = word("model").to_uppercase();
    let verdict = match word("verdict") {
        "holds" if all == 0 => {
            format!("Robust under {model}, for all executions: there are no attacks")
        }
        "violated" if all == 0 => {
            format!("Not robust under {model}: an execution has a happens-before cycle")
        }
        "holds" => format!(
            "Robust under {model}, for all executions: all {all} candidate attacks were ruled out ({} \
             statically, {} by search)",
            count("pruned"),
            count("infeasible")
        ),
        "violated" => format!(
            "Not robust under {model}: {} of {all} attacks are feasible",
            count("feasible")
        ),
        "within" => format!("No feasible attack found under {model}, within bounds"),
        _ => format!(
            "Undecided under {model}: {} of {all} attacks are open",
            count("open")
        ),
    };
    let mut lines = vec![format!(
        "{}: {verdict}, in {shards} shards.\n",
        word("file")
    )];
    if object.get("data_races").is_some() {
        lines.push(
            "  Plain accesses race: this is about the text, not the compiled code.\n".to_owned(),
        );
    }
    for attack in attacks["feasible_list"].as_array().into_iter().flatten() {
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
