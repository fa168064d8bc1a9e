//! Statement pairs: all four algorithms find a smallest set; keeping all pairs in order is SC; and the
//! fence places derived from the pairs repair the program.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot build its program has failed"
)]

use crate::support::{config, random};
use config::config;
use fencepost::internals::encode::{Plan, Switch};
use fencepost::internals::fences::pairs::{
    Pair, PairAlgorithm, PairAnswer, PairOptions, PairReport, Placing, culprit_pairs, places_of,
    reordered, statement_pairs,
};
use fencepost::internals::fences::{Costs, Kinds, Place, places};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reach::{Method, Reach, ReachAnswer};
use fencepost::internals::reference::{Run, explore};
use fencepost::internals::search::check_all;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{
    BinaryOp, Expr, FenceKind, Goal, Observable, Op, Origin, Program, Property, PropertyKind, Site,
    UnaryOp,
};
use proptest::prelude::*;
use random::{Kind, Locked, Shape, Stmt, sketch};

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
/// The maximum number of states that the reference explores.
const STATES: usize = 60_000;

fn parsed(text: &str) -> Program {
    let parsed = parse(text);
    let errors = format!("{:?}\n{text}", parsed.diagnostics);
    parsed.program.expect(&errors)
}

fn found(program: &Program, options: &PairOptions) -> PairReport {
    culprit_pairs(program, options, &Budget::default())
        .unwrap_or_else(|defect| panic!("{}: {defect}", options.algorithm))
}

/// Checks that the four algorithms agree. Returns the size of the set, or `None` if no set suffices, and
/// one of the sets.
fn agreed(
    program: &Program,
    model: Model,
    k1: usize,
    unroll: u32,
) -> Result<Option<Vec<Pair>>, TestCaseError> {
    let mut answers: Vec<Option<Vec<Pair>>> = Vec::new();
    for &algorithm in PairAlgorithm::ALL {
        let options = PairOptions {
            k1,
            unroll: Some(unroll),
            ..PairOptions::new(algorithm, model)
        };
        let report = found(program, &options);
        let pairs = match report.answer {
            PairAnswer::Found { pairs, most, .. } => {
                prop_assert_eq!(most, None, "{}", algorithm);
                Some(pairs)
            }
            PairAnswer::Unrepairable(goal, run) => {
                prop_assert_eq!(run.model, Model::Sc);
                prop_assert!(run.reached.contains(&goal));
                None
            }
            PairAnswer::Undecided(reason) => panic!("{algorithm}: {reason}"),
        };
        if let Some(first) = answers.first() {
            let size = |answer: &Option<Vec<Pair>>| answer.as_ref().map(Vec::len);
            prop_assert_eq!(size(&pairs), size(first), "{} {}", model, algorithm);
        }
        answers.push(pairs);
    }
    Ok(answers.swap_remove(0))
}

/// A query with all pairs of a program, and all goals except `exists`.
struct Brute<'p> {
    reach: Reach<'p>,
    goals: Vec<Goal>,
    model: Model,
    pairs: Vec<Pair>,
}

impl<'p> Brute<'p> {
    fn new(program: &'p Program, model: Model, returns: u32) -> Self {
        let mut goals = program.goals();
        goals.retain(|goal| match goal {
            Goal::Property(index) => program.properties()[*index].kind != PropertyKind::Exists,
            Goal::Assert(_) | Goal::Outside(_) => true,
        });
        let pairs = statement_pairs(program, model);
        let plan = Plan {
            pairs: pairs.clone(),
            returns,
            ..Plan::new(goals.clone(), model)
        };
        let method = Method {
            slicing: false,
            ..Method::default()
        };
        Self {
            reach: Reach::open(program, plan, method, &Budget::default()),
            goals,
            model,
            pairs,
        }
    }

    /// Whether no goal is reachable within the loop bounds if these pairs are kept in order.
    fn is_safe(&mut self, kept: &[Pair]) -> bool {
        let on: Vec<Switch> = kept.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
        self.goals.iter().all(|&goal| {
            match self.reach.ask(goal, self.model, &on).expect("it replays") {
                ReachAnswer::Reachable(_) => false,
                ReachAnswer::Unreachable(_) => true,
            }
        })
    }

