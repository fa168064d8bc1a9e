//! The inductive engine gives the answers of the explicit and of the bounded one.
//!
//! The three share nothing but the program: one visits configurations, one unrolls loops, one looks for
//! an invariant. Random programs have loops that never end, atomic blocks, choices, and addresses that
//! are computed.

use crate::support::{alike, automata, config, random};
use alike::{Alike, statements};
use automata::{Mix, automata};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check_goals};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::robustness::{RobustOptions, has_attacks, robust};
use fencepost::internals::search::check_all;
use fencepost::internals::solve::SolverKind;
use fencepost::internals::verdict::{Budget, Reason, Verdict};
use fencepost::program::{Goal, Program, PropertyKind};
use proptest::prelude::*;
use random::{Shape, sketch};

/// The maximum number of states that the reference explores.
const STATES: usize = 20_000;

/// The maximum work of solvers: more than almost all programs need.
const WORK: u64 = 24 << 20;

fn program(text: &str) -> Program {
    parse(text).program.expect("the program is well formed")
}

fn options(model: Model, engine: Engine) -> CheckOptions {
    CheckOptions::new(model)
        .engine(engine)
        .note_unreachable(false)
}

/// The goals that are about configurations, and not about what may happen after them.
fn goals(program: &Program) -> Vec<Goal> {
    let mut goals = program.goals();
    goals.retain(|goal| match goal {
        Goal::Assert(_) | Goal::Outside(_) => true,
        Goal::Property(number) => match program.properties()[*number].kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        },
    });
    goals
}

/// The verdicts of an engine, in the order of the goals.
fn verdicts(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
) -> Result<Vec<&'static str>, TestCaseError> {
    let budget = Budget::default().with_states(STATES).with_work(WORK);
    let report = check_goals(program, goals, options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(defect.message))?;
    let all = || report.answers().iter().chain(report.observations());
    let words = goals.iter().map(|goal| {
        let answer = all().find(|answer| answer.goal == *goal);
        let answer = answer.expect("every goal has an answer");
        if let Verdict::Violated(run) = &answer.verdict {
            let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
            let again = replay(program, options.model, &steps).expect("a run is a computation");
            assert!(again.reached.contains(goal), "a run reaches its goal");
        }
        answer.verdict.word()
    });
    Ok(words.collect())
}

/// Compares the engine with the reference under SC, and with the bounded engine.
fn agrees(program: &Program, solver: SolverKind) -> Result<(), TestCaseError> {
    let goals = goals(program);
    let budget = Budget::default().with_states(STATES);
    let reference = check_all(program, Model::Sc, &goals, &budget);
    let with = options(Model::Sc, Engine::Ic3).solver(solver);
    let found = verdicts(program, &goals, &with)?;
    for ((goal, expected), found) in reference.verdicts.iter().zip(&found) {
        match expected {
            Verdict::Unknown(_) => {}
            Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Violated(_) => {
                prop_assert!(
                    *found == "unknown" || expected.word() == *found,
                    "{:?}: {}, and not {}",
                    goal,
                    expected.word(),
                    found
                );
            }
        }
    }
    let bounded = options(Model::Sc, Engine::Bmc).unroll(Some(3));
    for (goal, (bounded, found)) in goals
        .iter()
        .zip(verdicts(program, &goals, &bounded)?.iter().zip(&found))
    {
        let agree =
            matches!(*bounded, "within" | "unknown") || *found == "unknown" || bounded == found;
        prop_assert!(
            agree,
            "{:?}: bounded {}, inductive {}",
            goal,
            bounded,
            found
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn programs_with_loops_have_the_answers_of_the_reference(
        sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)],
    ) {
        agrees(&sketch.build(), SolverKind::default())?;
    }

    #[test]
    fn automata_have_the_answers_of_the_reference(graph in automata(6, Mix::Blocks)) {
        agrees(&graph.build(), SolverKind::default())?;
    }

    #[test]
    fn identical_threads_have_the_answers_of_the_reference(
        alike in statements(Shape::COUNTING),
    ) {
        let Alike { program, .. } = alike;
        agrees(&program, SolverKind::default())?;
    }

    /// Robustness is a query about instrumented programs.
    #[test]
    fn robustness_by_induction_is_robustness_by_enumeration(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let answer = |model: Model, engine: Engine| {
            let options = RobustOptions::new(model).engine(engine);
            let budget = Budget::default().with_states(STATES).with_work(4 * WORK);
            robust(&program, &options, &budget).map(|report| report.verdict().word())
        };
        for model in [Model::Tso, Model::Pso] {
            // Without attacks there is no query, and no engine to choose.
            if !has_attacks(&program, model) {
                continue;
            }
            let explicit = answer(model, Engine::Explicit);
            let explicit = explicit.map_err(|defect| TestCaseError::fail(defect.message))?;
            if explicit == "unknown" {
                continue;
            }
            let inductive = answer(model, Engine::Ic3);
            let inductive = inductive.map_err(|defect| TestCaseError::fail(defect.message))?;
            prop_assert!(inductive == "unknown" || explicit == inductive, "{}", model);
        }
    }

    /// Under a weak model the engine refuses what it cannot decide, and what it decides is right.
    #[test]
    fn a_verdict_under_a_weak_model_is_that_of_the_reference(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let goals = goals(&program);
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            if !has_attacks(&program, model) {
                continue;
            }
            let budget = Budget::default().with_states(STATES);
            let reference = check_all(&program, model, &goals, &budget);
            let found = verdicts(&program, &goals, &options(model, Engine::Ic3))?;
            for ((goal, expected), found) in reference.verdicts.iter().zip(found) {
                let known = found != "unknown" && !matches!(expected, Verdict::Unknown(_));
                prop_assert!(!known || expected.word() == found, "{} {:?}", model, goal);
            }
        }
    }
}

