//! Reachability under TSO as a series of questions under SC [BCDM15].
//!
//! ```text
//!            ┌────────────────────────── R := R ⊕ sequences ◀──────────────────┐
//!            ▼                                                                 │
//! R := P ─▶ goal reachable in R under SC? ─no─▶ is R robust? ─no─▶ what its witnesses delay
//!                    │ yes                           │ yes
//!              violated: read back              holds: R does under SC
//!              as a computation of P            all that P does under TSO
//! ```
//!
//! Store buffers appear only where somebody has seen that they matter. So a program that is robust
//! is decided for all iterations of its loops and for buffers of any length, by SC questions alone,
//! and one that is not becomes so after some rounds, or shows its bug under SC.
//!
//! For programs without loops this ends with an answer [BCDM15, Theorem 3]. With loops it may not:
//! each round may find a longer delay. When the program has grown too much its loops are unrolled
//! instead, further each time [BCDM15, Theorem 4].
//!
//! **Differs from** the paper: programs with loops get the whole extension too ([`Extension::Exact`]).
//! Nothing in the proof that it neither adds nor removes anything needs programs without loops, and
//! the one that the paper uses there ([`Extension::Amended`]) keeps the store that is delayed, so that
//! no extended program is ever robust.
//!
//! **Invariant.** What is found is a computation of the program as given, and the reference has
//! replayed it.
//!
//! **Absent.** Models that do not keep stores in order; `barrier all`, which waits for what an
//! extended program keeps in registers.

mod emulation;
mod extension;
mod sequence;
mod unrolled;

pub use emulation::Emulation;
pub use sequence::Sequence;

use crate::analysis::Loops;
use crate::engines::{
    self, Answered, CheckOptions, Defect, Engine, Extension, GoalAnswer, Stats, Until,
    is_observation, replayed,
};
use crate::explicit::{Run, shorten};
use crate::model::Model;
use crate::program::{Fence, Goal, InstrId, LocId, Op, Program, Site, ThreadId};
use crate::robustness::{self, RobustOptions};
use crate::verdict::{Budget, LoopBound, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use unrolled::unrolled;

/// A program with loops is extended until it has so many times its instructions, and this many
/// more.
const GROWTH: (usize, usize) = (12, 400);
/// So often at most.
const ROUNDS: usize = 8;
/// How often its loops are unrolled at most where nobody says.
const DEEPEST: u32 = 8;

/// Why a goal is left open where one is enough.
const ANOTHER: &str = "another goal is reached, which decides the question";

/// How an answer came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Which extension was used.
    pub form: Extension,
    /// How often loops were followed, if they were unrolled in the end.
    pub unrolled: Option<u32>,
    /// What was asked, in order.
    pub rounds: Vec<Round>,
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
    /// The engine that answered, if one had to be asked.
    pub engine: Option<Engine>,
    /// What it cost.
    pub stats: Stats,
}

impl Asked {
    /// How many questions under SC there were: formulas asked, and searches.
    pub fn queries(&self) -> u64 {
        let searches = u64::from(self.stats.states.is_some());
        self.stats.queries.unwrap_or(0) + searches
    }
}

impl Story {
    /// How many questions under SC there were in all.
    pub fn queries(&self) -> u64 {
        let rounds = self.rounds.iter();
        let asked =
            rounds.flat_map(|round| std::iter::once(&round.reachability).chain(&round.robustness));
        asked.map(Asked::queries).sum()
    }
}

