//! All engines and methods agree on random automata.
//!
//! Automata have shapes that structured statements lack: blocks with several entries and exits, loops
//! that lead through them, and dead ends inside them. The encoding once took two blocks of one execution
//! for a single action there, and declared everything impossible. So the engines are compared on automata
//! here, for `check`, `robust` and `fence`, in both text formats.
//!
//! An answer that depends on a bound or a budget claims nothing. All other answers must agree.

use crate::support::{automata, config, features, limit, random};
use automata::{Automata, Mix, automata};
use config::config;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse_as, print_as};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Method, Pruning, RobustOptions, is_singular, robust};
use fencepost::internals::search::{Reduction, check_all_with, cyclic};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{
    Aim, Change, FenceKind, FencePoint, Goal, LocId, Program, ThreadId, print,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use random::sketch;

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
const STATES: usize = 2_000;

fn budget() -> Budget {
    Budget::default().with_states(STATES)
}

/// The claim of a verdict: reachable, unreachable, or nothing.
fn claim<W>(verdict: &Verdict<W>) -> Option<bool> {
    match verdict {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// The claim of the unreduced reference about each goal.
fn reference(program: &Program, model: Model) -> Vec<(Goal, Option<bool>)> {
    let answers = check_all_with(program, model, &program.goals(), Reduction::NONE, &budget());
    let verdicts = answers.verdicts.iter();
    verdicts
        .map(|(goal, verdict)| (*goal, claim(verdict)))
        .collect()
}

fn checked(program: &Program, model: Model, engine: Engine) -> Result<CheckReport, TestCaseError> {
    let options = CheckOptions::new(model)
        .engine(engine)
        .unroll(3)
        .until(Until::AllAnswered);
    limit::within(STATES, |budget| check(program, &options, budget)).map_err(|defect| {
        TestCaseError::fail(format!("{model} {engine:?}: {defect}\n{}", print(program)))
    })
}

/// Checks that no two engines make different claims about a goal.
fn engines_agree(program: &Program) -> Result<(), TestCaseError> {
    for model in Model::ALL {
        let mut known = reference(program, model);
        for engine in [Engine::Explicit, Engine::Bmc, Engine::Lazy, Engine::Auto] {
            if engine == Engine::Lazy && model != Model::Tso {
                continue;
            }
            let report = checked(program, model, engine)?;
            for answer in report.answers().iter().chain(report.observations()) {
                let Some((_, known)) = known.iter_mut().find(|(goal, _)| *goal == answer.goal)
                else {
                    continue;
                };
                let claimed = claim(&answer.verdict);
                prop_assert!(
                    known.is_none() || claimed.is_none() || *known == claimed,
                    "{} {:?}: {:?} is {}\n{}",
                    model,
                    engine,
                    answer.goal,
                    answer.verdict.word(),
                    print(program)
                );
                *known = known.or(claimed);
            }
        }
    }
    Ok(())
}

/// The number of instructions of each thread that the definition is applied to.
const STEPS: usize = 7;

/// Whether the program is robust by definition, if that is decided by the computations with at most
/// [`STEPS`] instructions of each thread.
fn by_definition(automata: &Automata, model: Model) -> Option<bool> {
    let (verdict, _) = cyclic(&automata.unwound(STEPS), model, &budget());
    let robust = claim(&verdict).map(|violated| !violated);
    robust.filter(|robust| !robust || automata.ends_within(STEPS))
}

/// All options with which robustness can be decided.
fn ways(program: &Program, model: Model) -> Vec<RobustOptions> {
    let mut ways = Vec::new();
    for &method in Method::ALL {
        if method == Method::Singularity && !is_singular(program, model) {
            continue;
        }
        for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
            if method == Method::Direct && engine == Engine::Explicit {
                continue;
            }
            let pruning = if engine == Engine::Auto {
                Pruning::ALL
            } else {
                Pruning::NONE
            };
            ways.push(
                RobustOptions::new(model)
                    .method(method)
                    .engine(engine)
                    .techniques(pruning)
                    .unroll(1)
                    .until(Until::Violated),
            );
        }
    }
    ways
}

fn methods_agree(automata: &Automata) -> Result<(), TestCaseError> {
    let program = &automata.build();
    for model in WEAK {
        let mut known = by_definition(automata, model);
        for options in ways(program, model) {
            let report = limit::within(STATES, |budget| robust(program, &options, budget))
                .map_err(|defect| {
                    TestCaseError::fail(format!("{options:?}: {defect}\n{}", print(program)))
                })?;
            let claimed = claim(&report.verdict()).map(|violated| !violated);
            prop_assert!(
                known.is_none() || claimed.is_none() || known == claimed,
                "{:?} is {}\n{}",
                options,
                report.verdict().word(),
                print(program)
            );
            known = known.or(claimed);
        }
    }
    Ok(())
}

/// Whether the program is robust according to the explicit engine.
fn is_robust(program: &Program, model: Model) -> Option<bool> {
    let options = RobustOptions::new(model)
        .engine(Engine::Explicit)
        .method(Method::Locality);
    let report = limit::within(STATES, |budget| robust(program, &options, budget)).ok()?;
    claim(&report.verdict()).map(|violated| !violated)
}

/// The locations where a fence may be inserted.
fn places(program: &Program) -> Vec<(ThreadId, LocId)> {
    let threads = program.thread_ids();
    threads
        .flat_map(|id| {
            let locations = 0..program.thread(id).locations().len();
            locations.map(move |loc| (id, LocId::from(loc)))
        })
        .filter(|&(id, loc)| {
            let thread = program.thread(id);
            !thread.location(loc).atomic && !thread.outgoing(loc).is_empty()
        })
        .collect()
}

/// Each kind of fence at each location that can have it, with its cost.
fn points(program: &Program, kinds: &[(FenceKind, u32)]) -> Vec<(FencePoint, u64)> {
    let all = places(program);
    let all = all.iter().flat_map(|&(thread, loc)| {
        kinds.iter().map(move |&(kind, cost)| {
            let point = FencePoint { thread, loc, kind };
            (point, u64::from(cost))
        })
    });
    all.filter(|(point, _)| {
        let thread = program.thread(point.thread);
        let mut leaving = thread.outgoing(point.loc).iter();
        point.kind != FenceKind::Exchange || leaving.all(|&i| thread.instruction(i).op.is_store())
    })
    .collect()
}

/// Checks that the fences found suffice, and that no cheaper set of up to two fences does.
fn fences_are_right(program: &Program, kinds: &[(FenceKind, u32)]) -> Result<(), TestCaseError> {
    for model in WEAK {
        let options = FenceOptions::new(model, Aim::Robustness).kinds(kinds.to_vec());
        let report = limit::within(STATES, |budget| cheapest_fences(program, &options, budget))
            .map_err(|defect| {
                TestCaseError::fail(format!("{model}: {defect}\n{}", print(program)))
            })?;
        let cost = match report.outcome() {
            Outcome::Found(found) => {
                let points: Vec<Change> = found.sets[0]
                    .iter()
                    .flat_map(|place| place.changes(program))
                    .collect();
                let repaired = program.changed(&points);
                let suffices = is_robust(&repaired, model) != Some(false);
                prop_assert!(
                    suffices || found.bounds.is_some(),
                    "{}\n{}",
                    model,
                    print(&repaired)
                );
                report.lower_bound()
            }
            Outcome::Impossible { .. } => u64::MAX,
            Outcome::Undecided(_) => report.lower_bound(),
        };
        let all = points(program, kinds);
        let one = |number: usize| vec![number];
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        sets.extend((0..all.len()).map(one));
        sets.extend((0..all.len()).flat_map(|a| (0..a).map(move |b| vec![a, b])));
        for set in sets {
            let costs: u64 = set.iter().map(|&number| all[number].1).sum();
            if costs >= cost {
                continue;
            }
            let changes = set.iter().flat_map(|&n| all[n].0.changes(program));
            let good = is_robust(&program.changed(&changes.collect::<Vec<Change>>()), model);
            prop_assert_ne!(
                good,
                Some(true),
                "{}: {:?} suffice according to {}\n{}",
                model,
                set.iter().map(|&n| &all[n]).collect::<Vec<_>>(),
                cost,
                print(program)
            );
        }
    }
    Ok(())
}

/// The program printed in each format and parsed again.
fn texts(program: &Program) -> Result<Vec<Program>, TestCaseError> {
    let mut texts = vec![(Format::Fence, print(program))];
    // A format rejects what it cannot express.
    texts.extend(
        print_as(Format::Trencher, program)
            .ok()
            .map(|text| (Format::Trencher, text)),
    );
    let read = |(format, text): (Format, String)| {
        let parsed = parse_as(format, &text);
        parsed
            .program
            .ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", parsed.diagnostics)))
    };
    texts.into_iter().map(read).collect()
}

/// A law is vacuous for shapes that its programs do not have. Hardly any structured program has the
/// shapes that the encoding once got wrong.
#[test]
fn automata_have_the_shapes_that_structured_programs_lack() {
    fn sample<S>(from: impl Strategy<Value = S>, build: impl Fn(&S) -> Program) -> Vec<Program> {
        let mut runner = TestRunner::deterministic();
        let one = |_| {
            build(
                &from
                    .new_tree(&mut runner)
                    .expect("nothing is rejected")
                    .current(),
            )
        };
        (0..500).map(one).collect()
    }
    let structured = sample(sketch(random::Shape::COUNTING), random::Sketch::build);
    let automata = sample(automata(7, Mix::Blocks), Automata::build);
    let structured = features::shares(&structured);
    for ((shape, automata), (_, structured)) in
        features::shares(&automata).into_iter().zip(structured)
    {
        assert!(
            automata >= 3,
            "{shape}: {automata} % of automata, {structured} % of structured programs"
        );
    }
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn all_engines_agree_on_every_goal(automata in automata(7, Mix::Blocks)) {
        engines_agree(&automata.build())?;
    }

    #[test]
    fn all_methods_agree_on_robustness(
        automata in prop_oneof![automata(6, Mix::Blocks), automata(6, Mix::Races)],
    ) {
        methods_agree(&automata)?;
    }

    #[test]
    fn printed_automata_have_the_same_answers(automata in automata(6, Mix::Blocks)) {
        let program = automata.build();
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let verdicts = |program: &Program| -> Result<Vec<Option<bool>>, TestCaseError> {
                let report = checked(program, model, Engine::Auto)?;
                Ok(report.answers().iter().map(|answer| claim(&answer.verdict)).collect())
            };
            let own = verdicts(&program)?;
            let first = parse_as(Format::Fence, &print(&program));
            let again = first.program.ok_or_else(|| TestCaseError::fail(print(&program)))?;
            prop_assert_eq!(verdicts(&again)?, own, "{}\n{}", model, print(&program));
        }
        // A state that is reached both with and without the lock becomes two states in the other format.
        for read in texts(&program)? {
            let options = RobustOptions::new(Model::Tso);
            let answer = |program: &Program| {
                let report = limit::within(STATES, |budget| robust(program, &options, budget));
                report.map(|report| claim(&report.verdict())).map_err(|defect| {
                    TestCaseError::fail(format!("{defect}\n{}", print(program)))
                })
            };
            prop_assert_eq!(answer(&program)?, answer(&read)?, "{}", print(&program));
        }
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn no_fewer_fences_make_automata_robust(automata in automata(4, Mix::Races)) {
        fences_are_right(&automata.build(), &[(FenceKind::Full, 1)])?;
    }

    #[test]
    fn no_cheaper_kinds_of_fences_make_automata_robust(
        automata in automata(4, Mix::Races), costs in (1..4_u32, 1..4_u32, 1..4_u32),
    ) {
        let kinds = [
            (FenceKind::Full, costs.0),
            (FenceKind::Store, costs.1),
            (FenceKind::Exchange, costs.2),
        ];
        fences_are_right(&automata.build(), &kinds)?;
    }
}
