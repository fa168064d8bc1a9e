//! A search that stores one configuration for all permutations of identical threads gives the same
//! answers as one that stores all of them.

use crate::support::{alike, config, random};
use alike::{Alike, owners, statements, waits};
use config::config;
use fencepost::internals::check::Engine;
use fencepost::internals::facts::Values;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{explore_halts, replay};
use fencepost::internals::robustness::{
    Attack, Pruning, RobustOptions, RobustReport, attacks, check_witness, derived_program, robust,
};
use fencepost::internals::search::{Onset, Reduction, check_all_with};
use fencepost::internals::techniques::{PassName, Passes, When};
use fencepost::internals::verdict::{Budget, Reason, Verdict};
use fencepost::program::{Goal, Program, PropertyKind};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use random::Shape;
use std::collections::BTreeSet;

const PLAIN: Reduction = Reduction {
    symmetry: true,
    ..Reduction::NONE
};

fn budget() -> Budget {
    Budget::default().with_states(6_000)
}

fn program(text: &str) -> Program {
    parse(text).program.expect("the program is well formed")
}

fn states(program: &Program, model: Model, goals: &[Goal], reduction: Reduction) -> usize {
    check_all_with(program, model, goals, reduction, &budget()).states
}

fn is_starvation(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::Starved(_) => true,
            PropertyKind::Forbid
            | PropertyKind::FinalAssert
            | PropertyKind::Exists
            | PropertyKind::Stuck => false,
        },
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

