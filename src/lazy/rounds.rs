//! The loop: look for the goals under SC, ask what else may be delayed, extend, and again
//! [BCDM15, Algorithm 1].

use super::emulation::Emulation;
use super::oracle::{nearest, suggest};
use super::unrolled::unrolled;
use super::{Asked, Round, Story};
use crate::engines::{
    self, CheckOptions, Defect, Engine, Extension, Stats, Until, is_observation, replayed,
};
use crate::explicit::{Run, shorten};
use crate::model::Model;
use crate::program::{Goal, LocId, Program, Site};
use crate::verdict::{Budget, LoopBound, Reason, Verdict};
use std::collections::BTreeSet;

/// How many configurations are visited at first: mostly enough to see what happens under SC. Before
/// anything is delayed, more is worth its cost only if nothing can be.
const FEW: usize = 20_000;
/// A program with loops, unrolled or not, is extended until it has so many times its instructions,
/// and this many more.
const GROWTH: (usize, usize) = (6, 150);
/// So often at most.
const MOST: usize = 12;
/// No program has more instructions than this.
const LARGEST: usize = 200_000;
/// How often its loops are unrolled at most where nobody says.
const DEEPEST: u32 = 8;

/// Why a goal is left open where one is enough.
const ANOTHER: &str = "another goal is reached, which decides the question";

