//! The oracle of robustness: against programs whose attacks were determined by hand, and against itself
//! without its reductions; and the theorem that relates its two definitions.
//!
//! An attack is written as (thread, position of the delayed store, position of the last
//! instruction), the positions counted from 0 in the thread's list of instructions.

use crate::support::{config, lists, meeting, witnesses};
use config::config;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Step, replay};
use fencepost::program::{
    Addr, BinaryOp, Expr, Fence, InstrId, Op, Program, RegId, ThreadId, Update,
};
use lists::{builder, cells_fence};
use meeting::acyclic;
use proptest::prelude::*;
use std::collections::BTreeSet;
use witnesses::{Attack, check_witness, every_computation, feasible_attacks, robust, witnesses};

const X: i32 = 1;
const Y: i32 = 2;
const Z: i32 = 3;
const FULL: Op = Op::Fence(Fence::Full);
const STORE_FENCE: Op = Op::Fence(Fence::Store);

/// More steps than any program below needs.
const LIMIT: usize = 1_000_000;

fn store(cell: i32, value: i32) -> Op {
    Op::Store {
        addr: Expr::Const(cell),
        value: Expr::Const(value),
    }
}

fn load(reg: u32, cell: i32) -> Op {
    Op::Load {
        into: RegId(reg),
        addr: Expr::Const(cell),
    }
}

fn exchange(reg: u32, cell: i32, value: i32) -> Op {
    Op::Rmw {
        into: RegId(reg),
        addr: Expr::Const(cell),
        update: Update::Exchange(Expr::Const(value)),
    }
}

fn assume(reg: u32, value: i32) -> Op {
    let register = Expr::Var(RegId(reg));
    Op::Assume(Expr::binary(BinaryOp::Eq, register, Expr::Const(value)))
}

fn program(threads: &[Vec<Op>]) -> Program {
    let built = builder(threads).build();
    built.expect("the lists are a program")
}

fn attack((thread, store, last): (u32, u32, u32)) -> Attack {
    (ThreadId(thread), InstrId(store), InstrId(last))
}

/// Checks that these are the feasible attacks under these models, and that the program is robust if and
/// only if there is none.
fn attacks(threads: &[Vec<Op>], models: &[Model], expected: &[(u32, u32, u32)]) {
    let program = program(threads);
    let expected: BTreeSet<Attack> = expected.iter().map(|&triple| attack(triple)).collect();
    for &model in models {
        let found = witnesses(&program, model, LIMIT).expect("small enough");
        for (attack, run) in &found {
            assert!(run.happens_before().cycle().is_some(), "{attack:?}");
        }
        let feasible: BTreeSet<Attack> = found.into_keys().collect();
        assert_eq!(feasible, expected, "{model}");
        let all = robust(&program, model, LIMIT).expect("small enough");
        assert_eq!(all, expected.is_empty(), "{model}");
    }
    assert_eq!(robust(&program, Model::Sc, LIMIT), Some(true));
}

const TSO: &[Model] = &[Model::Tso];
const PSO: &[Model] = &[Model::Pso, Model::Pgas];
const WEAK: &[Model] = &[Model::Tso, Model::Pso, Model::Pgas];

#[test]
fn store_buffering_has_one_attack_per_thread() {
    let sb = [vec![store(X, 1), load(0, Y)], vec![store(Y, 1), load(0, X)]];
    attacks(&sb, WEAK, &[(0, 0, 1), (1, 0, 1)]);
    let three = [
        vec![store(X, 1), load(0, Y)],
        vec![store(Y, 1), load(0, Z)],
        vec![store(Z, 1), load(0, X)],
    ];
    attacks(&three, WEAK, &[(0, 0, 1), (1, 0, 1), (2, 0, 1)]);
}

