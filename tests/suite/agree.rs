//! The SAT path and the reference agree.
//!
//! On random programs, both must reach the same configurations and give the same answers, whatever the
//! settings of the SAT path. An "unreachable" that depends on no loop bound must be true without bounds.

use crate::support::{config, random, regress};
use config::config;
use fencepost::internals::encode::{Plan, Switch};
use fencepost::internals::facts::Loops;
use fencepost::internals::model::Model;
use fencepost::internals::reach::{Acyclicity, Method, Reach, ReachAnswer, configurations};
use fencepost::internals::reference::{Halt, explore, explore_halts};
use fencepost::internals::search::check_all;
use fencepost::internals::solve::SolverKind;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{FenceKind, FencePoint, Goal, Observable, Op, Program, Site};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeSet;

/// The maximum number of states that the reference explores.
const STATES: usize = 60_000;

fn fail(model: Model, error: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(format!("{model}: {error}"))
}

/// Whether the reference reaches each goal; `None` if that takes too many states.
fn reference(program: &Program, model: Model) -> Option<Vec<(Goal, bool)>> {
    let budget = Budget::default().with_states(STATES);
    let answers = check_all(program, model, &program.goals(), &budget);
    answers
        .verdicts
        .into_iter()
        .map(|(goal, verdict)| match verdict {
            Verdict::Holds => Some((goal, false)),
            Verdict::Violated(_) => Some((goal, true)),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        })
        .collect()
}

fn open<'p>(program: &'p Program, models: &[Model], returns: u32, method: Method) -> Reach<'p> {
    let mut plan = Plan::new(program.goals(), models[0]);
    plan.models = models.to_vec();
    plan.returns = returns;
    Reach::open(program, plan, method, &Budget::default())
}

/// An answer without its evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    Yes,
    No,
    /// Unreachable within the bounds.
    Within,
}

fn ask(
    reach: &mut Reach<'_>,
    goal: Goal,
    model: Model,
    on: &[Switch],
) -> Result<Claim, TestCaseError> {
    match reach
        .ask(goal, model, on)
        .map_err(|error| fail(model, error))?
    {
        ReachAnswer::Reachable(_) => Ok(Claim::Yes),
        ReachAnswer::Unreachable(core) => {
            let bounded = core
                .iter()
                .any(|switch| matches!(switch, Switch::Frontier(..)));
            Ok(if bounded { Claim::Within } else { Claim::No })
        }
    }
}

fn all_answers(
    reach: &mut Reach<'_>,
    program: &Program,
    model: Model,
    on: &[Switch],
) -> Result<Vec<(Goal, Claim)>, TestCaseError> {
    program
        .goals()
        .into_iter()
        .map(|goal| Ok((goal, ask(reach, goal, model, on)?)))
        .collect()
}

/// Checks that every answer is correct, and that every reachable goal is found.
fn agree(
    found: &[(Goal, Claim)],
    expected: &[(Goal, bool)],
    what: &str,
) -> Result<(), TestCaseError> {
    for ((goal, claim), (_, reached)) in found.iter().zip(expected) {
        prop_assert_eq!(
            *claim == Claim::Yes,
            *reached,
            "{}: {:?} is {:?}",
            what,
            goal,
            claim
        );
    }
    Ok(())
}

fn methods() -> Vec<Method> {
    let mut methods = Vec::new();
    for acyclicity in [Acyclicity::Lazy, Acyclicity::Clock, Acyclicity::Transitive] {
        for slicing in [true, false] {
            methods.push(Method {
                acyclicity,
                slicing,
                ..Method::default()
            });
        }
    }
    methods
}

/// All halting configurations that the bounded engine reaches within the given number of loop
/// iterations.
fn halts(program: &Program, model: Model, returns: u32) -> Result<BTreeSet<Halt>, TestCaseError> {
    configurations(
        program,
        model,
        false,
        returns,
        Method::default(),
        &Budget::default(),
    )
    .map_err(|error| fail(model, error))
}

