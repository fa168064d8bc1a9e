//! The search against a breadth-first search by the definition, on random programs, and minimised evidence.

use super::*;
use crate::formats::parse;
use crate::reference::{Run, have_arrived, replay};
use crate::search::{check, minimise};
use crate::verdict::Verdict;
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

/// The fewest steps to the goal, by the definition: all configurations, with whether the assertion
/// failed before, one step further each round.
fn optimum(program: &Program, model: Model, goal: Goal) -> Option<usize> {
    let machine = Machine::with_properties(program, model);
    let mut queue = VecDeque::from([(machine.initial(), false, 0)]);
    let mut seen = BTreeSet::new();
    let mut best: Option<usize> = None;
    while let Some((config, failed, depth)) = queue.pop_front() {
        let reached = match goal {
            Goal::Assert(_) => failed && machine.is_halting(&config),
            Goal::Property(number) => {
                machine.is_halting(&config)
                    && machine.decides(&config, number)
                    && (!is_stuck(program, goal) || have_arrived(program, &machine.halt(&config)))
            }
            Goal::Outside(site) => {
                machine
                    .outside(&config, site.thread)
                    .any(|found| found == site)
                    && (machine.is_halting(&config) || machine.inside(&config) == Some(site.thread))
            }
        };
        if reached {
            return Some(best.map_or(depth, |best| best.min(depth)));
        }
        if best.is_some_and(|best| best <= depth) {
            return best;
        }
        let mut steps = Vec::new();
        machine.propose(&config, &mut steps);
        for step in steps {
            let fails = machine.failed_assert(&config, step).map(Goal::Assert) == Some(goal);
            let mut next = config.clone();
            if machine.apply(&mut next, step).is_err() {
                continue;
            }
            if fails && machine.inside(&next).is_some() {
                best = Some(best.map_or(depth + 1, |best| best.min(depth + 1)));
            }
            let mut bytes = Vec::new();
            pack(&next, &mut bytes);
            let failed = failed || fails;
            if seen.insert((bytes, failed)) {
                queue.push_back((next, failed, depth + 1));
            }
        }
    }
    best
}

fn is_stuck(program: &Program, goal: Goal) -> bool {
    matches!(goal, Goal::Property(n) if program.properties()[n].kind == PropertyKind::Stuck)
}

fn program(text: &str) -> Program {
    parse(text).program.expect("no errors in the text")
}

/// The evidence of a search, minimised; `None` if the goal is not reached.
fn minimised(program: &Program, model: Model, goal: Goal) -> Option<(Run, usize, bool)> {
    // Some programs count on without end.
    let budget = Budget::default().with_states(5_000);
    let (Verdict::Violated(steps), _) = check(program, model, goal, &budget) else {
        return None;
    };
    let run = replay(program, model, &steps).expect("evidence replays");
    let good = |run: &Run| {
        run.reached.contains(&goal) && (!is_stuck(program, goal) || have_arrived(program, &run.end))
    };
    if !good(&run) {
        return None;
    }
    let minimised = minimise(program, model, goal, &run, &good, &budget);
    let run = replay(program, model, &minimised.steps).expect("minimised evidence replays");
    Some((run, steps.len(), minimised.shortest))
}

fn statement() -> BoxedStrategy<String> {
    let simple = prop::sample::select(vec![
        "x = 1;",
        "y = 1;",
        "x = 2;",
        "r = x;",
        "r = y;",
        "s = y;",
        "a[r] = 1;",
        "fence;",
        "fence store;",
        "r = cas(x, 0, 1);",
        "assert(r != 1);",
        "assert(r == 0 || s == 1);",
        "r = r + 1;",
        "r = nondet(0, 1);",
        "y = r;",
        "s = xchg(y, 1);",
        "fence(x);",
        "await(y != 1);",
        "assume(x == 0);",
    ])
    .prop_map(str::to_owned)
    .boxed();
    let block = prop::collection::vec(simple.clone(), 1..3).prop_map(|body| body.concat());
    prop_oneof![
        6 => simple,
        1 => block.clone().prop_map(|body| format!("if (r == 1) {{ {body} }}")),
        1 => block.clone().prop_map(|body| format!("while (x == 0) {{ {body} }}")),
        1 => block.clone().prop_map(|body| format!("atomic {{ {body} }}")),
        1 => block.prop_map(|body| format!("choose {{ {body} }} or {{ r = 1; }}")),
        1 => Just("barrier all;".to_owned()),
    ]
    .boxed()
}

