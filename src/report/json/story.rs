//! How the lazy engine came to its answer, question by question.

use super::super::Source;
use super::{Place, place};
use crate::check::Engine;
use crate::lazy::{Asked, Story};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct StoryJson {
    extension: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrolled: Option<u32>,
    questions: usize,
    queries: u64,
    rounds: Vec<RoundJson>,
}

#[derive(Serialize)]
struct RoundJson {
    instructions: usize,
    reachability: AskedJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness: Option<AskedJson>,
    delayed: Vec<Vec<Place>>,
}

#[derive(Serialize)]
struct AskedJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    questions: usize,
    queries: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
}

fn asked(asked: &Asked) -> AskedJson {
    AskedJson {
        engine: asked.engine.map(Engine::name),
        questions: asked.questions,
        queries: asked.queries(),
        states: asked.stats.states,
    }
}

/// The story.
pub(super) fn story(source: &Source<'_>, story: &Story) -> StoryJson {
    let rounds = story.rounds.iter().map(|round| RoundJson {
        instructions: round.instructions,
        reachability: asked(&round.reachability),
        robustness: round.robustness.as_ref().map(asked),
        delayed: round
            .sequences
            .iter()
            .map(|path| path.iter().map(|&site| place(source, site)).collect())
            .collect(),
    });
    StoryJson {
        extension: story.extension.name(),
        unrolled: story.unrolled,
        questions: story.questions(),
        queries: story.queries(),
        rounds: rounds.collect(),
    }
}