fn same_configurations(program: &Program, method: Method) -> Result<(), TestCaseError> {
    let budget = Budget::default().with_states(STATES);
    for model in Model::ALL {
        let exploration = explore(program, model, &budget);
        prop_assume!(exploration.incomplete.is_none());
        let found = configurations(program, model, true, 4, method, &budget)
            .map_err(|error| fail(model, error))?;
        prop_assert_eq!(&found, &exploration.finals, "{} finals", model);
        let (halts, _) = explore_halts(program, model, &budget);
        if halts.len() < 400 {
            let found = configurations(program, model, false, 4, method, &budget)
                .map_err(|error| fail(model, error))?;
            prop_assert_eq!(&found, &halts, "{} halts", model);
        }
    }
    Ok(())
}

/// Compares all goals of one encoding, with each of these methods, with the reference.
fn same_answers(program: &Program, methods: &[Method]) -> Result<(), TestCaseError> {
    for model in Model::ALL {
        let Some(expected) = reference(program, model) else {
            return Ok(());
        };
        for &method in methods {
            let mut reach = open(program, &[model], 6, method);
            let what = format!("{model} {method:?}");
            let found = all_answers(&mut reach, program, model, &[])
                .map_err(|error| TestCaseError::fail(format!("{what}: {error}")))?;
            agree(&found, &expected, &what)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn both_paths_reach_the_same_configurations(sketch in sketch(Shape::ACYCLIC)) {
        same_configurations(&sketch.build(), Method::default())?;
    }

    #[test]
    fn both_paths_reach_the_same_configurations_through_loops(sketch in sketch(Shape::COUNTING)) {
        same_configurations(&sketch.build(), Method::default())?;
    }

    #[test]
    fn every_method_gives_the_answers_of_the_reference(
        sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)],
    ) {
        same_answers(&sketch.build(), &methods())?;
    }

    #[test]
    fn a_goal_has_the_same_answer_alone_and_among_others(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        for model in Model::ALL {
            let Some(expected) = reference(&program, model) else { return Ok(()) };
            for (goal, reached) in expected {
                let plan = Plan { returns: 6, ..Plan::new(vec![goal], model) };
                let budget = Budget::default();
                let mut reach = Reach::open(&program, plan, Method::default(), &budget);
                let claim = ask(&mut reach, goal, model, &[])?;
                prop_assert_eq!(claim == Claim::Yes, reached, "{} {:?} {:?}", model, goal, claim);
            }
        }
    }

    #[test]
    fn one_plan_for_all_models_works_for_each_model(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let mut all = open(&program, &Model::ALL, 6, Method::default());
        for model in Model::ALL.into_iter().rev().chain(Model::ALL) {
            let Some(expected) = reference(&program, model) else { return Ok(()) };
            let found = all_answers(&mut all, &program, model, &[])?;
            agree(&found, &expected, &format!("{model} among all"))?;
        }
    }

    #[test]
    fn deepening_step_by_step_equals_encoding_with_the_final_bound(sketch in sketch(Shape::COUNTING), deepest in 1u32..5) {
        let program = sketch.build();
        let loops: Vec<_> = program
            .thread_ids()
            .flat_map(|t| Loops::of(program.thread(t)).ids().map(move |id| (t, id)))
            .collect();
        for model in [Model::Tso, Model::Pgas] {
            let Some(expected) = reference(&program, model) else { return Ok(()) };
            let mut growing = open(&program, &[model], 0, Method::default());
            let mut found = Vec::new();
            for depth in 0..=deepest {
                let before = std::mem::take(&mut found);
                found = all_answers(&mut growing, &program, model, &[])?;
                for ((goal, claim), (_, reached)) in found.iter().zip(&expected) {
                    prop_assert!(*claim != Claim::No || !reached,
                        "{} at {}: {:?} is not a proof", model, depth, goal);
                }
                for ((goal, was), (_, is)) in before.iter().zip(&found) {
                    let kept = match was {
                        Claim::Yes => *is == Claim::Yes,
                        Claim::No => *is != Claim::Yes,
                        Claim::Within => true,
                    };
                    prop_assert!(kept, "{} at {}: {:?} was {:?}, is {:?}", model, depth, goal, was, is);
                }
                if depth < deepest {
                    // One loop at a time: in between, the bounds may differ.
                    for &one in &loops {
                        growing.deepen(&[one], 1);
                    }
                }
            }
            let mut deep = open(&program, &[model], deepest, Method::default());
            let direct = all_answers(&mut deep, &program, model, &[])?;
            for ((goal, a), (_, b)) in found.iter().zip(&direct) {
                prop_assert_eq!(*a == Claim::Yes, *b == Claim::Yes,
                    "{} {:?}: {:?} grown, {:?} at once", model, goal, a, b);
            }
        }
    }

    #[test]
    fn a_larger_bound_loses_no_configuration(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let budget = Budget::default().with_states(STATES);
        for model in [Model::Sc, Model::Pso] {
            let (all, incomplete) = explore_halts(&program, model, &budget);
            prop_assume!(incomplete.is_none() && all.len() < 200);
            let mut before = BTreeSet::new();
            for returns in 0..4 {
                let found = halts(&program, model, returns)?;
                prop_assert!(before.is_subset(&found), "{} lost at {}", model, returns);
                prop_assert!(found.is_subset(&all), "{} invented at {}", model, returns);
                before = found;
            }
        }
    }

    #[test]
    fn an_enabled_fence_switch_equals_a_fence_in_the_program(
        sketch in sketch(Shape::COUNTING), choices in prop::collection::vec((any::<u8>(), 0..3_u8), 3),
    ) {
        let program = sketch.build();
        let mut points = Vec::new();
        for thread in program.thread_ids() {
            for (index, location) in program.thread(thread).locations().iter().enumerate() {
                let loc = index.into();
                if !location.atomic && !program.thread(thread).is_end(loc) {
                    points.push((thread, loc));
                }
            }
        }
        prop_assume!(!points.is_empty());
        let mut fences: Vec<FencePoint> = choices
            .iter()
            .map(|&(place, kind)| {
                let (thread, loc) = points[place as usize % points.len()];
                let mut leaving = program.thread(thread).outgoing(loc).iter();
                let stores = leaving.all(|&instr| program.thread(thread).instruction(instr).op.is_store());
                let kind = match kind {
                    0 => FenceKind::Full,
                    1 if stores => FenceKind::Exchange,
                    _ => FenceKind::Store,
                };
                FencePoint { thread, loc, kind }
            })
            .collect();
        fences.sort();
        fences.dedup();
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            let Some(without) = reference(&program, model) else { return Ok(()) };
            let mut plan = Plan::new(program.goals(), model);
            plan.returns = 6;
            plan.fences = fences.clone();
            let budget = Budget::default();
            let mut reach = Reach::open(&program, plan, Method::default(), &budget);
            for on in [&fences[..], &fences[..1], &fences[..fences.len() / 2], &[]] {
                let changes: Vec<_> = on.iter().flat_map(|point| point.changes(&program)).collect();
                let fenced = program.changed(&changes);
                let Some(expected) = reference(&fenced, model) else { return Ok(()) };
                let switches: Vec<Switch> = on.iter().cloned().map(Switch::Fence).collect();
                // A thread that has executed the fence is no longer at its location, so a property
                // that requires a thread *not* to be somewhere sees the difference.
                let moved = |goal: &Goal| match goal {
                    Goal::Property(index) => {
                        let vars = program.properties()[*index].predicate.vars();
                        !sketch.observed.there
                            && on.iter().any(|p| vars.contains(&Observable::At(p.thread, p.loc)))
                    }
                    Goal::Assert(_) | Goal::Outside(_) => false,
                };
                for (goal, reached) in without.iter().filter(|(goal, _)| !moved(goal)) {
                    let claim = ask(&mut reach, *goal, model, &switches)?;
                    let expected = expected
                        .iter()
                        .find(|(other, _)| other == goal)
                        .is_some_and(|(_, reached)| *reached);
                    prop_assert_eq!(claim == Claim::Yes, expected, "{} {:?} with {:?}", model, goal, on);
                    prop_assert!(*reached || claim != Claim::Yes, "a fence adds behaviour");
                }
            }
        }
    }

    #[test]
    fn every_store_load_pair_kept_under_tso_is_sc(sketch in sketch(Shape::COUNTING)) {
        // Locked instructions and fences are always in order.
        let program = sketch.build();
        let pairs = pairs(&program, |op| matches!(op, Op::Load { .. }));
        kept_in_order(&program, Model::Tso, &pairs)?;
        kept_in_order(&program, Model::Pso, &self::pairs(&program, |_| true))?;
    }

    #[test]
    fn a_pair_with_an_unexecuted_instruction_orders_nothing(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        for model in [Model::Tso, Model::Pso] {
            let pairs = pairs(&program, |_| true);
            // Instructions that are not executed in any execution of the reference.
            let budget = Budget::default().with_states(STATES);
            let answers = check_all(&program, model, &[], &budget);
            prop_assume!(answers.complete);
            let Some(expected) = reference(&program, model) else { return Ok(()) };
            let dead = |site: &Site| !answers.executed.contains(site);
            let idle: Vec<_> =
                pairs.into_iter().filter(|(a, b)| dead(a) || dead(b)).collect();
            let mut plan = Plan::new(program.goals(), model);
            plan.returns = 6;
            plan.pairs = idle.clone();
            let mut reach = Reach::open(&program, plan, Method::default(), &Budget::default());
            let on: Vec<Switch> = idle.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
            let found = all_answers(&mut reach, &program, model, &on)?;
            agree(&found, &expected, &format!("{model} with idle pairs"))?;
        }
    }

    #[test]
    fn all_solvers_give_the_same_answers(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let methods: Vec<Method> =
            SolverKind::ALL.iter().map(|&solver| Method { solver, ..Method::default() }).collect();
        same_answers(&program, &methods)?;
    }
}

