//! Cheapest fences: the set suffices, and the runs show that no cheaper set of the places does.

use super::Refusal;
use super::envelope::Claim;
use super::fence::{cheaper, cut_of};
use super::leaves::{Evidence, Subject, index, leaves, list, word};
use super::machine::{Machine, Model, Step};
use super::places::places;
use super::program::Program;
use serde_json::Value;

/// A certificate of fences has at most this many runs.
const MOST_RUNS: usize = 1_000;

/// Checks the claim about fences. Returns it with a sentence.
pub(super) fn fences(
    value: &Value,
    program: &Program,
    model: Model,
) -> Result<(Claim, String, Evidence), Refusal> {
    if program.is_parametric() {
        return Err(Refusal::refuted(
            "fences of threads in any number of copies are not covered",
        ));
    }
    let robustness = match word(value, "aim")? {
        "robustness" => true,
        "assertions" => false,
        other => return Err(Refusal::unreadable(format!("there is no aim `{other}`"))),
    };
    let listed = places(value, program, model)?;
    let (places, costs) = (&listed.points, &listed.costs);
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
        let cut = cut_of(&machine, &steps, robustness, places);
        cuts.push(
            cut.ok_or_else(|| Refusal::refuted("a run does not show that fences are needed"))?,
        );
    }
    let found = cheaper(&cuts, costs, cost).map_err(Refusal::refuted)?;
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
    let (evidence, what) = if robustness {
        (leaves.robust(&subject)?, "the program is robust")
    } else {
        (leaves.safe(&subject)?, "no goal is reachable")
    };
    let count =
        |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let sentence = format!(
        "with {} at cost {cost} {what}, and no cheaper set of the {} suffices, {},",
        count(points.len(), "fence"),
        count(places.len(), "place"),
        listed.words
    );
    Ok((Claim::Fence(cost), sentence, evidence))
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