    /// Whether some set of exactly `size` pairs is safe.
    fn has_safe_set(&mut self, size: usize) -> bool {
        let pairs = self.pairs.clone();
        self.extend(&pairs, &mut Vec::new(), size)
    }

    fn extend(&mut self, rest: &[Pair], kept: &mut Vec<Pair>, size: usize) -> bool {
        if size == 0 {
            return self.is_safe(kept);
        }
        (0..rest.len()).any(|at| {
            kept.push(rest[at]);
            let safe = self.extend(&rest[at + 1..], kept, size - 1);
            kept.pop();
            safe
        })
    }
}

/// Checks that the set is safe, and that no set with one pair fewer is. Smaller sets need no check:
/// adding pairs preserves safety.
fn is_smallest(brute: &mut Brute<'_>, answer: Option<&[Pair]>) -> Result<(), TestCaseError> {
    if let Some(pairs) = answer {
        prop_assert!(brute.is_safe(pairs));
        if let Some(smaller) = pairs.len().checked_sub(1) {
            prop_assert!(!brute.has_safe_set(smaller));
        }
    } else {
        let all = brute.pairs.clone();
        prop_assert!(!brute.is_safe(&all));
    }
    Ok(())
}

/// A statement of a thread with stores and loads.
fn statement(locked: u32) -> BoxedStrategy<Stmt> {
    use random::{Place, Value};
    let place = || {
        prop_oneof![
            12 => (1..=3).prop_map(Place::Cell),
            2 => (0..2_u32).prop_map(Place::Element),
        ]
    };
    prop_oneof![
        10 => (place(), 1..3).prop_map(|(p, v)| Stmt::Store(p, Value::Const(v))),
        10 => (0..2_u32, place()).prop_map(|(r, p)| Stmt::Load(r, p)),
        1 => (place(), 0..2_u32).prop_map(|(p, r)| Stmt::Store(p, Value::Reg(r))),
        1 => prop_oneof![Just(Kind::Full), Just(Kind::Store), Just(Kind::Cells(1))]
            .prop_map(Stmt::Fence),
        locked => (0..2_u32, place()).prop_map(|(r, p)| Stmt::Locked(r, p, Locked::Add(1))),
        locked => (place(), 0..2_u32).prop_map(|(p, r)| {
            Stmt::Atomic(vec![Stmt::Load(r, p.clone()), Stmt::Store(p, Value::Const(1))])
        }),
        locked => (0..2_u32, place(), 1..3).prop_map(|(r, p, times)| {
            let body = vec![Stmt::Store(p.clone(), Value::Const(2)), Stmt::Load(r, p)];
            Stmt::Repeat(times, random::Leave::Full, body)
        }),
    ]
    .boxed()
}

/// Random programs with stores and loads, without goals.
fn stores_and_loads(longest: usize) -> BoxedStrategy<Program> {
    let thread = move || prop::collection::vec(statement(1), 2..=longest);
    prop::collection::vec(thread(), 2)
        .prop_map(|threads| {
            let observed = random::Observed {
                reg: 0,
                value: 0,
                cell: 1,
                loc: 0,
                there: false,
            };
            let program = random::Sketch { threads, observed }.build();
            without_properties(&program)
        })
        .boxed()
}

fn without_properties(program: &Program) -> Program {
    let mut builder = fencepost::program::ProgramBuilder::like(program);
    for id in program.thread_ids() {
        for i in program.thread(id).instructions() {
            builder.instruction(id, i.from, i.op.clone(), i.to, Origin::default());
        }
    }
    builder.build().expect("it was a program before")
}