/// The pairs of a store and a later access of the given kind in the same thread.
fn pairs(program: &Program, second: impl Fn(&Op) -> bool) -> Vec<(Site, Site)> {
    let mut pairs = Vec::new();
    for (first, a) in program.sites() {
        for (later, b) in program.sites() {
            if first.thread == later.thread
                && matches!(a.op, Op::Store { .. })
                && matches!(b.op, Op::Load { .. } | Op::Store { .. })
                && second(&b.op)
            {
                pairs.push((first, later));
            }
        }
    }
    pairs
}

fn kept_in_order(
    program: &Program,
    model: Model,
    pairs: &[(Site, Site)],
) -> Result<(), TestCaseError> {
    let Some(weak) = reference(program, model) else {
        return Ok(());
    };
    let Some(strong) = reference(program, Model::Sc) else {
        return Ok(());
    };
    let mut plan = Plan::new(program.goals(), model);
    plan.returns = 6;
    plan.pairs = pairs.to_vec();
    let mut reach = Reach::open(program, plan, Method::default(), &Budget::default());
    let on: Vec<Switch> = pairs.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
    agree(
        &all_answers(&mut reach, program, model, &on)?,
        &strong,
        "all pairs kept",
    )?;
    agree(
        &all_answers(&mut reach, program, model, &[])?,
        &weak,
        "no pair kept",
    )
}

/// The small programs of `corpus/regress`, each written for one rule of the encoding. Random programs
/// exercise some of these rules too rarely.
#[test]
fn both_agree_on_the_programs_that_were_written_for_one_rule() {
    let mut compared = 0;
    for (path, program) in regress::programs() {
        for model in Model::ALL {
            let Some(expected) = reference(&program, model) else {
                continue;
            };
            // Few files need many iterations, and for nested loops many are expensive.
            let compare = |returns| -> Result<bool, TestCaseError> {
                let mut reach = open(&program, &[model], returns, Method::default());
                let found = all_answers(&mut reach, &program, model, &[])?;
                let mut both = found.iter().zip(&expected);
                let short =
                    both.any(|((_, claim), (_, reached))| *claim == Claim::Within && *reached);
                if short && returns < 10 {
                    return Ok(false);
                }
                agree(&found, &expected, &format!("{model}")).map(|()| true)
            };
            for returns in [2, 6, 10] {
                match compare(returns) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(error) => panic!("{}: {error}", path.display()),
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} comparisons");
}