#[test]
fn a_fence_removes_only_the_attacks_of_its_own_thread() {
    let fenced = [
        vec![store(X, 1), FULL, load(0, Y)],
        vec![store(Y, 1), FULL, load(0, X)],
    ];
    attacks(&fenced, WEAK, &[]);
    let half = [
        vec![store(X, 1), FULL, load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&half, WEAK, &[(1, 0, 1)]);
}

#[test]
fn message_passing_has_an_attack_where_stores_overtake() {
    let mp = [vec![store(X, 1), store(Y, 1)], vec![load(0, Y), load(1, X)]];
    attacks(&mp, TSO, &[]);
    attacks(&mp, PSO, &[(0, 0, 1)]);
    let s = [
        vec![store(X, 2), store(Y, 1)],
        vec![load(0, Y), store(X, 1)],
    ];
    attacks(&s, TSO, &[]);
    attacks(&s, PSO, &[(0, 0, 1)]);
}

/// [DMS17, section 3], whose `assert` blocks, so the second datum is never read.
#[test]
fn message_passing_with_two_data_delays_the_one_that_is_read() {
    let mp = [
        vec![store(X, 1), store(Y, 1), store(Z, 1)],
        vec![load(0, Z), assume(0, 1), load(1, X)],
    ];
    attacks(&mp, TSO, &[]);
    attacks(&mp, PSO, &[(0, 0, 2)]);
}

#[test]
fn a_store_and_a_load_against_two_stores() {
    let r = [
        vec![store(X, 1), store(Y, 1)],
        vec![store(Y, 2), load(0, X)],
    ];
    attacks(&r, TSO, &[(1, 0, 1)]);
    attacks(&r, PSO, &[(0, 0, 1), (1, 0, 1)]);
}

#[test]
fn two_stores_against_two_stores() {
    let w = [
        vec![store(X, 1), store(Y, 2)],
        vec![store(Y, 1), store(X, 2)],
    ];
    attacks(&w, TSO, &[]);
    attacks(&w, PSO, &[(0, 0, 1), (1, 0, 1)]);
}

#[test]
fn threads_that_only_store_or_only_load_are_robust() {
    let iriw = [
        vec![store(X, 1)],
        vec![store(Y, 1)],
        vec![load(0, X), load(1, Y)],
        vec![load(0, Y), load(1, X)],
    ];
    attacks(&iriw, WEAK, &[]);
    let wrc = [
        vec![store(X, 1)],
        vec![load(0, X), store(Y, 1)],
        vec![load(0, Y), load(1, X)],
    ];
    attacks(&wrc, WEAK, &[]);
}

#[test]
fn the_cycle_may_pass_through_several_helpers() {
    let rwc = [
        vec![store(X, 1)],
        vec![load(0, X), load(1, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&rwc, WEAK, &[(2, 0, 1)]);
}

#[test]
fn a_locked_instruction_is_never_delayed() {
    let sb = [
        vec![exchange(0, X, 1), load(1, Y)],
        vec![exchange(0, Y, 1), load(1, X)],
    ];
    attacks(&sb, WEAK, &[]);
    let mp = [
        vec![exchange(0, X, 1), store(Y, 1)],
        vec![load(0, Y), load(1, X)],
    ];
    attacks(&mp, WEAK, &[]);
    // It also empties the buffer, and is never the last instruction.
    let last = [
        vec![store(X, 1), exchange(0, Y, 1)],
        vec![load(0, Y), load(1, X)],
    ];
    attacks(&last, WEAK, &[]);
    let between = [
        vec![store(X, 1), exchange(0, Z, 1), load(1, Y)],
        vec![store(Y, 1), load(1, X)],
    ];
    attacks(&between, WEAK, &[(1, 0, 1)]);
}

#[test]
fn a_locked_instruction_of_a_helper_is_entered_as_a_store_and_left_as_one() {
    let first = [
        vec![store(X, 1), load(0, Y)],
        vec![exchange(0, Y, 1), load(1, X)],
    ];
    attacks(&first, WEAK, &[(0, 0, 1)]);
    let second = [
        vec![store(X, 1), load(0, Y)],
        vec![store(Y, 1), exchange(0, X, 2)],
    ];
    attacks(&second, WEAK, &[(0, 0, 1)]);
    let only = [
        vec![store(X, 1), load(0, Y)],
        vec![exchange(0, Y, 1)],
        vec![load(0, Y), load(1, X)],
    ];
    attacks(&only, WEAK, &[(0, 0, 1)]);
}

#[test]
fn an_atomic_block_of_a_helper_is_one_node() {
    let helper = |block: bool| {
        let mut ops = vec![load(0, X), store(Y, 1)];
        if block {
            ops.insert(0, Op::AtomicBegin);
            ops.push(Op::AtomicEnd);
        }
        [vec![store(X, 1), load(0, Y)], ops]
    };
    // As separate accesses, `load x; store y` closes no cycle. As one action it does: it reads the old
    // x, so it precedes the store; and it changes y, so it comes after the load.
    attacks(&helper(false), WEAK, &[]);
    attacks(&helper(true), WEAK, &[(0, 0, 1)]);
}

#[test]
fn an_atomic_block_of_the_attacker_empties_the_buffer() {
    let block = |op: Op| [Op::AtomicBegin, op, Op::AtomicEnd];
    let mut first = vec![store(X, 1)];
    first.extend(block(load(0, Y)));
    let mut second = vec![store(Y, 1)];
    second.extend(block(load(0, X)));
    attacks(&[first, second], WEAK, &[]);
    // Nothing inside is delayed either.
    let mut inside = block(store(X, 1)).to_vec();
    inside.push(load(0, Y));
    let other = vec![store(Y, 1), load(0, X)];
    attacks(&[inside, other], WEAK, &[(1, 0, 1)]);
}

#[test]
fn an_early_load_does_not_complete_an_attack() {
    let alone = [vec![store(X, 1), load(0, X)], vec![store(X, 2), load(0, X)]];
    attacks(&alone, WEAK, &[]);
    let before = [
        vec![store(X, 1), load(0, X), load(1, Y)],
        vec![store(Y, 1), load(0, Y), load(1, X)],
    ];
    attacks(&before, WEAK, &[(0, 0, 2), (1, 0, 2)]);
}

#[test]
fn accesses_to_one_cell_stay_in_order() {
    let coww = [
        vec![store(X, 1), store(X, 2)],
        vec![load(0, X), load(1, X)],
        vec![store(X, 3)],
    ];
    attacks(&coww, WEAK, &[]);
}

#[test]
fn a_delayed_store_takes_later_ones_with_it_under_tso() {
    let wide = [
        vec![store(X, 1), store(Z, 1), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&wide, WEAK, &[(0, 0, 2), (1, 0, 1)]);
    let narrow = [
        vec![store(X, 1), store(Y, 1), load(0, Z)],
        vec![store(Z, 1), load(0, Y)],
    ];
    attacks(&narrow, WEAK, &[(0, 1, 2), (1, 0, 1)]);
}

#[test]
fn either_of_two_stores_to_a_cell_can_be_the_first_that_is_delayed() {
    let twice = [
        vec![store(X, 1), store(X, 2), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&twice, WEAK, &[(0, 0, 2), (0, 1, 2), (1, 0, 1)]);
}

#[test]
fn a_store_fence_keeps_stores_apart_and_lets_loads_pass() {
    let mp = |fence: Op| {
        [
            vec![store(X, 1), fence, store(Y, 1)],
            vec![load(0, Y), load(1, X)],
        ]
    };
    attacks(&mp(STORE_FENCE), WEAK, &[]);
    attacks(&mp(cells_fence(X)), WEAK, &[]);
    attacks(&mp(cells_fence(Z)), TSO, &[]);
    attacks(&mp(cells_fence(Z)), PSO, &[(0, 0, 2)]);
    for fence in [STORE_FENCE, cells_fence(X), cells_fence(Y), cells_fence(Z)] {
        let sb = [
            vec![store(X, 1), fence, load(0, Y)],
            vec![store(Y, 1), load(0, X)],
        ];
        attacks(&sb, WEAK, &[(0, 0, 2), (1, 0, 1)]);
    }
}

#[test]
fn a_lightweight_fence_is_passed_unless_it_is_on_the_delayed_cell() {
    let passed = [
        vec![store(X, 1), store(Y, 1), cells_fence(Y), store(Z, 1)],
        vec![load(0, Z), load(1, X)],
    ];
    attacks(&passed, TSO, &[]);
    attacks(&passed, PSO, &[(0, 0, 3)]);
    // Here the fence must wait, and so must the store to z after it: with such fences, one delayed
    // store is not enough. [DMS17, Theorem 2] excludes these fences.
    let both = [
        vec![store(X, 1), cells_fence(X), store(Z, 1), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&both, WEAK, &[(0, 0, 3), (1, 0, 1)]);
}

#[test]
fn instructions_that_are_never_executed_attack_nothing() {
    let dead = [
        vec![Op::Assume(Expr::Const(0)), store(X, 1), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&dead, WEAK, &[]);
    // Address 0 is not a cell: the first thread stops before it reads y.
    let outside = [
        vec![store(X, 1), load(0, 0), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&outside, WEAK, &[]);
    // A failed assertion does not block.
    let failed = [
        vec![store(X, 1), Op::Assert(Expr::Const(0)), load(0, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    attacks(&failed, WEAK, &[(0, 0, 2), (1, 0, 1)]);
    // A block that cannot be left is not part of any computation.
    let stuck = [
        vec![store(X, 1), load(0, Y)],
        vec![
            Op::AtomicBegin,
            store(Y, 1),
            load(0, X),
            Op::Assume(Expr::Const(0)),
            Op::AtomicEnd,
        ],
    ];
    attacks(&stuck, WEAK, &[]);
}

fn execute(thread: u32, instr: u32) -> Step {
    Step::Execute {
        thread: ThreadId(thread),
        instr: InstrId(instr),
        choice: None,
    }
}

fn flush(thread: u32, cell: i32) -> Step {
    Step::Flush {
        thread: ThreadId(thread),
        addr: Addr(cell),
    }
}

/// Checks a computation of store buffering, with a third thread that reads z, as a witness of the given
/// attack. Returns the clause that fails.
fn clause(steps: &[Step], triple: (u32, u32, u32)) -> Option<String> {
    let program = program(&[
        vec![store(X, 1), load(0, Y), load(1, X), store(Z, 1)],
        vec![store(Y, 1), load(0, X)],
        vec![load(0, Z)],
    ]);
    let run = replay(&program, Model::Tso, steps).expect("a computation");
    let (attacker, store, last) = attack(triple);
    check_witness(&run, attacker, store, last)
        .err()
        .map(|error| error[..2].to_owned())
}

#[test]
fn each_clause_of_a_witness_is_checked() {
    let delayed = [execute(0, 0), execute(0, 1)];
    let helper = [execute(1, 0), flush(1, Y), execute(1, 1)];
    let of = |parts: &[&[Step]]| clause(&parts.concat(), (0, 0, 1));
    let end = [flush(0, X)];
    assert_eq!(of(&[&delayed, &helper, &end]), None);
    // Another thread, another store, another last instruction.
    let good = [&delayed[..], &helper, &end].concat();
    assert_eq!(clause(&good, (1, 0, 1)).as_deref(), Some("W1"));
    assert_eq!(clause(&good, (0, 3, 1)).as_deref(), Some("W2"));
    assert_eq!(clause(&good, (0, 0, 2)).as_deref(), Some("W2"));
    // A helper delays; no thread delays.
    let late = [execute(1, 0), execute(1, 1), flush(1, Y)];
    assert_eq!(of(&[&delayed, &late, &end]).as_deref(), Some("W1"));
    let sc = [execute(0, 0), flush(0, X), execute(0, 1)];
    assert_eq!(of(&[&sc, &helper]).as_deref(), Some("W1"));
    // The attacker continues.
    let more = [flush(0, X), execute(0, 2)];
    assert_eq!(of(&[&delayed, &helper, &more]).as_deref(), Some("W2"));
    // An unrelated thread acts, or a helper acts after the store.
    let other = [execute(2, 0)];
    let fails = of(&[&delayed, &other, &helper, &end]);
    assert_eq!(fails.as_deref(), Some("W3"));
    assert_eq!(of(&[&other, &delayed, &helper, &end]), None);
    let fails = of(&[&delayed, &helper, &end, &other]);
    assert_eq!(fails.as_deref(), Some("W4"));
    // The helper stops before it closes the cycle, or starts before the last load.
    let fails = of(&[&delayed, &helper[..2], &end]);
    assert_eq!(fails.as_deref(), Some("W3"));
    let fails = of(&[&helper[..2], &delayed, &helper[2..], &end]);
    assert_eq!(fails.as_deref(), Some("W3"));
    // The buffer serves the last load.
    let early = [&delayed[..], &[execute(0, 2)]].concat();
    let steps = [&early[..], &helper, &end].concat();
    assert_eq!(clause(&steps, (0, 0, 2)).as_deref(), Some("W5"));
}

fn has_barrier(program: &Program) -> bool {
    let mut ops = program.sites().map(|(_, instruction)| &instruction.op);
    ops.any(|op| matches!(op, Op::Fence(Fence::All)))
}

/// Every attack that has a witness among all computations, and whether no computation has a cycle.
fn by_exhaustion(
    program: &Program,
    model: Model,
    limit: usize,
) -> Option<(BTreeSet<Attack>, bool)> {
    let mut attacks = BTreeSet::new();
    let mut acyclic = true;
    let sites: Vec<_> = program.sites().map(|(site, _)| site).collect();
    every_computation(program, model, limit, &mut |run| {
        acyclic &= !run.happens_before().is_cyclic();
        for store in &sites {
            for last in sites.iter().filter(|last| last.thread == store.thread) {
                if check_witness(run, store.thread, store.instr, last.instr).is_ok() {
                    attacks.insert((store.thread, store.instr, last.instr));
                }
            }
        }
    })?;
    Some((attacks, acyclic))
}

proptest! {
    #![proptest_config(config(64))]

    /// [BDM13, Theorem 1] for TSO, [DMS17, Proposition 2] for the others; here with locked
    /// instructions and atomic blocks.
    #[test]
    fn theorem_a_program_is_robust_if_and_only_if_no_attack_is_feasible(
        sketch in acyclic(5),
    ) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program));
        for model in Model::ALL {
            let all = robust(&program, model, 20_000);
            let feasible = feasible_attacks(&program, model, 20_000);
            if let (Some(all), Some(feasible)) = (all, feasible) {
                prop_assert_eq!(all, feasible.is_empty(), "{} {:?}", model, feasible);
            }
        }
    }

    /// The reductions of the searches lose nothing.
    #[test]
    fn the_reductions_lose_no_attack(
        sketch in acyclic(3),
    ) {
        let program = sketch.build();
        for model in Model::ALL {
            let Some((attacks, acyclic)) = by_exhaustion(&program, model, 3_000) else {
                continue;
            };
            prop_assert_eq!(robust(&program, model, LIMIT), Some(acyclic), "{}", model);
            prop_assert_eq!(feasible_attacks(&program, model, LIMIT), Some(attacks), "{}", model);
        }
    }
}