/// The program with a property that forbids one final state: of those that the model allows and SC does
/// not, the one with this number. `None` if there is none, or if there are too many states.
fn forbidding(program: &Program, model: Model, number: usize) -> Option<Program> {
    let budget = Budget::default().with_states(STATES);
    let ends = |model| {
        let exploration = explore(program, model, &budget);
        exploration
            .incomplete
            .is_none()
            .then_some(exploration.finals)
    };
    let (weak, strong) = (ends(model)?, ends(Model::Sc)?);
    let new: Vec<_> = weak.difference(&strong).collect();
    let end = *new.get(number % new.len().max(1))?;
    let mut all = Expr::Const(1);
    let mut demand = |observable, value| {
        let is = Expr::binary(BinaryOp::Eq, Expr::Var(observable), Expr::Const(value));
        all = Expr::binary(BinaryOp::And, all.clone(), is);
    };
    for (t, registers) in end.registers.iter().enumerate() {
        for (r, &value) in registers.iter().enumerate() {
            demand(Observable::Register(t.into(), r.into()), value);
        }
    }
    for (c, &value) in end.memory.iter().enumerate() {
        demand(
            Observable::Cell(fencepost::program::Addr::from_index(c)),
            value,
        );
    }
    Some(program.with_property(Property {
        kind: PropertyKind::FinalAssert,
        predicate: Expr::unary(UnaryOp::Not, all),
        origin: Origin::default(),
    }))
}

/// Checks with the reference that places that order the pairs make every goal unreachable.
fn places_repair(program: &Program, model: Model, pairs: &[Pair]) -> Result<(), TestCaseError> {
    let all_kinds = Kinds(vec![
        (FenceKind::Full, 3),
        (FenceKind::Store, 2),
        (FenceKind::Exchange, 4),
    ]);
    for kinds in [Kinds::default(), all_kinds] {
        let among = places(program, program, model, &kinds, &Costs::Unit);
        let placed = match places_of(program, pairs, &among, &Budget::default()) {
            Placing::Found { places, cost } => {
                let sum: u32 = places.iter().map(|place| place.cost).sum();
                prop_assert_eq!(cost, u64::from(sum));
                places
            }
            Placing::Impossible(pair) => panic!("no place for {pair:?}"),
            Placing::Stopped => panic!("the budget has no limit"),
        };
        let changes: Vec<_> = placed
            .iter()
            .flat_map(|place| place.changes(program))
            .collect();
        let fenced = program.changed(&changes);
        let budget = Budget::default().with_states(4 * STATES);
        let mut goals = fenced.goals();
        goals.retain(|goal| {
            !matches!(goal, Goal::Property(p)
            if fenced.properties()[*p].kind == PropertyKind::Exists)
        });
        for (goal, verdict) in check_all(&fenced, model, &goals, &budget).verdicts {
            let safe = matches!(verdict, Verdict::Holds | Verdict::Unknown(_));
            prop_assert!(safe, "{} {:?} {:?}", model, goal, placed);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(700))]

    /// Each program has a final state that SC does not allow, and forbids it.
    #[test]
    fn the_four_find_a_smallest_set_of_pairs(
        program in stores_and_loads(4),
        number in 0..64_usize,
        k1 in 0..3_usize,
    ) {
        for model in WEAK {
            let Some(program) = forbidding(&program, model, number) else { continue };
            let pairs = agreed(&program, model, k1, 4)?;
            let pairs = pairs.expect("SC does not reach the end");
            prop_assert!(!pairs.is_empty());
            is_smallest(&mut Brute::new(&program, model, 4), Some(&pairs))?;
            places_repair(&program, model, &pairs)?;
        }
    }

    /// For any program, whether or not fences can repair it.
    #[test]
    fn the_four_agree_on_any_program(sketch in sketch(Shape::COUNTING), k1 in 0..3_usize) {
        let program = sketch.build();
        for model in WEAK {
            let mut brute = Brute::new(&program, model, 3);
            if brute.pairs.len() > 16 {
                continue;
            }
            let pairs = agreed(&program, model, k1, 3)?;
            is_smallest(&mut brute, pairs.as_deref())?;
        }
    }

    #[test]
    fn all_pairs_kept_in_order_are_sc(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        let budget = Budget::default().with_states(STATES);
        let sc = check_all(&program, Model::Sc, &program.goals(), &budget);
        for model in WEAK {
            let pairs = statement_pairs(&program, model);
            let on: Vec<Switch> = pairs.iter().map(|&(a, b)| Switch::Order(a, b)).collect();
            let plan = Plan { pairs, returns: 6, ..Plan::new(program.goals(), model) };
            let mut reach = Reach::open(&program, plan, Method::default(), &budget);
            for (goal, verdict) in &sc.verdicts {
                let claim = match reach.ask(*goal, model, &on).expect("it replays") {
                    ReachAnswer::Reachable(_) => true,
                    ReachAnswer::Unreachable(core) => {
                        if core.iter().any(|switch| matches!(switch, Switch::Frontier(..))) {
                            continue;
                        }
                        false
                    }
                };
                match verdict {
                    Verdict::Holds => prop_assert!(!claim, "{} {:?}", model, goal),
                    Verdict::Violated(_) => prop_assert!(claim, "{} {:?}", model, goal),
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
                }
            }
        }
    }

    /// A larger bound on reorderings never loses a violation, and the counterexamples respect it.
    #[test]
    fn a_counterexample_reorders_at_most_as_many_pairs_as_it_may(
        program in stores_and_loads(4),
        number in 0..64_usize,
    ) {
        for model in WEAK {
            let Some(program) = forbidding(&program, model, number) else { continue };
            let pairs = statement_pairs(&program, model);
            let goal = Goal::Property(0);
            let plan = Plan { pairs: pairs.clone(), returns: 4, ..Plan::new(vec![goal], model) };
            let method = Method { slicing: false, ..Method::default() };
            let mut reach = Reach::open(&program, plan, method, &Budget::default());
            let mut violated = false;
            for most in 0..=pairs.len() {
                match reach.ask(goal, model, &[Switch::AtMost(most)]).expect("it replays") {
                    ReachAnswer::Reachable(run) => {
                        violated = true;
                        let mut set = reordered(&run);
                        set.retain(|pair| pairs.contains(pair));
                        prop_assert!(set.len() <= most && !set.is_empty());
                    }
                    ReachAnswer::Unreachable(_) => prop_assert!(!violated),
                }
            }
            prop_assert!(violated);
        }
    }
}

