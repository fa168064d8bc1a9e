//! A search stores one configuration for all permutations of threads that are alike, and no fewer: which threads are,
//! for which goals, and what is exchanged with them.

use crate::support::{alike, config, random};
use alike::{Alike, statements};
use config::config;
use fencepost::internals::facts::Values;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{explore_halts, replay};
use fencepost::internals::robustness::{Attack, Pruning, RobustOptions, attacks, derived_program};
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program};
use proptest::prelude::*;
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

proptest! {
    #![proptest_config(config(60))]

    /// Under SC and without atomic blocks and accesses of several cells every configuration is halting.
    #[test]
    fn one_configuration_is_stored_for_each_multiset_of_threads(
        alike in statements(Shape { atomic: 0, words: 0, ..Shape::ALL }),
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