fn nothing_changes(alike: &Alike) -> Result<(), TestCaseError> {
    let Alike { program, goals, .. } = alike;
    for model in Model::ALL {
        let directed = Reduction {
            directed: Onset::After(3),
            ..Reduction::ALL
        };
        let [ahead, later] = [0, 2].map(|after| Reduction {
            lookahead: Onset::After(after),
            ..directed
        });
        for reduction in [Reduction::NONE, Reduction::ALL, directed, ahead, later] {
            let without = Reduction {
                symmetry: false,
                ..reduction
            };
            let with = Reduction {
                symmetry: true,
                ..reduction
            };
            for goals in [goals, &Vec::new()] {
                let all = check_all_with(program, model, goals, without, &budget());
                let some = check_all_with(program, model, goals, with, &budget());
                // Other reductions may choose other threads, so then there may be a few more states.
                let known = all.complete && (some.complete || reduction == Reduction::NONE);
                if known {
                    prop_assert!(some.complete);
                    prop_assert!(reduction != Reduction::NONE || some.states <= all.states);
                    prop_assert_eq!(&all.executed, &some.executed);
                }
                for ((goal, a), (_, b)) in all.verdicts.iter().zip(&some.verdicts) {
                    match (a, b) {
                        (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => {
                            prop_assert!(!known || a.word() == b.word());
                        }
                        _ => prop_assert_eq!(a.word(), b.word(), "{} {:?}", model, goal),
                    }
                    if let Verdict::Violated(steps) = b {
                        let run = replay(program, model, steps);
                        let run = run.map_err(|error| {
                            TestCaseError::fail(format!("{model} {goal:?}: {error:?}"))
                        })?;
                        prop_assert!(
                            run.reached.contains(goal) || is_starvation(program, *goal),
                            "{} {:?}",
                            model,
                            goal
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// Every attack of the program has the same answer whether threads that are alike share one or not.
fn no_attack_changes(alike: &Alike) -> Result<(), TestCaseError> {
    let Alike { program, .. } = alike;
    for model in [Model::Tso, Model::Pso, Model::Pgas] {
        let [with, without] = [true, false].map(|symmetry| {
            let mut options = RobustOptions::new(model);
            options.engine = Engine::Explicit;
            if !symmetry {
                options.techniques.reduction.symmetry = false;
                options.techniques.passes = Passes::default().with(PassName::Alike, When::Never);
            }
            robust(program, &options, &budget()).expect("no defect")
        });
        let answers = |report: &RobustReport| -> Vec<(Attack, String)> {
            let answers = report.answers().iter();
            answers
                .map(|answer| (answer.attack, answer.verdict.word().to_owned()))
                .collect()
        };
        let pairs = answers(&with).into_iter().zip(answers(&without));
        for ((attack, some), (same, all)) in pairs {
            prop_assert_eq!(attack, same);
            let unknown = Verdict::<()>::Unknown(Reason::Stopped).word();
            prop_assert!(
                some == all || some == unknown || all == unknown,
                "{} {:?}: {} {}",
                model,
                attack,
                some,
                all
            );
        }
        prop_assert_eq!(answers(&with).len(), answers(&without).len());
        for (attack, run) in with.feasible() {
            prop_assert_eq!(check_witness(run, attack), Ok(()));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn attacks_of_identical_threads_have_one_answer(alike in statements(Shape::ALL)) {
        no_attack_changes(&alike)?;
    }

    #[test]
    fn attacks_of_threads_with_cells_of_their_own_have_one_answer(alike in owners()) {
        no_attack_changes(&alike)?;
    }

    #[test]
    fn identical_threads_change_no_answer(alike in statements(Shape::ALL)) {
        nothing_changes(&alike)?;
    }

    #[test]
    fn identical_threads_that_wait_change_no_answer(alike in waits()) {
        nothing_changes(&alike)?;
    }

    #[test]
    fn threads_with_cells_of_their_own_change_no_answer(alike in owners()) {
        nothing_changes(&alike)?;
    }

    /// Under SC and without atomic blocks every configuration is halting.
    #[test]
    fn one_configuration_is_stored_for_each_multiset_of_threads(
        alike in statements(Shape { atomic: 0, ..Shape::ALL }),
    ) {
        let Alike { program, copies, .. } = &alike;
        let (halts, incomplete) = explore_halts(program, Model::Sc, &budget());
        prop_assume!(incomplete.is_none());
        let multisets: BTreeSet<_> = halts.into_iter().map(|halt| {
            let local = |index: usize| (halt.locations[index], halt.registers[index].clone());
            let mut sorted: Vec<_> = copies.iter().map(|thread| local(thread.index())).collect();
            sorted.sort();
            let others = program.thread_ids().filter(|thread| !copies.contains(thread));
            let others: Vec<_> = others.map(|thread| local(thread.index())).collect();
            (sorted, others, halt.memory)
        }).collect();
        // The other thread may happen to be identical, too.
        let stored = states(program, Model::Sc, &[], PLAIN);
        if program.threads().len() == copies.len() {
            prop_assert_eq!(stored, multisets.len());
        } else {
            prop_assert!(stored <= multisets.len());
        }
    }
}

#[test]
fn most_of_the_random_programs_have_symmetries_that_their_goals_allow() {
    let mut runner = TestRunner::deterministic();
    for (strategy, least) in [
        (statements(Shape::ALL), (100, 50)),
        (waits(), (100, 50)),
        // Many of their statements treat names as numbers.
        (owners(), (60, 40)),
    ] {
        let (mut fewer, mut with_property) = (0, 0);
        for _ in 0..200 {
            let alike = strategy
                .new_tree(&mut runner)
                .expect("the strategy rejects nothing")
                .current();
            let Alike { program, goals, .. } = &alike;
            let [all, some] = [Reduction::NONE, PLAIN]
                .map(|reduction| states(program, Model::Tso, goals, reduction));
            if some < all {
                fewer += 1;
                let is_property = |goal: &Goal| matches!(goal, Goal::Property(_));
                with_property += usize::from(goals.iter().any(is_property));
            }
        }
        assert!(
            fewer >= least.0 && with_property >= least.1,
            "{fewer}, {with_property}"
        );
    }
}

#[test]
fn declared_copies_that_do_not_use_their_number_are_identical() {
    // Three threads with two locations each: 8 configurations, of which 4 differ in the number of
    // threads at the end.
    let same = program("thread w[3] { local r; r = 1; }");
    assert_eq!(states(&same, Model::Tso, &[], Reduction::NONE), 8);
    assert_eq!(states(&same, Model::Tso, &[], PLAIN), 4);
    let numbered = program("thread w[3] { local r; r = tid + 1; assert(r < 9); assert(r != 2); }");
    assert_eq!(states(&numbered, Model::Tso, &[], PLAIN), 4 * 4 * 4);
}

/// Exchanging two of them exchanges what they bring along.
#[test]
fn copies_that_use_their_number_as_a_name_differ_in_nothing_else() {
    // Where a thread is does not depend on the others. The last one has one location more.
    for (body, places) in [
        ("mine[tid] = 1; mine[tid] = 2;", 3_usize),
        ("local r; r = &mine[tid]; *r = 5;", 3),
        ("local r; r = tid + 1; if (r == 7) { } mine[tid] = 4;", 4),
    ] {
        let text = format!("shared mine[3]; thread w[3] {{ {body} }}");
        let program = program(&text);
        let all = places.pow(3);
        let multisets = places * (places + 1) * (places + 2) / 6;
        assert_eq!(
            states(&program, Model::Sc, &[], Reduction::NONE),
            all,
            "{text}"
        );
        assert_eq!(states(&program, Model::Sc, &[], PLAIN), multisets, "{text}");
    }
    // The one that came last is in `tail`: none (1 state), or one of those that are done.
    let program = program("shared tail; thread w[3] { tail = tid + 1; }");
    assert_eq!(
        states(&program, Model::Sc, &[], Reduction::NONE),
        1 + 3 + 3 * 2 + 3
    );
    assert_eq!(states(&program, Model::Sc, &[], PLAIN), 4);
}

/// Addresses of both arrays get into one register. For each thread the second array has the cell with the
/// same index.
#[test]
fn addresses_that_are_kept_belong_to_whom_the_cells_belong() {
    let same = program(
        "shared first[4], second[4], x;
        thread w[3] { local a, r; a = &first[tid]; r = x; if (r) { a = &second[tid]; } *a = 1; }",
    );
    let [all, some] =
        [Reduction::NONE, PLAIN].map(|reduction| states(&same, Model::Sc, &[], reduction));
    // `x` is 0. So each thread is alone: what all do is a multiset of what one does.
    let one = states(
        &program(
            "shared first[4], second[4], x;
            thread w[1] { local a, r; a = &first[tid]; r = x; if (r) { a = &second[tid]; } *a = 1; }",
        ),
        Model::Sc,
        &[],
        Reduction::NONE,
    );
    assert_eq!(all, one.pow(3));
    assert_eq!(some, one * (one + 1) * (one + 2) / 6);
}

/// In the first program a value that no exchange changes is compared with an address of each thread, and in
/// the second one what is computed from the name of a thread gets to where the name was.
#[test]
fn threads_whose_names_are_computed_with_are_not_exchanged() {
    for (text, fails) in [
        (
            "thread w[2] {
                local p, v, a;
                p = nondet(1, 2);
                a = p + 3;
                v = a != tid + 4;
                assert(a == p + 3);
            }",
            [false, false],
        ),
        (
            "thread w[2] { local p; p = tid + 1; p = p + 1; assert(p != 3); }",
            [false, true],
        ),
    ] {
        let program = program(text);
        let goals = program.goals();
        for reduction in [Reduction::NONE, PLAIN] {
            let answers = check_all_with(&program, Model::Sc, &goals, reduction, &budget());
            let found = answers.verdicts.iter();
            let found = found.map(|(_, verdict)| matches!(verdict, Verdict::Violated(_)));
            assert_eq!(found.collect::<Vec<bool>>(), fails, "{text}");
        }
    }
}

/// Each brings along a node, which an index names or a pointer. The attacker does not, so the other three are
/// a class.
#[test]
fn helpers_of_a_thread_that_delays_stores_are_exchanged_with_what_they_own() {
    let indices = "shared next[5], waits[5], tail;
        thread w[4] {
            local before, v;
            before = xchg(tail, tid + 1);
            if (before != 0) { next[before] = tid + 1; v = waits[tid + 1]; }
        }";
    // The last cell belongs to the last thread.
    let pointers = "shared tail, node[8];
        thread w[4] {
            local before, v;
            before = xchg(tail, &node[2 * tid]);
            if (before != 0) { *(before + 1) = &node[2 * tid]; v = node[2 * tid]; }
        }";
    for text in [indices, pointers] {
        let program = program(text);
        let values = Values::of(&program);
        let open = attacks(&program, &values, Model::Tso, Pruning::NONE).open;
        let of_first: Vec<Attack> = open
            .into_iter()
            .filter(|attack| attack.thread.index() == 0)
            .collect();
        let options = RobustOptions::new(Model::Tso);
        let derived = derived_program(&program, &options, &of_first).expect("it is supported");
        let goals: Vec<Goal> = derived.attacks.iter().map(|&(_, goal)| goal).collect();
        let budget = Budget::default();
        let [all, some] = [Reduction::NONE, PLAIN].map(|reduction| {
            check_all_with(&derived.program, Model::Sc, &goals, reduction, &budget).states
        });
        assert!(all > 4 * some, "{all} and {some} configurations: {text}");
    }
}

/// One thread counts to two before the other begins. Both are at the same place all the time, but only one of
/// them has a counter that is still 0.
#[test]
fn threads_at_the_same_place_are_in_the_same_state_only_if_what_they_own_is_equal() {
    let program = program(
        "shared mine[2];
        thread w[2] {
            local r;
            while (true) { atomic { r = mine[tid]; assume(r < 2); mine[tid] = r + 1; r = 0; } }
        }
        forbid mine[0] == 0 && mine[1] == 2;
        forbid mine[0] == 2 && mine[1] == 0;",
    );
    let goals = program.goals();
    let [all, some] =
        [Reduction::NONE, PLAIN].map(|reduction| states(&program, Model::Sc, &[], reduction));
    assert!(some < all, "the threads are a class");
    for model in Model::ALL {
        for reduction in [PLAIN, Reduction::ALL] {
            let answers = check_all_with(&program, model, &goals, reduction, &budget());
            let is_reached =
                |(_, verdict): &(_, Verdict<_>)| matches!(verdict, Verdict::Violated(_));
            assert!(answers.verdicts.iter().all(is_reached), "{model}");
        }
    }
}

#[test]
fn threads_are_identical_whatever_their_parts_are_called() {
    let text = "shared x;
        thread a { local r; here: r = x; }
        thread b { local other;
            there: other = x; }
        thread c { local r; r = x; }";
    assert_eq!(states(&program(text), Model::Sc, &[], PLAIN), 4);
    let initial = text.replace("thread b { local other;", "thread b { local other = 2;");
    assert_ne!(initial, text);
    // Two identical threads and one with twice as many configurations as they have positions.
    assert_eq!(states(&program(&initial), Model::Sc, &[], PLAIN), 3 * 2);
}

#[test]
fn threads_with_different_initial_values_are_not_identical() {
    let text = "shared x;
        thread a { local r; x = 1; assert(r == 0); }
        thread b { local r = 2; x = 1; assert(r == 0); }";
    let program = program(text);
    let initial = |thread: usize| program.threads()[thread].registers()[0].init;
    assert_eq!([initial(0), initial(1)], [0, 2]);
    let goals = program.goals();
    let answers = check_all_with(&program, Model::Tso, &goals, Reduction::ALL, &budget());
    let words: Vec<&str> = answers
        .verdicts
        .iter()
        .map(|(_, verdict)| verdict.word())
        .collect();
    assert_eq!(
        words,
        [Verdict::<()>::Holds.word(), Verdict::Violated(()).word()]
    );
}

#[test]
fn threads_that_the_goals_treat_differently_are_not_exchanged() {
    let threads = "thread t0 { skip; end: skip; } thread t1 { skip; end: skip; }
        thread t2 { skip; end: skip; }";
    let count = |forbidden: &str| {
        let program = program(&format!("{threads} {forbidden}"));
        let text = forbidden.matches("forbid").count();
        assert_eq!(program.properties().len(), text);
        // Goals that are reached would end the search.
        states(&program, Model::Sc, &program.goals(), PLAIN)
    };
    // No configuration has a thread at two places.
    let never = |pairs: &[(usize, usize)]| -> String {
        let pair = |(a, b): &(usize, usize)| format!("forbid t{a}@end && t{b}@end && 0 == 1;");
        pairs.iter().map(pair).collect()
    };
    let multisets = |threads: usize| (threads + 1) * (threads + 2) / 2;
    assert_eq!(count(""), multisets(3));
    assert_eq!(count(&never(&[(0, 1), (0, 2), (1, 2)])), multisets(3));
    assert_eq!(count(&never(&[(0, 1), (2, 0), (2, 1)])), multisets(3));
    assert_eq!(count(&never(&[(0, 1)])), multisets(2) * 3);
    assert_eq!(count(&never(&[(0, 1), (1, 2)])), multisets(2) * 3);
    assert_eq!(count(&never(&[(2, 2)])), multisets(2) * 3);
    assert_eq!(
        count("forbid t0@end && t1@end && t2@end && 0 == 1;"),
        multisets(3)
    );
    assert_eq!(count("forbid t0@end + t1@end + t2@end == 7;"), multisets(3));
    assert_eq!(
        count("forbid t0@end + t1@end - t2@end == 7;"),
        multisets(2) * 3
    );
}

#[test]
fn each_goal_of_an_orbit_has_a_computation_of_its_own() {
    let text = "shared x;
        thread t0 { local r; r = fetch_add(x, 1); cs: skip; }
        thread t1 { local r; r = fetch_add(x, 1); cs: skip; }
        thread t2 { local r; r = fetch_add(x, 1); cs: skip; }
        forbid t0@cs && t0.r == 0 && t1@cs && t1.r == 1;
        forbid t0@cs && t0.r == 0 && t2@cs && t2.r == 1;
        forbid t1@cs && t1.r == 0 && t0@cs && t0.r == 1;
        forbid t1@cs && t1.r == 0 && t2@cs && t2.r == 1;
        forbid t2@cs && t2.r == 0 && t0@cs && t0.r == 1;
        forbid t2@cs && t2.r == 0 && t1@cs && t1.r == 1;";
    let program = program(text);
    let goals = program.goals();
    assert_eq!(goals.len(), 6);
    let answers = check_all_with(&program, Model::Tso, &goals, Reduction::ALL, &budget());
    for (goal, verdict) in answers.verdicts {
        let Verdict::Violated(steps) = verdict else {
            panic!("{goal:?} is not reached");
        };
        let run = replay(&program, Model::Tso, &steps).expect("the computation is possible");
        assert_eq!(run.reached, [goal]);
    }
}
