//! `auto`: the ladder for a program's goals, and what the attempts come to together.

use super::ladder::GOALS;
use super::{
    Answered, Asked, CheckOptions, Climb, DEEPEST, Effort, GoalAnswer, Rung, SHALLOW, Until, climb,
    is_observation,
};
use crate::program::{Goal, Program};
use crate::verdict::{Budget, Defect, Reason, Verdict};

/// One engine after the other; `others` answers for those that are not of this module.
pub(crate) fn automatic(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
    others: impl FnMut(&[Goal]) -> Result<Option<Answered>, Defect>,
) -> Result<Answered, Defect> {
    let asked = Asked {
        program,
        goals,
        options,
        budget,
    };
    let open = Answered::open(goals, &Reason::Stopped);
    climb(&mut Automatic { asked, others }, &GOALS, open, budget)
}

struct Automatic<'a, F> {
    asked: Asked<'a>,
    others: F,
}

impl<F: FnMut(&[Goal]) -> Result<Option<Answered>, Defect>> Climb for Automatic<'_, F> {
    type Known = Answered;

    /// With something violated the verdict is decided, whatever the other goals' proofs would cost.
    fn is_enough(&self, known: &Answered) -> bool {
        let Asked {
            program, options, ..
        } = self.asked;
        let decides = |goal: Goal| match goal {
            Goal::Assert(site) => program.limits().binary_search(&site).is_err(),
            Goal::Outside(_) | Goal::Property(_) => !is_observation(program, goal),
        };
        let mut answers = known.answers.iter();
        known.is_decided()
            || options.until == Until::Violated
                && answers.any(|answer| answer.is_violated() && decides(answer.goal))
    }

    fn attempt(&mut self, _: &Answered, rung: Rung) -> Result<Option<Answered>, Defect> {
        let Asked {
            options, budget, ..
        } = self.asked;
        let deepest = options.unroll.unwrap_or(DEEPEST);
        let loops = rung.effort.loops.min(deepest);
        // Loops are followed further, or not again.
        if rung.effort.loops > SHALLOW && deepest <= SHALLOW {
            return Ok(None);
        }
        let effort = Effort {
            loops,
            states: rung.effort.states.min(budget.states),
        };
        match self.asked.of(rung.engine, effort)? {
            Some(answered) => Ok(Some(answered)),
            None => (self.others)(self.asked.goals),
        }
    }

    /// Goal by goal the answer that says more. In the name of the engine that decided them all or
    /// reached one of them; else of the one that followed loops, the furthest.
    fn together(&self, known: Answered, more: Answered) -> Answered {
        let names = known.engine.is_none()
            || more.is_decided()
            || more.answers.iter().any(GoalAnswer::is_violated)
            || more.unroll.is_some();
        let (engine, unroll) = if names {
            (more.engine, more.unroll)
        } else {
            (known.engine, known.unroll)
        };
        let answers = known.answers.into_iter().zip(more.answers);
        let answers = answers.map(|(known, more)| match (&known.verdict, &more.verdict) {
            (Verdict::Holds | Verdict::Violated(_), _)
            | (Verdict::HoldsWithin(_), Verdict::Unknown(_)) => known,
            (_, _) => more,
        });
        Answered {
            answers: answers.collect(),
            engine,
            unroll,
            vacuity: more.vacuity.or(known.vacuity),
            stats: known.stats.plus(more.stats),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Engine;
    use crate::formats::parse;
    use crate::model::Model;

    /// No engine decides this: each attempt says that it holds as far as it followed the loop.
    #[test]
    fn the_furthest_bounds_are_the_ones_that_are_told() {
        let text = "shared x; thread t { loop { x = x + 1; } } forbid x == -5;";
        let program = parse(text).program.expect("no errors in the text");
        let goals = program.goals();
        let options = CheckOptions::new(Model::Tso);
        let budget = Budget::default().with_states(100);
        let answered = automatic(&program, &goals, &options, &budget, |_| Ok(None));
        let answered = answered.expect("no answer is withheld");
        assert_eq!(
            (answered.engine, answered.unroll),
            (Some(Engine::Bmc), Some(DEEPEST))
        );
        let Verdict::HoldsWithin(bounds) = &answered.answers[0].verdict else {
            panic!("{:?}", answered.answers);
        };
        assert_eq!(bounds.loops[0].iterations, DEEPEST);
    }
}