/// [JK15, Fig. 1(c)].
const INNOCENT_AND_CULPRIT: &str = "shared x, y, w, z;
    thread t0 { local p, r; z = 1; p = w; x = 1; r = y; }
    thread t1 { local p, r; w = 1; p = z; y = 1; r = x; }
    final assert t0.r == 1 || t1.r == 1;
    final assert t0.p + t1.p >= 0;";

/// The statements of a pair as positions among the accesses of their thread.
fn positions(program: &Program, (a, b): Pair) -> (u32, usize, usize) {
    let thread = program.thread(a.thread);
    let position = |site: Site| {
        let before = &thread.instructions()[..site.instr.index()];
        before
            .iter()
            .filter(|i| matches!(i.op, Op::Load { .. } | Op::Store { .. }))
            .count()
    };
    (a.thread.0, position(a), position(b))
}

#[test]
fn only_the_culprit_pairs_of_the_paper_are_kept() {
    let program = parsed(INNOCENT_AND_CULPRIT);
    for &algorithm in PairAlgorithm::ALL {
        let options = PairOptions {
            k1: 1,
            ..PairOptions::new(algorithm, Model::Tso)
        };
        let report = found(&program, &options);
        let PairAnswer::Found { pairs, bounds, .. } = report.answer else {
            panic!("{algorithm} finds no pairs");
        };
        assert_eq!(bounds, None);
        let named: Vec<_> = pairs
            .iter()
            .map(|&pair| positions(&program, pair))
            .collect();
        assert_eq!(named, [(0, 2, 3), (1, 2, 3)], "{algorithm}");
    }
}

#[test]
fn what_fails_under_sc_cannot_be_repaired() {
    let text = "shared x; thread a { x = 1; } thread b { local r; r = x; assert(r == 0); }";
    let program = parsed(text);
    for &algorithm in PairAlgorithm::ALL {
        let report = found(&program, &PairOptions::new(algorithm, Model::Pso));
        let PairAnswer::Unrepairable(goal, run) = report.answer else {
            panic!("{algorithm} repairs it");
        };
        assert!(matches!(goal, Goal::Assert(_)));
        let Run { model, .. } = *run;
        assert_eq!(model, Model::Sc);
    }
}

