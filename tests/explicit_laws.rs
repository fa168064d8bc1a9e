//! Laws of the step-by-step reference on random programs.
//!
//! What must hold between the models, between programs with and without a fence, and between
//! searches with and without reductions, whatever the program.

#[path = "support/random.rs"]
#[allow(dead_code, reason = "each test binary uses a part of the generator")]
#[allow(unreachable_pub, reason = "shared between test binaries")]
mod random;

use fencepost::explicit::{
    Answers, Halt, Reduction, check_all_with, explore, explore_halts, replay,
};
use fencepost::model::Model;
use fencepost::program::{Goal, Program};
use fencepost::verdict::{Budget, Verdict};
use proptest::prelude::*;
use proptest::test_runner::{Config, FileFailurePersistence};
use random::{Kind, Shape, Sketch, Stmt, sketch};
use std::collections::BTreeSet;

fn config(cases: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(cases);
    Config {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/explicit_laws.txt",
        ))),
        ..Config::default()
    }
}

fn finals(program: &Program, model: Model) -> BTreeSet<Halt> {
    let exploration = explore(program, model, &Budget::default());
    assert_eq!(exploration.incomplete, None);
    exploration.finals
}

/// Final memory and registers: comparable between programs whose locations differ.
fn values(sketch: &Sketch, model: Model) -> BTreeSet<(Vec<Vec<i32>>, Vec<i32>)> {
    finals(&sketch.build(), model)
        .into_iter()
        .map(|halt| (halt.registers, halt.memory))
        .collect()
}

fn search(program: &Program, model: Model, goals: &[Goal], reduction: Reduction) -> Answers {
    check_all_with(program, model, goals, reduction, &Budget::default())
}

fn reached(answers: &Answers) -> Vec<(Goal, &'static str)> {
    answers
        .verdicts
        .iter()
        .map(|(goal, verdict)| (*goal, verdict.word()))
        .collect()
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_weaker_model_loses_no_final_state(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let [sc, tso, pso, pgas] = Model::ALL.map(|model| finals(&program, model));
        prop_assert!(sc.is_subset(&tso));
        prop_assert!(tso.is_subset(&pso));
        prop_assert_eq!(pso, pgas);
    }

    #[test]
    fn pso_and_pgas_halt_in_the_same_configurations(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let [pso, pgas] = [Model::Pso, Model::Pgas]
            .map(|model| explore_halts(&program, model, &Budget::default()));
        prop_assert_eq!(pso, pgas);
    }

    #[test]
    fn a_fence_never_adds_a_final_state(
        sketch in sketch(Shape::ALL),
        thread in 0..3usize,
        position in 0..6usize,
        kind in prop_oneof![
            Just(Kind::Full),
            Just(Kind::Store),
            (1u8..8).prop_map(Kind::Cells),
            Just(Kind::All),
        ],
    ) {
        let fenced = sketch.with_insertion(thread, position, Stmt::Fence(kind));
        for model in Model::ALL {
            prop_assert!(values(&fenced, model).is_subset(&values(&sketch, model)));
        }
    }

    #[test]
    fn a_full_fence_after_every_store_leaves_sequential_consistency(
        sketch in sketch(Shape::ALL),
    ) {
        let fenced = sketch.after_stores(&Stmt::Fence(Kind::Full)).build();
        let sc = finals(&fenced, Model::Sc);
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            prop_assert_eq!(&finals(&fenced, model), &sc);
        }
    }

    #[test]
    fn the_framework_with_a_lightweight_fence_after_every_store_is_tso(
        sketch in sketch(Shape::ALL),
    ) {
        let tso = values(&sketch, Model::Tso);
        let fenced = sketch.after_stores(&Stmt::Fence(Kind::Store));
        for model in [Model::Pso, Model::Pgas] {
            prop_assert_eq!(&values(&fenced, model), &tso);
        }
    }

    #[test]
    fn no_reduction_changes_an_answer(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let goals = program.goals();
        for model in Model::ALL {
            let plain = search(&program, model, &goals, Reduction::NONE);
            for reduction in [
                Reduction { liveness: true, ..Reduction::NONE },
                Reduction { local_steps: true, ..Reduction::NONE },
                Reduction { retire: true, ..Reduction::NONE },
                Reduction::ALL,
            ] {
                let reduced = search(&program, model, &goals, reduction);
                prop_assert_eq!(reached(&plain), reached(&reduced), "{} {:?}", model, reduction);
                // Each goal alone observes less, and so reduces more.
                for &goal in &goals {
                    let alone = search(&program, model, &[goal], reduction);
                    let before = plain.verdicts.iter().find(|(g, _)| *g == goal);
                    prop_assert_eq!(
                        before.map(|(_, verdict)| verdict.word()),
                        Some(alone.verdicts[0].1.word())
                    );
                }
            }
            let all = search(&program, model, &[], Reduction::NONE);
            let some = search(&program, model, &[], Reduction::ALL);
            prop_assert!(all.complete && some.complete);
            prop_assert_eq!(all.executed, some.executed);
        }
    }

    #[test]
    fn the_search_agrees_with_the_exploration(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let goals: Vec<Goal> = (0..program.properties().len()).map(Goal::Property).collect();
        let observed = |property: usize, halt: &Halt| {
            program.properties()[property].predicate.eval(|observable| match observable {
                fencepost::program::Observable::Register(t, r) => {
                    halt.registers[t.index()][r.index()]
                }
                fencepost::program::Observable::At(t, l) => {
                    i32::from(halt.locations[t.index()] == l)
                }
                fencepost::program::Observable::Cell(addr) => halt.memory[addr.index()],
            }) != 0
        };
        for model in Model::ALL {
            let (halts, _) = explore_halts(&program, model, &Budget::default());
            let finals = finals(&program, model);
            let expected = [
                halts.iter().any(|halt| observed(0, halt)),
                finals.iter().any(|halt| observed(1, halt)),
                finals.iter().any(|halt| !observed(2, halt)),
            ];
            let answers = search(&program, model, &goals, Reduction::ALL);
            for ((_, verdict), expected) in answers.verdicts.iter().zip(expected) {
                prop_assert_eq!(matches!(verdict, Verdict::Violated(_)), expected);
            }
        }
    }

    #[test]
    fn evidence_replays_and_reaches_its_goal(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        for model in Model::ALL {
            for reduction in [Reduction::NONE, Reduction::ALL] {
                for (goal, verdict) in search(&program, model, &program.goals(), reduction).verdicts {
                    if let Verdict::Violated(steps) = verdict {
                        let run = replay(&program, model, &steps);
                        let run = run.map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
                        prop_assert!(run.reached.contains(&goal));
                        prop_assert_eq!(run.moments.len(), steps.len());
                    }
                }
            }
        }
    }
}
