//! The loop of the lazy procedure: search for the goals under SC, query the oracle for delays,
//! extend the program, and repeat [BCDM15, Algorithm 1].

use super::emulation::Emulation;
use super::oracle::{nearest, suggest};
use super::sequence::Sequence;
use super::unrolled::unrolled;
use super::{Attempt, End, LazyHistory, QueryCost, Round};
use crate::engines::{
    BUFFERED, CheckOptions, Engine, Extension, Stats, Until, is_observation, replayed,
};
use crate::model::Model;
use crate::program::{Goal, LocId, Program, Site};
use crate::reference::Run;
use crate::search::shorten;
use crate::verdict::{Budget, Decided, Defect, LoopBound, Reason, Verdict};
use crate::work::MOMENT;
use std::collections::BTreeSet;

/// How far the lazy engine extends a program with loops, unrolled or not: up to this multiple of
/// its instructions, plus this constant. In all measurements the delays that decide something were
/// found long before, and each query about a larger program costs more than the previous one.
const GROWTH: (usize, usize) = (6, 150);

/// The maximum number of extensions of such a program.
const MOST_EXTENSIONS: usize = 12;

/// The maximum size of an extended program, in instructions. The attacks of larger ones cannot be
/// listed in a reasonable time.
const LARGEST: usize = 20_000;

/// How long goals are searched for under SC. Before the program is extended, a longer search pays off only if nothing
/// can be delayed.
#[derive(Clone, Copy)]
enum Look {
    First,
    Longer,
}

/// When an attempt gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    /// When the program is too large for any query.
    Size,
    /// When it has grown too much.
    Growth,
}