fn text() -> BoxedStrategy<String> {
    let thread = prop::collection::vec(statement(), 1..5);
    let third = prop::collection::vec(statement(), 0..3);
    let property = prop::sample::select(vec![
        "forbid t0@end0 && t1@end1;",
        "forbid t0.r == 1 && t1.r == 0;",
        "forbid x == 2 && y == 1;",
        "final assert t0.r == 1 || t1.r == 1;",
        "exists t0.r == 0 && y == 1;",
        "forbid stuck;",
    ]);
    (thread.clone(), thread, third, property)
        .prop_map(|(t0, t1, t2, property)| {
            let third = if t2.is_empty() {
                String::new()
            } else {
                format!("thread t2 {{ local r, s; {} }}", t2.concat())
            };
            format!(
                "shared x, y, a[1]; thread t0 {{ local r, s; {} end0: r = r; }}
                 thread t1 {{ local r, s; {} end1: r = r; }} {third} {property}",
                t0.concat(),
                t1.concat()
            )
        })
        .boxed()
}

proptest! {
    #[test]
    fn minimised_evidence_still_violates_and_is_shortest_if_it_says_so(
        text in text(),
        model in prop::sample::select(Model::ALL.to_vec()),
    ) {
        let program = program(&text);
        for goal in program.goals() {
            let Some((run, before, shortest)) = minimised(&program, model, goal) else {
                continue;
            };
            prop_assert!(run.reached.contains(&goal));
            let length = run.moments.len();
            prop_assert!(length <= before);
            if length <= 12 {
                prop_assert!(shortest, "{} under {}", text, model);
            }
            if shortest && length <= 14 {
                prop_assert_eq!(Some(length), optimum(&program, model, goal), "{:?}", goal);
            }
        }
    }
}

proptest! {
    #[test]
    fn what_a_limited_search_finds_reaches_the_goal_and_is_no_shorter_than_the_shortest(
        text in text(),
        model in prop::sample::select(Model::ALL.to_vec()),
        most in 1_usize..120,
    ) {
        let program = program(&text);
        for goal in program.goals() {
            let budget = Budget::default().with_states(5_000);
            let (Verdict::Violated(steps), _) = check(&program, model, goal, &budget) else {
                continue;
            };
            let length = steps.len() + 1;
            let found = match shorter_within(&program, model, goal, length, most, &budget) {
                Shorter::Found(found) | Shorter::Better(found) => found,
                Shorter::None | Shorter::GaveUp => continue,
            };
            prop_assert!(found.len() < length);
            let run = replay(&program, model, &found).expect("what is found can be replayed");
            prop_assert!(run.reached.contains(&goal), "{:?}", goal);
            if found.len() <= 12 {
                let fewest = optimum(&program, model, goal);
                prop_assert!(fewest.is_some_and(|fewest| fewest <= found.len()), "{:?}", goal);
            }
        }
    }
}

/// The other threads have so many configurations that the search of all of them gives up.
#[test]
fn two_threads_are_searched_alone_if_all_have_too_many_configurations() {
    let program = program(
        "shared x, y, z; thread t0 { local i; loop { z = i; i += 1; } }
         thread t1 { local r; x = 1; r = y; end1: skip; } thread t2 { local r; y = 1; r = x; end2: skip; }
         thread t3 { local i; loop { z = i; i += 1; } }
         forbid t1@end1 && t2@end2 && t1.r == 0 && t2.r == 0;",
    );
    let goal = program.goals()[0];
    for model in [Model::Tso, Model::Pso] {
        let found = shorter_within(&program, model, goal, 40, 200, &Budget::default());
        let Shorter::Better(steps) = found else {
            panic!("nothing is found under {model}");
        };
        // Two stores, which are delayed, and two loads.
        assert_eq!(steps.len(), 6, "{model}");
        let run = replay(&program, model, &steps).expect("it is an execution");
        assert!(run.reached.contains(&goal));
    }
}

