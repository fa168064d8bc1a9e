//! Goals that are queried together, and loops that are unrolled because they must be passed.
//!
//! Both save the bounded engine work, and neither may change an answer. The reference says what is
//! reachable.

use crate::support::{config, random};
use config::config;
use fencepost::internals::encode::{Plan, Switch};
use fencepost::internals::model::Model;
use fencepost::internals::reach::{Method, Reach, ReachAnswer};
use fencepost::internals::search::check_all;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program};
use fencepost::{CheckOptions, Engine, check};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeSet;

/// The goals that the reference reaches; `None` if that takes too many states.
fn reached(program: &Program, model: Model) -> Option<BTreeSet<Goal>> {
    let budget = Budget::default().with_states(60_000);
    let answers = check_all(program, model, &program.goals(), &budget);
    let mut reached = BTreeSet::new();
    for (goal, verdict) in answers.verdicts {
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated(_) => {
                reached.insert(goal);
            }
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => return None,
        }
    }
    Some(reached)
}

fn is_bounded(core: &[Switch]) -> bool {
    core.iter().any(|switch| switch.frontier().is_some())
}

fn open(program: &Program, plan: Plan, slicing: bool) -> Reach<'_> {
    let method = Method {
        slicing,
        ..Method::default()
    };
    Reach::open(program, plan, method, &Budget::default())
}

/// Queries all goals together until the rest is unreachable, and returns those that were reached.
fn reached_together(
    program: &Program,
    model: Model,
    plan: Plan,
    slicing: bool,
) -> Result<BTreeSet<Goal>, TestCaseError> {
    let mut reach = open(program, plan, slicing);
    let (mut left, alone): (Vec<Goal>, Vec<Goal>) = program
        .goals()
        .into_iter()
        .partition(|&goal| reach.is_groupable(goal));
    let mut found = BTreeSet::new();
    let fail = |error| TestCaseError::fail(format!("{model}: {error:?}"));
    while let ReachAnswer::Reachable(run) = reach.ask_any(&left, model).map_err(fail)? {
        let before = left.len();
        left.retain(|goal| !run.reached.contains(goal));
        prop_assert!(left.len() < before, "{} reaches none of the goals", model);
        found.extend(run.reached);
    }
    for goal in alone {
        if let ReachAnswer::Reachable(run) = reach.ask(goal, model, &[]).map_err(fail)? {
            found.extend(run.reached);
        }
    }
    Ok(found)
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn goals_queried_together_are_those_that_the_reference_reaches(
        sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)],
    ) {
        let program = sketch.build();
        for model in Model::ALL {
            let Some(expected) = reached(&program, model) else { return Ok(()) };
            for slicing in [true, false] {
                let plan = Plan { returns: 6, ..Plan::new(program.goals(), model) };
                let found = reached_together(&program, model, plan, slicing)?;
                prop_assert_eq!(&found, &expected, "{}, slicing: {}", model, slicing);
            }
        }
    }

    #[test]
    fn unrolling_loops_that_must_be_passed_only_decides_more(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        for model in Model::ALL {
            let Some(expected) = reached(&program, model) else { return Ok(()) };
            let plan = |counting| Plan { counting, ..Plan::new(program.goals(), model) };
            let mut plain = open(&program, plan(false), true);
            let mut counting = open(&program, plan(true), true);
            for goal in program.goals() {
                let fail = |error| TestCaseError::fail(format!("{model} {goal:?}: {error:?}"));
                let without = plain.ask(goal, model, &[]).map_err(fail)?;
                let with = counting.ask(goal, model, &[]).map_err(fail)?;
                match &with {
                    ReachAnswer::Reachable(_) => prop_assert!(expected.contains(&goal)),
                    ReachAnswer::Unreachable(core) => prop_assert!(
                        is_bounded(core) || !expected.contains(&goal),
                        "{} {:?} is not a proof", model, goal
                    ),
                }
                match &without {
                    ReachAnswer::Reachable(_) => {
                        prop_assert!(matches!(with, ReachAnswer::Reachable(_)));
                    }
                    ReachAnswer::Unreachable(core) if !is_bounded(core) => {
                        let is_proof = matches!(&with, ReachAnswer::Unreachable(core) if !is_bounded(core));
                        prop_assert!(is_proof, "{} {:?} was proved without", model, goal);
                    }
                    ReachAnswer::Unreachable(_) => {}
                }
            }
        }
    }
}

fn verdict(text: &str, model: Model, unroll: Option<u32>) -> Verdict<()> {
    let program = fencepost::parse(text).into_program();
    let program = program.expect("no errors in the text");
    let mut options = CheckOptions::new(model).engine(Engine::Bmc);
    options.unroll = unroll;
    let report = check(&program, &options, &Budget::default()).expect("no defect");
    report.verdict().map(|_| ())
}

