//! Goals that need threads at locations, in all ways that a property can say so. The programs go around loops of
//! local steps, with and without choices, and have blocks that are never left.

use crate::support::automata::{Mix, automata};
use fencepost::program::{
    Addr, BinaryOp, Expr, LocId, Observable, Origin, Program, Property, PropertyKind, RegId,
    ThreadId, UnaryOp,
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

/// Automata with such goals.
pub fn programs() -> impl Strategy<Value = Program> {
    let automata = prop_oneof![
        3 => automata(5, Mix::Local),
        1 => automata(6, Mix::Races),
        1 => automata(6, Mix::Blocks),
    ];
    let facts = prop::collection::vec((kind(), fact()), 0..4);
    (automata, facts).prop_map(|(automata, facts)| {
        let mut program = automata.build();
        for (kind, fact) in &facts {
            program = program.with_property(Property {
                kind: *kind,
                predicate: fact.predicate(&program),
                origin: Origin::default(),
            });
        }
        program
    })
}
