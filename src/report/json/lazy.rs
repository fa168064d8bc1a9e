//! The queries of the lazy engine as JSON.

use super::super::Source;
use super::{Place, place};
use crate::check::Engine;
use crate::lazy::{End, LazyHistory, QueryCost, Round};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct LazyJson {
    extension: &'static str,
    questions: usize,
    queries: u64,
    attempts: Vec<AttemptJson>,
}

#[derive(JsonSchema, Serialize)]
struct AttemptJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    unrolled: Option<u32>,
    rounds: Vec<RoundJson>,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(JsonSchema, Serialize)]
struct RoundJson {
    instructions: usize,
    reachability: QueriesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness: Option<QueriesJson>,
    delayed: Vec<Vec<Place>>,
}

#[derive(JsonSchema, Serialize)]
struct QueriesJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    questions: usize,
    queries: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
}

fn queries(asked: &QueryCost) -> QueriesJson {
    QueriesJson {
        engine: asked.engine.map(Engine::name),
        questions: asked.questions,
        queries: asked.queries(),
        states: asked.stats.states,
    }
}

/// All attempts of the lazy engine, with their rounds and queries.
pub(super) fn lazy(source: &Source<'_>, history: &LazyHistory) -> LazyJson {
    let attempts = history.attempts.iter().map(|attempt| AttemptJson {
        unrolled: attempt.unrolled,
        rounds: attempt.rounds.iter().map(|r| round(source, r)).collect(),
        end: match attempt.end {
            End::Sc => "sc",
            End::Reached => "reached",
            End::Robust => "robust",
            End::Open(_) => "open",
        },
        reason: match &attempt.end {
            End::Open(why) => Some(why.to_string()),
            End::Sc | End::Reached | End::Robust => None,
        },
    });
    LazyJson {
        extension: history.extension.name(),
        questions: history.questions(),
        queries: history.queries(),
        attempts: attempts.collect(),
    }
}

fn round(source: &Source<'_>, round: &Round) -> RoundJson {
    RoundJson {
        instructions: round.instructions,
        reachability: queries(&round.reachability),
        robustness: round.robustness.as_ref().map(queries),
        delayed: round
            .sequences
            .iter()
            .map(|path| path.iter().map(|&site| place(source, site)).collect())
            .collect(),
    }
}