#[test]
fn a_fence_on_every_path_leaves_no_pair() {
    let pairs = |text: &str, model| statement_pairs(&parsed(text), model).len();
    let one_way = "shared x, y; thread t { local r; x = 1; if (r == 0) { fence; } r = y; }";
    let both_ways =
        "shared x, y; thread t { local r; x = 1; if (r == 0) { fence; } else { fence; } r = y; }";
    assert_eq!(pairs(one_way, Model::Tso), 1);
    assert_eq!(pairs(both_ways, Model::Tso), 0);
    let looping = "shared x, y; thread t { local r; loop { r = y; x = 1; } }";
    assert_eq!(pairs(looping, Model::Tso), 1);
    assert_eq!(pairs(looping, Model::Sc), 0);
    let stores = "shared x, y; thread t { x = 1; y = 1; x = 2; }";
    assert_eq!(
        (pairs(stores, Model::Tso), pairs(stores, Model::Pso)),
        (0, 2)
    );
}

#[test]
fn one_fence_may_order_many_pairs() {
    let text = "shared x, y, z; thread t { local r, s; x = 1; y = 1; r = z; s = z; }";
    let program = parsed(text);
    let pairs = statement_pairs(&program, Model::Tso);
    assert_eq!(pairs.len(), 4);
    let among: Vec<Place> = places(
        &program,
        &program,
        Model::Tso,
        &Kinds::default(),
        &Costs::Unit,
    );
    match places_of(&program, &pairs, &among, &Budget::default()) {
        Placing::Found { places, cost } => assert_eq!((places.len(), cost), (1, 1)),
        Placing::Impossible(_) | Placing::Stopped => panic!("there is a place"),
    }
    let placing = places_of(&program, &pairs, &[], &Budget::default());
    assert!(matches!(placing, Placing::Impossible(_)));
}

#[test]
fn an_exchange_in_place_of_the_first_statement_orders_a_pair() {
    let program = parsed("shared x, y; thread t { local r; x = 1; r = y; }");
    let pairs = statement_pairs(&program, Model::Tso);
    assert_eq!(pairs.len(), 1);
    let exchanges = Kinds(vec![(FenceKind::Exchange, 4)]);
    let among = places(&program, &program, Model::Tso, &exchanges, &Costs::Unit);
    match places_of(&program, &pairs, &among, &Budget::default()) {
        Placing::Found { places, cost } => assert_eq!((places.len(), cost), (1, 4)),
        Placing::Impossible(_) | Placing::Stopped => panic!("the store can be an exchange"),
    }
}

#[test]
fn a_result_within_bounds_is_reported_as_such() {
    let text = "shared x, y, z;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; y = 1; r = x; }
        thread t2 { loop { z = z + 1; } }
        final assert t0.r == 1 || t1.r == 1;
        forbid z == 100;";
    let program = parsed(text);
    for &algorithm in PairAlgorithm::ALL {
        let options = PairOptions {
            unroll: Some(3),
            ..PairOptions::new(algorithm, Model::Tso)
        };
        let PairAnswer::Found { pairs, bounds, .. } = found(&program, &options).answer else {
            panic!("{algorithm} finds no pairs");
        };
        // The third thread never ends, so only the second goal is open.
        assert_eq!(pairs, []);
        let bounds = bounds.expect("the loop is cut");
        assert!(bounds.loops.iter().all(|bound| bound.iterations == 3));
    }
}

#[test]
fn a_last_bound_on_reorderings_is_reported_if_needed() {
    let program = parsed(INNOCENT_AND_CULPRIT);
    for algorithm in [PairAlgorithm::Robmc, PairAlgorithm::RobmcEt] {
        for (k2, expected) in [(0, Some(0)), (1, None), (2, None)] {
            let options = PairOptions {
                k2: Some(k2),
                ..PairOptions::new(algorithm, Model::Tso)
            };
            let PairAnswer::Found { pairs, most, .. } = found(&program, &options).answer else {
                panic!("{algorithm} finds no pairs");
            };
            assert_eq!(most, expected, "{algorithm}, at most {k2}");
            assert_eq!(pairs.len(), if k2 == 0 { 0 } else { 2 });
        }
    }
}
