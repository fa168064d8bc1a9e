//! A search that stops for its budget and goes on finds what one search finds, by the same ways.

use crate::support::{alike, automata, config, random};
use alike::{Alike, owners, statements, waits};
use automata::{Mix, automata};
use config::config;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::search::{Question, Reduction, Visited, check_all_with, go_on};
use fencepost::internals::techniques::Techniques;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
use random::{Shape, sketch};

/// Enough for most programs here: the others show what is left open.
const ALL: usize = 1_500;

fn pauses_change_nothing(
    program: &Program,
    goals: &[Goal],
    model: Model,
    reduction: Reduction,
    pause: usize,
) -> Result<(), TestCaseError> {
    let budget = |states| Budget::default().with_states(states);
    let at_once = check_all_with(program, model, goals, reduction, &budget(ALL));
    let question = Question {
        program,
        model,
        goals,
        reduction,
    };
    let mut visited = Visited::default();
    let mut before = 0;
    for states in (0..ALL).step_by(pause) {
        let some = go_on(&mut visited, question, &budget(states));
        prop_assert!(
            some.states >= before,
            "{model}: {} after {before}",
            some.states
        );
        before = some.states;
        if some.complete {
            break;
        }
    }
    let in_steps = go_on(&mut visited, question, &budget(ALL));
    prop_assert_eq!(at_once, in_steps, "{} {:?}", model, reduction);
    Ok(())
}

fn of_alike(alike: &Alike, pause: usize) -> Result<(), TestCaseError> {
    for model in [Model::Sc, Model::Tso] {
        let Alike { program, goals, .. } = alike;
        for reduction in [Reduction::ALL, Techniques::eager(5).reduction] {
            pauses_change_nothing(program, goals, model, reduction, pause)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn of_automata(
        automata in prop_oneof![
            automata(6, Mix::Apart),
            automata(6, Mix::Races),
            automata(6, Mix::Blocks),
        ],
        pause in 1..200_usize,
    ) {
        let program = automata.build();
        for model in Model::ALL {
            // From 1 on, a trial of bounds begins after 50 configurations.
            let eager = [0, 1, 5, 30].map(Techniques::eager);
            let one_less = Techniques::names().filter_map(|name| eager[0].without(name));
            let mut all: Vec<Reduction> = eager.iter().chain(&[Techniques::NONE]).map(|t| t.reduction).collect();
            all.extend(one_less.map(|techniques| techniques.reduction));
            all.push(Reduction::ALL);
            for reduction in all {
                pauses_change_nothing(&program, &program.goals(), model, reduction, pause)?;
                pauses_change_nothing(&program, &[], model, reduction, pause)?;
            }
        }
    }

    #[test]
    fn of_threads_that_are_alike(
        alike in prop_oneof![owners(), statements(Shape::ALL), waits()],
        pause in 1..200_usize,
    ) {
        of_alike(&alike, pause)?;
    }

    #[test]
    fn of_statements(sketch in sketch(Shape::ALL), pause in 1..200_usize) {
        let program = sketch.build();
        for model in Model::ALL {
            pauses_change_nothing(&program, &program.goals(), model, Reduction::ALL, pause)?;
        }
    }
}

/// What was left open before a pause stays open after it.
#[test]
fn what_is_given_up_stays_so() {
    let wide = "shared x, y; thread t { local r; r = nondet(0, 300); }\n\
        thread u { x = 1; y = 1; x = 2; y = 2; } forbid y == 3;";
    let program = parse(wide).program.expect("it parses");
    pauses_change_nothing(&program, &program.goals(), Model::Tso, Reduction::NONE, 1)
        .expect("no difference");
}
