//! Configurations from which a goal cannot be reached are left out of a search, and no answer changes.
//!
//! The goals need threads at locations, in all ways that a property can say so. The programs go around
//! loops of local steps, with and without choices, and have blocks that are never left.

use crate::support::{automata, config};
use automata::{Mix, automata};
use config::config;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::search::{Onset, Reduction, check_all_with};
use fencepost::internals::verdict::Budget;
use fencepost::program::{
    Addr, BinaryOp, Expr, Goal, LocId, Observable, Origin, Program, Property, PropertyKind, RegId,
    ThreadId, UnaryOp, print,
};
use proptest::prelude::*;

/// A condition on a configuration. Threads and locations are taken modulo their numbers.
#[derive(Clone, Debug)]
enum Fact {
    At(usize, usize),
    Register(usize, i32),
    Cell(i32, i32),
    Not(Box<Fact>),
    Is(Box<Fact>, i32),
    Two(BinaryOp, Box<Fact>, Box<Fact>),
}

fn fact() -> BoxedStrategy<Fact> {
    let leaf = prop_oneof![
        8 => (0..3usize, 0..6usize).prop_map(|(t, l)| Fact::At(t, l)),
        1 => (0..3usize, 0..3).prop_map(|(t, v)| Fact::Register(t, v)),
        1 => (1..=4, 0..3).prop_map(|(x, v)| Fact::Cell(x, v)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let op = prop_oneof![
            4 => Just(BinaryOp::And),
            4 => Just(BinaryOp::Or),
            1 => Just(BinaryOp::Add),
            1 => Just(BinaryOp::Eq),
        ];
        let two = (op, inner.clone(), inner.clone());
        prop_oneof![
            4 => two.prop_map(|(op, a, b)| Fact::Two(op, a.into(), b.into())),
            1 => inner.clone().prop_map(|a| Fact::Not(a.into())),
            1 => (inner, 0..3).prop_map(|(a, v)| Fact::Is(a.into(), v)),
        ]
    })
    .boxed()
}

fn kind() -> BoxedStrategy<PropertyKind> {
    prop_oneof![
        4 => Just(PropertyKind::Forbid),
        1 => Just(PropertyKind::FinalAssert),
        1 => Just(PropertyKind::Exists),
    ]
    .boxed()
}

impl Fact {
    fn predicate(&self, program: &Program) -> Expr<Observable> {
        let thread = |t: usize| t % program.threads().len();
        let equals = |a: Expr<Observable>, v| Expr::binary(BinaryOp::Eq, a, Expr::Const(v));
        match self {
            Fact::At(t, l) => {
                let locations = program.threads()[thread(*t)].locations();
                // A property cannot name a location inside a block.
                let outside = (0..locations.len()).filter(|&l| !locations[l].atomic);
                let outside: Vec<LocId> = outside.map(LocId::from).collect();
                let loc = outside[l % outside.len()];
                Expr::Var(Observable::At(ThreadId::from(thread(*t)), loc))
            }
            Fact::Register(t, v) => {
                let register = Observable::Register(ThreadId::from(thread(*t)), RegId(0));
                equals(Expr::Var(register), *v)
            }
            Fact::Cell(x, v) => equals(Expr::Var(Observable::Cell(Addr(*x))), *v),
            Fact::Not(a) => Expr::unary(UnaryOp::Not, a.predicate(program)),
            Fact::Is(a, v) => equals(a.predicate(program), *v),
            Fact::Two(op, a, b) => Expr::binary(*op, a.predicate(program), b.predicate(program)),
        }
    }
}

/// The ways to search, from the one that leaves out least to the one that leaves out most.
fn reductions() -> [Reduction; 7] {
    let hopeless = Reduction {
        hopeless: true,
        ..Reduction::NONE
    };
    let persistent = Reduction {
        persistent: true,
        ..hopeless
    };
    let chains = Reduction {
        chains: true,
        local_steps: true,
        ..persistent
    };
    let lookahead = Reduction {
        lookahead: Onset::After(0),
        ..persistent
    };
    let directed = Reduction {
        directed: Onset::After(0),
        ..persistent
    };
    let all = Reduction {
        directed: Onset::After(3),
        ..Reduction::ALL
    };
    [
        hopeless,
        persistent,
        lookahead,
        directed,
        chains,
        all,
        Reduction::ALL,
    ]
}

/// Searches for all goals at once, and for each alone: then more is left out.
fn nothing_is_lost(program: &Program, model: Model) -> Result<(), TestCaseError> {
    let budget = Budget::default().with_states(3_000);
    let search = |goals: &[Goal], reduction| {
        check_all_with(program, model, goals, reduction, &budget).verdicts
    };
    let agree = |goal: Goal, word: &str, known: &str, reduction: Reduction| {
        prop_assert!(
            word == known || [word, known].contains(&"unknown"),
            "{model} {reduction:?} {goal:?}: {word}, not {known}\n{}",
            print(program)
        );
        Ok(())
    };
    let goals = program.goals();
    let plain = search(&goals, Reduction::NONE);
    for reduction in reductions() {
        for ((goal, known), (_, word)) in plain.iter().zip(search(&goals, reduction)) {
            agree(*goal, word.word(), known.word(), reduction)?;
            let alone = search(&[*goal], reduction);
            agree(*goal, alone[0].1.word(), known.word(), reduction)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn goals_at_locations_are_found_all_the_same(
        automata in prop_oneof![
            3 => automata(5, Mix::Local),
            1 => automata(6, Mix::Races),
            1 => automata(6, Mix::Blocks),
        ],
        facts in prop::collection::vec((kind(), fact()), 0..4),
    ) {
        let mut program = automata.build();
        for (kind, fact) in &facts {
            program = program.with_property(Property {
                kind: *kind,
                predicate: fact.predicate(&program),
                origin: Origin::default(),
            });
        }
        for model in Model::ALL {
            nothing_is_lost(&program, model)?;
        }
    }
}

/// Checks that the only goal of a program is reached.
fn is_reached(text: &str) {
    let program = parse(text).program.expect("it parses");
    for reduction in reductions() {
        let budget = Budget::default();
        let answers = check_all_with(&program, Model::Tso, &program.goals(), reduction, &budget);
        assert_eq!(answers.verdicts[0].1.word(), "violated", "{reduction:?}");
    }
}

/// It comes back to the same location many times, but with other values.
#[test]
fn a_loop_that_counts_is_left() {
    is_reached(
        "shared x; thread t { local r; x = 1; while (r < 50) { r = r + 1; } end: skip; } \
         forbid t@end;",
    );
}

#[test]
fn a_final_assertion_is_violated_where_its_label_is_not() {
    is_reached("shared x; thread t { start: x = 1; } final assert t@start;");
}