/// Threads that take a lock and count rounds privately, modulo a number.
fn counters(threads: u32, modulus: u32) -> Program {
    program(&format!(
        "shared lock, full;
         thread w[{threads}] {{
             local r, i;
             loop {{
                 do {{ r = cas(lock, 0, 1); }} while (r != 0);
               critical:
                 i = (i + 1) % {modulus};
                 if (i == 0) {{ full = 1; }}
                 lock = 0;
             }}
         }}
         forbid w.0@critical && w.1@critical;"
    ))
}

#[test]
fn private_data_do_not_matter_to_an_invariant() {
    // Ten counters have 8^10 values.
    let program = counters(10, 8);
    let report = check_goals(
        &program,
        &program.goals(),
        &options(Model::Sc, Engine::Ic3),
        &Budget::default(),
    );
    let report = report.expect("no defect");
    assert_eq!(report.verdict().word(), "holds");
    let invariant = report.invariant().expect("a proof");
    assert!(
        invariant.clauses.len() < 1000,
        "{}",
        invariant.clauses.len()
    );
    assert_eq!(invariant.stops.len(), 10);
}

#[test]
fn the_invariant_of_a_lock_relates_its_holders() {
    let program = program(
        "shared lock;
         thread a { local r; loop { do { r = xchg(lock, 1); } while (r != 0); in: skip; lock = 0; } }
         thread b { local r; loop { do { r = xchg(lock, 1); } while (r != 0); in: skip; lock = 0; } }
         forbid a@in && b@in;",
    );
    let report = check_goals(
        &program,
        &program.goals(),
        &options(Model::Sc, Engine::Ic3),
        &Budget::default(),
    );
    let report = report.expect("no defect");
    let clauses = &report.invariant().expect("a proof").clauses;
    // The two cannot both be inside; and the one that is inside holds the lock.
    assert!(clauses.len() >= 3, "{clauses:?}");
}

#[test]
fn values_of_full_width_are_supported() {
    let text = "shared n, lock;
        thread w[2] { local r; loop {
            do { r = cas(lock, 0, 1); } while (r != 0);
          in: n = n + 1; lock = 0; } }
        forbid w.0@in && w.1@in;";
    let program = program(text);
    let found = verdicts(&program, &program.goals(), &options(Model::Sc, Engine::Ic3));
    assert_eq!(found.expect("no defect"), ["holds"]);
}

#[test]
fn a_program_that_is_not_robust_is_refused_under_a_weak_model() {
    let text = "shared x, y;
        thread a { local r; x = 1; r = y; }
        thread b { local r; y = 1; r = x; }
        forbid a.r == 2;";
    let program = program(text);
    let report = check_goals(
        &program,
        &program.goals(),
        &options(Model::Tso, Engine::Ic3),
        &Budget::default(),
    );
    let report = report.expect("no defect");
    // `a.r == 2` is ruled out statically, but not by an engine for SC.
    let Verdict::Unknown(Reason::Unsupported(why)) = report.verdict() else {
        panic!("{:?}", report.verdict());
    };
    assert!(why.contains("not robust"), "{why}");
}

#[test]
fn a_thread_that_blocks_has_done_what_it_did_before() {
    // The assumption after the store is false, and the store is seen all the same.
    let text =
        "shared x; thread a { x = 1; assume(0); } thread b { local r; r = x; assert(r == 0); }";
    let program = program(text);
    let found = verdicts(&program, &program.goals(), &options(Model::Sc, Engine::Ic3));
    assert_eq!(found.expect("no defect"), ["violated"]);
}

#[test]
fn no_other_thread_moves_while_one_loops_inside_an_atomic_block() {
    let text = "shared x, y;
        thread a { local r; atomic { x = 1; r = 0; while (r < 3) { r = r + 1; } x = 0; } }
        thread b { local s; loop { s = x; assert(s == 0); } }
        forbid x == 1;";
    let program = program(text);
    let found = verdicts(&program, &program.goals(), &options(Model::Sc, Engine::Ic3));
    assert_eq!(found.expect("no defect"), ["holds", "holds"]);
}

#[test]
fn a_load_is_a_step_of_its_own() {
    // Both threads load before either stores.
    let text = "shared x; thread w[2] { local r; r = x; x = r + 1; } final assert x == 2;";
    let program = program(text);
    let found = verdicts(&program, &program.goals(), &options(Model::Sc, Engine::Ic3));
    assert_eq!(found.expect("no defect"), ["violated"]);
}

#[test]
fn a_property_sees_each_value_of_a_register_and_each_label() {
    let text = "shared x;
        thread a { local r; r = 1; first: skip; r = 2; second: skip; x = r; }
        forbid a.r == 1 && a@second; forbid a.r == 1 && a@first; forbid a.r == 2 && x == 0;";
    let program = program(text);
    let found = verdicts(&program, &program.goals(), &options(Model::Sc, Engine::Ic3));
    assert_eq!(found.expect("no defect"), ["holds", "violated", "violated"]);
}
