//! How the lazy engine decided: its SC queries, in order, and the extension after each round.

use super::{Engine, Extension, Stats};
use crate::program::Site;
use crate::verdict::Reason;

/// How the lazy engine decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LazyHistory {
    /// The form of extension used.
    pub extension: Extension,
    /// The program as given; then, if that was not decided and the program has loops, the program
    /// unrolled further each time.
    pub attempts: Vec<Attempt>,
}

/// One run of the lazy procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The unroll bound, if loops were unrolled.
    pub unrolled: Option<u32>,
    /// The rounds, in order.
    pub rounds: Vec<Round>,
    /// Why there was no further round.
    pub end: End,
}

/// How an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Only SC was queried.
    Sc,
    /// A goal was reached under SC, in the program as extended by then.
    Reached,
    /// The program as extended by then is robust.
    Robust,
    /// Neither, for this reason.
    Open(Reason),
}

/// Two queries: are the goals reachable under SC, and is the program robust?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The size of the program, in instructions.
    pub instructions: usize,
    /// The search for the goals.
    pub reachability: QueryCost,
    /// The search for delays that matter, if one was necessary.
    pub robustness: Option<QueryCost>,
    /// The sequences by which the program was extended: paths of the program as given, each from a
    /// store to a load that overtakes it. If the store had already been delayed in an earlier
    /// round, only the continuation.
    pub sequences: Vec<Vec<Site>>,
}

/// A search, and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryCost {
    /// The number of goals or attacks: what the papers count as queries.
    pub questions: usize,
    /// The engine that decided, if one ran.
    pub engine: Option<Engine>,
    /// The cost.
    pub stats: Stats,
}

impl QueryCost {
    /// The number of solver calls and explicit searches.
    pub fn queries(&self) -> u64 {
        let searches = u64::from(self.stats.states.is_some());
        self.stats.queries.unwrap_or(0) + searches
    }

    pub(crate) fn add(&mut self, again: QueryCost) {
        self.engine = again.engine.or(self.engine);
        self.stats = self.stats.plus(again.stats);
    }
}

impl LazyHistory {
    /// The last attempt: the one that decided, if any did.
    pub fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// All searches, in order.
    fn asked(&self) -> impl Iterator<Item = &QueryCost> {
        let rounds = self.attempts.iter().flat_map(|attempt| &attempt.rounds);
        rounds.flat_map(|round| std::iter::once(&round.reachability).chain(&round.robustness))
    }

    /// The number of goals and attacks queried under SC.
    pub fn questions(&self) -> usize {
        self.asked().map(|asked| asked.questions).sum()
    }

    /// The number of solver calls and explicit searches that they took.
    pub fn queries(&self) -> u64 {
        self.asked().map(QueryCost::queries).sum()
    }
}

impl Attempt {
    /// The number of extensions.
    pub fn extensions(&self) -> usize {
        let extended = |round: &&Round| !round.sequences.is_empty();
        self.rounds.iter().filter(extended).count()
    }
}