/// The attempts so far, and their cost.
pub(super) struct Rounds<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    budget: &'a Budget,
    pub(super) history: LazyHistory,
    pub(super) stats: Stats,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(program: &'a Program, options: &'a CheckOptions, budget: &'a Budget) -> Self {
        Self {
            program,
            options,
            budget,
            history: LazyHistory {
                extension: options.extension,
                attempts: Vec::new(),
            },
            stats: Stats::default(),
        }
    }

    /// Decides these goals on a program that emulates the original.
    pub(super) fn attempt(
        &mut self,
        unrolled: Option<u32>,
        mut emulation: Emulation,
        goals: &[Goal],
        limit: Limit,
    ) -> Result<Vec<Verdict<Run>>, Defect> {
        let (most, times) = match limit {
            Limit::Size => (LARGEST, usize::MAX),
            Limit::Growth => (emulation.size() * GROWTH.0 + GROWTH.1, MOST_EXTENSIONS),
        };
        let mut verdicts: Vec<Verdict<Run>> = vec![Verdict::Unknown(Reason::Stopped); goals.len()];
        let mut suggested: BTreeSet<Vec<Site>> = BTreeSet::new();
        let mut rounds: Vec<Round> = Vec::new();
        let end = loop {
            let (mut round, sequences) =
                match self.round(&emulation, goals, &mut verdicts, rounds.len())? {
                    (round, Next::Extend(sequences)) => (round, sequences),
                    (round, Next::End(end)) => {
                        rounds.push(round);
                        break end;
                    }
                };
            let mut fresh = nearest(sequences, rounds.len());
            if self.options.extension == Extension::Amended {
                fresh.retain(|sequence| !suggested.contains(&sequence.projected(&emulation)));
            }
            let extended = emulation.extended(&fresh, self.options.extension);
            let why = if fresh.is_empty() {
                Some(
                    "the program is not robust, but every delay found has been tried before"
                        .to_owned(),
                )
            } else if rounds.len() >= times {
                Some(format!(
                    "the program is still not robust after {times} extensions"
                ))
            } else if extended.size() > most {
                let size = extended.size();
                Some(format!(
                    "the next extension makes the program too large: {size} instructions"
                ))
            } else {
                None
            };
            if let Some(why) = why {
                rounds.push(round);
                break End::Open(Reason::Unsupported(why));
            }
            let projected = fresh.iter().map(|sequence| sequence.projected(&emulation));
            round.sequences = projected.collect();
            suggested.extend(round.sequences.iter().cloned());
            rounds.push(round);
            emulation = extended;
        };
        // A verdict under SC alone does not hold under TSO.
        let why = match &end {
            End::Sc | End::Robust => None,
            End::Reached => Some(Reason::Decided(Decided::ByGoal)),
            End::Open(why) => Some(why.clone()),
        };
        for verdict in verdicts.iter_mut().filter(|verdict| !is_violated(verdict)) {
            if let Some(why) = &why {
                *verdict = Verdict::Unknown(why.clone());
            }
        }
        map_bounds(&mut verdicts, self.program);
        self.history.attempts.push(Attempt {
            unrolled,
            rounds,
            end,
        });
        Ok(verdicts)
    }

    /// Runs the two queries for one program.
    fn round(
        &mut self,
        emulation: &Emulation,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
        number: usize,
    ) -> Result<(Round, Next), Defect> {
        let mut round = Round {
            instructions: emulation.size(),
            reachability: self.search(emulation, goals, verdicts, Look::First)?,
            robustness: None,
            sequences: Vec::new(),
        };
        let sc = !self.options.model.relaxes_store_load();
        // A longer search is worthwhile once the program has been extended.
        if (sc || number > 0) && self.is_worth_asking(goals, verdicts) {
            let again = self.search(emulation, goals, verdicts, Look::Longer)?;
            round.reachability.add(again);
        }
        if sc {
            return Ok((round, Next::End(End::Sc)));
        }
        if self.is_done(goals, verdicts) {
            return Ok((round, Next::End(End::Reached)));
        }
        if self.budget.is_stopped() {
            return Ok((round, Next::End(End::Open(Reason::Stopped))));
        }
        let suggestion = suggest(&emulation.program, self.options, self.budget)?;
        self.stats = self.stats.plus(suggestion.stats);
        round.robustness = Some(QueryCost {
            questions: suggestion.attacks,
            engine: suggestion.engine,
            stats: suggestion.stats,
        });
        let next = match suggestion.verdict {
            Verdict::Holds => {
                if number == 0 && self.is_worth_asking(goals, verdicts) {
                    let again = self.search(emulation, goals, verdicts, Look::Longer)?;
                    round.reachability.add(again);
                }
                Next::End(End::Robust)
            }
            Verdict::HoldsWithin(_) => Next::End(End::Open(Reason::Unsupported(
                "robustness of the extended program was decided within bounds only".to_owned(),
            ))),
            Verdict::Unknown(reason) => Next::End(End::Open(reason)),
            Verdict::Violated(()) => Next::Extend(suggestion.sequences),
        };
        Ok((round, next))
    }

    /// Whether some goal is open and still matters.
    fn is_worth_asking(&self, goals: &[Goal], verdicts: &[Verdict<Run>]) -> bool {
        verdicts.iter().any(is_open) && !self.is_done(goals, verdicts)
    }

    /// Queries under SC all goals that are not known to be reachable. Reachable goals become
    /// violated; the verdicts on the others are those under SC.
    fn search(
        &mut self,
        emulation: &Emulation,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
        look: Look,
    ) -> Result<QueryCost, Defect> {
        let (engine, budget) = match look {
            Look::First => (Engine::Explicit, MOMENT.of_searches(self.budget)),
            Look::Longer => (Engine::Auto, self.budget.clone()),
        };
        let mut images = Vec::new();
        let mut questions = 0;
        for (index, &goal) in goals.iter().enumerate() {
            if !is_violated(&verdicts[index]) {
                verdicts[index] = Verdict::Holds;
                let all = emulation.images(goal);
                questions += usize::from(!all.is_empty());
                images.extend(all.into_iter().map(|image| (index, image)));
            }
        }
        let queried: Vec<Goal> = images.iter().map(|&(_, image)| image).collect();
        let options = CheckOptions {
            model: Model::Sc,
            engine,
            ..self.options.clone()
        };
        let answered = BUFFERED.decide(&emulation.program, &queried, &options, &budget)?;
        self.stats = self.stats.plus(answered.stats);
        for (answer, (index, _)) in answered.answers.into_iter().zip(images) {
            let goal = goals[index];
            let verdict = match answer.verdict {
                Verdict::Violated(run) => {
                    Verdict::Violated(self.original_run(emulation, goal, run)?)
                }
                other @ (Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => other,
            };
            let earlier = std::mem::replace(&mut verdicts[index], Verdict::Holds);
            verdicts[index] = Verdict::all([earlier, verdict]);
        }
        Ok(QueryCost {
            questions,
            engine: answered.engine,
            stats: answered.stats,
        })
    }

    /// Whether the goal is one of the program as given, and not of an emulation.
    fn is_own(&self, goal: Goal) -> bool {
        match goal {
            Goal::Property(index) => index < self.program.properties().len(),
            Goal::Assert(_) | Goal::Outside(_) => true,
        }
    }

    /// Maps a run to a computation of the program as given that reaches the goal, if that program
    /// has the goal.
    fn original_run(&self, emulation: &Emulation, goal: Goal, run: Run) -> Result<Run, Defect> {
        if !self.is_own(goal) {
            return Ok(run);
        }
        let model = self.options.model;
        let steps = if model.relaxes_store_load() {
            let steps = emulation.steps(self.program, &run);
            steps.map_err(|error| {
                Defect::new(format_args!(
                    "a witness does not replay: step {}: {}",
                    error.at, error.message
                ))
            })?
        } else {
            run.steps()
        };
        // Replay before shortening: shortening must not hide a computation that does not replay.
        replayed(self.program, model, goal, &steps)?;
        let steps = shorten(self.program, model, goal, steps);
        replayed(self.program, model, goal, &steps)
    }

    /// Whether no further query is worthwhile.
    fn is_done(&self, goals: &[Goal], verdicts: &[Verdict<Run>]) -> bool {
        let decides = |goal: Goal| self.is_own(goal) && !is_observation(self.program, goal);
        let mut pairs = goals.iter().zip(verdicts);
        verdicts.iter().all(is_violated)
            || self.options.until == Until::Violated
                && pairs.any(|(&goal, verdict)| is_violated(verdict) && decides(goal))
    }

    /// Unrolls the loops, further each time, and decides the goals that are still open.
    pub(super) fn deepen(
        &mut self,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
        deepest: u32,
    ) -> Result<(), Defect> {
        let mut times = deepest.min(1);
        loop {
            let all = 0..verdicts.len();
            let open: Vec<usize> = all.filter(|&index| is_open(&verdicts[index])).collect();
            if open.is_empty() || self.is_done(goals, verdicts) || self.budget.is_stopped() {
                return Ok(());
            }
            let Some(unrolled) = unrolled(self.program, times, LARGEST) else {
                return Ok(());
            };
            let mut queried: Vec<Goal> = open.iter().map(|&index| goals[index]).collect();
            queried.extend(unrolled.is_cut);
            let mut answers =
                self.attempt(Some(times), unrolled.emulation, &queried, Limit::Growth)?;
            let cut = unrolled.is_cut.and_then(|_| answers.pop());
            for (index, answer) in open.into_iter().zip(answers) {
                verdicts[index] = match answer {
                    Verdict::Holds if cut == Some(Verdict::Holds) => Verdict::Holds,
                    Verdict::Holds => Verdict::HoldsWithin(unrolled.bounds.clone()),
                    Verdict::Violated(run) => Verdict::Violated(run),
                    // A later attempt may decide less; then the earlier verdict is kept.
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => continue,
                };
            }
            if times >= deepest {
                return Ok(());
            }
            times = deepest.min(2 * times);
        }
    }
}

/// What happens after a round.
enum Next {
    Extend(Vec<Sequence>),
    End(End),
}

fn is_violated(verdict: &Verdict<Run>) -> bool {
    matches!(verdict, Verdict::Violated(_))
}

fn is_open(verdict: &Verdict<Run>) -> bool {
    match verdict {
        Verdict::Holds | Verdict::Violated(_) => false,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => true,
    }
}

/// Maps bounds on loops of an extended program to the original loops.
fn map_bounds(verdicts: &mut [Verdict<Run>], program: &Program) {
    for verdict in verdicts {
        if let Verdict::HoldsWithin(bounds) = verdict {
            let mut own: Vec<LoopBound> = Vec::new();
            for bound in &bounds.loops {
                let locations = program.thread(bound.thread).locations();
                let written = |at: &usize| locations[*at].origin == bound.origin;
                let at = Some(bound.head.index()).filter(|&at| at < locations.len());
                let head = at.or_else(|| (0..locations.len()).find(written));
                let head = head.map_or(program.thread(bound.thread).entry(), LocId::from);
                let bound = LoopBound {
                    head,
                    ..bound.clone()
                };
                if !own.contains(&bound) {
                    own.push(bound);
                }
            }
            bounds.loops = own;
        }
    }
}