/// The goals' answers, in their order, and how they came about.
///
/// # Errors
///
/// If a computation found does not replay.
pub(crate) fn decide(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    deepen: bool,
    budget: &Budget,
) -> Result<(Answered, Option<Story>), Defect> {
    if let Some(why) = unsupported(program, options.model) {
        let reason = Reason::Unsupported(why.to_owned());
        return Ok((Answered::open(goals, &reason), None));
    }
    let cyclic = program
        .threads()
        .iter()
        .any(|thread| Loops::of(thread).ids().len() > 0);
    let mut lazy = Lazy {
        program,
        goals,
        options,
        budget,
        form: options.extension,
        story: Story {
            form: options.extension,
            unrolled: None,
            rounds: Vec::new(),
        },
        stats: Stats::default(),
    };
    let limit = cyclic.then(|| ROUNDS);
    let mut verdicts = lazy.rounds(Emulation::of(program), goals, limit)?;
    if cyclic && deepen {
        lazy.deepen(&mut verdicts)?;
    }
    let answers = goals
        .iter()
        .zip(verdicts)
        .map(|(&goal, verdict)| GoalAnswer { goal, verdict });
    let answered = Answered {
        answers: answers.collect(),
        engine: Some(Engine::Lazy),
        unroll: lazy.story.unrolled,
        vacuity: None,
        stats: lazy.stats,
    };
    Ok((answered, Some(lazy.story)))
}

/// Why the question is not answered, if it is not.
fn unsupported(program: &Program, model: Model) -> Option<&'static str> {
    let barrier = |op: &Op| *op == Op::Fence(Fence::All);
    if program.is_parametric() {
        Some(engines::PARAMETRIC)
    } else if !matches!(model, Model::Sc | Model::Tso) {
        Some(
            "the lazy engine keeps stores in order, as TSO does: `--engine bmc` and \
             `--engine explicit` know the other models",
        )
    } else if model == Model::Tso && program.sites().any(|(_, i)| barrier(&i.op)) {
        Some(
            "`barrier all` waits for every buffer, and the lazy engine has none: `--engine bmc` and \
             `--engine explicit` have",
        )
    } else {
        None
    }
}

fn is_open(verdict: &Verdict<Run>) -> bool {
    match verdict {
        Verdict::Holds | Verdict::Violated(_) => false,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => true,
    }
}

/// The questions so far, and what they cost.
struct Lazy<'a> {
    program: &'a Program,
    goals: &'a [Goal],
    options: &'a CheckOptions,
    budget: &'a Budget,
    form: Extension,
    story: Story,
    stats: Stats,
}