/// The second thread is needed for nothing, and the loop turns once too often in what a schedule
/// that lets the third thread wait finds.
#[test]
fn threads_and_iterations_that_matter_in_nothing_are_left_out() {
    let program = program(
        "shared x, y, z; thread t0 { local i; for (i = 0; i < 9; i++) { y = i; } }
         thread t1 { local r; loop { r = x; assert(r == 0); } } thread t2 { x = 1; }",
    );
    let goal = program.goals()[0];
    for (model, steps) in [
        (Model::Sc, 3),
        (Model::Tso, 4),
        (Model::Pso, 4),
        (Model::Pgas, 5),
    ] {
        let (run, _, shortest) = minimised(&program, model, goal).expect("it is reached");
        assert!(shortest);
        // The store (it enters a buffer, and leaves one or two), the load, the assertion.
        assert_eq!(run.moments.len(), steps, "{model}");
        assert!(
            run.moments
                .iter()
                .all(|moment| moment.site.thread != ThreadId(0))
        );
    }
}

/// Deleting parts does not find these: the short way takes other instructions. In the second program it
/// is shorter by one step only.
#[test]
fn another_way_to_the_goal_is_found_if_it_is_shorter() {
    let texts = [
        "shared x; thread t { local r; r = nondet(0, 1);
         if (r == 1) { x = 1; x = 2; x = 3; } else { r = 1; } assert(r == 0); }",
        "shared x; thread t { local r; r = nondet(0, 1);
         if (r == 1) { x = 1; x = 3; } else { x = 3; } } forbid x == 3;",
    ];
    for (text, most) in texts.into_iter().zip([usize::MAX, 1]) {
        let program = program(text);
        let goal = program.goals()[0];
        let wanted = optimum(&program, Model::Sc, goal).expect("it is reached");
        let machine = Machine::new(&program, Model::Sc);
        // The way through the stores.
        let (mut config, mut steps, mut proposed) = (machine.initial(), Vec::new(), Vec::new());
        while !matches!(goal, Goal::Property(number) if machine.decides(&config, number)) {
            proposed.clear();
            machine.propose(&config, &mut proposed);
            let fits = |step: &&Step| machine.apply(&mut config.clone(), **step).is_ok();
            let Some(&step) = proposed.iter().rev().find(fits) else {
                break;
            };
            machine.apply(&mut config, step).expect("it was tried");
            steps.push(step);
        }
        let run = replay(&program, Model::Sc, &steps).expect("it was executed");
        assert!(run.reached.contains(&goal));
        let more = steps.len() - wanted;
        assert!((1..=most).contains(&more), "{more}");
        let good = |run: &Run| run.reached.contains(&goal);
        let budget = Budget::default();
        let minimised = minimise(&program, Model::Sc, goal, &run, &good, &budget);
        assert_eq!((minimised.steps.len(), minimised.shortest), (wanted, true));
    }
}

#[test]
fn a_stopped_search_claims_nothing_and_changes_nothing() {
    let program =
        program("shared x, y; thread t0 { y = 1; } thread t1 { local r; r = x; assert(r == 1); }");
    let goal = program.goals()[0];
    let whole = [(0, 0), (1, 0), (1, 1)].map(|(thread, instr)| Step::Execute {
        thread: ThreadId(thread),
        instr: crate::program::InstrId(instr),
        choice: None,
    });
    let run = replay(&program, Model::Sc, &whole).expect("it can be executed");
    let good = |run: &Run| run.reached.contains(&goal);
    let stopped = Budget::with_stop(std::sync::Arc::new(true.into()));
    let minimised = minimise(&program, Model::Sc, goal, &run, &good, &stopped);
    assert_eq!((minimised.steps.len(), minimised.shortest), (3, false));
    let minimised = minimise(&program, Model::Sc, goal, &run, &good, &Budget::default());
    assert_eq!((minimised.steps.len(), minimised.shortest), (2, true));
}