/// Store buffering after this code, with or without a fence.
fn buffering(before: &str, fence: &str) -> String {
    let thread = |name: &str, mine: &str, other: &str| {
        format!("thread {name} {{ local i, j, r; {mine} = 1; {before} {fence} r = {other}; }}\n")
    };
    format!(
        "shared x, y, z;\n{}{}final assert t0.r == 1 || t1.r == 1;",
        thread("t0", "x", "y"),
        thread("t1", "y", "x")
    )
}

/// Far more iterations than loops are unrolled by default, one after the other and nested, also if
/// the inner loop has a different number of iterations each time.
#[test]
fn loops_with_a_known_number_of_iterations_do_not_bound_the_verdict() {
    for before in [
        "while (i < 200) { i = i + 1; }",
        "while (i < 40) { i = i + 1; } while (j < 60) { j = j + 1; }",
        "while (i < 20) { j = 0; while (j < 20) { j = j + 1; } i = i + 1; }",
        "while (i < 25) { j = 0; while (j < i) { j = j + 1; } i = i + 1; }",
    ] {
        let fenced = buffering(before, "fence;");
        assert_eq!(
            verdict(&fenced, Model::Tso, None),
            Verdict::Holds,
            "{before}"
        );
        let free = buffering(before, "");
        assert_eq!(
            verdict(&free, Model::Tso, None),
            Verdict::Violated(()),
            "{before}"
        );
        assert_eq!(verdict(&free, Model::Sc, None), Verdict::Holds, "{before}");
    }
}

#[test]
fn a_bound_set_by_the_user_is_kept() {
    let text = buffering("while (i < 200) { i = i + 1; }", "");
    let bounded = verdict(&text, Model::Tso, Some(100));
    assert!(matches!(bounded, Verdict::HoldsWithin(_)), "{bounded:?}");
    assert_eq!(verdict(&text, Model::Tso, Some(200)), Verdict::Violated(()));
}

/// The number of iterations depends on what the thread reads, or is far too great.
#[test]
fn other_loops_are_cut_at_the_default_bound() {
    for before in [
        "do { i = i + 1; z = i; j = z; } while (j < 200);",
        "loop { i = i + 1; if (i > 100000000) { break; } }",
    ] {
        let found = verdict(&buffering(before, ""), Model::Tso, None);
        assert!(
            matches!(found, Verdict::HoldsWithin(_)),
            "{before}: {found:?}"
        );
    }
}

/// The assertions of each thread fail only if the store of another is seen early, or late. One goal
/// is alone in an atomic block, which a computation must not leave to reach it.
#[test]
fn many_goals_have_the_answers_of_the_reference() {
    let readers = (0..6).map(|reader| {
        format!(
            "thread r{reader} {{ local f, d; f = flag; d = data; assert(f == 0 || d == 1);
              assert(d == 0); }}\n"
        )
    });
    let writer = "shared data, flag; thread w { data = 1; flag = 1; }\n".to_owned();
    let mut text: String = std::iter::once(writer).chain(readers).collect();
    text += "thread a { local v; atomic { v = flag; assert(v == 0); } assert(v < 2); }\n";
    let program = fencepost::parse(&text).into_program();
    let program = program.expect("no errors in the text");
    for (model, violated) in [(Model::Sc, 7), (Model::Tso, 7), (Model::Pso, 13)] {
        let mut options = CheckOptions::new(model).engine(Engine::Bmc);
        options.until = fencepost::options::Until::AllAnswered;
        let report = check(&program, &options, &Budget::default()).expect("no defect");
        let answers = report.answers();
        let count = |wanted: fn(&Verdict<fencepost::Run>) -> bool| {
            answers
                .iter()
                .filter(|answer| wanted(&answer.verdict))
                .count()
        };
        assert_eq!(
            count(|v| matches!(v, Verdict::Violated(_))),
            violated,
            "{model}"
        );
        assert_eq!(
            count(|v| matches!(v, Verdict::Holds)),
            answers.len() - violated,
            "{model}"
        );
    }
}

/// A store to a cell that is chosen among many is among those that a load of one of them may read,
/// and the other way round.
#[test]
fn an_access_to_one_of_many_cells_meets_an_access_to_one_cell() {
    let chosen = "local i, r; i = nondet(0, 11);";
    for text in [
        format!(
            "shared x[12]; thread a {{ {chosen} x[i] = 1; }}
             thread b {{ local r; r = x[7]; assert(r == 0); }}"
        ),
        format!(
            "shared x[12]; thread a {{ x[7] = 1; }}
             thread b {{ {chosen} r = x[i]; assert(r == 0); }}"
        ),
        format!(
            "shared x[12]; thread a {{ {chosen} x[i] = 1; r = x[7]; assert(r == 0 || i == 7); }}"
        ),
    ] {
        let is_own = !text.contains("thread b");
        let expected = if is_own {
            Verdict::Holds
        } else {
            Verdict::Violated(())
        };
        for model in Model::ALL {
            assert_eq!(verdict(&text, model, None), expected, "{text}");
        }
    }
}