impl Lazy<'_> {
    /// Algorithm 1 of the paper, for a program that emulates the one asked about: the verdicts on
    /// these goals. Without a limit on the rounds it ends for programs without loops only.
    fn rounds(
        &mut self,
        mut emulation: Emulation,
        goals: &[Goal],
        limit: Option<usize>,
    ) -> Result<Vec<Verdict<Run>>, Defect> {
        let size = |emulation: &Emulation| emulation.acts.iter().map(Vec::len).sum::<usize>();
        let most = size(&emulation) * GROWTH.0 + GROWTH.1;
        let mut verdicts: Vec<Verdict<Run>> = vec![Verdict::Unknown(Reason::Stopped); goals.len()];
        let mut suggested: BTreeSet<Vec<Site>> = BTreeSet::new();
        for round in 0.. {
            let sc = self.reachability(&emulation, goals, &mut verdicts)?;
            self.story.rounds.push(Round {
                instructions: size(&emulation),
                reachability: sc,
                robustness: None,
                sequences: Vec::new(),
            });
            if self.options.model == Model::Sc {
                return Ok(verdicts);
            }
            if self.is_done(goals, &verdicts) {
                give_up(&mut verdicts, &Reason::Unsupported(ANOTHER.to_owned()));
                return Ok(verdicts);
            }
            if self.budget.is_stopped() {
                give_up(&mut verdicts, &Reason::Stopped);
                return Ok(verdicts);
            }
            let (sequences, verdict) = self.oracle(&emulation)?;
            let mut fresh = nearest(sequences, round);
            if self.form == Extension::Amended {
                fresh.retain(|sequence| !suggested.contains(&sequence.projected(&emulation)));
            }
            let why = match verdict {
                Verdict::Holds => {
                    keep(&mut verdicts, self.program);
                    return Ok(verdicts);
                }
                Verdict::HoldsWithin(_) => Some(Reason::Unsupported(
                    "whether anything else is delayed is known within bounds only".to_owned(),
                )),
                Verdict::Unknown(reason) => Some(reason),
                Verdict::Violated(()) if fresh.is_empty() => Some(Reason::Unsupported(format!(
                    "after {round} extensions nothing new is suggested, and the program is not robust"
                ))),
                Verdict::Violated(()) if limit.is_some_and(|limit| round >= limit) => None,
                Verdict::Violated(()) => {
                    let projected = fresh.iter().map(|s| s.projected(&emulation));
                    let projected: Vec<Vec<Site>> = projected.collect();
                    suggested.extend(projected.iter().cloned());
                    emulation = emulation.extended(&fresh, self.form);
                    if let Some(last) = self.story.rounds.last_mut() {
                        last.sequences = projected;
                    }
                    if limit.is_none() || size(&emulation) <= most {
                        continue;
                    }
                    None
                }
            };
            let why = why.unwrap_or_else(|| {
                Reason::Unsupported(format!(
                    "after {} extensions the program still delays stores that matter, and further \
                     each time",
                    round + 1
                ))
            });
            give_up(&mut verdicts, &why);
            return Ok(verdicts);
        }
        Ok(verdicts)
    }

    /// Asks for all goals that are still open under SC. Those that are reached are violated; of the
    /// others the verdicts say what is known under SC.
    fn reachability(
        &mut self,
        emulation: &Emulation,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
    ) -> Result<Asked, Defect> {
        let mut images = Vec::new();
        for (index, &goal) in goals.iter().enumerate() {
            if !matches!(verdicts[index], Verdict::Violated(_)) {
                verdicts[index] = Verdict::Holds;
                // A goal of the emulating program's own has no counterpart to translate to.
                let all = emulation.images(goal);
                images.extend(all.into_iter().map(|image| (index, image)));
            }
        }
        let asked: Vec<Goal> = images.iter().map(|&(_, image)| image).collect();
        let options = CheckOptions {
            model: Model::Sc,
            engine: Engine::Auto,
            ..self.options.clone()
        };
        let answered = engines::decide(&emulation.program, &asked, &options, self.budget)?;
        self.stats = self.stats.plus(answered.stats);
        for (answer, (index, _)) in answered.answers.into_iter().zip(images) {
            let goal = goals[index];
            let verdict = match answer.verdict {
                Verdict::Violated(run) => Verdict::Violated(self.back(emulation, goal, run)?),
                other => other,
            };
            let so_far = std::mem::replace(&mut verdicts[index], Verdict::Holds);
            verdicts[index] = Verdict::all([so_far, verdict]);
        }
        Ok(Asked {
            engine: answered.engine,
            stats: answered.stats,
        })
    }

    /// A computation of the program as given that reaches the goal.
    fn back(&self, emulation: &Emulation, goal: Goal, run: Run) -> Result<Run, Defect> {
        let own = |goal: &Goal| match goal {
            Goal::Property(index) => *index < self.program.properties().len(),
            Goal::Assert(_) | Goal::Outside(_) => true,
        };
        if !own(&goal) {
            return Ok(run);
        }
        let model = self.options.model;
        let steps = if model == Model::Sc {
            run.moments.iter().map(|moment| moment.step).collect()
        } else {
            let steps = emulation.steps(self.program, &run);
            steps.map_err(|error| Defect {
                goal,
                message: format!("step {}: {}", error.at, error.message),
            })?
        };
        // First as it is: what cannot be replayed must not be shortened into something that can.
        replayed(self.program, model, goal, &steps)?;
        let steps = shorten(self.program, model, goal, steps);
        replayed(self.program, model, goal, &steps)
    }

    /// Whether nothing more is worth asking.
    fn is_done(&self, goals: &[Goal], verdicts: &[Verdict<Run>]) -> bool {
        let violated = |verdict: &Verdict<Run>| matches!(verdict, Verdict::Violated(_));
        let counts = |goal: Goal| match goal {
            Goal::Property(index) => {
                index < self.program.properties().len() && !is_observation(self.program, goal)
            }
            Goal::Assert(_) | Goal::Outside(_) => true,
        };
        let decided = |(&goal, verdict): (&Goal, &Verdict<Run>)| counts(goal) && violated(verdict);
        verdicts.iter().all(violated)
            || self.options.until == Until::Violated && goals.iter().zip(verdicts).any(decided)
    }

    /// What is delayed in the program's witnesses, the shortest first, and whether there are any.
    fn oracle(&mut self, emulation: &Emulation) -> Result<(Vec<Sequence>, Verdict<()>), Defect> {
        let options = RobustOptions {
            solver: self.options.solver,
            reduction: self.options.reduction,
            ..RobustOptions::new(Model::Tso)
        };
        let report = robustness::decide(&emulation.program, &options, self.budget);
        let report = report.map_err(|defect| Defect {
            goal: self.goals.first().copied().unwrap_or(Goal::Property(0)),
            message: defect.message,
        })?;
        self.stats = self.stats.plus(report.stats);
        if let Some(last) = self.story.rounds.last_mut() {
            last.robustness = Some(Asked {
                engine: report.engine,
                stats: report.stats,
            });
        }
        let found = report.feasible();
        let mut sequences: Vec<Sequence> = found
            .filter_map(|(attack, run)| Sequence::of_witness(&emulation.program, run, attack))
            .collect();
        sequences.sort_by_key(|sequence| (sequence.instrs().len(), sequence.clone()));
        sequences.dedup();
        Ok((sequences, report.verdict().map(|_| ())))
    }

    /// Unrolls the loops, further each time, and asks about what is still open.
    fn deepen(&mut self, verdicts: &mut [Verdict<Run>]) -> Result<(), Defect> {
        let deepest = self.options.unroll.unwrap_or(DEEPEST);
        let mut times = 1;
        while times <= deepest && !self.budget.is_stopped() {
            let open: Vec<usize> = (0..verdicts.len())
                .filter(|&index| is_open(&verdicts[index]))
                .collect();
            if open.is_empty() || self.is_done(self.goals, verdicts) {
                return Ok(());
            }
            let unrolled = unrolled(self.program, times as usize);
            let mut goals: Vec<Goal> = open.iter().map(|&index| self.goals[index]).collect();
            goals.extend(unrolled.is_cut);
            let mut answers = self.rounds(unrolled.emulation, &goals, None)?;
            self.story.unrolled = Some(times);
            let whole = unrolled.is_cut.is_some() && answers.pop() == Some(Verdict::Holds);
            for (index, answer) in open.into_iter().zip(answers) {
                verdicts[index] = match answer {
                    Verdict::Holds if whole => Verdict::Holds,
                    Verdict::Holds => Verdict::HoldsWithin(unrolled.bounds.clone()),
                    Verdict::Violated(run) => Verdict::Violated(run),
                    // Less is known of more iterations: what was known stays.
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => continue,
                };
            }
            times *= 2;
        }
        Ok(())
    }
}

/// Of the sequences that begin with the same store the shortest, and those that go so far beyond
/// it as the rounds before allow: twice as far each time. A store that matters is mostly seen to
/// with the first load that overtakes it, and whatever else is delayed makes every later question
/// harder.
fn nearest(sequences: Vec<Sequence>, round: usize) -> Vec<Sequence> {
    let mut shortest: BTreeMap<(ThreadId, InstrId), usize> = BTreeMap::new();
    // The shortest come first.
    sequences
        .into_iter()
        .filter(|sequence| {
            let length = sequence.instrs().len();
            let root = (sequence.thread(), sequence.instrs()[0]);
            let shortest = *shortest.entry(root).or_insert(length);
            length <= shortest << round.min(16)
        })
        .collect()
}

/// What holds under SC is not known under TSO.
fn give_up(verdicts: &mut [Verdict<Run>], why: &Reason) {
    for verdict in verdicts {
        if !matches!(verdict, Verdict::Violated(_)) {
            *verdict = Verdict::Unknown(why.clone());
        }
    }
}

/// What is known under SC is known, in the program's own locations.
fn keep(verdicts: &mut [Verdict<Run>], program: &Program) {
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