/// The questions so far, and what they cost.
pub(super) struct Rounds<'a> {
    program: &'a Program,
    options: &'a CheckOptions,
    budget: &'a Budget,
    pub(super) story: Story,
    pub(super) stats: Stats,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(program: &'a Program, options: &'a CheckOptions, budget: &'a Budget) -> Self {
        Self {
            program,
            options,
            budget,
            story: Story {
                extension: options.extension,
                unrolled: None,
                rounds: Vec::new(),
            },
            stats: Stats::default(),
        }
    }

    /// The verdicts on these goals of a program that emulates the one asked about. It ends for
    /// programs without loops; where there are or were some, `limited` ends it sooner.
    pub(super) fn run(
        &mut self,
        mut emulation: Emulation,
        goals: &[Goal],
        limited: bool,
    ) -> Result<Vec<Verdict<Run>>, Defect> {
        let most = if limited {
            emulation.size() * GROWTH.0 + GROWTH.1
        } else {
            LARGEST
        };
        let mut verdicts: Vec<Verdict<Run>> = vec![Verdict::Unknown(Reason::Stopped); goals.len()];
        let mut suggested: BTreeSet<Vec<Site>> = BTreeSet::new();
        let mut why = Reason::Stopped;
        for round in 0.. {
            let mut reachability = self.search(&emulation, goals, &mut verdicts, true)?;
            // What an extension was made for is worth a longer look.
            let quick = round == 0 && self.options.model != Model::Sc;
            if !quick && verdicts.iter().any(is_open) && !self.is_done(goals, &verdicts) {
                let again = self.search(&emulation, goals, &mut verdicts, false)?;
                reachability.add(again);
            }
            self.story.rounds.push(Round {
                instructions: emulation.size(),
                reachability,
                robustness: None,
                sequences: Vec::new(),
            });
            if self.options.model == Model::Sc {
                return Ok(verdicts);
            }
            if self.is_done(goals, &verdicts) {
                why = Reason::Unsupported(ANOTHER.to_owned());
                break;
            }
            if self.budget.is_stopped() {
                break;
            }
            let suggestion = suggest(&emulation.program, self.options, self.budget);
            let suggestion = suggestion.map_err(|defect| Defect {
                goal: goals[0],
                message: defect.message,
            })?;
            self.stats = self.stats.plus(suggestion.stats);
            let here = self.story.rounds.len() - 1;
            self.story.rounds[here].robustness = Some(Asked {
                questions: suggestion.attacks,
                engine: suggestion.engine,
                stats: suggestion.stats,
            });
            match suggestion.verdict {
                Verdict::Holds => {
                    if quick && verdicts.iter().any(is_open) {
                        let again = self.search(&emulation, goals, &mut verdicts, false)?;
                        self.story.rounds[here].reachability.add(again);
                    }
                    keep(&mut verdicts, self.program);
                    return Ok(verdicts);
                }
                Verdict::HoldsWithin(_) => {
                    let bounded = "whether anything else is delayed is known within bounds only";
                    why = Reason::Unsupported(bounded.to_owned());
                    break;
                }
                Verdict::Unknown(reason) => {
                    why = reason;
                    break;
                }
                Verdict::Violated(()) => {}
            }
            let mut fresh = nearest(suggestion.sequences, round);
            if self.options.extension == Extension::Amended {
                fresh.retain(|sequence| !suggested.contains(&sequence.projected(&emulation)));
            }
            if fresh.is_empty() || limited && round + 1 >= MOST {
                why = too_far(round);
                break;
            }
            let projected = fresh.iter().map(|sequence| sequence.projected(&emulation));
            let projected: Vec<Vec<Site>> = projected.collect();
            suggested.extend(projected.iter().cloned());
            self.story.rounds[here].sequences = projected;
            emulation = emulation.extended(&fresh, self.options.extension);
            if emulation.size() > most {
                why = too_far(round + 1);
                break;
            }
        }
        // What holds under SC is not known under TSO.
        for verdict in verdicts.iter_mut().filter(|verdict| !is_violated(verdict)) {
            *verdict = Verdict::Unknown(why.clone());
        }
        Ok(verdicts)
    }

    /// Asks under SC for all goals that are not known to be reached. Those that are become
    /// violated; of the others the verdicts say what is known under SC.
    fn search(
        &mut self,
        emulation: &Emulation,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
        quick: bool,
    ) -> Result<Asked, Defect> {
        let mut images = Vec::new();
        for (index, &goal) in goals.iter().enumerate() {
            if !is_violated(&verdicts[index]) {
                verdicts[index] = Verdict::Holds;
                let all = emulation.images(goal);
                images.extend(all.into_iter().map(|image| (index, image)));
            }
        }
        let asked: Vec<Goal> = images.iter().map(|&(_, image)| image).collect();
        let (engine, states) = if quick {
            (Engine::Explicit, FEW.min(self.budget.states))
        } else {
            (Engine::Auto, self.budget.states)
        };
        let options = CheckOptions {
            model: Model::Sc,
            engine,
            ..self.options.clone()
        };
        let budget = self.budget.with_states(states);
        let answered = engines::decide(&emulation.program, &asked, &options, &budget)?;
        self.stats = self.stats.plus(answered.stats);
        for (answer, (index, _)) in answered.answers.into_iter().zip(images) {
            let goal = goals[index];
            let verdict = match answer.verdict {
                Verdict::Violated(run) => Verdict::Violated(self.back(emulation, goal, run)?),
                other @ (Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => other,
            };
            let so_far = std::mem::replace(&mut verdicts[index], Verdict::Holds);
            verdicts[index] = Verdict::all([so_far, verdict]);
        }
        Ok(Asked {
            questions: asked.len(),
            engine: answered.engine,
            stats: answered.stats,
        })
    }

    /// Whether the goal is one of the program as given, and not of a program that emulates it.
    fn is_own(&self, goal: Goal) -> bool {
        match goal {
            Goal::Property(index) => index < self.program.properties().len(),
            Goal::Assert(_) | Goal::Outside(_) => true,
        }
    }

    /// A computation of the program as given that reaches the goal, if it has the goal.
    fn back(&self, emulation: &Emulation, goal: Goal, run: Run) -> Result<Run, Defect> {
        if !self.is_own(goal) {
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
        let decides = |goal: Goal| self.is_own(goal) && !is_observation(self.program, goal);
        let mut pairs = goals.iter().zip(verdicts);
        verdicts.iter().all(is_violated)
            || self.options.until == Until::Violated
                && pairs.any(|(&goal, verdict)| is_violated(verdict) && decides(goal))
    }

    /// Unrolls the loops, further each time, and asks about what is still open.
    pub(super) fn deepen(
        &mut self,
        goals: &[Goal],
        verdicts: &mut [Verdict<Run>],
    ) -> Result<(), Defect> {
        let deepest = self.options.unroll.unwrap_or(DEEPEST);
        let mut times = 1;
        while times <= deepest && !self.budget.is_stopped() && !self.is_done(goals, verdicts) {
            let all = 0..verdicts.len();
            let open: Vec<usize> = all.filter(|&index| is_open(&verdicts[index])).collect();
            if open.is_empty() {
                return Ok(());
            }
            let unrolled = unrolled(self.program, times as usize);
            let mut asked: Vec<Goal> = open.iter().map(|&index| goals[index]).collect();
            asked.extend(unrolled.is_cut);
            let mut answers = self.run(unrolled.emulation, &asked, true)?;
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
            times = if times == deepest {
                deepest + 1
            } else {
                deepest.min(2 * times)
            };
        }
        Ok(())
    }
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

fn too_far(extensions: usize) -> Reason {
    let times = if extensions == 1 {
        "extension"
    } else {
        "extensions"
    };
    Reason::Unsupported(format!(
        "after {extensions} {times} there are still stores whose delay matters, and they are \
         delayed further each time"
    ))
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
