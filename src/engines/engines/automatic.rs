//! `auto`: the race of the engines for a program's goals, and how their results are merged.

use super::{Answer, Engine, Engines, Found, GoalShown, Problem, Row, Until, is_observation};
use crate::program::Goal;
use crate::race::{ENTRANTS, Entrant, ROUNDS, Race, Slice, Standing, Turn};
use crate::verdict::{Defect, Reason, Verdict};

/// Lets the engines of a table work in turn, or the one of the options alone.
pub(super) fn automatic(engines: Engines, problem: &Problem<'_>) -> Result<Found, Defect> {
    let open = Found::open(problem.queries, &Reason::Stopped);
    let mut race = Automatic { engines, problem };
    let options = problem.options;
    let first = options.techniques.first_slice;
    let mut standing = if options.engine == Engine::Auto {
        Standing::new(&ENTRANTS, first, problem.program)
    } else {
        Standing::new(&[Entrant::alone(options.engine)], first, problem.program)
    };
    standing.go_on(&mut race, open, ROUNDS, problem.budget)
}

struct Automatic<'a> {
    engines: Engines,
    problem: &'a Problem<'a>,
}

impl Race for Automatic<'_> {
    type Results = Found;

    /// A violation decides the verdict, so proofs of the other goals are not worth their cost.
    fn is_enough(&self, known: &Found) -> bool {
        let Problem {
            program, options, ..
        } = *self.problem;
        let decides = |goal: Goal| match goal {
            Goal::Assert(site) => program.limits().binary_search(&site).is_err(),
            Goal::Outside(_) | Goal::Property(_) => !is_observation(program, goal),
        };
        let mut answers = known.answers.iter();
        known.is_decided()
            || options.until == Until::Violated
                && answers.any(|answer| answer.is_violated() && decides(answer.query))
    }

    fn turn(&mut self, _: &Found, engine: Engine, slice: Slice) -> Result<Turn<Found>, Defect> {
        let options = self.problem.options;
        let takes_part = |row: &&Row| options.engine != Engine::Auto || (row.suits)(options.model);
        let Some(row) = self.engines.row(engine).filter(takes_part) else {
            return Ok(Turn::Absent);
        };
        let found = row.run(self.problem, slice)?;
        Ok(if row.is_over(self.problem, &found) {
            Turn::Over(found)
        } else {
            Turn::GoesOn(found)
        })
    }

    /// Keeps the stronger answer per goal. The result is attributed to the engine that decided
    /// every goal or reached one of them; otherwise to the engine that unrolled the loops furthest.
    fn merge(&self, known: Found, more: Found) -> Found {
        let names = known.engine.is_none()
            || more.is_decided()
            || more.answers.iter().any(Answer::is_violated)
            || more.unroll.is_some();
        let (engine, unroll, history) = if names {
            (more.engine, more.unroll, more.shown.history)
        } else {
            (known.engine, known.unroll, known.shown.history)
        };
        let answers = known.answers.into_iter().zip(more.answers);
        let answers = answers.map(|(known, more)| match (&known.verdict, &more.verdict) {
            (Verdict::Holds | Verdict::Violated(_), _)
            | (Verdict::HoldsWithin(_), Verdict::Unknown(_)) => known,
            (_, _) => more,
        });
        Found {
            answers: answers.collect(),
            engine,
            unroll,
            shown: GoalShown {
                executed: more.shown.executed.or(known.shown.executed),
                history,
                invariant: more.shown.invariant.or(known.shown.invariant),
            },
            stats: known.stats.plus(more.stats),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{Answered, BMC, BUFFERED, CheckOptions, DEEPEST, EXPLICIT};
    use crate::formats::parse;
    use crate::model::Model;
    use crate::problem::Memory;
    use crate::program::Program;
    use crate::verdict::Budget;

    fn decided(program: &Program, model: Model, engines: Engines) -> Answered {
        let options = CheckOptions::new(model);
        let budget = Budget::default().with_states(100);
        let answered = engines.decide(program, &program.goals(), &options, &budget);
        answered.expect("no defect")
    }

    fn endless() -> Program {
        let text = "shared x; thread t { loop { x = x + 1; } } forbid x == -5;";
        parse(text).program.expect("no errors in the text")
    }

    /// No engine decides this: each attempt holds within its unroll bound.
    #[test]
    fn the_largest_bounds_are_reported() {
        let answered = decided(&endless(), Model::Tso, BUFFERED);
        assert_eq!(
            (answered.engine, answered.unroll),
            (Some(Engine::Bmc), Some(DEEPEST))
        );
        let Verdict::HoldsWithin(bounds) = &answered.answers[0].verdict else {
            panic!("{:?}", answered.answers);
        };
        assert_eq!(bounds.loops[0].iterations, DEEPEST);
    }

    /// An engine that proves everything, as an inductive engine would prove this program: its only
    /// shared variable grows by one at a time and so never becomes negative within 32 bits.
    const GROWING: Row = Row {
        engine: Engine::Lazy,
        deepest: None,
        passes: &[],
        suits: |model| model == Model::Tso,
        decide: |problem, _| {
            let mut answered = Found::open(problem.queries, &Reason::Stopped);
            for answer in &mut answered.answers {
                answer.verdict = Verdict::Holds;
            }
            answered.engine = Some(Engine::Lazy);
            Ok(answered)
        },
        vacuity: None,
    };

    /// This table lacks the lazy engine, so another engine may use its name.
    #[test]
    fn an_engine_is_added_with_a_row() {
        let with = Engines {
            rows: &[BMC, EXPLICIT, GROWING],
        };
        let answered = decided(&endless(), Model::Tso, with);
        assert_eq!(answered.answers[0].verdict, Verdict::Holds);
        assert_eq!(
            (answered.engine, answered.unroll),
            (Some(Engine::Lazy), None)
        );
        // The bounded and the explicit engine ran first.
        assert!(answered.stats.queries.is_some() && answered.stats.states.is_some());
        let unsuited = decided(&endless(), Model::Pso, with);
        assert_eq!(unsuited.engine, Some(Engine::Bmc));
    }

    /// The goal of one program is reached, and that of the other, which has the same threads and goals, is not.
    #[test]
    fn what_was_begun_is_not_used_for_another_program() {
        let counting = |by: i32| {
            let text = format!(
                "shared x, y; thread t {{ local r; loop {{ r = y; x = (r + {by}) & 15; }} }}
                 thread u {{ local r; loop {{ r = x; y = (r + 2) & 15; }} }} forbid x == 7 && y == 8;"
            );
            parse(&text).program.expect("no errors in the text")
        };
        let (odd, even) = (counting(1), counting(2));
        for engine in [Engine::Bmc, Engine::Explicit, Engine::Ic3] {
            for work in (0..12).map(|number| 500 << number) {
                let options = CheckOptions {
                    engine,
                    ..CheckOptions::new(Model::Sc)
                };
                let reaches = |memory: &Memory, program: &Program, budget: &Budget| {
                    let goals = program.goals();
                    let answered = BUFFERED.decide_from(memory, program, &goals, &options, budget);
                    let answered = answered.expect("no defect");
                    matches!(answered.answers[0].verdict, Verdict::Violated(_))
                };
                let memory = Memory::default();
                let brief = Budget::default().with_work(work);
                reaches(&memory, &even, &brief);
                assert!(
                    reaches(&memory, &odd, &Budget::default()),
                    "{engine:?} {work}"
                );
                let memory = Memory::default();
                reaches(&memory, &odd, &brief);
                assert!(
                    !reaches(&memory, &even, &Budget::default()),
                    "{engine:?} {work}"
                );
            }
        }
    }

    #[test]
    fn an_engine_without_a_row_decides_nothing() {
        let program = endless();
        let options = CheckOptions {
            engine: Engine::Lazy,
            ..CheckOptions::new(Model::Tso)
        };
        let answered = BUFFERED.decide(&program, &program.goals(), &options, &Budget::default());
        let answered = answered.expect("no defect");
        assert!(matches!(
            answered.answers[0].verdict,
            Verdict::Unknown(Reason::Unsupported(_))
        ));
    }
}
