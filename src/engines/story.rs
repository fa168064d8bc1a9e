//! How the lazy engine came to an answer: what was asked under SC, in which order, and what the program
//! was extended by after each round.

use super::{Engine, Extension, Stats};
use crate::program::Site;
use crate::verdict::Reason;

/// How an answer came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Which extension was used.
    pub extension: Extension,
    /// The program as given, and then, if it has loops and that did not decide, with its loops
    /// followed further each time.
    pub attempts: Vec<Attempt>,
}

/// One run of the procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// How often loops were followed, if they were unrolled.
    pub unrolled: Option<u32>,
    /// What was asked, in order.
    pub rounds: Vec<Round>,
    /// Why there was no further round.
    pub end: End,
}

/// How an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// SC is all that was asked about.
    Sc,
    /// What was asked for was reached under SC, in the program as extended by then.
    Reached,
    /// The program as extended by then is robust.
    Robust,
    /// Neither, for this reason.
    Open(Reason),
}

/// Two questions: can the goals be reached under SC, and does anything else happen under TSO?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// How large the program was, in instructions.
    pub instructions: usize,
    /// Who looked for the goals.
    pub reachability: Asked,
    /// Who looked for delays that matter, if anybody had to.
    pub robustness: Option<Asked>,
    /// What the program was extended by then: paths of the program as given, each from a store to a
    /// load that overtakes it. Where a store had been delayed before, only how it goes on.
    pub sequences: Vec<Vec<Site>>,
}

/// Who was asked, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// How many goals, or attacks, were asked about: the questions that the papers count.
    pub questions: usize,
    /// The engine that answered, if one had to be asked.
    pub engine: Option<Engine>,
    /// What it cost.
    pub stats: Stats,
}

impl Asked {
    /// How many formulas were asked, and searches made.
    pub fn queries(&self) -> u64 {
        let searches = u64::from(self.stats.states.is_some());
        self.stats.queries.unwrap_or(0) + searches
    }

    pub(crate) fn add(&mut self, again: Asked) {
        self.engine = again.engine.or(self.engine);
        self.stats = self.stats.plus(again.stats);
    }
}

impl Story {
    /// The last attempt: the one that decided, if any did.
    pub fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Everybody who was asked, in order.
    fn asked(&self) -> impl Iterator<Item = &Asked> {
        let rounds = self.attempts.iter().flat_map(|attempt| &attempt.rounds);
        rounds.flat_map(|round| std::iter::once(&round.reachability).chain(&round.robustness))
    }

    /// How many goals and attacks were asked about under SC.
    pub fn questions(&self) -> usize {
        self.asked().map(|asked| asked.questions).sum()
    }

    /// How many formulas were asked, and searches made, to answer them.
    pub fn queries(&self) -> u64 {
        self.asked().map(Asked::queries).sum()
    }
}

impl Attempt {
    /// How often the program was extended.
    pub fn extensions(&self) -> usize {
        let extended = |round: &&Round| !round.sequences.is_empty();
        self.rounds.iter().filter(extended).count()
    }
}
